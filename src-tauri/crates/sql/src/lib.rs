//! SQL as text that is proven harmless, and names that are proven to exist.
//!
//! Everything that runs in Vitrine passes through [`ReadOnlySql`]: one statement, a query at its root, nothing inside
//! that writes, and only functions that are known to be pure. [`bind`] then resolves every table and column against a
//! catalog, and [`rebind`] repairs names that do not resolve, without asking a model again.
//!
//! The parser's own types leave this crate for `ddl`, `sql-rules` and `sql-steps` alone, through [`parse`], [`ast`] and
//! [`ReadOnlySql::with_query`].

pub mod ast;
mod bind;
mod column_type;
mod columns;
mod ctes;
pub mod facts;
mod fold;
mod functions;
mod guard;
mod literals;
pub mod parse;
mod quote;
mod reading;
mod rewrite;
mod rewritten;
mod text;

pub use bind::{Binding, NameProblem, OutputColumn, Rebound, bind, rebind};
pub use column_type::{ColumnType, is_integer};
pub use columns::name_columns;
pub use ctes::{Cte, CteProgram, program, reads, split_ctes, topological, with_views};
pub use fold::{name_words, normalized, resembling, singular};
pub use functions::AllowedFunctions;
pub use guard::{ReadOnlySql, SqlRejection};
pub use literals::{Literal, constants, literals};
pub use quote::{quote, table_ref};
pub use reading::{Reading, outermost, statement_text};
pub use rewrite::rewrite;
pub use text::{first_statement, format};
