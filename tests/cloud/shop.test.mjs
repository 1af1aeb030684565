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

/** Queries whose steps are not told, or do not give their result: a text in a VARIANT keeps its quotation marks in Snowflake's emulator. */
const WITHOUT_STEPS = { snowflake: ["array-value"], mssql: ["array-value"] };

const gold = await run("duckdb", "gold");

test("the shop's ten gold queries run on a file", () => assert.match(gold, /\n10 gold queries ran\n$/));

for (const engine of Object.keys(ENGINES)) {
  test(`a question is answered on ${engine}, whose gold queries bring what they bring on a file, step by step`, async () => {
    const lines = (await run(engine, "gold", "--steps")).split("\n");
    const without = lines.filter((line) => /\tno steps: /.test(line)).map((line) => line.split("\t")[0]);
    assert.deepEqual(without, WITHOUT_STEPS[engine] ?? []);
    assert.equal(lines.filter((line) => !/\t(no|\d+) steps/.test(line)).join("\n"), gold);
    assert.match(await run(engine, "direct", "--only", "count", "--without", "certainty"), / 1 of 1 right, \d+ model calls\n$/);
  });
}
