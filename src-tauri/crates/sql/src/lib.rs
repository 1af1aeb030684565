//! SQL as text that is proven harmless, and names that are proven to exist.
//!
//! Everything that runs in Vitrine passes through [`ReadOnlySql`]: one statement, a query at its root, nothing inside
//! that writes, and only functions that are known to be pure. [`bind`] then resolves every table and column against a
//! catalog, and [`rebind`] mends the usual slips of a small model without asking it again.
//!
//! The parser's own types never leave this crate.

mod bind;
mod columns;
mod ctes;
pub mod ddl;
mod fold;
mod functions;
mod guard;
mod literals;
mod quote;
mod shape;
mod syntax;
mod text;

pub use bind::{Binding, NameProblem, OutputColumn, Rebound, bind, rebind};
pub use columns::name_columns;
pub use ctes::{Cte, CteProgram, program, split_ctes, topological};
pub use guard::{ReadOnlySql, SqlRejection};
pub use literals::{Literal, literals};
pub use quote::{quote, table_ref};
pub use shape::{QueryShape, shape};
pub use text::format;
