//! Steps whose rows are numbered: beside its columns, each row says its own number and those of the rows that it was made of.

use super::made::Names;
use crate::names::same;
use crate::steps::{Step, StepKind};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{ReadOnlySql, quote};

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

/// The keys of the groups of a step that are behind the row.
pub(crate) fn keys_view(step: &str) -> String {
    Source::step(step).view("keys")
}

/// A step with numbers.
pub(crate) struct Numbered {
    /// The query that gives its rows with their numbers.
    pub sql: String,
    /// Its columns behind those of the step.
    pub beside: Vec<String>,
    /// What it reads rows of.
    pub reads: Vec<Source>,
    made: Made,
    dialect: Dialect,
    step: String,
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

impl Numbered {
    pub fn of(step: &Step, sql: &ReadOnlySql, steps: &[Step], catalog: &Catalog) -> Self {
        let dialect = sql.dialect();
        let names = Names { dialect, steps, catalog };
        let made = if matches!(step.kind, StepKind::Query { .. }) || step.recursive || step.declares_columns {
            None
        } else {
            sql.proves(&step.sql).and_then(|text| text.with_query(|query| names.numbered(step, &query)).flatten())
        };
        let (sql, reads, made) = made.unwrap_or_else(|| (names.wrapped(step), Vec::new(), Made::Unknown));
        let mut beside: Vec<String> = match &made {
            Made::Rows(_) => (0..reads.len()).map(input).collect(),
            Made::Groups(arms) if matches!(step.kind, StepKind::Group { .. }) => {
                arms.iter().flat_map(|arm| &arm.keys).map(|(column, _)| column.clone()).collect()
            }
            _ => Vec::new(),
        };
        beside.push(ROW.to_owned());
        Self { sql, beside, reads, made, dialect, step: step.name.clone() }
    }

    /// Columns that tell the groups behind the row, where rows are told by such.
    pub fn keys(&self, cell: Option<&str>) -> Option<Vec<String>> {
        let Made::Groups(arms) = &self.made else { return None };
        let arm = arms.first()?;
        let mut keys: Vec<String> = arm.keys.iter().map(|(column, _)| column.clone()).collect();
        if let Some((column, CellRows::Equal(_))) = arm.cell(cell) {
            keys.push(quote(column, self.dialect));
        }
        (!keys.is_empty()).then_some(keys)
    }

    /// For each source the query that gives the numbers of the rows behind.
    pub fn links(&self, cell: Option<&str>) -> Vec<(Source, String)> {
        let name = |name: &str| quote(name, self.dialect);
        let own = Source::step(&self.step);
        match &self.made {
            Made::Unknown => Vec::new(),
            Made::Rows(_) => {
                let link = |(at, source): (usize, &Source)| {
                    let part = format!(
                        "SELECT DISTINCT {number}\nFROM {rows}\nWHERE {ROW} IN (SELECT {ROW} FROM {behind}) AND {number} IS NOT NULL",
                        number = input(at),
                        rows = name(&own.rows()),
                        behind = name(&own.behind()),
                    );
                    (source.clone(), part)
                };
                self.reads.iter().enumerate().map(link).collect()
            }
            Made::Groups(arms) => arms.iter().map(|arm| (arm.source.clone(), self.members(arm, cell))).collect(),
        }
    }

    /// The rows of an arm that are in the groups behind the row.
    fn members(&self, arm: &Arm, cell: Option<&str>) -> String {
        let keys = quote(&keys_view(&self.step), self.dialect);
        let mut conditions: Vec<String> = arm.condition.iter().map(|condition| format!("({condition})")).collect();
        let mut compared: Vec<&String> = arm.keys.iter().map(|(_, value)| value).collect();
        match arm.cell(cell) {
            Some((_, CellRows::Where(condition))) => conditions.push(condition.clone()),
            Some((_, CellRows::Equal(value))) => compared.push(value),
            None => {}
        }
        let same = |(at, value): (usize, &String)| format!("{keys}.{} IS NOT DISTINCT FROM ({value})", key(at));
        let all: Vec<String> = compared.into_iter().enumerate().map(same).collect();
        conditions
            .extend((!all.is_empty()).then(|| format!("EXISTS (SELECT 1 FROM {keys} WHERE {})", all.join(" AND "))));
        let condition =
            if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) };
        format!("SELECT {ROW}\nFROM {}{condition}", arm.from)
    }

    /// The step and the column of it that a column is, unchanged.
    pub fn carries(&self, column: &str) -> Option<(String, String)> {
        let Made::Rows(columns) = &self.made else { return None };
        let (_, source, own) = columns.iter().find(|(name, _, _)| same(name, column))?;
        (!source.is_table).then(|| (source.name.clone(), own.clone()))
    }
}

impl Arm {
    fn cell(&self, column: Option<&str>) -> Option<(&str, &CellRows)> {
        let (name, rows) = self.cells.iter().find(|(name, _)| column.is_some_and(|column| same(name, column)))?;
        Some((name, rows))
    }
}

/// The column with the number of a row of a source.
pub(super) fn input(at: usize) -> String {
    format!("vt_in_{at}")
}
