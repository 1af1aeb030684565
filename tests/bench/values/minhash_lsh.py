"""Builds and searches datasketch's MinHashLSH over the values of a file; writes what it took as JSON.

As many hashes and bands as the value index has. A candidate is ranked by the estimate of its signature, which is what
datasketch offers; one search is hashing the literal, asking the bands, and ranking.
"""

import json
import resource
import sys
import time

from datasketch import MinHash, MinHashLSH

HASHES, BANDS = 48, 24
BATCH = 10_000


def grams(text):
    padded = "\1\1" + text.lower() + "\1\1"
    return {padded[i : i + 3].encode() for i in range(len(padded) - 2)}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


values, queries = lines(sys.argv[1]), lines(sys.argv[2])

began = time.perf_counter()
lsh = MinHashLSH(num_perm=HASHES, params=(BANDS, HASHES // BANDS))
signatures = []
for start in range(0, len(values), BATCH):
    batch = MinHash.bulk([grams(value) for value in values[start : start + BATCH]], num_perm=HASHES)
    signatures.extend(batch)
    for number, signature in enumerate(batch, start):
        lsh.insert(number, signature, check_duplication=False)
build_seconds = time.perf_counter() - began

search_seconds, found = [], []
for query in queries:
    began = time.perf_counter()
    signature = MinHash(num_perm=HASHES)
    signature.update_batch(list(grams(query)))
    near = sorted(lsh.query(signature), key=lambda number: (-signature.jaccard(signatures[number]), number))
    search_seconds.append(time.perf_counter() - began)
    found.append([values[number] for number in near[:5000]])

peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
json.dump(
    {
        "build_seconds": build_seconds,
        "search_seconds": search_seconds,
        "peak_bytes": peak if sys.platform == "darwin" else peak * 1024,
        "found": found,
    },
    sys.stdout,
)
