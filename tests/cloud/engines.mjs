// The emulators that the questions are asked on: how each starts, takes a statement, and is reached by Vitrine.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const sources = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "src-tauri", "crates", "test-servers", "src");
const cache = join(homedir(), ".cache", "vitrine");
const PASSWORD = "pass-word:1";

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const installed = (name) => process.env[`VITRINE_${name.toUpperCase()}_EMULATOR`] ?? join(cache, `${name}-emulator`);

const post = async (url, body, headers = { "content-type": "application/json" }) =>
  fetch(url, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });

/** The answer as JSON, where `is` holds of it; else an error with the statement. */
const held = async (sql, response, is) => {
  const text = await response.text();
  const answer = text.startsWith("{") ? JSON.parse(text) : { text };
  if (!response.ok || !is(answer)) throw new Error(`${sql}: ${text.slice(0, 500)}`);
  return answer;
};

/** A cache folder with a driver in it, beside what the usual one holds. */
const cacheWith = (folder, driver) => {
  const own = join(folder, "cache");
  mkdirSync(join(own, "drivers", "snowflake"), { recursive: true });
  for (const name of readdirSync(cache).filter((name) => name !== "drivers")) symlinkSync(join(cache, name), join(own, name));
  symlinkSync(driver, join(own, "drivers", "snowflake", "libadbc_driver_snowflake.so"));
  return own;
};

const python = (name) => join(installed(name), "bin", "python");

/** Starts a server of the tests that ends with its standard input, as a process behind it does. */
const served = (name, args) =>
  spawn(python(name), ["-I", join(sources, `${name}_server.py`), ...args].map(String), { stdio: ["pipe", "ignore", "ignore"] });

/** Whether somebody listens at a port; an error where nobody does. */
const listens = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy()));
    socket.once("error", reject);
  });

/** The engine whose gold queries another one takes. */
export const SAME = { motherduck: "duckdb" };

/** The scripts of an engine's shop, where they are not called as it is. */
export const SCRIPTS = { motherduck: ["duckdb"], trino: ["duckdb"], mssql: ["duckdb", "json"] };

/** What sqlglot reads and DuckDB runs, as `dialect` calls it there, behind a driver of this name. */
const sqlglot = (name, dialect) => async (folder, script) => {
  const port = await freePort();
  const server = served("sqlglot", [port, folder, dialect, script]);
  const [version] = readdirSync(join(installed("sqlglot"), "lib"));
  const packages = join(installed("sqlglot"), "lib", version, "site-packages");
  return {
    server,
    send: () => listens(port),
    loaded: true,
    driver: { name, library: join(packages, "adbc_driver_flightsql", "libadbc_driver_flightsql.so") },
    address: `adbc:${name}?uri=${encodeURIComponent(`grpc://127.0.0.1:${port}`)}`,
    env: {},
  };
};

/**
 * Each starts in `folder` and gives its process, what runs one statement of the shop's script, its address, and what Vitrine's environment needs
 * beside the usual. One that is `loaded` has run `script`, the whole of it, when it is up. A process with an input ends with that. A `driver` is added
 * beforehand.
 */
