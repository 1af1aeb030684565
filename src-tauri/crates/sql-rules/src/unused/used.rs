//! The query's side of the comparison: its constants, its tables and columns, and its result.

use super::asked::year_of;
use super::bounds::Constants;
use super::calendar::digit_runs;
use crate::RuleInput;
use crate::question::facts::has_word;
use vitrine_domain::Page;
use vitrine_sql::{Binding, ColumnType, DialectExt};

/// The constants, names and rows that a query uses.
pub(super) struct Used<'a> {
    pub input: &'a RuleInput<'a>,
    pub constants: Constants,
    pub binding: Binding,
    pub page: &'a Page,
}

/// A part that the query does not use, and the values that it uses instead, if known.
pub(super) struct Unused {
    pub asked: String,
    pub instead: Vec<String>,
}

impl Used<'_> {
    /// Returns true if a table or column of the query has these digits in its name.
    pub fn has_named(&self, digits: &str) -> bool {
        let is_in = |name: &str| digit_runs(name).any(|run| run == digits);
        let columns = self.binding.columns.iter().map(|(_, column)| column);
        self.binding.tables.iter().chain(columns).any(|name| is_in(name))
    }
}

/// Returns true if a compared expression, in lower case, may contain years: by its words, by the types and values of
/// its columns, or because nothing is known about it.
pub(super) fn holds_years(subject: &str, binding: &Binding, input: &RuleInput<'_>) -> bool {
    const YEARS: [&str; 9] = ["year", "jahr", "annee", "année", "%y", "yyyy", "date", "datum", "season"];
    const AMOUNTS: [&str; 3] = ["count(", "sum(", "avg("];
    if YEARS.iter().any(|word| subject.contains(word)) {
        return true;
    }
    if AMOUNTS.iter().any(|word| subject.starts_with(word)) {
        return false;
    }
    let mut columns = binding.columns.iter().filter(|(_, column)| has_word(subject, column)).peekable();
    let may_hold = |(table, column): &(String, String)| {
        let Some(table) = input.catalog.find_table(table) else { return true };
        let Some(declared) = table.find_column(column) else { return true };
        let data_type = input.catalog.dialect.sql().column_type(&declared.data_type);
        if !matches!(data_type, ColumnType::Whole | ColumnType::Decimal | ColumnType::Float) {
            return true;
        }
        let known = input.profile.find_table(&table.name).and_then(|profile| profile.find_column(column));
        let is_year = |value: &Option<String>| value.as_deref().and_then(year_of).is_some();
        known.is_some_and(|known| is_year(&known.min) && is_year(&known.max))
    };
    columns.peek().is_none() || columns.any(may_hold)
}
