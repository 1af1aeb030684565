//! The read-only proof: functions, tables and statements that only read.

use crate::rejection::Instead;
use sqlparser::ast::TableFactor;
use std::collections::HashSet;
use std::sync::OnceLock;
use vitrine_words::later;

/// Functions that only compute and that several dialects have.
pub(super) const COMMON_FUNCTIONS: &str = include_str!("common-functions.txt");

/// Tables of `information_schema` that are about databases and not about users.
pub(super) const STRUCTURE_TABLES: &[&str] = &[
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

/// SQLite tables that hold definitions and statistics. DuckDB has them as well.
pub(super) const SQLITE_SCHEMA: &[&str] =
    &["sqlite_master", "sqlite_schema", "sqlite_sequence", "sqlite_stat1", "sqlite_temp_master", "sqlite_temp_schema"];

/// The names of functions that queries may call, in lower case, read from texts with one name per word.
#[derive(Debug)]
pub struct FunctionList {
    texts: &'static [&'static str],
    names: OnceLock<HashSet<&'static str>>,
}

impl FunctionList {
    pub(super) const fn new(texts: &'static [&'static str]) -> Self {
        Self { texts, names: OnceLock::new() }
    }

    fn name_set(&self) -> &HashSet<&'static str> {
        self.names.get_or_init(|| self.texts.iter().flat_map(|text| text.split_whitespace()).collect())
    }

    /// Returns true if the list contains a name, which is in lower case.
    pub fn contains(&self, name: &str) -> bool {
        self.name_set().contains(name)
    }

    /// Iterates over the names in any order.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.name_set().iter().copied()
    }
}

/// Keywords that the parser represents as a function call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordCall {
    /// The list of `LIKE ALL ('a%', 'b%')`.
    LikeAll,
    /// The time of `orders AT (OFFSET => -60)`.
    TimeTravel,
    /// The date part `WEEK(MONDAY)`.
    WeekDay,
}

/// The possibility that an engine reads a name in FROM as a file or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileName {
    /// The name denotes a table.
    Never,
    /// The name denotes a file unless a table has this name.
    WithoutTable,
    /// The name may denote a file although a table has this name.
    Always,
}

/// An engine's own parser, which reads statements that this crate cannot parse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineParser {
    /// The parser of DuckDB.
    Duckdb,
    /// The parser of PostgreSQL.
    Postgres,
    /// The parser of SQLite.
    Sqlite,
}

/// The read-only proof: functions, tables and statements that only read. A dialect permits only names and expressions
/// that it lists, and decides for each table name whether it holds secrets or may denote a file; these have no default
/// or one that refuses. Names of functions are in lower case and without a schema.
pub trait Proof: Sync {
    /// Returns the scalar functions that queries may call.
    fn scalar_functions(&self) -> &'static FunctionList;

    /// Returns true if queries may call a scalar function.
    fn is_scalar_function(&self, name: &str) -> bool {
        self.scalar_functions().contains(name)
    }

    /// Returns true if queries may call a table function.
    fn is_table_function(&self, name: &str) -> bool;

