//! What all levels of a query share: definitions, catalog, dialect, groups and names.

use super::plan::Plan;
use super::request::KeyCheck;
use crate::catalog::find_stored_table;
use crate::definition::MetricsFile;
use crate::problem::MetricError;
use std::cell::RefCell;
use vitrine_domain::{Catalog, Dialect, Table};
use vitrine_sql::{DialectExt, ReadOnlySql, SqlDialect, quote_identifier};
use vitrine_words::tr;

/// A dimension that defines the groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupBy {
    /// The name as written in the query.
    pub written: String,
    /// The name of the column in the result.
    pub output: String,
}

/// The shared state of a compilation.
pub(crate) struct Compiler<'p, 'f> {
    pub file: &'f MetricsFile,
    pub catalog: &'p Catalog,
    pub plan: &'p Plan<'f>,
    key_checks: RefCell<Vec<(String, String, String)>>,
    /// The names of the groups in the result.
    outputs: RefCell<Vec<String>>,
}

impl<'p, 'f> Compiler<'p, 'f> {
    pub fn new(file: &'f MetricsFile, catalog: &'p Catalog, plan: &'p Plan<'f>) -> Self {
        Self { file, catalog, plan, key_checks: RefCell::default(), outputs: RefCell::default() }
    }

    pub fn dialect(&self) -> Dialect {
        self.catalog.dialect
    }

    pub fn sql(&self) -> &'static dyn SqlDialect {
        self.catalog.dialect.sql()
    }

    /// Formats an identifier, in quotes where needed.
    pub fn quote(&self, name: &str) -> String {
        quote_identifier(name, self.catalog.dialect)
    }

    /// Returns the table of the database that a table of the definitions describes.
    pub fn stored_table(&self, table: usize) -> Result<&'p Table, MetricError> {
        let table = &self.file.tables[table];
        find_stored_table(self.catalog, table.stored_name()).map_err(|error| MetricError {
            message: tr!("Table '{table}' of the metrics: {problem}", table = table.name, problem = error.message),
            ..error
        })
    }

    /// Returns a name for a part of the query that no table of the database has.
    pub fn part_name(&self, name: &str) -> String {
        let is_taken = |name: &str| self.catalog.tables.iter().any(|t| t.name.name.eq_ignore_ascii_case(name));
        let mut unused = name.to_owned();
        while is_taken(&unused) {
            unused.push('_');
        }
        self.quote(&unused)
    }

    /// Keeps the names of the groups free of other columns.
    pub fn reserve_outputs(&self, groups: &[GroupBy]) {
        *self.outputs.borrow_mut() = groups.iter().map(|group| group.output.clone()).collect();
    }

    fn is_group(&self, name: &str) -> bool {
        self.outputs.borrow().iter().any(|group| group.eq_ignore_ascii_case(name))
    }

    /// Returns a name for a column below the result that no group and no leaf has.
    pub fn column_name(&self, name: &str) -> String {
        let is_leaf = |name: &str| self.plan.leaves.iter().any(|leaf| leaf.name.eq_ignore_ascii_case(name));
        let mut unused = name.to_owned();
        while self.is_group(&unused) || is_leaf(&unused) {
            unused.push('_');
        }
        self.quote(&unused)
    }

    /// Returns the name of a leaf's column below the result. No group and no other leaf has it.
    pub fn leaf_column(&self, leaf: usize) -> String {
        let leaves = &self.plan.leaves;
        let mut names: Vec<String> = Vec::new();
        for (at, own) in leaves[..=leaf].iter().enumerate() {
            let is_own = |known: &String| known.eq_ignore_ascii_case(own.name);
            let is_first = leaves[..at].iter().all(|other| !other.name.eq_ignore_ascii_case(own.name));
            let is_free = |name: &String| {
                let is_same = |other: &str| other.eq_ignore_ascii_case(name);
                let is_other = leaves.iter().any(|other| is_same(other.name)) && !(is_first && is_own(name));
                !is_other && !self.is_group(name) && names.iter().all(|known| !is_same(known))
            };
            let numbered = (2..).map(|number| format!("{}__{number}", own.name));
            let name = std::iter::once(own.name.to_owned()).chain(numbered).find(is_free);
            names.push(name.unwrap_or_default());
        }
        self.quote(&names.pop().unwrap_or_default())
    }

    /// Notes that a key of a joined table has to be unique.
    pub fn require_unique_key(&self, table: &Table, key: &str, sql: String) {
        let check = (table.name.to_string(), key.to_owned(), sql);
        let mut checks = self.key_checks.borrow_mut();
        if !checks.contains(&check) {
            checks.push(check);
        }
    }

    /// Returns the queries that check keys.
    pub fn take_key_checks(&self) -> Result<Vec<KeyCheck>, MetricError> {
        let checks = self.key_checks.take();
        let prove = |(table, key, text): (String, String, String)| {
            let sql =
                ReadOnlySql::parse(&text, self.catalog.dialect).map_err(|why| MetricError::new(why.in_words()))?;
            Ok(KeyCheck { table, key, sql })
        };
        checks.into_iter().map(prove).collect()
    }
}
