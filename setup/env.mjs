// Where things are kept, and the environment that every build and run gets. The one place that knows paths.
import { existsSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { llama } from "./llama.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cache = process.env.VITRINE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "vitrine");
export const targetDir = process.env.CARGO_TARGET_DIR || join(cache, "target");
export const binDir = join(targetDir, "debug");

/** Gigabytes that are free where a folder is, or will be. */
function freeGigabytes(folder) {
  if (!existsSync(folder)) return freeGigabytes(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / 1e9;
}

export const free = freeGigabytes(targetDir);

/** Whether the disk has too little room for what the compiler keeps only to be quicker the next time: half of the folder, and up to 15 GB. */
export const tight = free < 15;

/** The npm package that carries libduckdb for this machine; its version pairs with the `duckdb` crate in Cargo.toml. */
export function duckdbPackage() {
  const os = { linux: "linux", darwin: "darwin" }[process.platform];
  const cpu = { x64: "x64", arm64: "arm64" }[process.arch];
  if (!os || !cpu) throw new Error(`Vitrine is built on Linux and macOS, x64 or arm64; this is ${process.platform} ${process.arch}`);
  return `@duckdb/node-bindings-${os}-${cpu}`;
}

export function duckdbVersion() {
  const { optionalDependencies } = createRequire(import.meta.url)(join(root, "package.json"));
  return optionalDependencies[duckdbPackage()];
}

/** libduckdb lies in the cache and not in node_modules, so that a fresh checkout does not rebuild what links to it. */
export const duckdbDir = () => join(cache, "lib", `duckdb-${duckdbVersion()}`);

/** Windows links to a library of imports, which the npm package lacks: there the crate's own build fetches both from github.com. */
const duckdbEnv = () => (process.platform === "win32" ? { DUCKDB_DOWNLOAD_LIB: "1" } : { DUCKDB_LIB_DIR: duckdbDir() });

export function buildEnv() {
  const libraries = [duckdbEnv().DUCKDB_LIB_DIR, binDir, process.env.LD_LIBRARY_PATH];
  return {
    ...process.env,
    CARGO_TARGET_DIR: targetDir,
    ...duckdbEnv(),
    ...llama(cache),
    ...(tight ? { CARGO_INCREMENTAL: "0" } : {}),
    LD_LIBRARY_PATH: libraries.filter(Boolean).join(":"),
  };
}

/** For what is handed out: kernels for all processors, and no folder of this machine in messages. */
export function releaseEnv() {
  const cargoHome = process.env.CARGO_HOME || join(homedir(), ".cargo");
  // Later ones go first: what lies in the home folder may be one of the others.
  const folders = [[homedir(), "home"], [cargoHome, "cargo"], [targetDir, "target"], [root, "vitrine"]];
  // They take the place of those in .cargo/config.toml, which are for tests; the programs' own build scripts say where theirs look.
  const rust = folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  const c = process.platform === "win32" ? "" : folders.map(([from, to]) => `-ffile-prefix-map=${from}=${to}`).join(" ");
  // A shell that was set up for building here has kernels for this machine alone.
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith("GGML_") && name !== "CMAKE_PROJECT_INCLUDE");
  return {
    ...Object.fromEntries(outside),
    CARGO_TARGET_DIR: targetDir,
    ...duckdbEnv(),
    CARGO_ENCODED_RUSTFLAGS: rust.join("\x1f"),
    ...(c ? { CFLAGS: c, CXXFLAGS: c } : {}),
  };
}
