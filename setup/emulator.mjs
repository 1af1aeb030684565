// Emulators of BigQuery and Snowflake, the engines of ClickHouse and DuckDB, and Spark, for tests. Each is a separate Python
// environment in the cache.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cache, root } from "./env.mjs";
import { must, output, say } from "./shell.mjs";

/** Returns Python interpreters that may be new enough, system ones first. */
function interpreters() {
  const names = ["python3", "python3.13", "python3.14", "python3.15"];
  const pyenv = join(homedir(), ".pyenv", "versions");
  const others = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, "bin", "python3")) : [];
  return [...names, ...others];
}

/** Installs the packages of a list into an environment. Returns its folder, or `undefined` if no Python is new enough. */
async function environment(name, title, minor, after) {
  const folder = join(cache, `${name}-emulator`);
  const list = join(root, "setup", `${name}-emulator.txt`);
  const stamp = join(folder, "installed.txt");
  const wanted = readFileSync(list, "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;
  const version = `import sys; print(sys.version_info >= (3, ${minor}))`;
  const python = interpreters().find((python) => output(python, ["-I", "-c", version]).trim() === "True");
  if (!python) {
    say(`${title}'s emulator needs Python 3.${minor} or newer`);
    return undefined;
  }
  rmSync(folder, { recursive: true, force: true });
  await must("Making a Python environment", python, ["-I", "-m", "venv", folder]);
  const pip = ["-I", "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "-r", list];
  await must(`Installing ${title}'s emulator`, join(folder, "bin", "python"), pip);
  after?.(folder);
  writeFileSync(stamp, wanted);
  return folder;
}

/** Copies DuckDB's extensions from Python packages to its extension folder, because it would download them otherwise. */
function extensions(folder) {
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

/** BigQuery's emulator. Its tests fail if it is missing, unless VITRINE_WITHOUT_BIGQUERY_EMULATOR=1 skips them. */
export const bigquery = () => environment("bigquery", "BigQuery", 13, extensions);

/** Snowflake's emulator and its driver. Its tests fail if it is missing. */
export const snowflake = () => environment("snowflake", "Snowflake", 10);

/** ClickHouse's own engine as a Python library. Its tests fail if it is missing. */
export const clickhouse = () => environment("clickhouse", "ClickHouse", 9);

/** Spark and a Java runtime (600 MB) for tests of Databricks, which fail if they are missing. */
export const databricks = () => environment("databricks", "Databricks", 10);

/** DuckDB's engine as a wheel for tests of MotherDuck, which fail if it is missing. */
export const motherduck = () => environment("motherduck", "MotherDuck", 10);

/** sqlglot over DuckDB for tests of dialects without an available engine, which fail if it is missing. */
export const sqlglot = () => environment("sqlglot", "Trino and SQL Server", 10);
