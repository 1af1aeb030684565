//! The only access to the parser: size and depth are bounded first, and text that this parser and an engine's own lexer
//! may read differently is rejected, because a hidden statement could stand in the difference.

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
pub use matters::matters;
pub use mysql::double_quoted;
pub use rejection::{Instead, SqlRejection};
pub use row_limits::{row_limits_of, top_as_fetch};
pub use tokens::{Offsets, grammar, tokens};
pub use tree::{last_part, own_name, row_limit};
pub use visit::{visit, visit_exprs, visit_exprs_mut, visit_mut, visit_table_names};

pub(crate) use expansion::{Told, expandable};
pub(crate) use mysql_grammar::SOUNDS_LIKE;
pub(crate) use tokens::{MAX_BYTES, bounded, statement, unambiguous};
pub(crate) use tree::{deep, ordered, parse_tokens};
