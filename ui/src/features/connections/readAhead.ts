// Settings for reading a database before the first question.

import type { WarehouseKind } from "../../host/bindings";

/** As on the other side: all that a profile wants, the first rows by one query for each table, or rows listed without a query. */
export type ReadingAhead = "whole" | "queried" | "listed";

const QUERIED: WarehouseKind[] = ["snowflake", "databricks", "motherduck", "clickhouse", "adbc"];

export function readingAhead(kind: WarehouseKind): ReadingAhead {
  if (kind === "bigquery") return "listed";
  return QUERIED.includes(kind) ? "queried" : "whole";
}
