//! System tables that hold passwords, keys or activities of users. No question needs them.

use vitrine_domain::Dialect;

const POSTGRES: &[&str] = &[
    "pg_authid",
    "pg_shadow",
    "pg_user_mapping",
    "pg_user_mappings",
    "pg_foreign_server",
    "pg_foreign_data_wrapper",
    "pg_subscription",
    "pg_largeobject",
    "pg_hba_file_rules",
    "pg_ident_file_mappings",
    "pg_file_settings",
    "pg_settings",
    "pg_db_role_setting",
    "pg_stat_activity",
    "pg_stat_replication",
    "pg_stat_wal_receiver",
    "pg_stat_subscription",
    "pg_stat_statements",
    "pg_prepared_statements",
    "pg_cursors",
    "pg_backend_memory_contexts",
    "pg_statistic",
    "pg_stats",
    "pg_stats_ext",
    "pg_stats_ext_exprs",
    "pg_statistic_ext_data",
    "user_mapping_options",
    "foreign_server_options",
];

/// Views of extensions, which may be installed in any schema, and of engines that speak PostgreSQL's protocol: what others ran.
const POSTGRES_ANYWHERE: &[&str] = &[
    "pg_stat_statements",
    "pg_stat_statements_info",
    "pg_stat_monitor",
    "stl_query",
    "stl_querytext",
    "stl_ddltext",
    "stl_utilitytext",
    "svl_qlog",
    "svl_statementtext",
    "sys_query_history",
    "sys_query_text",
];

/// The schema in which CockroachDB describes nodes, sessions and statements.
const COCKROACH: &str = "crdb_internal";

/// DuckDB tables and functions about keys, settings and logged queries.
const DUCKDB: &[&str] = &[
    "duckdb_logs",
    "duckdb_logs_parsed",
    "duckdb_secrets",
    "duckdb_settings",
    "duckdb_variables",
    "duckdb_temporary_files",
];

/// MotherDuck's own database with shares and the query history of all users.
const MOTHERDUCK: &str = "md_information_schema";

/// SQLite tables with raw pages and statements, and samples of stored values.
const SQLITE: &[&str] =
    &["dbstat", "sqlite_dbdata", "sqlite_dbpage", "sqlite_memstat", "sqlite_stat3", "sqlite_stat4", "sqlite_stmt"];

/// System databases of MySQL and MariaDB; then the tables of `information_schema` that are about databases and not
/// about users.
const MYSQL: &[&str] = &["mysql", "performance_schema", "sys", "ndbinfo"];
const MYSQL_STRUCTURE: &[&str] = &[
    "character_sets",
    "check_constraints",
    "collations",
    "columns",
    "key_column_usage",
    "partitions",
    "referential_constraints",
    "schemata",
    "statistics",
    "table_constraints",
    "tables",
    "views",
];

/// Tables of ClickHouse's database `system` that reveal nothing about users, settings or other servers.
const CLICKHOUSE: &[&str] = &["columns", "databases", "numbers", "numbers_mt", "one", "zeros"];

/// Additional tables of Databricks' `information_schema` that are about data and not about users.
const DATABRICKS_STRUCTURE: &[&str] = &["constraint_column_usage", "constraint_table_usage"];

/// Legacy names of SQL Server's system tables.
const MSSQL: &[&str] = &[
    "sysaltfiles",
    "syscacheobjects",
    "syscharsets",
    "syscolumns",
    "syscomments",
    "sysconfigures",
    "sysconstraints",
    "syscurconfigs",
    "sysdatabases",
    "sysdepends",
    "sysdevices",
    "sysfilegroups",
    "sysfiles",
    "sysforeignkeys",
    "sysfulltextcatalogs",
    "sysindexes",
    "sysindexkeys",
    "syslanguages",
    "syslockinfo",
    "syslogins",
    "sysmembers",
    "sysmessages",
    "sysobjects",
    "sysoledbusers",
    "sysopentapes",
    "sysperfinfo",
    "syspermissions",
    "sysprocesses",
    "sysprotects",
    "sysreferences",
    "sysremotelogins",
    "sysservers",
    "systypes",
    "sysusers",
];

/// Tables of Trino's `information_schema` that are about data and not about users.
const TRINO_STRUCTURE: &[&str] = &["columns", "schemata", "tables", "views"];

