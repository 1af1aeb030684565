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
}

impl<'p, 'f> Compiler<'p, 'f> {
    pub fn new(file: &'f MetricsFile, catalog: &'p Catalog, plan: &'p Plan<'f>) -> Self {
        Self { file, catalog, plan, key_checks: RefCell::default() }
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

    /// Returns the name of a leaf's column below the result.
    pub fn leaf_column(&self, leaf: usize) -> String {
        let own = &self.plan.leaves[leaf];
        let earlier = self.plan.leaves[..leaf].iter().filter(|other| other.name.eq_ignore_ascii_case(own.name)).count();
        self.quote(&if earlier == 0 { own.name.to_owned() } else { format!("{}__{}", own.name, earlier + 1) })
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
