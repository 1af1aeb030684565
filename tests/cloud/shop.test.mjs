// The shop on every emulator, through the command line: the gold queries bring the same rows everywhere, and the embedded model answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ENGINES } from "./engines.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const vitrine = join(process.env.VITRINE_BIN_DIR, "vitrine");

/** What `run.mjs` prints of an engine. */
const run = async (...args) => (await promisify(execFile)(process.execPath, [join(here, "run.mjs"), vitrine, ...args])).stdout;

const gold = await run("duckdb", "gold");

test("the shop's ten gold queries run on a file", () => assert.match(gold, /\n10 gold queries ran\n$/));

for (const engine of Object.keys(ENGINES)) {
  test(`a question is answered on ${engine}, whose gold queries bring what they bring on a file`, async () => {
    assert.equal(await run(engine, "gold"), gold);
    assert.match(await run(engine, "direct", "--only", "count", "--without", "certainty"), / 1 of 1 right, \d+ model calls\n$/);
  });
}
