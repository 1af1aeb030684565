use super::Postgres;
use crate::dialect::Proof;
use crate::dialect::proof::{
    COMMON_FUNCTIONS, EngineParser, FileName, FunctionList, has_name, is_listed, is_listed_in_system,
};
use crate::rejection::Instead::{self, Nothing, Write};
use sqlparser::ast::TableFactor;
use vitrine_words::later;

static FUNCTIONS: FunctionList = FunctionList::new(&[COMMON_FUNCTIONS, include_str!("functions.txt")]);

/// Functions that describe tables, permissions and definitions.
static DESCRIPTIVE_FUNCTIONS: FunctionList = FunctionList::new(&[include_str!("catalog-functions.txt")]);

/// Types whose values are objects of the database. Those of text search are left out: `'english'::regconfig`.
const DESCRIPTIVE_TYPES: &[&str] = &[
    "regclass",
    "regcollation",
    "regnamespace",
    "regoper",
    "regoperator",
    "regproc",
    "regprocedure",
    "regrole",
    "regtype",
];

/// Operators that are built in.
const OPERATORS: &[&str] = &[
    "!!", "!~", "!~*", "!~~", "!~~*", "#", "##", "#-", "#>", "#>>", "%", "%>", "%>>", "&", "&&", "&<", "&<|", "&>",
    "*", "*<", "*<=", "*<>", "*=", "*>", "*>=", "+", "-", "-|-", "->", "->>", "/", "<", "<#>", "<%", "<->", "<->>",
    "<+>", "<<", "<<%", "<<=", "<<|", "<=", "<=>", "<>", "<@", "<^", "<~>", "=", ">", ">=", ">>", ">>=", ">^", "?",
    "?#", "?&", "?-", "?-|", "?|", "?||", "@", "@-@", "@>", "@?", "@@", "@@@", "^", "^@", "|", "|&>", "|/", "|>>",
    "||", "||/", "~", "~*", "~<=~", "~<~", "~=", "~>=~", "~>~", "~~", "~~*",
];

/// Settings about reading and formatting values. They reveal nothing about the server's files or other users.
const HARMLESS_SETTINGS: &[&str] = &[
    "application_name",
    "block_size",
    "bytea_output",
    "client_encoding",
    "datestyle",
    "default_transaction_isolation",
    "default_transaction_read_only",
    "extra_float_digits",
    "integer_datetimes",
    "intervalstyle",
    "lc_collate",
    "lc_ctype",
    "lc_messages",
    "lc_monetary",
    "lc_numeric",
    "lc_time",
    "max_identifier_length",
    "search_path",
    "server_encoding",
    "server_version",
    "server_version_num",
    "standard_conforming_strings",
    "statement_timeout",
    "timezone",
    "transaction_isolation",
    "transaction_read_only",
];

/// Tables of the system that hold passwords, keys, settings or activities of users.
const SECRET_TABLES: &[&str] = &[
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

/// Views of extensions, which may be installed in any schema, and of engines that speak PostgreSQL's protocol, about
/// queries of all users.
const SECRET_TABLES_ANYWHERE: &[&str] = &[
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

impl Proof for Postgres {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        self.is_scalar_function(name)
    }

    fn is_operator(&self, name: &str) -> bool {
        OPERATORS.contains(&name)
    }

    fn is_system_schema(&self, qualifier: &[String]) -> bool {
        qualifier == ["pg_catalog"]
    }

    fn is_descriptive_function(&self, name: &str, _as_table: bool) -> bool {
        DESCRIPTIVE_FUNCTIONS.contains(name)
    }

    fn is_descriptive_type(&self, name: &str) -> bool {
        DESCRIPTIVE_TYPES.contains(&name)
    }

    fn is_harmless_setting(&self, name: &str) -> bool {
        is_listed(HARMLESS_SETTINGS, name)
    }

    // `(value).name` is `name(value)` if the value has no such field.
    fn is_called_on_values(&self, name: &str) -> bool {
        const BEGINNINGS: &[&str] = &["binary_upgrade_", "brin_", "gin_", "lo_", "pg_", "txid_"];
        const NAMES: &[&str] = &["currval", "current_setting", "nextval", "setseed", "ts_stat"];
        !self.is_scalar_function(name)
            && (BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) || NAMES.contains(&name))
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "year" => Write("EXTRACT(YEAR FROM x)"),
            "month" => Write("EXTRACT(MONTH FROM x)"),
            "day" | "dayofmonth" => Write("EXTRACT(DAY FROM x)"),
            "hour" => Write("EXTRACT(HOUR FROM x)"),
            "weekday" | "dayofweek" => Write("EXTRACT(DOW FROM x)"),
            "strftime" | "date_format" => Write("to_char(x, 'YYYY-MM-DD')"),
            "datediff" | "date_diff" | "julianday" => Write("CAST(a AS date) - CAST(b AS date)"),
            "dateadd" => Write("x + INTERVAL '1 day'"),
            "getdate" | "sysdate" => Write("current_date"),
            "instr" | "charindex" | "locate" => Write("strpos(text, part)"),
            "isnull" => Write("coalesce"),
            "nvl" | "ifnull" => Write("COALESCE"),
            "if" | "iif" => Write("CASE WHEN condition THEN a ELSE b END"),
            "median" => Write("percentile_cont(0.5) WITHIN GROUP (ORDER BY x)"),
            "group_concat" | "listagg" => Write("string_agg(x, ', ')"),
            "any_value" => Write("min(x)"),
            "len" => Write("length"),
            _ => Nothing,
        }
    }

    fn own_function_advice(&self) -> Instead {
        Instead::Advice(later!(
            "the database has a function of its own with this name, which may do more than compute. Write pg_catalog. before the name, or allow it by name"
        ))
    }

    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        is_listed(SECRET_TABLES_ANYWHERE, table)
            || has_name(qualifier, &[COCKROACH])
            || is_listed_in_system(qualifier, table, SECRET_TABLES, &["pg_catalog", "information_schema"])
    }

    fn is_descriptive_table(&self, qualifier: &[&str], table: &str) -> bool {
        has_name(qualifier, &["information_schema", "pg_catalog"])
            || (qualifier.is_empty() && table.to_ascii_lowercase().starts_with("pg_"))
    }

    fn may_misread_table(&self, parts: &[&str], _text: &str) -> bool {
        parts.last().is_some_and(|name| is_listed(SECRET_TABLES_ANYWHERE, name))
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    fn allows_table_expression(&self, factor: &TableFactor) -> bool {
        matches!(factor, TableFactor::JsonTable { .. } | TableFactor::XmlTable { .. })
    }

    // PostgreSQL's own parser reads it.
    fn has_table_queries(&self) -> bool {
        true
    }

    fn engine_parser(&self) -> Option<EngineParser> {
        Some(EngineParser::Postgres)
    }

    fn restricts_catalog_to_scope(&self) -> bool {
        true
    }
}
