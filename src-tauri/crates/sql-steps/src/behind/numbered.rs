//! Steps with numbered rows: besides its columns, each row has its own number and the numbers of its source rows.

use super::made::RowNumberer;
use super::rows::{Arm, CellRows, Made, ROW, Source, input_column, key_column};
use crate::names::same_name;
use crate::steps::{Step, StepKind};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{ReadOnlySql, quote_identifier};

/// Returns the name of the view with the keys of a step's groups that contributed to the row.
pub(crate) fn keys_view(step: &str) -> String {
    Source::from_step(step).view_name("keys")
}

/// A step with row numbers.
pub(crate) struct Numbered {
    /// The query that returns its rows with their numbers.
    pub sql: String,
    /// The columns added to the step's own columns.
    pub beside: Vec<String>,
    /// The sources of its rows.
    pub reads: Vec<Source>,
    made: Made,
    dialect: Dialect,
    step: String,
}

impl Numbered {
    pub fn from_step(step: &Step, sql: &ReadOnlySql, steps: &[Step], catalog: &Catalog) -> Self {
        let dialect = sql.dialect();
        let names = RowNumberer { dialect, steps, catalog };
        let made = if matches!(step.kind, StepKind::Query { .. }) || step.recursive || step.declares_columns {
            None
        } else {
            sql.prove_text(&step.sql)
                .and_then(|text| text.with_query(|query| names.number_rows(step, &query)).flatten())
        };
        let (sql, reads, made) = made.unwrap_or_else(|| (names.wrap_with_number(step), Vec::new(), Made::Unknown));
        let mut beside: Vec<String> = match &made {
            Made::Rows(_) => (0..reads.len()).map(input_column).collect(),
            Made::Groups(arms) if matches!(step.kind, StepKind::Group { .. }) => {
                arms.iter().flat_map(|arm| &arm.keys).map(|(column, _)| column.clone()).collect()
            }
            _ => Vec::new(),
        };
        beside.push(ROW.to_owned());
        Self { sql, beside, reads, made, dialect, step: step.name.clone() }
    }

    /// Returns columns that identify the groups behind the row, if values identify rows.
    pub fn key_columns(&self, cell: Option<&str>) -> Option<Vec<String>> {
        let Made::Groups(arms) = &self.made else { return None };
        let arm = arms.first()?;
        let mut keys: Vec<String> = arm.keys.iter().map(|(column, _)| column.clone()).collect();
        if let Some((column, CellRows::Equal(_))) = arm.find_cell(cell) {
            keys.push(quote_identifier(column, self.dialect));
        }
        (!keys.is_empty()).then_some(keys)
    }

    /// Returns for each source the query for the numbers of the rows behind the row.
    pub fn source_row_queries(&self, cell: Option<&str>) -> Vec<(Source, String)> {
        let name = |name: &str| quote_identifier(name, self.dialect);
        let own = Source::from_step(&self.step);
        match &self.made {
            Made::Unknown => Vec::new(),
            Made::Rows(_) => {
                let link = |(at, source): (usize, &Source)| {
                    let part = format!(
                        "SELECT DISTINCT {number}\nFROM {rows}\nWHERE {ROW} IN (SELECT {ROW} FROM {behind}) AND {number} IS NOT NULL",
                        number = input_column(at),
                        rows = name(&own.rows_view()),
                        behind = name(&own.behind_view()),
                    );
                    (source.clone(), part)
                };
                self.reads.iter().enumerate().map(link).collect()
            }
            Made::Groups(arms) => {
                arms.iter().map(|arm| (arm.source.clone(), self.group_member_query(arm, cell))).collect()
            }
        }
    }

    /// Returns a query for the rows of an arm that are in the groups behind the row.
    fn group_member_query(&self, arm: &Arm, cell: Option<&str>) -> String {
        let keys = quote_identifier(&keys_view(&self.step), self.dialect);
        let mut conditions: Vec<String> = arm.condition.iter().map(|condition| format!("({condition})")).collect();
        let mut compared: Vec<&String> = arm.keys.iter().map(|(_, value)| value).collect();
        match arm.find_cell(cell) {
            Some((_, CellRows::Where(condition))) => conditions.push(condition.clone()),
            Some((_, CellRows::Equal(value))) => compared.push(value),
            None => {}
        }
        let same = |(at, value): (usize, &String)| format!("{keys}.{} IS NOT DISTINCT FROM ({value})", key_column(at));
        let all: Vec<String> = compared.into_iter().enumerate().map(same).collect();
        conditions
            .extend((!all.is_empty()).then(|| format!("EXISTS (SELECT 1 FROM {keys} WHERE {})", all.join(" AND "))));
        let condition =
            if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) };
        format!("SELECT {ROW}\nFROM {}{condition}", arm.from)
    }

    /// Returns the step and column that a column is copied from unchanged.
    pub fn copied_from(&self, column: &str) -> Option<(String, String)> {
        let Made::Rows(columns) = &self.made else { return None };
        let (_, source, own) = columns.iter().find(|(name, _, _)| same_name(name, column))?;
        (!source.is_table).then(|| (source.name.clone(), own.clone()))
    }
}

impl Arm {
    fn find_cell(&self, column: Option<&str>) -> Option<(&str, &CellRows)> {
        let (name, rows) = self.cells.iter().find(|(name, _)| column.is_some_and(|column| same_name(name, column)))?;
        Some((name, rows))
    }
}
