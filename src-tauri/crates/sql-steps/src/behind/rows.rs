//! Rows with numbers: what is read, how rows of a step are made of others, and the names of what is added for it.

/// The column with a row's own number.
pub(crate) const ROW: &str = "vt_row";

/// What a step reads rows of: a step before it, or a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub name: String,
    pub is_table: bool,
}

impl Source {
    pub fn step(name: &str) -> Self {
        Self { name: name.to_owned(), is_table: false }
    }

    /// The name of one of the views that are made for a source.
    pub fn view(&self, what: &str) -> String {
        format!("vt_{what}_{}{}", if self.is_table { "table_" } else { "" }, self.name)
    }

    /// Its rows with their numbers.
    pub fn rows(&self) -> String {
        self.view("rows")
    }

    /// The numbers of those behind the row that is asked about.
    pub fn behind(&self) -> String {
        self.view("behind")
    }
}

/// The column of [`keys_view`] with a key.
pub(crate) fn key(at: usize) -> String {
    format!("vt_key_{at}")
}

/// The column with the number of a row of a source.
pub(super) fn input(at: usize) -> String {
    format!("vt_in_{at}")
}

/// How the rows of a step were made.
pub(super) enum Made {
    /// Each of one row of every source, whose numbers stand beside it; columns with those that they are of a source.
    Rows(Vec<(String, Source, String)>),
    /// Each of all rows that have its keys.
    Groups(Vec<Arm>),
    /// Nobody knows.
    Unknown,
}

/// A source, and what its rows have in common with the row that they were put into.
pub(super) struct Arm {
    pub source: Source,
    /// What follows FROM, the source's name with numbers in it.
    pub from: String,
    pub condition: Option<String>,
    /// Columns of the step with numbers, and what of the source is compared with them.
    pub keys: Vec<(String, String)>,
    /// Columns of the step and what more is said of the rows that one of their cells was made of.
    pub cells: Vec<(String, CellRows)>,
}

/// The rows of a group that one of its aggregates is made of.
pub(super) enum CellRows {
    /// Those that have this.
    Where(String),
    /// Those of which this is the aggregate itself.
    Equal(String),
}
