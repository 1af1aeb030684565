// Emulators of BigQuery and Snowflake, the engines of ClickHouse and DuckDB, and Spark, which tests run against: each a Python environment of its own in the cache.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cache, root } from "./env.mjs";
import { must, output, say } from "./shell.mjs";

/** Interpreters that may be new enough, the plain ones first. */
function interpreters() {
  const names = ["python3", "python3.13", "python3.14", "python3.15"];
  const pyenv = join(homedir(), ".pyenv", "versions");
  const others = existsSync(pyenv) ? readdirSync(pyenv).map((name) => join(pyenv, name, "bin", "python3")) : [];
  return [...names, ...others];
}

/** Installs what a list names into an environment; gives its folder, or nothing where no Python here is new enough. */
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

/** Where DuckDB looks for its extensions: they are taken from packages, because it would load them from its own site. */
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

/** BigQuery's emulator; tests on it fail where there is none, unless VITRINE_WITHOUT_BIGQUERY_EMULATOR=1 leaves them out. */
export const bigquery = () => environment("bigquery", "BigQuery", 13, extensions);

/** Snowflake's emulator and its driver; tests on it fail where there is none. */
export const snowflake = () => environment("snowflake", "Snowflake", 10);

/** ClickHouse's own engine as a library of Python's; tests on it fail where there is none. */
export const clickhouse = () => environment("clickhouse", "ClickHouse", 9);

/** Spark and a Java runtime, for tests of Databricks: 600 MB, which fail where there is none. */
export const databricks = () => environment("databricks", "Databricks", 10);

/** DuckDB's engine as a wheel, for tests of MotherDuck, which fail where there is none. */
export const motherduck = () => environment("motherduck", "MotherDuck", 10);

/** sqlglot over DuckDB, for tests of dialects whose engines cannot be had, which fail where there is none. */
export const sqlglot = () => environment("sqlglot", "Trino and SQL Server", 10);
