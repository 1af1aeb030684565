//! SQL text that is proven read-only, and names that are proven to exist.
//!
//! Every query that Vitrine runs is a [`ReadOnlySql`]: one statement, a query at its root, no part that writes, and
//! only functions that are known to be pure. [`bind_names`] then resolves every table and column against a catalog, and
//! [`repair_names`] repairs names that do not resolve, without another model call.
//!
//! The parser's own types are visible only to `ddl`, `sql-rules`, `sql-steps` and `federation`, through [`parse`], [`ast`] and
//! [`ReadOnlySql::with_query`].

pub mod ast;
mod bind;
mod column_type;
pub mod dialect;
pub mod facts;
pub mod parse;
mod query;
mod read_only;
mod rejection;
mod text;
mod token;
mod visit;

pub use ast::is_catalog_table;
pub use bind::{
    Binding, ChoosePath, JoinPath, NameProblem, OutputColumn, OutputSources, QuotedNames, RepairedNames, ValueSources,
    bind_names, field_names, field_type, quote_names, repair_names, repair_names_with, unquoted_names, value_sources,
};
// `eval` and the tests of `warehouse` use this path.
pub use column_type::{ColumnType, is_integer, member_type};
pub use dialect::{
    DialectExt, EngineParser, SqlDialect, UnlistedPivot, double_quoted, shown_as_query, unlisted_pivot,
    with_escaped_quotes,
};
pub use query::{
    Bound, Cte, CteProgram, FirstKey, Literal, Parameter, ParameterKind, PlacedConstant, RowCondition, Subject, Unfit,
    build_program, collect_literals, collect_query_constants, compared_with, condition_names, extract_parameters,
    fill_blanks, find_blank_names, find_row_limit, find_table_reads, first_key, is_descending, is_limited,
    kind_by_spelling, list_conditions, list_constants, name_columns, named_tables, read_instead, sort_topologically,
    split_ctes, with_values, with_views,
};
pub use read_only::{
    AllowedFunctions, EngineReading, NamesRead, ReadOnlySql, is_descriptive_table, is_known_function, known_functions,
    missing_function, order_and_limit, rewrite_query, rewrite_unformatted, runs_more, statement_text,
};
pub use rejection::{Instead, SqlRejection};
pub use text::{
    cast_plain_number, days_in_month, find_similar_names, first_rows, first_statement, fold_identifier,
    folds_identifiers, format_sql, is_date, is_restated, name_words, normalize_name, parse_number_word,
    quote_identifier, same_name, singular_name, table_ref, text_value, written_number,
};
