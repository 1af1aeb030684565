// `npm test`: types, lint, unit tests, one engine of each kind, the real model, the main flows and the real window, fastest checks
// first. `npm test -- deep` adds long tests: every screenshot and page, every emulator, every method, long property tests and the
// packages. Names of suites select them: `npm test -- rust`, `npm test -- deep browser`.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binDir, buildEnv, root, targetDir } from "./env.mjs";
import * as emulators from "./emulator.mjs";
import { systemPackages } from "./packages.mjs";
import { SetupError, has, run, say } from "./shell.mjs";
import * as steps from "./steps.mjs";
import { describe, readJunit } from "./timings.mjs";

const MODELS = ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "minilm-l6-v2"];

/** Timeout of a suite in minutes. The slowest one, a build from scratch, takes 35 minutes on two cores. */
const MINUTES = { clippy: 60, build: 60, models: 30, rust: 40, browser: 30, package: 30 };
const MINUTES_ELSE = 15;

/** The package that serves a model over the OpenAI protocol, as a real server for the adapter. */
const PEER = "xllamacpp==2026.10.11549";

// A separate keychain for the secrets test, unlocked with an empty password.
const KEYCHAIN =
  'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null; exec cargo "$@"';

/** Arguments that run a program on a separate virtual display. */
const ON_SCREEN = ["--", "xvfb-run", "-a", "-s", "-screen 0 1280x800x24"];

/** The browser tests of the first tier: the main flows. The others cover every state and size. */
const FLOWS = ["ask", "data", "flows", "readings", "workbench"].map((name) => `tests/e2e/${name}.test.mjs`);

/** Number of cases of each property test. */
const CASES = { first: "24", deep: "512" };

/** Installs the additional requirements of the tests. Returns the folders of the emulators by name. */
async function prepare() {
  steps.rust();
  steps.room();
  await systemPackages("test");
  await steps.javascript();
  steps.duckdb();
  steps.llama();
  await steps.python("xllamacpp", PEER);
  const folders = {};
  for (const name of ["bigquery", "snowflake", "clickhouse", "databricks", "motherduck", "sqlglot"]) folders[name] = await emulators[name]();
  return folders;
}

/** Returns the environment of the Rust tests: real servers, a keychain and separate folders. */
function rustEnv(env, folders, scratch, deep) {
  const named = Object.entries(folders).filter(([, folder]) => folder);
  return {
    ...env,
    VITRINE_TEST_REAL: "1",
    VITRINE_TEST_KEYCHAIN: "1",
    PROPTEST_CASES: process.env.PROPTEST_CASES || (deep ? CASES.deep : CASES.first),
    ...Object.fromEntries(named.map(([name, folder]) => [`VITRINE_${name.toUpperCase()}_EMULATOR`, folder])),
    XDG_DATA_HOME: scratch,
    XDG_RUNTIME_DIR: scratch,
  };
}

/** Returns the suites of a tier: name, program, arguments, and further requirements. */
function suites({ deep, env, folders, scratch }) {
  const junit = (name) => join(scratch, `${name}.xml`);
  const node = (name, ...files) => [
    "node",
    ["--test", "--test-concurrency=1", "--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=junit", `--test-reporter-destination=${junit(name)}`, ...files],
    { junit: junit(name) },
  ];
  const onScreen = ([command, args, more]) => ["dbus-run-session", [...ON_SCREEN, command, ...args], more];
  const profile = deep ? "deep" : "default";
  const cargoTest = has("cargo-nextest")
    ? ["nextest", "run", "--locked", "--workspace", "--profile", profile]
    : ["test", "--locked", "--workspace", "--no-fail-fast"];
  const rust = { env: rustEnv(env, folders, scratch, deep), junit: join(targetDir, "nextest", profile, "junit.xml") };
  return [
    ["types", "npx", ["tsc", "--noEmit", "-p", "ui"]],
    ["lint", "npx", ["biome", "check", "ui"]],
    ["setup", ...node("setup", "tests/setup/")],
    ["language", ...node("language", "tests/language/")],
    ["audit", "node", ["setup/audit.mjs"]],
    ["notices", "node", ["setup/run.mjs", "notices", join(scratch, "notices.txt")]],
    ["ui", "npx", ["vitest", "run", "--root", "ui", "--reporter=default", "--reporter=junit", `--outputFile.junit=${junit("ui")}`], { junit: junit("ui") }],
    ["pages", "npx", ["vite", "build", "ui", "--logLevel", "warn"]],
    ["format", "cargo", ["fmt", "--all", "--check"]],
    ["clippy", "cargo", ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"]],
    ["build", "cargo", ["build", "--locked", "--workspace", "--bins", ...(deep ? ["--benches"] : [])]],
    ["models", join(binDir, "vitrine"), ["models", "pull", ...MODELS]],
    ["python", join(binDir, "vitrine"), ["python", "install"]],
    ["rust", "dbus-run-session", ["--", "bash", "-c", KEYCHAIN, "cargo", ...cargoTest], rust],
    ...(deep ? [["cloud", ...node("cloud", "tests/cloud/")]] : []),
    ["browser", ...node("browser", ...(deep ? ["tests/e2e/"] : FLOWS))],
    ["desktop", ...onScreen(node("desktop", "tests/desktop/"))],
    ...(deep ? [["package", ...onScreen(node("package", "tests/package/"))]] : []),
  ];
}

/** Runs a suite; returns its name, its exit status, its seconds, and its test cases. */
async function runSuite([name, command, args, more = {}], env) {
  say(`\n== ${name}: ${command.split("/").pop()} ${args.join(" ")}`);
  const began = Date.now();
  const code = await run(command, args, { cwd: root, env: more.env ?? env, stdout: "inherit", minutes: MINUTES[name] ?? MINUTES_ELSE });
  const seconds = Math.round((Date.now() - began) / 1000);
  say(`== ${name}: ${code === 0 ? "ok" : `failed with ${code}`}, ${seconds} s`);
  return { name, code, seconds, cases: readJunit(name, more.junit) };
}

export async function test(args) {
  const deep = args.includes("deep");
  const only = args.filter((arg) => arg !== "deep");
  const folders = await prepare();
  const env = { ...buildEnv(), CI: process.env.CI ?? "", VITRINE_BIN_DIR: binDir };
  const all = suites({ deep, env, folders, scratch: mkdtempSync(join(tmpdir(), "vitrine-test-")) });
  const names = all.map(([name]) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(`unknown suite ${unknown.join(", ")}; ${deep ? "the" : "without 'deep' the"} suites are ${names.join(", ")}`);
  }
  const done = [];
  for (const suite of all) {
    if (only.length > 0 && !only.includes(suite[0])) continue;
    done.push(await runSuite(suite, env));
    if (done.at(-1).code !== 0 && ["build", "models"].includes(suite[0])) break;
  }
  const failed = done.filter(({ code }) => code !== 0).map(({ name }) => name);
  const minutes = (done.reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(1);
  say(["", ...describe(done.flatMap(({ cases }) => cases)), "", ...done.map(({ name, seconds }) => `${String(seconds).padStart(5)} s  ${name}`)].join("\n"));
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  process.stdout.write(`\nsuites: ${done.length - failed.length} passed, ${failed.length} failed, ${minutes} minutes\n`);
  return failed.length === 0 ? 0 : 1;
}
