//! The input of checks: a query split into steps, with known numbers about its rows.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::{Catalog, Column, ColumnProfile, ExplanationCheck, Profile, TableProfile};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{Expression, Origin, Step, Steps, column_of, describe_sql, identifier_words};
use vitrine_words::plural;

/// A query that returns one number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// A query over tables and steps.
    OfSteps(String),
    /// A query over the tables as the original query reads them: a view with a table's name does not refer to that step
    /// here.
    OfTables(String),
}

impl Asked {
    /// Returns the text of the query.
    pub fn as_sql_text(&self) -> &str {
        match self {
            Self::OfSteps(query) | Self::OfTables(query) => query,
        }
    }
}

/// Results of such queries; `None` for a query that cannot be executed.
pub(crate) type Numbers = BTreeMap<Asked, Option<u64>>;

/// A query split into steps, with known numbers about its rows. Unknown numbers are recorded as requests, and the
/// checks run again once they are available.
pub(crate) struct Flow<'a> {
    /// The query to be checked.
    pub sql: &'a ReadOnlySql,
    /// The steps of the query.
    pub steps: &'a Steps,
    /// Queries that count the rows of steps and of the tables that they read, by name.
    pub counts: &'a BTreeMap<String, String>,
    /// The catalog of the database.
    pub catalog: &'a Catalog,
    /// The profile of the tables.
    pub profile: &'a Profile,
    /// Results of queries that were already executed.
    pub numbers: &'a Numbers,
    /// Queries whose results are requested.
    pub wanted: RefCell<BTreeSet<Asked>>,
}

impl Flow<'_> {
    pub(super) fn step(&self, at: usize) -> &Step {
        &self.steps.steps()[at]
    }

    /// Returns the number of rows of a step, or of a table that a step reads.
    pub fn row_count(&self, name: &str) -> Option<u64> {
        self.request_number(self.counts.get(name)?.clone())
    }

    /// Returns the number of rows of a step's first source.
    pub(super) fn rows_in(&self, at: usize) -> Option<u64> {
        self.step(at).reads.first().and_then(|read| self.row_count(read))
    }

    /// Returns the result of a query over tables and steps, or requests it.
    pub(super) fn request_number(&self, query: String) -> Option<u64> {
        self.request_result(Asked::OfSteps(query))
    }

    /// Returns the results of several queries over tables and steps, or requests them.
    pub(super) fn request_numbers(&self, queries: impl IntoIterator<Item = String>) -> Option<Vec<u64>> {
        // All are requested, even if an earlier result is missing.
        let numbers: Vec<Option<u64>> = queries.into_iter().map(|query| self.request_number(query)).collect();
        numbers.into_iter().collect()
    }

    pub(super) fn request_result(&self, asked: Asked) -> Option<u64> {
        if let Some(number) = self.numbers.get(&asked) {
            return *number;
        }
        self.wanted.borrow_mut().insert(asked);
        None
    }

    pub(super) fn find_column(&self, origin: &Origin) -> Option<&Column> {
        self.catalog.find_table(&origin.table)?.find_column(&origin.column)
    }

    pub(super) fn column_profile(&self, origin: &Origin) -> Option<&ColumnProfile> {
        self.known_table(origin)?.find_column(&origin.column)
    }

    /// Returns the profile only if all rows were read: the range of a sample is not that of the column.
    pub(super) fn known_whole(&self, origin: &Origin) -> Option<&ColumnProfile> {
        self.known_table(origin).filter(|table| table.is_whole())?.find_column(&origin.column)
    }

    fn known_table(&self, origin: &Origin) -> Option<&TableProfile> {
        self.profile.find_table(&self.catalog.find_table(&origin.table)?.name)
    }

    pub(super) fn describe_expression(&self, expression: &Expression) -> String {
        describe_sql(&expression.text, self.catalog.dialect)
    }

    pub(super) fn build_check(&self, at: usize, code: &str, may_change: bool, text: String) -> ExplanationCheck {
        let step = Some(self.step(at).name.clone());
        ExplanationCheck { code: code.to_owned(), step, text, may_change }
    }
}

/// Formats a column as `status of orders`.
pub(super) fn column_said(origin: &Origin) -> String {
    column_of(&identifier_words(&origin.column), &identifier_words(&origin.table))
}

/// Formats a number of rows: `1 row`, `2,000 rows`.
pub(super) fn format_row_count(number: u64) -> String {
    plural!(number, "{n} row", "{n} rows")
}
