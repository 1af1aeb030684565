// Paths, and the environment of every build and run. No other script defines paths.
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

/** Returns the free gigabytes on the disk of a folder, which may not exist yet. */
function freeGigabytes(folder) {
  if (!existsSync(folder)) return freeGigabytes(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / 1e9;
}

export const free = freeGigabytes(targetDir);

/** True if the disk has too little space for incremental compilation, which takes half of the build folder and up to 15 GB. */
export const tight = free < 15;

/** Returns the npm package with libduckdb for this machine. Its version must match the `duckdb` crate in Cargo.toml. */
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

/** Folder of libduckdb: in the cache and not in node_modules, so that a fresh checkout does not rebuild the crates that link it. */
export const duckdbDir = () => join(cache, "lib", `duckdb-${duckdbVersion()}`);

/** Windows needs an import library, which the npm package lacks, so the crate's build script downloads both from github.com. */
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

/** Environment of a release build: kernels for all CPUs, and no paths of this machine in messages. */
export function releaseEnv() {
  const cargoHome = process.env.CARGO_HOME || join(homedir(), ".cargo");
  // Later entries take precedence, because the other folders may be inside the home folder.
  const folders = [[homedir(), "home"], [cargoHome, "cargo"], [targetDir, "target"], [root, "vitrine"]];
  // Replaces the flags in .cargo/config.toml, which are for tests. The programs' build scripts set their own run paths.
  const rust = folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  const c = process.platform === "win32" ? "" : folders.map(([from, to]) => `-ffile-prefix-map=${from}=${to}`).join(" ");
  // A shell with the environment of a local build would build kernels only for this machine.
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith("GGML_") && name !== "CMAKE_PROJECT_INCLUDE");
  return {
    ...Object.fromEntries(outside),
    CARGO_TARGET_DIR: targetDir,
    ...duckdbEnv(),
    CARGO_ENCODED_RUSTFLAGS: rust.join("\x1f"),
    ...(c ? { CFLAGS: c, CXXFLAGS: c } : {}),
  };
}