/// Returns true if a table of this name holds secrets, unless it is qualified by a schema of the user's own.
pub(super) fn holds_secrets(parts: &[&str], dialect: Dialect) -> bool {
    let [qualifier @ .., last] = parts else { return false };
    if dialect == Dialect::Duckdb && qualifier.iter().any(|part| part.eq_ignore_ascii_case(MOTHERDUCK)) {
        return true;
    }
    let (listed, system): (_, &[&str]) = match dialect {
        Dialect::Postgres => {
            if POSTGRES_ANYWHERE.iter().any(|name| name.eq_ignore_ascii_case(last))
                || qualifier.iter().any(|part| part.eq_ignore_ascii_case(COCKROACH))
            {
                return true;
            }
            (POSTGRES, &["pg_catalog", "information_schema"])
        }
        Dialect::Duckdb => (DUCKDB, &["main", "system"]),
        Dialect::Sqlite => (SQLITE, &["main", "temp"]),
        Dialect::Mysql => return qualifier.last().is_some_and(|schema| of_mysql(schema, last)),
        Dialect::Clickhouse => return qualifier.last().is_some_and(|schema| of_clickhouse(schema, last)),
        Dialect::Databricks => return of_databricks(qualifier, last),
        Dialect::Trino => return of_trino(qualifier, last),
        Dialect::Mssql => return of_mssql(qualifier, last),
        // The database `snowflake` holds usage by user and billing.
        Dialect::Snowflake => return matches!(qualifier, [database, _] if database.eq_ignore_ascii_case("snowflake")),
        _ => return false,
    };
    let is_system = |schema: &&str| system.iter().any(|own| own.eq_ignore_ascii_case(schema));
    listed.iter().any(|name| name.eq_ignore_ascii_case(last)) && qualifier.last().is_none_or(is_system)
}

fn of_clickhouse(schema: &str, table: &str) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(table));
    (schema.eq_ignore_ascii_case("system") && !is(CLICKHOUSE))
        || (schema.eq_ignore_ascii_case("information_schema") && !is(MYSQL_STRUCTURE))
}

/// Checks Databricks: the catalog `system` holds activities of users and costs.
fn of_databricks(qualifier: &[&str], table: &str) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(table));
    match qualifier {
        [catalog, _] if catalog.eq_ignore_ascii_case("system") => true,
        [.., schema] if schema.eq_ignore_ascii_case("information_schema") => {
            !is(MYSQL_STRUCTURE) && !is(DATABRICKS_STRUCTURE)
        }
        _ => false,
    }
}

/// Checks Trino: the catalogs `system` and `jmx` hold queries of users and the configuration of nodes and connections;
/// `information_schema` holds permissions. A table with `$` describes the files of another one (`"orders$files"`).
fn of_trino(qualifier: &[&str], table: &str) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(table));
    match qualifier {
        [catalog, _] if ["system", "jmx"].iter().any(|own| catalog.eq_ignore_ascii_case(own)) => true,
        [.., schema] if schema.eq_ignore_ascii_case("information_schema") => !is(TRINO_STRUCTURE),
        _ => table.contains('$'),
    }
}

/// Checks SQL Server's system databases and the schema `sys`, whose legacy names (`sysusers`) need no schema.
fn of_mssql(qualifier: &[&str], table: &str) -> bool {
    let is = |names: &[&str], wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let structure =
        ["columns", "key_column_usage", "referential_constraints", "schemata", "table_constraints", "tables", "views"];
    // A linked server.
    qualifier.len() > 2
        || matches!(qualifier, [database, _] if is(&["master", "model", "msdb", "tempdb"], database))
        || match qualifier.last() {
            Some(schema) if is(&["sys"], schema) => true,
            Some(schema) if is(&["information_schema"], schema) => !is(&structure, table),
            schema => schema.is_none_or(|schema| is(&["dbo", ""], schema)) && is(MSSQL, table),
        }
}

fn of_mysql(schema: &str, table: &str) -> bool {
    let is = |names: &[&str], wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    is(MYSQL, schema) || (schema.eq_ignore_ascii_case("information_schema") && !is(MYSQL_STRUCTURE, table))
}
