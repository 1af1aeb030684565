//! The file's layout as a search has read it.

use crate::domains::Domains;
use crate::segment::Segment;
use crate::storage::StoredColumn;
use std::collections::HashMap;

/// What a search has to know of the file, read once per state of it.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) version: i64,
    pub(crate) columns: Vec<StoredColumn>,
    /// Indexes into `columns` by lower-case column name.
    pub(crate) by_name: HashMap<String, Vec<usize>>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) domains: Option<Domains>,
}
