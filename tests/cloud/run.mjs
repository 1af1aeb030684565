// Ten questions on a shop in BigQuery's emulator, asked through the command line and judged by running the gold query.
// node tests/cloud/run.mjs VITRINE [METHOD] [MODEL] [--only ID,ID]: prints a line for each question, and the figure last.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [vitrine, method = "auto", model = "", ...rest] = process.argv.slice(2);
const only = rest[0] === "--only" ? rest[1].split(",") : null;
const emulator = process.env.VITRINE_BIGQUERY_EMULATOR ?? join(homedir(), ".cache", "vitrine", "bigquery-emulator");
const project = "test-project";
const folder = mkdtempSync(join(tmpdir(), "vitrine-cloud-"));

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const run = (args) =>
  new Promise((resolve) => {
    const env = { ...process.env, VITRINE_HOME: join(folder, "home") };
    execFile(vitrine, args, { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

/** Rows as a set: the order of rows and names of columns do not count; numbers are compared as numbers. */
const bag = (rows) => {
  const cell = (value) => {
    const number = value === null || value === "" ? Number.NaN : Number(value);
    return Number.isNaN(number) ? String(value) : number.toFixed(4);
  };
  return JSON.stringify(rows.map((row) => Object.values(row).map(cell)).map((row) => JSON.stringify(row)).sort());
};

const [port, other] = [await freePort(), await freePort()];
const server = spawn(
  join(emulator, "bin", "local-bigquery"),
  ["--host", "127.0.0.1", "--project", project, "--dataset", "shop", "--port", port, "--grpc-port", other, "--data-dir", folder].map(String),
  { env: { ...process.env, HOME: join(emulator, "home") }, stdio: "ignore" },
);
try {
  const url = `http://127.0.0.1:${port}/bigquery/v2/projects/${project}/queries`;
  const send = async (query) => {
    const defaultDataset = { projectId: project, datasetId: "shop" };
    const body = JSON.stringify({ query, useLegacySql: false, timeoutMs: 60_000, defaultDataset });
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return answer.json();
  };
  for (let tries = 0; ; tries++) {
    try {
      await send("SELECT 1");
      break;
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((wait) => setTimeout(wait, 100));
    }
  }
  const script = readFileSync(join(here, "shop.sql"), "utf8").replace(/^--.*$/gm, "");
  for (const statement of script.split(/;\s*$/m).filter((text) => text.trim() !== "")) {
    const answer = await send(statement);
    if (!answer.jobComplete) throw new Error(`${statement}: ${JSON.stringify(answer)}`);
  }
  const address = `bigquery://${project}/shop?endpoint=http://127.0.0.1:${port}`;
  const questions = JSON.parse(readFileSync(join(here, "questions.json"), "utf8"));
  let [right, asked] = [0, 0];
  for (const { id, question, sql } of questions.filter(({ id }) => !only || only.includes(id))) {
    asked++;
    const began = Date.now();
    const gold = await run(["query", address, sql, "--json"]);
    if (gold.code !== 0) throw new Error(`gold of ${id}: ${gold.stderr}`);
    const args = ["ask", "--json", "--warehouse", address, "--strategy", method, ...(model ? ["--model", model] : []), question];
    const answer = await run(args);
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
  process.stdout.write(`${method}: ${right} of ${asked} right\n`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
