//! Prepares schemas for prompts: profiles data, merges look-alike tables, renders compact text and splits it into
//! chunks.
//!
//! ```text
//! Catalog --profile()--> Profile --------------------.
//!    `-----compress()--> Compressed --render()--> text per table --chunk()--> chunks of whole tables
//! ```
//! Everything is deterministic: the same database gives the same bytes, so that a model's state of the schema text can
//! be reused.

mod cache;
mod chunk;
mod compress;
mod keys;
mod names;
mod overview;
mod personal;
mod profile;
mod render;
mod suggest;
#[cfg(test)]
mod tests;
mod text;

pub use cache::{KeyCache, ProfileCache};
pub use chunk::{Budget, Chunk, chunk_schema};
pub use compress::{Compressed, CompressedColumn, CompressedTable, Lineage, compress_catalog};
pub use keys::{KeyOptions, infer_keys, with_inferred};
pub use names::is_plural;
pub use overview::describe_database;
pub use personal::{looks_personal, masks_field, personal_columns};
pub use profile::{
    ApproximateOptions, ApproximateReport, ProfileOptions, approximate_profile, holds_dates, holds_words, holds_years,
    is_nested, profile_database,
};
pub use render::{RenderOptions, SchemaForm, render_schema, render_table};
pub use suggest::{Effort, SuggestedQuestion, suggested_questions};
