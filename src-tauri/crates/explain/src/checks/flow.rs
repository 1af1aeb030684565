//! The input of checks: a query split into steps, with the known numbers about its rows.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::{Catalog, Column, ColumnProfile, ExplanationCheck, Profile, TableProfile};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{Expression, Origin, Step, Steps, column_of, phrase, spaced};
use vitrine_words::plural;

/// A query that returns one number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// Over tables and steps.
    OfSteps(String),
    /// Over the tables as the query itself reads them: a view with a table's name is not that step here.
    OfTables(String),
}

impl Asked {
    /// Its text.
    pub fn query(&self) -> &str {
        match self {
            Self::OfSteps(query) | Self::OfTables(query) => query,
        }
    }
}

/// Results of such queries; `None` where one cannot be run.
pub(crate) type Numbers = BTreeMap<Asked, Option<u64>>;

/// A query split into steps, with the known numbers about its rows. Unknown ones are requested, and the checks run
/// again.
pub(crate) struct Flow<'a> {
    /// The query.
    pub sql: &'a ReadOnlySql,
    /// Its steps.
    pub steps: &'a Steps,
    /// Queries that count the rows of steps and of the tables that they read, by name.
    pub counts: &'a BTreeMap<String, String>,
    /// The tables.
    pub catalog: &'a Catalog,
    /// Their profile.
    pub profile: &'a Profile,
    /// Known numbers.
    pub numbers: &'a Numbers,
    /// Requested numbers.
    pub wanted: RefCell<BTreeSet<Asked>>,
}

impl Flow<'_> {
    pub(super) fn step(&self, at: usize) -> &Step {
        &self.steps.steps()[at]
    }

    /// Rows of a step, or of a table that a step reads.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.number(self.counts.get(name)?.clone())
    }

    /// Rows of a step's first source.
    pub(super) fn rows_in(&self, at: usize) -> Option<u64> {
        self.step(at).reads.first().and_then(|read| self.count(read))
    }

    /// The number that a query over tables and steps returns.
    pub(super) fn number(&self, query: String) -> Option<u64> {
        self.ask(Asked::OfSteps(query))
    }

    /// The numbers that several queries over tables and steps return.
    pub(super) fn numbers(&self, queries: impl IntoIterator<Item = String>) -> Option<Vec<u64>> {
        // Each is requested, also after one that is not known.
        let numbers: Vec<Option<u64>> = queries.into_iter().map(|query| self.number(query)).collect();
        numbers.into_iter().collect()
    }

    pub(super) fn ask(&self, asked: Asked) -> Option<u64> {
        if let Some(number) = self.numbers.get(&asked) {
            return *number;
        }
        self.wanted.borrow_mut().insert(asked);
        None
    }

    pub(super) fn column(&self, origin: &Origin) -> Option<&Column> {
        self.catalog.table(&origin.table)?.column(&origin.column)
    }

    pub(super) fn known(&self, origin: &Origin) -> Option<&ColumnProfile> {
        self.known_table(origin)?.column(&origin.column)
    }

    /// The same where all rows were read: the ends of a sample are not those of the column.
    pub(super) fn known_whole(&self, origin: &Origin) -> Option<&ColumnProfile> {
        self.known_table(origin).filter(|table| table.is_whole())?.column(&origin.column)
    }

    fn known_table(&self, origin: &Origin) -> Option<&TableProfile> {
        self.profile.table(&self.catalog.table(&origin.table)?.name)
    }

    pub(super) fn say(&self, expression: &Expression) -> String {
        phrase(&expression.text, self.catalog.dialect)
    }

    pub(super) fn check(&self, at: usize, code: &str, may_change: bool, text: String) -> ExplanationCheck {
        let step = Some(self.step(at).name.clone());
        ExplanationCheck { code: code.to_owned(), step, text, may_change }
    }
}

/// `status of orders`
pub(super) fn column_said(origin: &Origin) -> String {
    column_of(&spaced(&origin.column), &spaced(&origin.table))
}

/// `1 row`, `2,000 rows`
pub(super) fn rows(number: u64) -> String {
    plural!(number, "{n} row", "{n} rows")
}
