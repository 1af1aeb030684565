//! The only access to the parser. Size and depth are limited first. Text that this parser and an engine's own lexer may
//! read differently is rejected, because the difference could hide a statement.

mod clickhouse;
mod databricks;
mod expansion;
mod keywords;
mod matters;
mod mssql;
mod mysql;
mod mysql_grammar;
mod mysql_tables;
mod rejection;
mod row_limits;
mod tokens;
mod tree;
mod trino;
mod visit;

pub use databricks::with_escaped_quotes;
pub use matters::is_significant;
pub use mysql::double_quoted;
pub use rejection::SqlRejection;
pub use row_limits::{row_limits_of, top_as_fetch};
pub use tokens::{Offsets, grammar_for, tokenize_sql};
pub use tree::{last_part, own_name, row_limit};
pub use visit::{visit_exprs, visit_exprs_mut, visit_mut, visit_table_names, visit_tree};

pub(crate) use expansion::{SignificantTokens, check_expansion};
pub(crate) use mysql_grammar::SOUNDS_LIKE;
pub(crate) use tokens::{MAX_BYTES, check_nesting, reject_ambiguous, single_statement};
pub(crate) use tree::{is_ordered, parse_tokens, with_large_stack};
