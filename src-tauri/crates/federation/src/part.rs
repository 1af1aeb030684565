//! A table that a source delivers for a query.

use crate::catalog::FoundTable;
use crate::condition::Filter;
use crate::reduce::Reduction;
use crate::source::Source;
use crate::source_query::{write_groups, write_query};

/// A table that a source delivers.
#[derive(Debug, Clone)]
pub(crate) struct TablePart {
    pub table: FoundTable,
    /// The name in the joining query.
    pub name: String,
    /// The rows that the source delivers.
    pub query: PartQuery,
    /// The columns in the order of the query.
    pub columns: Vec<PartColumn>,
    /// The conditions that follow from the rows of other parts.
    pub reductions: Vec<Reduction>,
}

/// The rows that a source delivers.
#[derive(Debug, Clone)]
pub(crate) enum PartQuery {
    /// Rows of the table.
    Rows {
        /// The places of the columns.
        columns: Vec<usize>,
        filter: Option<Filter>,
        /// The number of rows that suffices, if any rows do.
        limit: Option<u64>,
    },
    /// Groups of rows.
    Groups {
        /// The places of the columns by which rows are grouped.
        keys: Vec<usize>,
        /// Expressions of the source with their names.
        aggregates: Vec<(String, String)>,
        filter: Option<Filter>,
    },
}

/// A column of a delivered table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartColumn {
    /// The name in the joining query.
    pub name: String,
    /// The type that the source declares, or a type of a computed column.
    pub data_type: String,
}

impl TablePart {
    /// Writes the query of the source, with further conditions. `None` if the source cannot group the rows.
    pub fn write(&self, sources: &[Source], further: &[Filter]) -> Option<String> {
        let (source, table) = (&sources[self.table.source], self.table.table(sources));
        let with_further = |filter: &Option<Filter>| {
            let all: Vec<Filter> = filter.iter().chain(further).cloned().collect();
            (!all.is_empty()).then_some(Filter::All(all))
        };
        match &self.query {
            PartQuery::Rows { columns, filter, limit } => {
                Some(write_query(source, table, columns, with_further(filter).as_ref(), *limit))
            }
            PartQuery::Groups { keys, aggregates, filter } => {
                write_groups(source, table, keys, aggregates, with_further(filter).as_ref())
            }
        }
    }
}
