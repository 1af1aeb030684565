// `npm test`: everything that has to hold, in the order in which a failure is cheapest to find.
import { join } from "node:path";
import { binDir, buildEnv, root } from "./env.mjs";
import { systemPackages } from "./packages.mjs";
import { has, run, say } from "./shell.mjs";
import * as steps from "./steps.mjs";

export async function test(only) {
  steps.rust();
  await systemPackages("test");
  await steps.javascript();
  steps.duckdb();

  const env = { ...buildEnv(), CI: process.env.CI ?? "", VITRINE_BIN_DIR: binDir };
  const cargoTest = has("cargo-nextest")
    ? ["nextest", "run", "--workspace", "--no-fail-fast"]
    : ["test", "--workspace", "--no-fail-fast"];
  const suites = [
    ["types", "npx", ["tsc", "--noEmit", "-p", "ui"]],
    ["lint", "npx", ["biome", "check", "ui", "setup", "tests"]],
    ["ui", "npx", ["vitest", "run", "--root", "ui"]],
    ["pages", "npx", ["vite", "build", "ui", "--logLevel", "warn"]],
    ["build", "cargo", ["build", "--workspace", "--bins"]],
    ["models", join(binDir, "vitrine"), ["models", "pull", "qwen2.5-coder-1.5b", "minilm-l6-v2"]],
    ["rust", "dbus-run-session", ["--", "cargo", ...cargoTest]],
    ["browser", "node", ["--test", "--test-concurrency=1", "tests/e2e/"]],
    ["desktop", "dbus-run-session", ["--", "xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "node", "--test", "tests/desktop/"]],
  ];
  const failed = [];
  let passed = 0;
  for (const [name, command, args] of suites) {
    if (only.length > 0 && !only.includes(name)) continue;
    say(`\n== ${name}: ${command.split("/").pop()} ${args.join(" ")}`);
    const began = Date.now();
    const code = await run(command, args, { cwd: root, env, stdout: "inherit" });
    say(`== ${name}: ${code === 0 ? "ok" : `failed with ${code}`}, ${Math.round((Date.now() - began) / 1000)} s`);
    if (code === 0) passed += 1;
    else failed.push(name);
    if (code !== 0 && ["build", "models"].includes(name)) break;
  }
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  process.stdout.write(`\nsuites: ${passed} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}
