//! Names of tables and columns in descriptions: short comments of the database if there are any, otherwise names.

use crate::sentences::{is_numbered, of_the_result};
use vitrine_catalog::is_plural;
use vitrine_domain::{Catalog, Column, Table};
use vitrine_sql_steps::{
    DisplayNames, Expression, Rows, StepKind, Steps, column_of, identifier_words, plain_phrase, rows_where,
};
use vitrine_words::join_with_and;

/// Maximum number of characters of a clause. Longer ones do not help users to choose.
const LONGEST: usize = 160;

/// The names in one expression of a query.
pub(super) struct Called<'a> {
    catalog: &'a Catalog,
    steps: Option<&'a Steps>,
    expression: &'a Expression,
    /// Names of columns that occur in several tables of the query.
    ambiguous: Vec<String>,
}

impl<'a> Called<'a> {
    pub(super) fn new(
        catalog: &'a Catalog,
        steps: Option<&'a Steps>,
        expression: &'a Expression,
        ambiguous: Vec<String>,
    ) -> Self {
        Self { catalog, steps, expression, ambiguous }
    }

    /// Returns the table that a column is read from, according to the query or the steps.
    fn table_of(&self, table: Option<&str>, column: &str) -> Option<&'a Table> {
        let known = |name: &str| self.catalog.find_table(name).filter(|table| table.find_column(column).is_some());
        table.and_then(known).or_else(|| {
            let mut origins =
                self.expression.columns.iter().filter(|origin| origin.column.eq_ignore_ascii_case(column));
            let first = origins.next()?;
            origins.all(|other| other.table == first.table).then(|| known(&first.table)).flatten()
        })
    }
}

impl DisplayNames for Called<'_> {
    fn column_name(&self, table: Option<&str>, column: &str) -> String {
        let Some(table) = self.table_of(table, column) else { return identifier_words(column) };
        let name = table.find_column(column).map_or_else(|| identifier_words(column), Column::display_label);
        match self.ambiguous.iter().any(|name| name.eq_ignore_ascii_case(column)) {
            true => column_of(&name, &table.display_label()),
            false => name,
        }
    }

    fn row_name(&self, table: &str) -> Option<String> {
        let step = self.steps.and_then(|steps| steps.steps().iter().find(|step| step.name == table));
        match step.map(|step| &step.kind) {
            None => Some(self.catalog.find_table(table).map_or_else(|| identifier_words(table), Table::display_label)),
            Some(StepKind::Table { table, filters }) => {
                let table =
                    self.catalog.find_table(table).map_or_else(|| identifier_words(table), Table::display_label);
                if filters.is_empty() {
                    return Some(table);
                }
                let said: Option<Vec<String>> =
                    filters.iter().map(|filter| in_words(filter, self.steps?, self.catalog, &self.ambiguous)).collect();
                Some(rows_where(&table, &join_with_and(&said?)))
            }
            Some(_) => None,
        }
    }

    fn entity_name(&self, table: Option<&str>, column: &str) -> Option<String> {
        let known = self.table_of(table, column)?;
        if self.is_key(table, column) {
            return Some(known.display_label());
        }
        let key = known.foreign_keys.iter().find(|key| is_only(&key.columns, column))?;
        self.catalog.find_table(&key.ref_table.to_string()).map(Table::display_label)
    }

    fn is_key(&self, table: Option<&str>, column: &str) -> bool {
        self.table_of(table, column).is_some_and(|table| is_only(&table.primary_key, column))
    }

    fn single_value(&self, step: &str, column: &str) -> Option<String> {
        let step = self.steps?.steps().iter().find(|known| known.name == step)?;
        let StepKind::Group { keys, aggregates, .. } = &step.kind else { return None };
        let value = aggregates.iter().find(|aggregate| aggregate.name == column).filter(|_| keys.is_empty())?;
        let [read] = step.reads.as_slice() else { return None };
        let names = Called::new(self.catalog, None, &value.value, self.ambiguous.clone());
        let said = plain_phrase(&value.value.text, self.catalog.dialect, &names)?;
        Some(column_of(&said, &self.row_name(read)?))
    }

    fn counted_rows(&self) -> Option<Rows> {
        let steps = self.steps?;
        let main = of_the_result(steps);
        let mut tables = Vec::new();
        let mut groups = 0;
        for (step, _) in steps.steps().iter().zip(main).filter(|(_, main)| *main) {
            match &step.kind {
                StepKind::Join { .. } | StepKind::SetOperation { .. } | StepKind::Query { .. } => return None,
                // The count is then one of values, or of the first rows.
                StepKind::Distinct | StepKind::Limit(_) | StepKind::Order { limit: Some(_), .. } if groups == 0 => {
                    return None;
                }
                StepKind::Order { distinct: true, .. } if groups == 0 => return None,
                // A count after a grouping counts the groups.
                StepKind::Window { .. } if groups > 0 => return None,
                StepKind::Group { .. } => groups += 1,
                _ => {}
            }
            let is_step = |name: &String| steps.steps().iter().any(|step| step.name == *name);
            match &step.kind {
                StepKind::Table { table, .. } => tables.push(table),
                _ => tables.extend(step.reads.first().filter(|name| !is_step(name))),
            }
        }
        match tables.as_slice() {
            [only] if groups == 1 => {
                let label = self.catalog.find_table(only)?.display_label();
                Some(if is_plural(&label) { Rows::Called(label) } else { Rows::Of(label) })
            }
            _ => None,
        }
    }
}

/// Describes a value or a condition in plain words.
pub(super) fn in_words(of: &Expression, steps: &Steps, catalog: &Catalog, ambiguous: &[String]) -> Option<String> {
    let names = Called::new(catalog, Some(steps), of, ambiguous.to_vec());
    let words = plain_phrase(&of.text, catalog.dialect, &names)?;
    // The number of an unnamed step means nothing to readers.
    let unsaid =
        steps.steps().iter().filter(|step| is_numbered(step)).any(|step| words.contains(&identifier_words(&step.name)));
    (!unsaid && words.chars().count() <= LONGEST).then_some(words)
}

/// Returns true if a key consists of this column alone.
fn is_only(key: &[String], column: &str) -> bool {
    matches!(key, [only] if only.eq_ignore_ascii_case(column))
}
