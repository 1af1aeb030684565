// The engines of the fake host, and the addresses that tests write as forms. The grammar of addresses is Rust's.

import type { EngineEntry, EngineField, ScanLimits, WarehouseKind } from "../../src/host/bindings";
import type { Host } from "../../src/host/host";

type Values = Record<string, string>;

const field = (name: string, part: Partial<EngineField> = {}): EngineField => ({
  name,
  label: name,
  kind: "text",
  choices: [],
  required: false,
  default: "",
  example: "",
  onlyIf: null,
  ...part,
});
const choice = (name: string, choices: string[], own = choices[0] ?? "") =>
  field(name, { kind: "choice", choices, default: own });
const required = (name: string) => field(name, { required: true });

const PATH = [required("path")];
const server = (port: string, protections: string[], own = protections[0], ssh = true) => [
  required("host"),
  field("port", { kind: "port", example: port }),
  field("database"),
  field("user"),
  choice("protection", protections, own),
  ...(ssh ? [field("ssh"), field("sshKey")] : []),
];
const PROTECTIONS = ["prefer", "require", "verify-full", "disable"];
const DIALECTS = ["mssql", "trino", "postgres", "mysql", "bigquery", "snowflake", "clickhouse", "databricks"];

/** Titles and notes as the program writes them in English. */
const TEXTS: Record<WarehouseKind, [string, string]> = {
  postgres: ["PostgreSQL", "Database server"],
  mysql: ["MySQL, MariaDB", "Database server"],
  bigquery: ["BigQuery", "Google Cloud project"],
  snowflake: ["Snowflake", "Snowflake account"],
  clickhouse: ["ClickHouse", "Server, over HTTP"],
  databricks: ["Databricks", "SQL warehouse"],
  motherduck: ["MotherDuck", "DuckDB in the cloud"],
  adbc: ["Driver", "SQL Server, Trino…"],
  sqlite: ["SQLite", "Database file"],
  duckdb: ["DuckDB", "Database file"],
  file: ["Files", "CSV, Parquet, JSON, Excel"],
  ddl: ["Schema only", "CREATE TABLE scripts"],
};
const NO_LIMITS: ScanLimits = { price: null, question: null, month: { bytes: null, money: null } };

function engine(
  kind: WarehouseKind,
  schemes: string[],
  place: EngineEntry["place"],
  fields: EngineField[],
  part: Partial<EngineEntry> = {},
): EngineEntry {
  return {
    kind,
    title: TEXTS[kind][0],
    note: TEXTS[kind][1],
    preview: false,
    schemes,
    place,
    port: null,
    hasRows: kind !== "ddl",
    metering: "untold",
    limits: NO_LIMITS,
    readingAhead: "whole",
    fields,
    ...part,
  };
}

const QUERIED = { preview: true, readingAhead: "queried" } as const;
export const ENGINES: EngineEntry[] = [
  engine("postgres", ["postgresql", "postgres"], "server", server("5432", PROTECTIONS)),
  engine("mysql", ["mysql", "mariadb"], "server", server("3306", PROTECTIONS)),
  engine(
    "bigquery",
    ["bigquery"],
    "project",
    [
      required("project"),
      ...["dataset", "location", "billingProject", "keyFile", "clientId", "clientFile", "impersonate"].map((name) =>
        field(name),
      ),
    ],
    {
      metering: "billed",
      limits: { ...NO_LIMITS, price: 6_250_000, question: { bytes: 100e9, money: null } },
      readingAhead: "listed",
    },
  ),
  engine(
    "snowflake",
    ["snowflake"],
    "server",
    [
      ...["account", "user", "database"].map(required),
      ...["schema", "warehouse", "role"].map((name) => field(name)),
      choice("signIn", ["password", "token", "key", "browser", "oauth"]),
      field("keyFile", { required: true, onlyIf: ["signIn", "key"] }),
    ],
    { readingAhead: "queried" },
  ),
  engine(
    "clickhouse",
    ["clickhouse"],
    "server",
    server("8443", ["require", "verify-full", "disable"], "verify-full", false),
    { ...QUERIED, metering: "read" },
  ),
  engine(
    "databricks",
    ["databricks"],
    "server",
    [...["host", "warehouse", "catalog"].map(required), field("schema"), field("client")],
    QUERIED,
  ),
  engine("motherduck", ["motherduck"], "server", ["region", "database"].map(required), QUERIED),
  engine(
    "adbc",
    ["adbc"],
    "driver",
    [required("driver"), choice("dialect", DIALECTS), field("uri"), field("options", { kind: "lines" })],
    QUERIED,
  ),
  engine("sqlite", ["sqlite"], "path", PATH),
  engine("duckdb", ["duckdb"], "path", PATH),
  engine("file", ["file"], "path", PATH),
  engine("ddl", ["ddl"], "path", PATH),
];

