//! Names that an engine's parser found in a query without a syntax tree here.

/// Tables and columns that an engine's parser found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamesRead {
    /// Tables, each as its parts, outermost first; the query's own views are among them.
    pub tables: Vec<Vec<String>>,
    /// Names that WITH gives.
    pub views: Vec<String>,
    /// Other names that the query gives to tables.
    pub aliases: Vec<String>,
    /// Columns with their tables, where the engine resolves them, and any other name that may be a column's.
    pub columns: Vec<(Option<String>, String)>,
    /// Names at the end of a reference: one that is a table's stands for the whole row.
    pub ends: Vec<String>,
    /// Whether columns are read without their names: a star, a position, a list of other names.
    pub unnamed: bool,
}

impl NamesRead {
    /// Notes a reference such as `a.b.c`: each part may be a column, since fields follow one.
    pub fn add_reference(&mut self, parts: &[String]) {
        self.columns.extend(parts.iter().map(|part| (None, part.clone())));
        self.ends.extend(parts.last().cloned());
    }
}
