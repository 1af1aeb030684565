// The address of a database behind a driver of ADBC, taken apart for a form and put together again.

import { t } from "@lingui/core/macro";
import type { Dialect } from "../../host/bindings";

export interface DriverParts {
  /** The name under which the driver was added. */
  driver: string;
  dialect: Dialect;
  /** The driver's `uri` option. */
  uri: string;
  /** Its other options, one per line: `name=value`. */
  options: string;
}

export const NO_DRIVER: DriverParts = { driver: "", dialect: "mssql", uri: "", options: "" };

/** Supported SQL dialects with their driver names, as in the backend; addresses use the first. */
export const DRIVER_DIALECTS: Record<Dialect, { title: string; names: string[] }> = {
  mssql: { title: "SQL Server (T-SQL)", names: ["mssql", "sqlserver", "tds"] },
  trino: { title: "Trino", names: ["trino"] },
  postgres: { title: "PostgreSQL", names: ["postgres"] },
  mysql: { title: "MySQL, MariaDB", names: ["mysql"] },
  bigquery: { title: "BigQuery", names: ["bigquery"] },
  snowflake: { title: "Snowflake", names: ["snowflake"] },
  clickhouse: { title: "ClickHouse", names: ["clickhouse"] },
  databricks: { title: "Databricks", names: ["databricks"] },
  duckdb: { title: "DuckDB", names: ["duckdb"] },
  sqlite: { title: "SQLite", names: ["sqlite"] },
};

/** Derives the dialect from a driver's name. */
export function dialectOf(driver: string): Dialect | null {
  const known = Object.entries(DRIVER_DIALECTS).find(([, { names }]) => names.some((name) => driver.includes(name)));
  return known ? (known[0] as Dialect) : null;
}

/** Returns whether an address is one behind a driver. */
export function isDriver(address: string): boolean {
  return /^\s*adbc:/i.test(address);
}

/** Splits the password off what a driver takes as `uri`. */
export function splitUri(uri: string): { uri: string; password: string } {
  const [, before, password, behind] = /^(\s*[a-z][\w+.-]*:\/\/[^:@/?#]*):([^/?#]*)(@.*)$/is.exec(uri) ?? [];
  if (!before || !password || !behind) return { uri, password: "" };
  try {
    return { uri: before + behind, password: decodeURIComponent(password) };
  } catch {
    return { uri: before + behind, password };
  }
}

/** Splits the password off an address behind a driver, so that it is not displayed. */
export function splitDriverPassword(address: string): { address: string; password: string } {
  const at = address.indexOf("?");
  if (at < 0) return { address, password: "" };
  const query = new URLSearchParams(address.slice(at + 1));
  const { uri, password } = splitUri(query.get("uri") ?? "");
  const found = query.get("password") || password;
  if (found === "") return { address, password: "" };
  query.delete("password");
  if (query.has("uri")) query.set("uri", uri);
  return { address: writeDriverAddress(address.slice(0, at).replace(/^\s*adbc:/i, ""), [...query]), password: found };
}

/** The parts of an address; of what is none, nothing. */
export function driverOf(address: string): DriverParts {
  const found = /^\s*adbc:([^?#]*)(?:\?([^#]*))?\s*$/i.exec(address);
  if (!found) return NO_DRIVER;
  const driver = (found[1] ?? "").trim();
  const pairs = [...new URLSearchParams(found[2] ?? "")];
  const said = pairs.find(([name]) => name === "dialect")?.[1] ?? "";
  const options = pairs.filter(([name]) => name !== "dialect" && name !== "uri");
  return {
    driver,
    dialect: dialectOf(said) ?? dialectOf(driver) ?? NO_DRIVER.dialect,
    uri: pairs.find(([name]) => name === "uri")?.[1] ?? "",
    options: options.map(([name, value]) => `${name}=${value}`).join("\n"),
  };
}

const optionLines = (options: string) =>
  options
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** A name or a value as people write it; what would end it, or be read otherwise, is encoded. */
const isLegible = (text: string) =>
  text.replace(/[%&+#\s]/g, (sign) => (sign === " " ? "+" : encodeURIComponent(sign)));

const writeDriverAddress = (driver: string, options: string[][]) => {
  const all = options.map(
    ([name = "", value = ""]) => `${isLegible(name).replaceAll("=", "%3D")}=${isLegible(value)}`,
  );
  return `adbc:${driver}${all.length === 0 ? "" : `?${all.join("&")}`}`;
};

/** The address of a form. */
export function driverAddress(parts: DriverParts): string {
  const options: string[][] = [];
  const driver = parts.driver.trim();
  if (dialectOf(driver) !== parts.dialect) options.push(["dialect", DRIVER_DIALECTS[parts.dialect].names[0] ?? ""]);
  if (parts.uri.trim() !== "") options.push(["uri", parts.uri.trim()]);
  for (const line of optionLines(parts.options)) {
    const at = line.indexOf("=");
    options.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return writeDriverAddress(driver, options);
}

/** Returns the message about a missing field, or null. */
export function lackingOfDriver(parts: DriverParts): string | null {
  if (parts.driver.trim() === "") return t`Choose a driver.`;
  const odd = optionLines(parts.options).find((line) => !/^[^=\s][^=]*=/.test(line));
  if (odd !== undefined) return t`Enter each option as name=value: ${odd}`;
  return parts.uri.trim() === "" && parts.options.trim() === "" ? t`Enter the driver's address.` : null;
}
