// The SQL dialects of databases behind a driver.

import type { Dialect } from "../../host/bindings";

/** Titles of the dialects. */
export const DIALECT_TITLES: Record<Dialect, string> = {
  mssql: "SQL Server (T-SQL)",
  trino: "Trino",
  postgres: "PostgreSQL",
  mysql: "MySQL, MariaDB",
  bigquery: "BigQuery",
  snowflake: "Snowflake",
  clickhouse: "ClickHouse",
  databricks: "Databricks",
  duckdb: "DuckDB",
  sqlite: "SQLite",
};