    /// Returns true if a scalar function generates rows, and thus any number of columns in a select list.
    fn is_generator(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if an operator that the engine looks up by name is built in.
    fn is_operator(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if built-in functions may be called with this schema as qualifier, in lower case.
    fn is_system_schema(&self, _qualifier: &[String]) -> bool {
        false
    }

    /// Returns true if a function describes tables, permissions or definitions. Only queries written by a user may call
    /// it.
    fn is_descriptive_function(&self, _name: &str, _as_table: bool) -> bool {
        false
    }

    /// Returns true if a cast to this type looks up an object of the database by its name or number. Only queries written
    /// by a user may do so. `name` is in lower case.
    fn is_descriptive_type(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if `current_setting` may read this setting, because it contains nothing confidential.
    fn is_harmless_setting(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if `(value).name` calls a built-in function that accesses more than the data.
    fn is_called_on_values(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if quoted function names are looked up only among the stored functions of the database.
    fn quotes_stored_functions(&self) -> bool {
        false
    }

    /// Returns true if a table in the form of a call is searched, before a function of its name is called.
    fn searches_tables_by_call(&self) -> bool {
        false
    }

    /// Returns the replacement for a function that models use from other engines.
    fn replacement(&self, _name: &str) -> Instead {
        Instead::Nothing
    }

    /// Returns the advice for a built-in function whose name the database also gives to a function of its own.
    fn own_function_advice(&self) -> Instead {
        Instead::Advice(later!(
            "the database has a function of its own with this name, which may do more than compute. Where it only computes, allow it by name"
        ))
    }

    /// Returns the keywords of the dialect that the parser represents as function calls.
    fn keyword_calls(&self) -> &'static [KeywordCall] {
        &[]
    }

    /// Returns true if a table holds passwords, keys or activities of users.
    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool;

    /// Returns true if a name refers to a table in which the engine describes its databases, unless the user has a
    /// table of this name. Only queries written by a user may read it.
    fn is_descriptive_table(&self, qualifier: &[&str], _table: &str) -> bool {
        has_name(qualifier, &["information_schema"])
    }

    /// Returns true if pragmas can be read as tables, under names that begin with `pragma_`.
    fn reads_pragmas_as_tables(&self) -> bool {
        false
    }

    /// Returns the possibility that the engine reads a table name as a file. `is_text` is true for a name in single
    /// quotes.
    fn file_name(&self, parts: &[&str], is_text: bool) -> FileName;

    /// Returns true if the engine may read the name of an existing table as a file or function. `parts` are database,
    /// schema and table; `text` is the query in lower case.
    fn may_misread_table(&self, _parts: &[&str], _text: &str) -> bool {
        false
    }

    /// Returns true if queries may contain this table expression, which not all dialects have.
    fn allows_table_expression(&self, _factor: &TableFactor) -> bool {
        false
    }

    /// Returns true if the history of a table may be read only at timestamps that do not depend on a row.
    fn reads_history_at_timestamps(&self) -> bool {
        false
    }

    /// Returns true if `ARRAY JOIN` joins values in place of a table.
    fn has_array_join(&self) -> bool {
        false
    }

    /// Returns true if `IN` reads a single name in parentheses as a table.
    fn reads_name_after_in_as_table(&self) -> bool {
        false
    }

    /// Returns true if `MATCH (column) AGAINST ('text')` is an expression that only reads.
    fn has_match_against(&self) -> bool {
        false
    }

    /// Returns true if the dialect has the operator `SOUNDS LIKE`.
    fn has_sounds_like(&self) -> bool {
        false
    }

    /// Returns true if `sequence.NEXTVAL` looks like a column and changes the sequence.
    fn reads_sequences_as_columns(&self) -> bool {
        false
    }

    /// Returns true if session variables (`@name`) look like columns.
    fn reads_variables_as_columns(&self) -> bool {
        false
    }

    /// Returns true if the columns of `VALUES` are named by number (`$1`).
    fn numbers_columns_of_values(&self) -> bool {
        false
    }

    /// Returns true if `TABLE name` is a query of all columns.
    fn has_table_queries(&self) -> bool {
        false
    }

    /// Returns true if SHOW, DESCRIBE and SUMMARIZE are queries that a user may write.
    fn has_describing_queries(&self) -> bool {
        false
    }

    /// Returns true if the engine expands a view at each place that reads it and cannot be interrupted meanwhile.
    fn expands_views_repeatedly(&self) -> bool {
        false
    }

    /// Returns true if the parser converts `LATERAL VIEW` to a join, which keeps only the word LATERAL.
    fn converts_lateral_views(&self) -> bool {
        false
    }

    /// Returns true if a text in double quotes is printed in single quotes.
    fn prints_texts_in_single_quotes(&self) -> bool {
        false
    }

    /// Returns true if a column in double quotes is a constant text without a warning.
    fn reads_quoted_column_as_text(&self) -> bool {
        false
    }

    /// Returns the engine's own parser; `None` if a statement that this crate cannot parse does not run.
    fn engine_parser(&self) -> Option<EngineParser> {
        None
    }

    /// Returns true if a connection that is restricted to some schemas compares names without case. Otherwise two names
    /// may differ only in case.
    fn ignores_case_in_scope(&self) -> bool {
        false
    }

    /// Returns true if the engine itself restricts its catalog to the schemas of a connection, where tables of several
    /// schemas may need no schema in their names.
    fn restricts_catalog_to_scope(&self) -> bool {
        false
    }
}

/// Returns true if one of the words of a list is this name in any case.
pub(super) fn is_listed(list: &[&str], name: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true if one of the parts of a name is in a list, in any case.
pub(super) fn has_name(parts: &[&str], list: &[&str]) -> bool {
    parts.iter().any(|part| is_listed(list, part))
}

/// Returns true if a listed table is written without a schema or in a schema of the system.
pub(super) fn is_listed_in_system(qualifier: &[&str], table: &str, list: &[&str], system: &[&str]) -> bool {
    is_listed(list, table) && qualifier.last().is_none_or(|schema| is_listed(system, schema))
}

/// Returns true if a name may denote a data file: DuckDB opens it if no table has that name, with any quotes and also
/// if split at the dot.
pub(super) fn has_form_of_file(parts: &[&str]) -> bool {
    const ENDINGS: &[&str] = &[
        "arrow", "arrows", "avro", "bz2", "csv", "db", "duckdb", "feather", "geojson", "gpkg", "gz", "ipc", "json",
        "jsonl", "ndjson", "orc", "parquet", "shp", "sqlite", "tsv", "txt", "vortex", "xls", "xlsx", "zst",
    ];
    let last = parts.last().map(|last| last.to_ascii_lowercase()).unwrap_or_default();
    let ending = last.rsplit_once('.').map(|(_, e)| e).or((parts.len() > 1).then_some(last.as_str()));
    parts.iter().any(|part| part.contains(['/', '\\', '*', '?', ':'])) || ending.is_some_and(|e| ENDINGS.contains(&e))
}

/// Returns the replacement for a function of other engines in dialects that format dates as SQLite does.
pub(super) fn suggest_strftime(name: &str) -> Instead {
    use Instead::{Nothing, Write};
    match name {
        "year" => Write("strftime('%Y', x)"),
        "month" => Write("strftime('%m', x)"),
        "day" | "dayofmonth" => Write("strftime('%d', x)"),
        "hour" => Write("strftime('%H', x)"),
        "weekday" | "dayofweek" => Write("strftime('%w', x)"),
        "date_format" | "to_char" => Write("strftime"),
        "datediff" | "date_diff" => Write("julianday(a) - julianday(b)"),
        "dateadd" | "date_add" | "date_sub" => Write("date(x, '+1 day')"),
        "date_trunc" => Write("strftime('%Y-%m-01', x)"),
        "julianday" | "unixepoch" => Write("date_diff('day', a, b)"),
        "getdate" | "sysdate" => Write("current_date"),
        "charindex" | "locate" => Write("instr(text, part)"),
        "isnull" => Write("coalesce"),
        "len" => Write("length"),
        _ => Nothing,
    }
}
