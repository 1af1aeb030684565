//! What describes a database. A query that a person wrote may read it; one that a model wrote may not.

use vitrine_domain::Dialect;

/// Functions of PostgreSQL that describe tables, rights and definitions.
const POSTGRES: &str = include_str!("functions/postgres-catalog.txt");

/// Pragmas of SQLite that only tell something, read as tables. `pragma_database_list` tells the paths of files.
const SQLITE_TABLES: &[&str] = &[
    "pragma_collation_list",
    "pragma_compile_options",
    "pragma_encoding",
    "pragma_foreign_key_list",
    "pragma_function_list",
    "pragma_index_info",
    "pragma_index_list",
    "pragma_index_xinfo",
    "pragma_page_count",
    "pragma_schema_version",
    "pragma_table_info",
    "pragma_table_list",
    "pragma_table_xinfo",
];

/// Table functions of DuckDB that list what its databases hold, and none of settings, secrets, files or extensions.
const DUCKDB_TABLES: &[&str] = &[
    "duckdb_columns",
    "duckdb_constraints",
    "duckdb_databases",
    "duckdb_functions",
    "duckdb_indexes",
    "duckdb_keywords",
    "duckdb_schemas",
    "duckdb_sequences",
    "duckdb_tables",
    "duckdb_types",
    "duckdb_views",
    "pragma_table_info",
];

/// Tables of SQLite that hold definitions and statistics.
const SQLITE_SCHEMA: &[&str] =
    &["sqlite_master", "sqlite_schema", "sqlite_sequence", "sqlite_stat1", "sqlite_temp_master", "sqlite_temp_schema"];

/// Tables of ClickHouse's database `system` that hold numbers and no description.
const CLICKHOUSE_NUMBERS: &[&str] = &["numbers", "numbers_mt", "one", "zeros", "zeros_mt"];

/// Returns whether a function describes tables, rights and definitions. The name is in lower case.
pub(super) fn is_descriptive_function(name: &str, as_table: bool, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Postgres => POSTGRES.split_whitespace().any(|known| known == name),
        Dialect::Sqlite => as_table && SQLITE_TABLES.contains(&name),
        Dialect::Duckdb => as_table && DUCKDB_TABLES.contains(&name),
        _ => false,
    }
}

/// Returns whether a name is that of a table in which an engine describes its databases, unless the user has a table of this name.
pub fn is_system_table(parts: &[&str], dialect: Dialect) -> bool {
    let [qualifier @ .., last] = parts else { return false };
    let last = last.to_ascii_lowercase();
    let is_in = |names: &[&str]| qualifier.iter().any(|part| names.iter().any(|name| name.eq_ignore_ascii_case(part)));
    match dialect {
        Dialect::Sqlite => SQLITE_SCHEMA.contains(&last.as_str()) || last.starts_with("pragma_"),
        Dialect::Duckdb => {
            let is_bare = ["duckdb_", "pg_", "pragma_"].iter().any(|beginning| last.starts_with(beginning));
            is_in(&["information_schema", "pg_catalog"]) || is_bare || SQLITE_SCHEMA.contains(&last.as_str())
        }
        Dialect::Postgres => {
            is_in(&["information_schema", "pg_catalog"]) || (qualifier.is_empty() && last.starts_with("pg_"))
        }
        Dialect::Clickhouse => {
            is_in(&["information_schema"]) || (is_in(&["system"]) && !CLICKHOUSE_NUMBERS.contains(&last.as_str()))
        }
        Dialect::Snowflake
        | Dialect::Bigquery
        | Dialect::Mysql
        | Dialect::Databricks
        | Dialect::Trino
        | Dialect::Mssql => is_in(&["information_schema"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_engine_are_told_from_those_of_the_user() {
        for (dialect, name) in [
            (Dialect::Sqlite, "SQLITE_MASTER"),
            (Dialect::Sqlite, "main.sqlite_schema"),
            (Dialect::Duckdb, "duckdb_tables"),
            (Dialect::Duckdb, "shop.information_schema.tables"),
            (Dialect::Postgres, "pg_class"),
            (Dialect::Postgres, "pg_catalog.pg_class"),
            (Dialect::Mysql, "information_schema.COLUMNS"),
            (Dialect::Clickhouse, "system.columns"),
        ] {
            assert!(is_system_table(&name.split('.').collect::<Vec<_>>(), dialect), "{name}");
        }
        for (dialect, name) in [
            (Dialect::Sqlite, "letters"),
            (Dialect::Duckdb, "main.json"),
            (Dialect::Postgres, "app.pg_stats"),
            (Dialect::Mysql, "shop.tables"),
            (Dialect::Clickhouse, "system.numbers"),
        ] {
            assert!(!is_system_table(&name.split('.').collect::<Vec<_>>(), dialect), "{name}");
        }
    }

    #[test]
    fn only_what_lists_definitions_describes() {
        assert!(
            is_descriptive_function("pragma_table_info", true, Dialect::Sqlite)
                && is_descriptive_function("duckdb_tables", true, Dialect::Duckdb)
        );
        assert!(is_descriptive_function("pg_get_viewdef", false, Dialect::Postgres));
        for name in ["duckdb_secrets", "duckdb_settings", "duckdb_logs", "pragma_storage_info", "read_csv", "query"] {
            assert!(!is_descriptive_function(name, true, Dialect::Duckdb), "{name}");
        }
        for name in ["pragma_database_list", "pragma_journal_mode", "pragma_module_list", "fsdir", "load_extension"] {
            assert!(!is_descriptive_function(name, true, Dialect::Sqlite), "{name}");
        }
        assert!(!is_descriptive_function("pragma_table_info", false, Dialect::Sqlite));
    }
}
