// BigQuery's emulator, which tests run against: a Python environment of its own in the cache.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cache, root } from "./env.mjs";
import { must, output, say } from "./shell.mjs";

const folder = join(cache, "bigquery-emulator");
const list = join(root, "setup", "bigquery-emulator.txt");

/** Interpreters that may be new enough, the plain ones first. */
function interpreters() {
  const names = ["python3", "python3.13", "python3.14", "python3.15"];
  const pyenv = join(homedir(), ".pyenv", "versions");
  const others = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, "bin", "python3")) : [];
  return [...names, ...others];
}

const isNewEnough = (python) => output(python, ["-I", "-c", "import sys; print(sys.version_info >= (3, 13))"]).trim() === "True";

/** Where DuckDB looks for its extensions: they are taken from packages, because it would load them from its own site. */
function extensions() {
  const lib = join(folder, "lib");
  const packages = join(lib, readdirSync(lib)[0], "site-packages");
  const os = output(join(folder, "bin", "python"), ["-I", "-c", "import duckdb; print(duckdb.sql('PRAGMA platform').fetchone()[0])"]).trim();
  for (const name of readdirSync(packages).filter((name) => /^duckdb_extension_[a-z]+$/.test(name))) {
    const [version] = readdirSync(join(packages, name, "extensions"));
    const from = join(packages, name, "extensions", version);
    const to = join(folder, "home", ".duckdb", "extensions", version, os);
    mkdirSync(to, { recursive: true });
    for (const file of readdirSync(from)) copyFileSync(join(from, file), join(to, file));
  }
}

/** Installs the emulator; gives its folder, or nothing where no Python here is new enough. */
export async function emulator() {
  const stamp = join(folder, "installed.txt");
  const wanted = readFileSync(list, "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;
  const python = interpreters().find(isNewEnough);
  if (!python) {
    say("BigQuery's emulator needs Python 3.13 or newer: the tests on it are left out");
    return undefined;
  }
  rmSync(folder, { recursive: true, force: true });
  await must("Making a Python environment", python, ["-I", "-m", "venv", folder]);
  const pip = ["-I", "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "-r", list];
  await must("Installing BigQuery's emulator", join(folder, "bin", "python"), pip);
  extensions();
  writeFileSync(stamp, wanted);
  return folder;
}
