// `npm test`: everything that has to hold, in the order in which a failure is cheapest to find.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binDir, buildEnv, root } from "./env.mjs";
import * as emulators from "./emulator.mjs";
import { systemPackages } from "./packages.mjs";
import { has, run, say } from "./shell.mjs";
import * as steps from "./steps.mjs";

const MODELS = ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "minilm-l6-v2"];

/** A suite that takes longer hangs: the slowest, a build from nothing, takes 35 on two cores. */
const MINUTES = { clippy: 60, build: 60, models: 30, rust: 40, browser: 30, package: 30 };
const MINUTES_ELSE = 15;

/** The package that serves a model over the OpenAI protocol: the adapter's real peer. */
const PEER = "xllamacpp==2026.10.11549";

// A keychain of its own, unlocked with an empty password, for the secrets test.
const KEYCHAIN =
  'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null; exec cargo "$@"';

export async function test(only) {
  steps.rust();
  steps.room();
  await systemPackages("test");
  await steps.javascript();
  steps.duckdb();
  steps.llama();
  await steps.python("xllamacpp", PEER);
  const bigquery = await emulators.bigquery();
  const snowflake = await emulators.snowflake();
  const clickhouse = await emulators.clickhouse();
  const databricks = await emulators.databricks();
  const motherduck = await emulators.motherduck();
  const sqlglot = await emulators.sqlglot();

  const env = { ...buildEnv(), CI: process.env.CI ?? "", VITRINE_BIN_DIR: binDir };
  const scratch = mkdtempSync(join(tmpdir(), "vitrine-test-"));
  const rustEnv = {
    ...env,
    VITRINE_TEST_REAL: "1",
    VITRINE_TEST_KEYCHAIN: "1",
    ...(bigquery ? { VITRINE_BIGQUERY_EMULATOR: bigquery } : {}),
    ...(snowflake ? { VITRINE_SNOWFLAKE_EMULATOR: snowflake } : {}),
    ...(clickhouse ? { VITRINE_CLICKHOUSE_EMULATOR: clickhouse } : {}),
    ...(databricks ? { VITRINE_DATABRICKS_EMULATOR: databricks } : {}),
    ...(motherduck ? { VITRINE_MOTHERDUCK_EMULATOR: motherduck } : {}),
    ...(sqlglot ? { VITRINE_SQLGLOT_EMULATOR: sqlglot } : {}),
    XDG_DATA_HOME: scratch,
    XDG_RUNTIME_DIR: scratch,
  };
  const cargoTest = has("cargo-nextest")
    ? ["nextest", "run", "--locked", "--workspace", "--no-fail-fast"]
    : ["test", "--locked", "--workspace", "--no-fail-fast"];
  const suites = [
    ["types", "npx", ["tsc", "--noEmit", "-p", "ui"]],
    ["lint", "npx", ["biome", "check", "ui"]],
    ["setup", "node", ["--test", "tests/setup/"]],
    ["audit", "node", ["setup/audit.mjs"]],
    ["notices", "node", ["setup/run.mjs", "notices", join(scratch, "notices.txt")]],
    ["ui", "npx", ["vitest", "run", "--root", "ui"]],
    ["pages", "npx", ["vite", "build", "ui", "--logLevel", "warn"]],
    ["format", "cargo", ["fmt", "--all", "--check"]],
    ["clippy", "cargo", ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]],
    ["build", "cargo", ["build", "--locked", "--workspace", "--bins", "--benches"]],
    ["models", join(binDir, "vitrine"), ["models", "pull", ...MODELS]],
    ["python", join(binDir, "vitrine"), ["python", "install"]],
    ["rust", "dbus-run-session", ["--", "bash", "-c", KEYCHAIN, "cargo", ...cargoTest], rustEnv],
    ["cloud", "node", ["--test", "--test-concurrency=1", "tests/cloud/"]],
    ["browser", "node", ["--test", "--test-concurrency=1", "tests/e2e/"]],
    ["desktop", "dbus-run-session", ["--", "xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "node", "--test", "tests/desktop/"]],
    ["package", "dbus-run-session", ["--", "xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "node", "--test", "tests/package/"]],
  ];
  const failed = [];
  let passed = 0;
  for (const [name, command, args, suiteEnv] of suites) {
    if (only.length > 0 && !only.includes(name)) continue;
    say(`\n== ${name}: ${command.split("/").pop()} ${args.join(" ")}`);
    const began = Date.now();
    const code = await run(command, args, { cwd: root, env: suiteEnv ?? env, stdout: "inherit", minutes: MINUTES[name] ?? MINUTES_ELSE });
    say(`== ${name}: ${code === 0 ? "ok" : `failed with ${code}`}, ${Math.round((Date.now() - began) / 1000)} s`);
    if (code === 0) passed += 1;
    else failed.push(name);
    if (code !== 0 && ["build", "models"].includes(name)) break;
  }
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  process.stdout.write(`\nsuites: ${passed} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}
