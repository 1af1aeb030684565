// The entry point of all npm scripts for users: sets up the requirements of a command, then runs it.
import { join, resolve } from "node:path";
import { binDir, buildEnv, root } from "./env.mjs";
import { bundle } from "./bundle.mjs";
import * as emulators from "./emulator.mjs";
import { systemPackages } from "./packages.mjs";
import { SetupError, has, run, say } from "./shell.mjs";
import * as notices from "./notices.mjs";
import * as steps from "./steps.mjs";
import { test } from "./test.mjs";

const [command, ...args] = process.argv.slice(2);

async function commandLine() {
  steps.rust();
  steps.room();
  await systemPackages("build");
  await steps.javascript();
  steps.duckdb();
  return steps.build(["vitrine-cli"]);
}

const vitrine = (args) =>
  run(join(binDir, "vitrine"), args, { cwd: process.env.INIT_CWD, env: buildEnv(), stdout: "inherit", stdin: "inherit" });

const commands = {
  async ask() {
    const first = await commandLine();
    await steps.models();
    if (first) await steps.sample();
    return vitrine(["ask", ...args]);
  },
  async vitrine() {
    await commandLine();
    return vitrine(args);
  },
  async start() {
    const display = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
    if (!display) {
      say('There is no display, so no window can open. Ask in the terminal instead:\n  npm run ask -- "How many orders were placed in 2023?"');
      return 4;
    }
    steps.rust();
    steps.room();
    await systemPackages("desktop");
    await steps.javascript();
    steps.duckdb();
    await steps.ui();
    const first = await steps.build(["vitrine-cli", "vitrine-desktop"]);
    await steps.models();
    if (first) await steps.sample();
    return run(join(binDir, "vitrine-desktop"), args, { cwd: process.env.INIT_CWD, env: buildEnv() });
  },
  async cargo() {
    await systemPackages("desktop");
    await steps.javascript();
    steps.duckdb();
    return steps.cargo(args);
  },
  async emulator() {
    const { bigquery, snowflake, clickhouse, databricks, motherduck, sqlglot } = emulators;
    const folders = [await bigquery(), await snowflake(), await clickhouse(), await databricks(), await motherduck(), await sqlglot()];
    for (const folder of folders.filter(Boolean)) say(`An emulator is in ${folder}`);
    return folders.every(Boolean) ? 0 : 4;
  },
  test: () => test(args),
  bundle: () => bundle(args),
  async notices() {
    await steps.javascript();
    steps.duckdb();
    notices.write(resolve(process.env.INIT_CWD ?? root, args[0] ?? "THIRD-PARTY-NOTICES.txt"));
    return 0;
  },
  async bench() {
    steps.rust();
    steps.room();
    await systemPackages("bench");
    await steps.javascript();
    steps.duckdb();
    const sections = args.filter((arg, at) => !arg.startsWith("--") && !args[at - 1]?.startsWith("--"));
    const wants = (section) => sections.length === 0 || sections.includes(section);
    // If no window can be driven, its section reports that, and nothing needs to be built for it.
    if (wants("window") && has("WebKitWebDriver") && has("xvfb-run")) {
      await systemPackages("desktop");
      await steps.ui();
      await steps.build(["vitrine-desktop", "vitrine-devhost"]);
    }
    steps.llama();
    const env = { ...buildEnv(), VITRINE_BIN_DIR: binDir };
    if (wants("values")) env.VITRINE_PYTHON = await steps.python("datasketch", "datasketch==2.0.0");
    // Measures the build profile that users get.
    const bench = ["bench", "--quiet", "-p", "vitrine-tests", "--bench", "figures", "--profile", "dev", "--", ...args];
    return run("cargo", bench, { cwd: root, env, stdout: "inherit" });
  },
};

try {
  if (!commands[command]) throw new SetupError(`unknown command '${command}'; package.json lists them`);
  process.exitCode = await commands[command]();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(`error: ${error.message}`);
  process.exitCode = 4;
}
