//! The only access to the parser. Size and depth are limited first. Text that this parser and an engine's own lexer may
//! read differently is rejected, because the difference could hide a statement.

mod expansion;
mod keywords;
mod row_limits;
mod tokens;
mod tree;

pub use crate::rejection::{Instead, SqlRejection};
pub use crate::token::{Offsets, is_significant};
pub use crate::visit::{visit_exprs, visit_exprs_mut, visit_mut, visit_table_names, visit_tree};
pub use row_limits::{row_limits_of, top_as_fetch};
pub use tokens::tokenize_sql;
pub use tree::{last_part, own_name, row_limit};

pub(crate) use crate::dialect::{MAX_BYTES, SOUNDS_LIKE};
pub(crate) use expansion::{SignificantTokens, check_expansion};
pub(crate) use tokens::{check_nesting, reject_ambiguous, single_statement};
pub(crate) use tree::{is_ordered, parse_tokens, with_large_stack};