/** Addresses with the values of their forms, without usual ones. */
const FORMS: Record<string, Values> = {
  "postgresql://ann@db.example/shop": { host: "db.example", database: "shop", user: "ann" },
  "postgresql://ann@db.example:6000/sales?sslmode=require": {
    host: "db.example",
    port: "6000",
    database: "sales",
    user: "ann",
    protection: "require",
  },
  "clickhouse://ann@db.example/events": { host: "db.example", database: "events", user: "ann" },
  "bigquery://my-project/sales?location=EU&maximum_bytes_billed=1000000000": {
    project: "my-project",
    dataset: "sales",
    location: "EU",
    options: "maximum_bytes_billed=1000000000",
  },
  "bigquery://my-project/sales?billing_project=pays&location=EU&maximum_bytes_billed=1000000000": {
    project: "my-project",
    dataset: "sales",
    billingProject: "pays",
    location: "EU",
    options: "maximum_bytes_billed=1000000000",
  },
  "bigquery://my-project?client_id=1234-abc.apps.googleusercontent.com": {
    project: "my-project",
    clientId: "1234-abc.apps.googleusercontent.com",
  },
  "snowflake://ANN@myorg-sales/SHOP?warehouse=WH": {
    account: "myorg-sales",
    user: "ANN",
    database: "SHOP",
    warehouse: "WH",
  },
  "snowflake://ANN@myorg-sales/SHOP/PUBLIC?warehouse=WH&role=READER": {
    account: "myorg-sales",
    user: "ANN",
    database: "SHOP",
    schema: "PUBLIC",
    warehouse: "WH",
    role: "READER",
  },
  "adbc:mssql": { driver: "mssql", dialect: "mssql" },
  "adbc:mssql?uri=mssql://sql.example:1433?database=sales": {
    driver: "mssql",
    uri: "mssql://sql.example:1433?database=sales",
  },
};

const MISSING: Record<string, string> = {
  path: "Choose a file.",
  host: "Enter a host.",
  project: "Enter a project.",
  account: "Enter an account.",
  user: "Enter a user.",
  database: "Enter a database.",
  driver: "Choose a driver.",
};

export function fakeAddresses(): Pick<Host, "engines" | "parseAddress" | "writeAddress"> {
  const engineOf = (text: string) => ENGINES.find(({ schemes }) => schemes.includes(text.split(":")[0] ?? ""));
  // What a new form has is not among the values of an address.
  const unusual = (kind: WarehouseKind, values: Values) => {
    const fields = ENGINES.find((one) => one.kind === kind)?.fields ?? [];
    const isUsual = (name: string) => fields.some((one) => one.name === name && one.default === values[name]);
    const pairs = Object.entries(values).filter(([name, value]) => value !== "" && !isUsual(name));
    return JSON.stringify(pairs.toSorted(([a], [b]) => a.localeCompare(b)));
  };
  return {
    engines: async () => structuredClone(ENGINES),
    parseAddress: async (text) => {
      const engine = engineOf(text);
      const [, before = "", secret = "", behind = ""] = /^(\w+:\/\/[^:@/?#]*):([^/?#]*)(@.*)$/.exec(text) ?? [];
      const address = before === "" ? text : before + behind;
      const path = engine?.place === "path" ? { path: text.slice(text.indexOf(":") + 1) } : null;
      return {
        kind: engine?.kind ?? null,
        address,
        password: decodeURIComponent(secret),
        values: path ?? FORMS[address] ?? null,
      };
    },
    writeAddress: async (kind, values) => {
      const { fields = [], schemes = [], place = "path" } = ENGINES.find((one) => one.kind === kind) ?? {};
      const lacks = fields.find((one) => one.required && one.onlyIf === null && !values[one.name]?.trim());
      if (lacks) return { address: "", missing: MISSING[lacks.name] ?? `Enter ${lacks.name}.` };
      const known = Object.entries(FORMS).find(
        ([address, form]) => engineOf(address)?.kind === kind && unusual(kind, form) === unusual(kind, values),
      );
      const other = place === "path" ? `${schemes[0]}:${values.path}` : `${schemes[0]}://${unusual(kind, values)}`;
      return { address: known?.[0] ?? other, missing: null };
    },
  };
}
