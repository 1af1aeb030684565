// Ten questions on a shop in a cloud warehouse's emulator, asked through the command line and judged by running the gold query.
// node tests/cloud/run.mjs VITRINE ENGINE [METHOD] [options]: a line for each question, and the figure last.
// ENGINE: one of engines.mjs. METHOD: auto without one; "gold" only runs the gold queries.
// --only ID,ID       these questions alone
// --model MODEL      the model to ask
// --remote URL       asks the OpenAI-compatible server there, which calls its model MODEL ("large" without one)
// --without PARTS    as of `vitrine ask`
// --at-once N        so many questions side by side; one without it
// --csv FILE         adds a row for each question: engine, method, question, outcome, seconds, model calls, SQL
// --steps            with "gold": says of each query whether its steps, run one by one, give its result
// --answers FOLDER   writes there what `ask --json` said of each
import { execFile } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ENGINES, SAME, SCRIPTS } from "./engines.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const word = { type: "string" };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: word, model: word, remote: word, without: word, "at-once": word, csv: word, answers: word, steps: { type: "boolean" } },
});
const [vitrine, engine, method = "auto"] = positionals;
if (!vitrine || !ENGINES[engine]) {
  process.stderr.write(`node tests/cloud/run.mjs VITRINE ${Object.keys(ENGINES).join("|")} [METHOD]\n`);
  process.exit(2);
}
const same = SAME[engine] ?? engine;
const model = values.model ?? (values.remote ? "large" : undefined);
const flags = ["--strategy", method, ...(model ? ["--model", model] : []), ...(values.without ? ["--without", values.without] : [])];

/** Rows as a set: the order of rows and names of columns do not count; numbers are compared as numbers. */
const bag = (rows) => {
  const cell = (value) => {
    const number = value === null || value === "" ? Number.NaN : Number(value);
    return Number.isNaN(number) ? String(value) : number.toFixed(4);
  };
  return JSON.stringify(rows.map((row) => JSON.stringify(Object.values(row).map(cell))).sort());
};

const folder = mkdtempSync(join(tmpdir(), "vitrine-cloud-"));
const scripts = (SCRIPTS[engine] ?? [engine]).map((name) => readFileSync(join(here, "shop", `${name}.sql`), "utf8"));
const script = scripts.join("\n").replace(/^--.*$/gm, "");
const { server, send, loaded, driver, address, env } = await ENGINES[engine](folder, script);
const home = join(folder, "home");

const run = (args) =>
  new Promise((resolve) => {
    const all = { ...process.env, ...env, VITRINE_HOME: home };
    execFile(vitrine, args, { env: all, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

/** What a command prints; an error where it fails. */
const must = async (what, args) => {
  const { code, stdout, stderr } = await run(args);
  if (code !== 0) throw new Error(`${what}: ${stderr}`);
  return stdout;
};

/** Sends the first statement until the emulator is up. */
const up = async () => {
  for (let tries = 0; ; tries++) {
    try {
      return await send("SELECT 1");
    } catch (error) {
      if (tries > 900) throw error;
      await new Promise((wait) => setTimeout(wait, 100));
    }
  }
};

/** Ends the server, by its input where it has one, and waits for it. */
const end = async () => {
  if (!server || server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  if (server.stdin) server.stdin.end();
  else server.kill();
  await ended;
};

const gold = async ({ id, sql }) => JSON.parse(await must(`gold of ${id}`, ["query", address, sql[same] ?? sql.every, "--json"])).rows;

/** Whether the steps of a gold query give its result; why there are none, where there are none. */
const steps = async ({ id, sql }) => {
  const told = JSON.parse(await must(`steps of ${id}`, ["explain", address, sql[same] ?? sql.every, "--json"]));
  return told.proven ? `${told.steps.length} steps give the same` : `no steps: ${told.unproven}`;
};

/** A question's outcome, model calls and SQL, or what was said instead of it. */
const ask = async (asked) => {
  const expected = await gold(asked);
  const began = Date.now();
  const { stdout, stderr } = await run(["ask", "--json", "--warehouse", address, ...flags, asked.question]);
  const seconds = Math.round((Date.now() - began) / 1000);
  if (values.answers) writeFileSync(join(values.answers, `${engine}-${method}-${asked.id}.json`), stdout);
  try {
    const said = JSON.parse(stdout);
    const outcome = said.result ? (bag(said.result.rows) === bag(expected) ? "right" : "wrong") : "no answer";
    const text = (said.sql ?? said.error?.message ?? "").replace(/\s+/g, " ");
    return { outcome, seconds, calls: said.usage?.llm_calls ?? 0, text };
  } catch {
    return { outcome: "no answer", seconds, calls: 0, text: stderr.trim().split("\n").at(-1) ?? "" };
  }
};

const quoted = (cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));

const record = (id, { outcome, seconds, calls, text }) => {
  process.stdout.write(`${id}\t${outcome}\t${seconds} s\t${calls} calls\t${text}\n`);
  if (!values.csv) return;
  if (!existsSync(values.csv)) writeFileSync(values.csv, "engine,method,question,outcome,seconds,calls,sql\n");
  appendFileSync(values.csv, `${[engine, method, id, outcome, seconds, calls, text].map(quoted).join(",")}\n`);
};

try {
  await up();
  if (driver) await must("the driver", ["drivers", "add", driver.library, "--name", driver.name]);
  if (!loaded) for (const statement of script.split(/;\s*$/m).filter((text) => text.trim() !== "")) await send(statement.trim());
  const only = values.only?.split(",");
  const questions = JSON.parse(readFileSync(join(here, "questions.json"), "utf8")).filter(({ id }) => !only || only.includes(id));
  if (method === "gold") {
    for (const question of questions) {
      process.stdout.write(`${question.id}\t${bag(await gold(question))}\n`);
      if (values.steps) process.stdout.write(`${question.id}\t${await steps(question)}\n`);
    }
    process.stdout.write(`${questions.length} gold queries ran\n`);
  } else {
    if (values.remote) await must("the model", ["models", "remote", model, "--url", values.remote, "--model", model]);
    if (values.answers) mkdirSync(values.answers, { recursive: true });
    let [right, calls] = [0, 0];
    const waiting = [...questions];
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const answer = await ask(next);
        if (answer.outcome === "right") right++;
        calls += answer.calls;
        record(next.id, answer);
      }
    };
    await Promise.all(Array.from({ length: Number(values["at-once"] ?? 1) }, worker));
    process.stdout.write(`${engine} ${method}: ${right} of ${questions.length} right, ${calls} model calls\n`);
  }
} finally {
  await end();
  rmSync(folder, { recursive: true, force: true });
}
