# Serves a GGUF file with llama.cpp's own server (PyPI: xllamacpp), an OpenAI-compatible peer that is not ours.
# Arguments: the file, the key (empty for none), the tokens of context. Prints its address, and ends when its standard input
# does: with the test, however that ends.
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.api_keys = [key for key in sys.argv[2:3] if key]
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.n_gpu_layers = int(sys.argv[3]), 4, 0
params.kv_unified = True
params.warmup = False
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