export const ENGINES = {
  async bigquery(folder) {
    const [port, other] = [await freePort(), await freePort()];
    const home = installed("bigquery");
    const project = "test-project";
    const flags = ["--host", "127.0.0.1", "--project", project, "--dataset", "shop", "--port", port, "--grpc-port", other, "--data-dir", folder];
    const server = spawn(join(home, "bin", "local-bigquery"), flags.map(String), {
      env: { ...process.env, HOME: join(home, "home") },
      stdio: "ignore",
    });
    const url = `http://127.0.0.1:${port}/bigquery/v2/projects/${project}/queries`;
    const defaultDataset = { projectId: project, datasetId: "shop" };
    const send = async (query) => {
      const response = await post(url, { query, useLegacySql: false, timeoutMs: 60_000, defaultDataset });
      return held(query, response, (answer) => answer.jobComplete);
    };
    return { server, send, address: `bigquery://${project}/shop?endpoint=http://127.0.0.1:${port}`, env: {} };
  },

  async snowflake(folder) {
    const port = await freePort();
    const home = installed("snowflake");
    const server = spawn(python("snowflake"), ["-I", join(sources, "snowflake_emulator.py"), port, join(folder, "log"), PASSWORD].map(String), {
      stdio: "ignore",
    });
    const at = (path) => `http://127.0.0.1:${port}${path}`;
    const query = async (sqlText) => {
      const data = { LOGIN_NAME: "owner", PASSWORD, SESSION_PARAMETERS: {} };
      const login = await post(at("/session/v1/login-request?databaseName=SHOP&schemaName=PUBLIC"), { data });
      const { token } = (await held("login", login, (answer) => answer.success)).data;
      const headers = { "content-type": "application/json", authorization: `Snowflake Token="${token}"` };
      return held(sqlText, await post(at("/queries/v1/query-request"), { sqlText }, headers), (answer) => answer.success === true);
    };
    let made = false;
    const send = async (sqlText) => {
      if (!made) {
        await query("CREATE DATABASE IF NOT EXISTS SHOP");
        await query("CREATE SCHEMA IF NOT EXISTS SHOP.PUBLIC");
        made = true;
      }
      return query(sqlText);
    };
    const version = readdirSync(join(home, "lib"))[0];
    const driver = join(home, "lib", version, "site-packages", "adbc_driver_snowflake", "libadbc_driver_snowflake.so");
    if (!existsSync(driver)) throw new Error(`${driver} is missing`);
    return {
      server,
      send,
      address: `snowflake://ann@acme-shop/SHOP/PUBLIC?warehouse=WH&endpoint=http://127.0.0.1:${port}`,
      env: { SNOWFLAKE_PASSWORD: PASSWORD, VITRINE_CACHE: cacheWith(folder, driver) },
    };
  },

  async clickhouse(folder) {
    const port = await freePort();
    const server = spawn(python("clickhouse"), ["-I", join(sources, "clickhouse_server.py"), port, join(folder, "data")].map(String), {
      stdio: "ignore",
    });
    const authorization = `Basic ${Buffer.from(`owner:${PASSWORD}`).toString("base64")}`;
    const send = async (sql) => held(sql, await post(`http://127.0.0.1:${port}/?database=shop`, sql, { authorization }), () => true);
    return {
      server,
      send,
      address: `clickhouse://ann@127.0.0.1:${port}/shop?sslmode=disable`,
      env: { CLICKHOUSE_PASSWORD: PASSWORD },
    };
  },

  async databricks(folder) {
    const port = await freePort();
    const server = served("databricks", [port, folder]);
    const statement = { warehouse_id: "abc123def456", catalog: "spark_catalog", schema: "shop", wait_timeout: "50s" };
    const headers = { "content-type": "application/json", authorization: "Bearer token:1" };
    const send = async (sql) => {
      const response = await post(`http://127.0.0.1:${port}/api/2.0/sql/statements`, { ...statement, statement: sql }, headers);
      return held(sql, response, (answer) => answer.status.state === "SUCCEEDED");
    };
    const address = `databricks://127.0.0.1:${port}/${statement.warehouse_id}/spark_catalog/shop`;
    return { server, send, address, env: { DATABRICKS_TOKEN: "token:1" } };
  },

  async motherduck(folder, script) {
    const port = await freePort();
    const server = served("motherduck", [port, folder, script]);
    const send = () => listens(port);
    return { server, send, loaded: true, address: `motherduck://127.0.0.1:${port}/shop`, env: { MOTHERDUCK_TOKEN: "token:1" } };
  },

  trino: sqlglot("trino", "trino"),

  mssql: sqlglot("mssql", "tsql"),

  /** A file, which the others are measured against. */
  async duckdb(folder, script) {
    const file = join(folder, "shop.duckdb");
    const run = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute(sys.argv[2])";
    execFileSync(python("motherduck"), ["-I", "-c", run, file, script]);
    return { send: async () => {}, loaded: true, address: `duckdb:${file}`, env: {} };
  },
};
