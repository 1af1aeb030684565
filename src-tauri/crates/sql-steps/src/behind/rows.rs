//! Numbered rows: their sources, how a step's rows are made of others, and the names of the added columns.

/// The name of the column with a row's own number.
pub(crate) const ROW: &str = "vt_row";

/// A source of a step's rows: an earlier step or a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub name: String,
    pub is_table: bool,
}

impl Source {
    pub fn from_step(name: &str) -> Self {
        Self { name: name.to_owned(), is_table: false }
    }

    /// Returns the name of one of the views created for a source.
    pub fn view_name(&self, what: &str) -> String {
        format!("vt_{what}_{}{}", if self.is_table { "table_" } else { "" }, self.name)
    }

    /// Returns the name of the view of its rows with their numbers.
    pub fn rows_view(&self) -> String {
        self.view_name("rows")
    }

    /// Returns the name of the view of the numbers of the rows behind the given row.
    pub fn behind_view(&self) -> String {
        self.view_name("behind")
    }
}

/// Returns the column of [`keys_view`] with a key.
pub(crate) fn key_column(at: usize) -> String {
    format!("vt_key_{at}")
}

/// Returns the column with the row number of a source.
pub(super) fn input_column(at: usize) -> String {
    format!("vt_in_{at}")
}

/// The relation of a step's rows to the rows of its sources.
pub(super) enum Made {
    /// Each from one row of every source. Contains the columns that are copied unchanged, with source and column.
    Rows(Vec<(String, Source, String)>),
    /// Each from all rows with its keys.
    Groups(Vec<Arm>),
    /// The rows cannot be traced.
    Unknown,
}

/// A source, and the values that its rows share with the rows made from them.
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
    /// Rows whose value equals the aggregate.
    Equal(String),
}
