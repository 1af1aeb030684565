import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { Dialect } from "../../host/bindings";
import { quoteName } from "./quote";

it.each<[string, Dialect | null, string]>([
  ["orders", "sqlite", "orders"],
  ["order date", "sqlite", '"order date"'],
  ['unit "price"', "duckdb", '"unit ""price"""'],
  ["order date", "mysql", "`order date`"],
  ["order date", "bigquery", "`order date`"],
  ["order date", "databricks", "`order date`"],
  ["order date", "clickhouse", "`order date`"],
  ["order date", "trino", '"order date"'],
  ["account", "snowflake", '"account"'],
  ["ACCOUNT", "snowflake", '"ACCOUNT"'],
  ["account", "duckdb", "account"],
  ["define", "bigquery", "`define`"],
  ["top", "mssql", '"top"'],
  ["a`b", "mysql", "`a``b`"],
  ["a`b", "bigquery", "`a\\`b`"],
  ["a\\b", "clickhouse", "`a\\\\b`"],
  ["order", null, '"order"'],
  ["Order", "sqlite", '"Order"'],
  ["order", "mysql", "`order`"],
  ["rank", "mysql", "`rank`"],
  ["rank", "postgres", "rank"],
  ["CustomerId", "postgres", '"CustomerId"'],
  ["CustomerId", "duckdb", "CustomerId"],
  ["customers", "snowflake", '"customers"'],
  ["CUSTOMERS", "snowflake", "CUSTOMERS"],
  ["2019", "duckdb", '"2019"'],
  ["größe", "duckdb", '"größe"'],
])("writes %s for %s as %s", (name, dialect, written) => {
  expect(quoteName(name, dialect)).toBe(written);
});

it("knows the reserved words that Rust knows", () => {
  const sources = resolve(import.meta.dirname, "../../../../src-tauri/crates/sql/src");
  const words = (file: string) =>
    /const RESERVED: &str = "([^"]*)"/
      .exec(readFileSync(resolve(sources, file), "utf8"))![1]!
      .split(/[\s\\]+/)
      .filter((word) => word !== "");
  const written = (dialect: Dialect) => (word: string) => quoteName(word, dialect) !== word;
  const common = words("text/reserved.rs");
  expect(common.length).toBeGreaterThan(100);
  expect(common.filter((word) => !written("duckdb")(word))).toEqual([]);
  for (const dialect of ["mysql", "snowflake", "bigquery", "mssql"] as const) {
    expect(words(`dialect/${dialect}/syntax.rs`).filter((word) => !written(dialect)(word))).toEqual([]);
  }
});
