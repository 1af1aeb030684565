// Dialects for highlighting and completion. The rules of the databases are in Rust.

import { MSSQL, MySQL, PostgreSQL, SQLDialect, SQLite, StandardSQL } from "@codemirror/lang-sql";
import type { Dialect } from "../host/bindings";

const DuckDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ""} qualify pivot unpivot exclude replace sample asof positional semi anti summarize ilike`,
  builtin:
    "date_trunc date_part strftime strptime year month day quarter week list_aggregate list_value struct_pack unnest " +
    "regexp_matches regexp_extract string_agg count sum avg min max median mode quantile_cont arg_max arg_min coalesce " +
    "round abs lower upper length substr trim replace row_number rank dense_rank lag lead first_value last_value",
});

// Dialects that quote names with backticks. Two of them use double quotes for text.
const BigQuery = SQLDialect.define({
  identifierQuotes: "`",
  doubleQuotedStrings: true,
  backslashEscapes: true,
  hashComments: true,
});
const Databricks = SQLDialect.define({ identifierQuotes: "`", doubleQuotedStrings: true, backslashEscapes: true });
const ClickHouse = SQLDialect.define({ identifierQuotes: '`"', backslashEscapes: true, hashComments: true });

export function editorDialect(dialect: Dialect | null): SQLDialect {
  switch (dialect) {
    case "sqlite":
      return SQLite;
    case "duckdb":
      return DuckDB;
    case "postgres":
      return PostgreSQL;
    case "mysql":
      return MySQL;
    case "bigquery":
      return BigQuery;
    case "mssql":
      return MSSQL;
    case "databricks":
      return Databricks;
    case "clickhouse":
      return ClickHouse;
    default:
      return StandardSQL;
  }
}
