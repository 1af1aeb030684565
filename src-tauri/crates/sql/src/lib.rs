//! SQL as text that is proven harmless, and names that are proven to exist.
//!
//! Everything that runs in Vitrine passes through [`ReadOnlySql`]: one statement, a query at its root, nothing inside
//! that writes, and only functions that are known to be pure. [`bind`] then resolves every table and column against a
//! catalog, and [`repair`] mends names and what runs but cannot be meant, without asking a model again.
//!
//! The parser's own types never leave this crate.

mod asked;
mod bind;
mod columns;
mod conditions;
mod count;
mod counted;
mod ctes;
pub mod ddl;
mod disputes;
#[cfg(test)]
mod fixtures;
mod fold;
mod functions;
mod gist;
mod guard;
mod links;
mod literals;
mod mend;
mod named;
mod quote;
mod references;
mod relations;
mod repair;
mod searches;
mod shape;
mod syntax;
mod text;
mod ties;
pub mod views;

pub use asked::{Said, fit};
pub use bind::{Binding, NameProblem, OutputColumn, Rebound, bind, rebind};
pub use columns::name_columns;
pub use counted::counted_quantities;
pub use ctes::{Cte, CteProgram, program, split_ctes, topological};
pub use disputes::{Dispute, disputes};
pub use gist::gist;
pub use guard::{ReadOnlySql, SqlRejection};
pub use links::chance_joins;
pub use literals::{Literal, complete, literals, respell};
pub use mend::Repaired;
pub use named::{StoredName, by_name};
pub use quote::{quote, table_ref};
pub use references::{NumberedReference, numbered_references};
pub use repair::repair;
pub use searches::{PartSearch, part_searches};
pub use shape::{QueryShape, shape};
pub use text::format;
pub use ties::{BeyondLimit, beyond_limit};
