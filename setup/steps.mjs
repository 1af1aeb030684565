// The steps of the set-up. Each one does nothing if its result already exists.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { binDir, buildEnv, cache, duckdbDir, duckdbPackage, free, root, tight } from "./env.mjs";
import { beside, buildAloud } from "./build.mjs";
import { readyLlama } from "./llama.mjs";
import { SetupError, has, must, run, say } from "./shell.mjs";

export function rust() {
  if (!has("cargo")) throw new SetupError("Rust is missing: install it with rustup, then run this again");
}

/** Frees disk space if there is little, by deleting files that the compiler can recreate. */
export function room() {
  if (!tight) return;
  rmSync(join(binDir, "incremental"), { recursive: true, force: true });
  if (existsSync(join(binDir, "vitrine"))) return;
  say(`Only ${free.toFixed(1)} GB are free for ${cache}: the first build takes some 5, the models 2`);
}

export async function javascript() {
  const stamp = join(root, "node_modules", ".package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  say("Installing JavaScript packages");
  // No package needs its install script. `npm ci` would fail if a registry lacks a package that only another platform needs.
  await must("Installing JavaScript packages", "npm", ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: root });
  utimesSync(stamp, new Date(), new Date());
}

/** Copies libduckdb from its npm package to the cache and next to the programs. */
export function duckdb(programs = binDir) {
  if (process.platform === "win32") return;
  const name = process.platform === "darwin" ? "libduckdb.dylib" : "libduckdb.so";
  const target = join(duckdbDir(), name);
  if (!existsSync(target)) {
    mkdirSync(duckdbDir(), { recursive: true });
    copyFileSync(join(root, "node_modules", duckdbPackage(), name), `${target}.partial`);
    renameSync(`${target}.partial`, target);
  }
  const beside = join(programs, name);
  if (!existsSync(beside) || statSync(beside).size !== statSync(target).size) {
    mkdirSync(programs, { recursive: true });
    copyFileSync(target, beside);
  }
}

/** Prepares the build of llama.cpp for this machine. Required before every local build. */
export const llama = () => readyLlama({ root, cache, binDir });

/** Prepares the build of llama.cpp with all kernels. Required before a release build. */
export const llamaForAll = (programs) => readyLlama({ root, cache, binDir: programs, wanted: {} });

export async function cargo(args) {
  llama();
  return run("cargo", args, { cwd: root, env: buildEnv() });
}

/** Models that an answer needs: the default model, and the embedding model for stored values. */
const MODELS = ["qwen2.5-coder-1.5b", "minilm-l6-v2"];

/** Builds the programs of packages. During the first build, pulls the models in parallel. Returns true for the first build. */
export async function build(packages) {
  llama();
  const options = { cwd: root, env: buildEnv() };
  if (existsSync(join(binDir, "vitrine"))) {
    await must("The build", "cargo", ["build", "--locked", "--quiet", "--bins", ...select(packages)], options);
    return false;
  }
  say("Building Vitrine and pulling its models; the first time takes some 15 minutes on two idle cores");
  await buildFirst(["vitrine-models"], options);
  const pull = beside(join(binDir, "vitrine-pull"), [join(cache, "models"), ...MODELS], options);
  try {
    await buildFirst(packages, options);
  } catch (error) {
    pull.stop();
    throw error;
  }
  // The next step reports and pulls models that are still missing.
  await pull.ended;
  return true;
}

const select = (packages) => packages.flatMap((name) => ["-p", name]);

async function buildFirst(packages, options) {
  const args = ["build", "--locked", "--bins", ...select(packages)];
  if (process.stderr.isTTY) return must("The build", "cargo", args, options);
  const code = await buildAloud(args, options);
  if (code !== 0) throw new SetupError(`The build failed (cargo ended with ${code}); the messages above say why`);
}

/** Returns the time of the latest change below a folder, in milliseconds. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "dist" || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

export async function ui() {
  const built = join(root, "ui", "dist", "index.html");
  if (existsSync(built) && statSync(built).mtimeMs >= newest(join(root, "ui"))) return;
  say("Building the window's pages");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  await must("Building the window's pages", process.execPath, [vite, "build", "ui", "--logLevel", "warn"], { cwd: root });
}

/** Pulls the default model and the embedding model. Shows progress, resumes interrupted downloads, and verifies hashes. */
export async function models() {
  await must("Pulling the models", join(binDir, "vitrine"), ["models", "pull", ...MODELS], {
    cwd: root,
    env: buildEnv(),
  });
}

/** Creates the sample warehouse and lets the model process its schema, so that the first question is answered in seconds. */
export async function sample() {
  say("Preparing the sample warehouse");
  await must("Preparing the sample warehouse", join(binDir, "vitrine"), ["prepare"], { cwd: root, env: buildEnv() });
}

/**
 * Creates a Python environment with a package. Returns the path of its interpreter. `-I` ignores modules in the current folder.
 */
export async function python(module, requirement) {
  const path = join(cache, "venv", "bin", "python");
  if (!existsSync(path)) await must("Making a Python environment", "python3", ["-I", "-m", "venv", join(cache, "venv")]);
  const isInstalled = spawnSync(path, ["-I", "-c", `import ${module}`], { stdio: "ignore" }).status === 0;
  if (!isInstalled) await must(`Installing ${module}`, path, ["-I", "-m", "pip", "install", "--quiet", requirement]);
  return path;
}
