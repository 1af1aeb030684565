// Ten questions on a shop in a cloud warehouse's emulator, asked through the command line and judged by running the gold query.
// node tests/cloud/run.mjs VITRINE ENGINE [METHOD] [--model MODEL] [--only ID,ID]: a line for each question, and the figure last.
// ENGINE: bigquery, snowflake or clickhouse. METHOD: auto without one; "gold" only runs the gold queries.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ENGINES } from "./engines.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string" }, only: { type: "string" } },
});
const [vitrine, engine, method = "auto"] = positionals;
const only = values.only?.split(",");
if (!vitrine || !ENGINES[engine]) {
  process.stderr.write(`node tests/cloud/run.mjs VITRINE ${Object.keys(ENGINES).join("|")} [METHOD]\n`);
  process.exit(2);
}

/** Rows as a set: the order of rows and names of columns do not count; numbers are compared as numbers. */
const bag = (rows) => {
  const cell = (value) => {
    const number = value === null || value === "" ? Number.NaN : Number(value);
    return Number.isNaN(number) ? String(value) : number.toFixed(4);
  };
  return JSON.stringify(rows.map((row) => JSON.stringify(Object.values(row).map(cell))).sort());
};

const folder = mkdtempSync(join(tmpdir(), "vitrine-cloud-"));
const { server, send, address, env } = await ENGINES[engine](folder);

const run = (args) =>
  new Promise((resolve) => {
    const all = { ...process.env, ...env, VITRINE_HOME: join(folder, "home") };
    execFile(vitrine, args, { env: all, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

/** Sends the first statement until the emulator is up. */
const up = async () => {
  for (let tries = 0; ; tries++) {
    try {
      return await send("SELECT 1");
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((wait) => setTimeout(wait, 100));
    }
  }
};

try {
  await up();
  const script = readFileSync(join(here, "shop", `${engine}.sql`), "utf8").replace(/^--.*$/gm, "");
  for (const statement of script.split(/;\s*$/m).filter((text) => text.trim() !== "")) await send(statement.trim());
  const questions = JSON.parse(readFileSync(join(here, "questions.json"), "utf8"));
  let [right, asked] = [0, 0];
  for (const { id, question, sql } of questions.filter(({ id }) => !only || only.includes(id))) {
    asked++;
    const gold = await run(["query", address, sql[engine] ?? sql.every, "--json"]);
    if (gold.code !== 0) throw new Error(`gold of ${id}: ${gold.stderr}`);
    if (method === "gold") {
      process.stdout.write(`${id}\t${bag(JSON.parse(gold.stdout).rows)}\n`);
      continue;
    }
    const began = Date.now();
    const model = values.model ? ["--model", values.model] : [];
    const answer = await run(["ask", "--json", "--warehouse", address, "--strategy", method, ...model, question]);
    let outcome = "no answer";
    let written = "";
    try {
      const said = JSON.parse(answer.stdout);
      written = (said.sql ?? said.error?.message ?? "").replace(/\s+/g, " ");
      if (said.result) outcome = bag(said.result.rows) === bag(JSON.parse(gold.stdout).rows) ? "right" : "wrong";
    } catch {
      written = answer.stderr.trim().split("\n").at(-1) ?? "";
    }
    if (outcome === "right") right++;
    process.stdout.write(`${id}\t${outcome}\t${Math.round((Date.now() - began) / 1000)} s\t${written}\n`);
  }
  process.stdout.write(method === "gold" ? `${asked} gold queries ran\n` : `${engine} ${method}: ${right} of ${asked} right\n`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
