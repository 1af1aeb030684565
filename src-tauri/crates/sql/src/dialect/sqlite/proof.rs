use super::Sqlite;
use crate::dialect::Proof;
use crate::dialect::proof::{
    COMMON_FUNCTIONS, EngineParser, FileName, FunctionList, is_listed, is_listed_in_system, suggest_strftime,
};
use crate::rejection::Instead;

static FUNCTIONS: FunctionList = FunctionList::new(&[COMMON_FUNCTIONS, include_str!("functions.txt")]);

/// Table functions that only compute. Functions that open a file, a table by name or another database are excluded.
const TABLE_FUNCTIONS: &[&str] = &["json_each", "json_tree", "jsonb_each", "jsonb_tree", "generate_series"];

/// Read-only pragmas in their form as tables. `pragma_database_list` is excluded because it reveals file paths.
const DESCRIPTIVE_PRAGMAS: &[&str] = &[
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

/// Tables with raw pages and statements, and samples of stored values.
const SECRET_TABLES: &[&str] =
    &["dbstat", "sqlite_dbdata", "sqlite_dbpage", "sqlite_memstat", "sqlite_stat3", "sqlite_stat4", "sqlite_stmt"];

impl Proof for Sqlite {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name)
    }

    fn is_descriptive_function(&self, name: &str, as_table: bool) -> bool {
        as_table && DESCRIPTIVE_PRAGMAS.contains(&name)
    }

    // A full-text search has the form of a call.
    fn searches_tables_by_call(&self) -> bool {
        true
    }

    fn replacement(&self, name: &str) -> Instead {
        suggest_strftime(name)
    }

    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        is_listed_in_system(qualifier, table, SECRET_TABLES, &["main", "temp"])
    }

    fn is_descriptive_table(&self, _qualifier: &[&str], table: &str) -> bool {
        let lower = table.to_ascii_lowercase();
        ["pragma_", "sqlite_"].iter().any(|beginning| lower.starts_with(beginning)) || is_listed(SECRET_TABLES, table)
    }

    fn reads_pragmas_as_tables(&self) -> bool {
        true
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    // A table in the form of a call has precedence over a function.
    fn may_misread_table(&self, parts: &[&str], text: &str) -> bool {
        let name = parts.last().map(|name| name.to_lowercase()).unwrap_or_default();
        let is_engines = name.starts_with("pragma_") || is_listed(SECRET_TABLES, &name);
        (text.contains('(') || is_engines) && text.contains(&name)
    }

    fn expands_views_repeatedly(&self) -> bool {
        true
    }

    fn engine_parser(&self) -> Option<EngineParser> {
        Some(EngineParser::Sqlite)
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
