//! Names that an engine's parser found in a query that this crate cannot parse.

/// Tables and columns that an engine's parser found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamesRead {
    /// Tables, each as its parts, outermost first; includes the query's own views.
    pub tables: Vec<Vec<String>>,
    /// Those of them that are not views of the query where they are read.
    pub stored: Vec<Vec<String>>,
    /// Names of the query's CTEs.
    pub views: Vec<String>,
    /// Other names that the query gives to tables.
    pub aliases: Vec<String>,
    /// Columns with their tables if the engine resolves them, and any other name that may be a column.
    pub columns: Vec<(Option<String>, String)>,
    /// Last parts of references: the name of a table refers to the whole row.
    pub ends: Vec<String>,
    /// True if columns are read without their names: a star, an ordinal, a list of other names.
    pub unnamed: bool,
}

impl NamesRead {
    /// Records a reference such as `a.b.c`: each part may be a column, because fields can follow one.
    pub fn add_reference(&mut self, parts: &[String]) {
        self.columns.extend(parts.iter().map(|part| (None, part.clone())));
        self.ends.extend(parts.last().cloned());
    }
}
