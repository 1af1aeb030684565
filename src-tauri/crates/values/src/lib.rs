//! The value index: finds the values that a database stores for a literal that a model wrote (AV-SQL, section 4.1.3).
//!
//! ```text
//! build   select   columns whose values name things, by profile    search  keys        MinHash bands and other routes
//!         shape    the format of a value                                   lookup      the ids under the keys, weighted
//!         build    SELECT DISTINCT, streamed, column by column             edit        edit distance, 64 characters at a time
//!         fresh    keys of the values just written                         similarity  edit, words, abbreviation
//!         segment  ids under their keys, packed into pages                 domains     cosine over small columns
//!         domains  embeddings of small columns                             search      filter and rank
//! ```
//!
//! Each database has one SQLite file without an upper size. Values are streamed in batches, and memory is limited to
//! what the database needs to find the distinct values. A search costs a few seeks per segment and reads a limited
//! number of ids. A search may run during a build and sees every finished column.

mod build;
mod domains;
mod edit;
mod embed;
mod embed_domains;
mod error;
mod fresh;
mod index;
mod keys;
mod layout;
mod lookup;
mod parts;
mod same;
mod search;
mod segment;
mod select;
mod shape;
mod similarity;
mod storage;
mod stored;
mod text;
mod variants;
mod writer;

pub use build::{BuildProgress, BuildReport, LONGEST_VALUE, SkippedColumn};
pub use domains::{EMBEDDED_TEXTS, SMALL_DOMAIN};
pub use embed::{Embedder, MiniLm};
pub use error::ValuesError;
pub use index::{IndexSize, ValueIndex};
pub use same::{CategoryColumn, CategoryValue, same_values};
pub use search::{SearchOptions, SearchTerm};
pub use variants::is_variant;
