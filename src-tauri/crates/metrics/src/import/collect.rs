//! Collects imported definitions and checks that they fit each other and the database.

use super::imported::{ImportedMetrics, Skipped};
use crate::catalog::find_imported_table;
use crate::definition::{Metric, MetricsFile, SemanticTable};
use crate::file::check_file;
use crate::problem::MetricError;
use crate::template::expand_templates;
use std::collections::HashMap;
use vitrine_domain::Catalog;
use vitrine_words::tr;

/// Definitions that were read so far.
pub(crate) struct Collector<'c> {
    pub catalog: &'c Catalog,
    known: &'c MetricsFile,
    file: MetricsFile,
    skipped: Vec<Skipped>,
    /// Measures by lower-case name; a metric is created from those that a metric uses.
    measures: HashMap<String, Metric>,
    /// Reads of metrics, which follow after all measures are known.
    pending: Vec<Pending>,
}

/// A metric of a file that is read after all files.
type Pending = Box<dyn FnOnce(&mut Collector<'_>)>;

impl<'c> Collector<'c> {
    pub fn new(known: &'c MetricsFile, catalog: &'c Catalog) -> Self {
        Self {
            catalog,
            known,
            file: MetricsFile::default(),
            skipped: Vec::new(),
            measures: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// Notes a part that is not imported.
    pub fn skip(&mut self, kind: &str, name: impl Into<String>, reason: impl Into<String>) {
        let one = Skipped { kind: kind.to_owned(), name: name.into(), reason: reason.into() };
        if !self.skipped.contains(&one) {
            self.skipped.push(one);
        }
    }

    /// Adds a table if the database has it. Returns false if it was skipped.
    pub fn add_table(&mut self, mut table: SemanticTable) -> bool {
        let (stored, is_elsewhere) = match find_imported_table(self.catalog, table.stored_name()) {
            Ok((stored, is_elsewhere)) => (stored.name.to_string(), is_elsewhere),
            Err(error) => {
                self.skip("table", table.name, error.message);
                return false;
            }
        };
        let replaced = is_elsewhere.then(|| (table.stored_name().to_owned(), stored.clone()));
        table.table = (stored != table.name).then_some(stored);
        let alone = MetricsFile { tables: vec![table.clone()], ..MetricsFile::default() };
        if let Err(error) = check_file(&alone) {
            self.skip("table", table.name, error.message);
            return false;
        }
        if self.file.find_table(&table.name).is_some() {
            self.skip("table", table.name.clone(), tr!("the files define it twice"));
            return false;
        }
        if let Some((written, stored)) = replaced {
            let reason = tr!("the database has no {written}; {stored} is used instead", written, stored);
            self.skip("schema", table.name.clone(), reason);
        }
        self.file.tables.push(table);
        true
    }

    /// Adds a measure, from which metrics take their aggregate.
    pub fn add_measure(&mut self, measure: Metric) {
        if self.measures.insert(measure.name.to_lowercase(), measure.clone()).is_some() {
            self.skip("measure", measure.name, tr!("the files define it twice; the last definition is used"));
        }
    }

    /// Returns a measure by its name.
    pub fn find_measure(&self, name: &str) -> Option<&Metric> {
        self.measures.get(&name.trim().to_lowercase())
    }

    /// Returns true if a table was imported or is known.
    pub fn has_table(&self, name: &str) -> bool {
        self.file.find_table(name).or(self.known.find_table(name)).is_some()
    }

    /// Reads a metric after all measures are known.
    pub fn read_later(&mut self, read: impl FnOnce(&mut Collector<'_>) + 'static) {
        self.pending.push(Box::new(read));
    }

    /// Adds a metric.
    pub fn add_metric(&mut self, metric: Metric) {
        if let Err(error) = check_filters(&metric) {
            self.skip("metric", metric.name, error.message);
            return;
        }
        if self.file.metrics.iter().any(|known| known.name.eq_ignore_ascii_case(&metric.name)) {
            self.skip("metric", metric.name, tr!("the files define it twice"));
            return;
        }
        let alone = MetricsFile { metrics: vec![metric.clone()], ..MetricsFile::default() };
        match check_file(&alone) {
            Ok(()) => self.file.metrics.push(metric),
            Err(error) => self.skip("metric", metric.name, error.message),
        }
    }

    /// Uses a table with one row per day as the calendar, if the database has it.
    pub fn set_days(&mut self, table: &str, column: &str) {
        let found = find_imported_table(self.catalog, table).ok();
        let found =
            found.and_then(|(table, _)| Some((table.name.to_string(), table.find_column(column)?.name.clone())));
        match found {
            Some((table, column)) => {
                self.file.calendar.days = Some(crate::definition::CalendarTable { table, column });
            }
            None => self.skip(
                "time spine",
                table,
                tr!("the database has no such table; days are generated from the first to the last day of the data"),
            ),
        }
    }

    /// Removes metrics whose tables or metrics are missing, and returns what remains.
    pub fn finish(mut self) -> ImportedMetrics {
        for read in std::mem::take(&mut self.pending) {
            read(&mut self);
        }
        loop {
            let missing =
                self.file.metrics.iter().enumerate().find_map(|(at, metric)| Some((at, self.missing_part(metric)?)));
            let Some((at, reason)) = missing else { break };
            let metric = self.file.metrics.remove(at);
            self.skip("metric", metric.name, reason);
        }
        ImportedMetrics { file: self.file, skipped: self.skipped }
    }

    /// Returns the reason why a metric cannot be computed from what is known.
    fn missing_part(&self, metric: &Metric) -> Option<String> {
        if let Some(table) = &metric.table
            && !self.has_table(table)
        {
            return Some(tr!("its table {table} was not imported", table));
        }
        let has = |name: &str| {
            let is_same = |known: &Metric| known.name.eq_ignore_ascii_case(name);
            self.file.metrics.iter().any(is_same) || self.known.metrics.iter().any(is_same)
        };
        let inputs = metric.ratio.iter().flat_map(|ratio| [&ratio.of, &ratio.to]).chain(&metric.inputs);
        let accumulated = metric.cumulative.iter().filter_map(|cumulative| cumulative.metric.as_deref());
        let mut names = inputs.map(|input| input.metric.as_str()).chain(accumulated);
        let missing = names.find(|name| !has(name))?;
        Some(tr!("its metric {name} was not imported", name = missing))
    }
}

/// Checks that the filters of a metric and of its inputs can be read.
fn check_filters(metric: &Metric) -> Result<(), MetricError> {
    let inputs = metric.ratio.iter().flat_map(|ratio| [&ratio.of, &ratio.to]).chain(&metric.inputs);
    let mut filters = metric.filters.iter().chain(inputs.flat_map(|input| &input.filters));
    filters.try_for_each(|filter| expand_templates(filter).map(drop))
}
