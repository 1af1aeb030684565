//! Numbered rows: their sources, how a step's rows are made of others, and the names of the added columns.

/// The column with a row's own number.
pub(crate) const ROW: &str = "vt_row";

/// A source of a step's rows: an earlier step or a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub name: String,
    pub is_table: bool,
}

impl Source {
    pub fn step(name: &str) -> Self {
        Self { name: name.to_owned(), is_table: false }
    }

    /// The name of one of the views made for a source.
    pub fn view(&self, what: &str) -> String {
        format!("vt_{what}_{}{}", if self.is_table { "table_" } else { "" }, self.name)
    }

    /// Its rows with their numbers.
    pub fn rows(&self) -> String {
        self.view("rows")
    }

    /// The numbers of the rows behind the given row.
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

/// How the rows of a step are made.
pub(super) enum Made {
    /// Each from one row of every source, with the numbers of these rows; columns that are a source's column unchanged.
    Rows(Vec<(String, Source, String)>),
    /// Each from all rows with its keys.
    Groups(Vec<Arm>),
    /// Unknown.
    Unknown,
}

/// A source, and what its rows share with the rows made from them.
pub(super) struct Arm {
    pub source: Source,
    /// The text after FROM, with the source's numbered name.
    pub from: String,
    pub condition: Option<String>,
    /// Columns of the numbered step, and the source's expressions compared with them.
    pub keys: Vec<(String, String)>,
    /// Columns of the step, with further conditions on the rows that one of their cells was made from.
    pub cells: Vec<(String, CellRows)>,
}

/// The rows of a group that an aggregate uses.
pub(super) enum CellRows {
    /// Rows that meet this condition.
    Where(String),
    /// Rows whose value is the aggregate itself.
    Equal(String),
}
