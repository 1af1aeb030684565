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
pub mod facts;
pub mod parse;
mod query;
mod read_only;
mod text;

pub use bind::{Binding, NameProblem, OutputColumn, Rebound, bind, rebind};
pub use column_type::{ColumnType, is_integer};
pub use parse::SqlRejection;
pub use query::{
    Cte, CteProgram, Literal, constants, literals, name_columns, program, reads, split_ctes, topological, with_views,
};
pub use read_only::{AllowedFunctions, ReadOnlySql, Reading, outermost, rewrite, statement_text};
pub use text::{first_statement, format, name_words, normalized, quote, resembling, singular, table_ref};
