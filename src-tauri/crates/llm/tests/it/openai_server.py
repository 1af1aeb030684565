# Serves a GGUF file with llama.cpp's own server (PyPI: xllamacpp), an OpenAI-compatible peer that is not ours.
# Arguments: the file, the key. Prints its address, and ends when its standard input does: with the test, however that
# ends.
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path, params.api_keys = sys.argv[1], [sys.argv[2]]
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.n_gpu_layers = 4096, 4, 0
params.kv_unified = True
params.warmup = False
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
