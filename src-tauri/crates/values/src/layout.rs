//! The file's layout, cached for searches.

use crate::domains::Domains;
use crate::segment::Segment;
use crate::storage::StoredColumn;
use std::collections::HashMap;

/// The contents of the file that every search needs, read once for each version of the file.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) version: i64,
    pub(crate) columns: Vec<StoredColumn>,
    /// Indexes into `columns` by lower-case column name.
    pub(crate) by_name: HashMap<String, Vec<usize>>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) domains: Option<Domains>,
}
