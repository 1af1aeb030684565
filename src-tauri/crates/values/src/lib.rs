//! The value index: from a literal that a model wrote to the values that the database really stores (AV-SQL, section 4.1.3).
//!
//! ```text
//! build   select   which columns name things, by profile          search  keys        MinHash bands and other routes
//!         shape    what a value looks like                                lookup      the ids under the keys, weighed
//!         build    SELECT DISTINCT, streamed, column by column            edit        edit distance, 64 characters at a time
//!         fresh    keys of the values just written                        similarity  edit, words, abbreviation
//!         segment  ids under their keys, packed into pages                domains     cosine over small columns
//!         domains  embeddings of small columns                            search      filter and rank
//! ```
//!
//! One SQLite file per database. It has no upper size: values stream in batches, memory is bounded by what the database
//! may take to tell them apart, and a search costs a few seeks per segment and reads a bounded number of ids. A search
//! may run while a build is going on and sees every column that is finished.

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
