use super::Duckdb;
use crate::dialect::Proof;
use crate::dialect::proof::{
    COMMON_FUNCTIONS, EngineParser, FileName, FunctionList, SQLITE_SCHEMA, has_form_of_file, has_name, is_listed,
    is_listed_in_system, suggest_strftime,
};
use crate::rejection::Instead;

static FUNCTIONS: FunctionList = FunctionList::new(&[COMMON_FUNCTIONS, include_str!("functions.txt")]);

/// Table functions that only compute. Functions that open a file, a table by name or another database are excluded.
const TABLE_FUNCTIONS: &[&str] = &[
    "unnest",
    "generate_series",
    "range",
    "repeat",
    "repeat_row",
    "json_each",
    "json_tree",
    "generate_subscripts",
    "regexp_split_to_table",
];

/// Table functions that list the contents of databases, but no settings, secrets, files or extensions.
const DESCRIPTIVE_FUNCTIONS: &[&str] = &[
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

/// Tables and functions about keys, settings and logged queries.
const SECRET_TABLES: &[&str] = &[
    "duckdb_logs",
    "duckdb_logs_parsed",
    "duckdb_secrets",
    "duckdb_settings",
    "duckdb_variables",
    "duckdb_temporary_files",
];

/// MotherDuck's own database with shares and the query history of all users.
const MOTHERDUCK: &str = "md_information_schema";

/// Operators that are built in.
const OPERATORS: &[&str] = &[
    "!__postfix",
    "!~~",
    "!~~*",
    "%",
    "&",
    "&&",
    "*",
    "**",
    "+",
    "-",
    "->",
    "->>",
    "/",
    "//",
    "<->",
    "<<",
    "<=>",
    "<@",
    "=",
    ">>",
    "@",
    "@>",
    "^",
    "^@",
    "|",
    "||",
    "~",
    "~~",
    "~~*",
    "~~~",
];

impl Proof for Duckdb {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name)
    }

    fn is_operator(&self, name: &str) -> bool {
        OPERATORS.contains(&name)
    }

    // Method calls on values look like calls in schemas; functions of the same names in a schema are macros, which
    // DuckDB's own locks restrict.
    fn is_system_schema(&self, _qualifier: &[String]) -> bool {
        true
    }

    fn is_descriptive_function(&self, name: &str, as_table: bool) -> bool {
        as_table && DESCRIPTIVE_FUNCTIONS.contains(&name)
    }

    fn replacement(&self, name: &str) -> Instead {
        suggest_strftime(name)
    }

    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        has_name(qualifier, &[MOTHERDUCK]) || is_listed_in_system(qualifier, table, SECRET_TABLES, &["main", "system"])
    }

    fn is_descriptive_table(&self, qualifier: &[&str], table: &str) -> bool {
        let lower = table.to_ascii_lowercase();
        has_name(qualifier, &["information_schema", "pg_catalog"])
            || ["duckdb_", "pg_", "pragma_"].iter().any(|beginning| lower.starts_with(beginning))
            || is_listed(SQLITE_SCHEMA, table)
    }

    fn reads_pragmas_as_tables(&self) -> bool {
        true
    }

    fn file_name(&self, parts: &[&str], is_text: bool) -> FileName {
        if is_text || has_form_of_file(parts) { FileName::WithoutTable } else { FileName::Never }
    }

    fn may_misread_table(&self, parts: &[&str], _text: &str) -> bool {
        let is_engines = |name: &&str| name.to_lowercase().starts_with("pragma_") || is_listed(SECRET_TABLES, name);
        has_form_of_file(parts) || parts.last().is_some_and(is_engines)
    }

    fn has_describing_queries(&self) -> bool {
        true
    }

    fn engine_parser(&self) -> Option<EngineParser> {
        Some(EngineParser::Duckdb)
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
