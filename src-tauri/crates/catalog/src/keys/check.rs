//! Queries that check uniqueness and inclusion of column values.

use super::options::KeyOptions;
use super::units::Unit;
use crate::profile::{Queries, Source, has_row_ids};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Table;
use vitrine_sql::dialect::{RowSampling, TypeFamily};
use vitrine_sql::{DialectExt, ReadOnlySql, quote_identifier, table_ref};
use vitrine_warehouse::{Limits, Warehouse, WarehouseError, read_page};

/// Numbers of distinct values of some columns and of values that the referenced table lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Inclusion {
    pub values: u64,
    pub missing: u64,
    /// True if all rows were read rather than a sample.
    pub whole: bool,
}

impl Inclusion {
    /// Returns the fraction of values that the referenced table contains.
    pub(super) fn ratio(self) -> f64 {
        if self.values == 0 { 0.0 } else { (self.values - self.missing) as f64 / self.values as f64 }
    }
}

/// Runs checks on a warehouse.
pub(super) struct Checker {
    pub warehouse: Arc<dyn Warehouse>,
    pub options: KeyOptions,
    pub cancel: CancellationToken,
}

impl Checker {
    /// Returns true if no two rows have the same values in the columns and none is NULL. For a large table, a sample is
    /// read first: it can refute uniqueness but not prove it. Returns false if the table cannot be read completely.
    pub(super) async fn is_unique(&self, unit: &Unit<'_>, columns: &[&str]) -> Result<bool, WarehouseError> {
        if self.options.copied && !unit.whole {
            return Ok(false);
        }
        let (some, whole) = self.source(unit).await?;
        if !whole && !self.is_unique_in(&some, columns).await? {
            return Ok(false);
        }
        self.is_unique_in(&Source::Whole.build_from_clause(unit.table, self.warehouse.dialect()), columns).await
    }

    async fn is_unique_in(&self, from: &str, columns: &[&str]) -> Result<bool, WarehouseError> {
        let list = self.quote_columns(columns).join(", ");
        let missing =
            self.quote_columns(columns).iter().map(|name| format!("{name} IS NULL")).collect::<Vec<_>>().join(" OR ");
        let sql = format!(
            "SELECT (SELECT count(*) FROM {from}), (SELECT count(*) FROM (SELECT DISTINCT {list} FROM {from}) AS d), \
             (SELECT count(*) FROM {from} WHERE {missing})"
        );
        Ok(matches!(self.query_numbers(&sql).await?, Some(found) if found[0] == found[1] && found[2] == 0))
    }

    /// Counts the values of some columns that the unique columns of another table contain; `None` if the engine cannot
    /// answer within the time limit.
    pub(super) async fn check_inclusion(
        &self,
        (from, own): (&Unit<'_>, &[&str]),
        (to, referenced): (&Unit<'_>, &[&str]),
    ) -> Result<Option<Inclusion>, WarehouseError> {
        if self.options.copied && !to.whole {
            return Ok(None);
        }
        let (source, whole) = self.source(from).await?;
        let (from, to) = (from.table, to.table);
        let (own_names, to_names) = (self.quote_columns(own), self.quote_columns(referenced));
        let present = own_names.iter().map(|name| format!("{name} IS NOT NULL")).collect::<Vec<_>>().join(" AND ");
        let values: Vec<String> = own_names.iter().enumerate().map(|(at, name)| format!("{name} AS v{at}")).collect();
        let pairs: Vec<String> = to_names
            .iter()
            .enumerate()
            .map(|(at, name)| match self.as_text(from, own[at], to, referenced[at]) {
                true => format!("CAST(s.v{at} AS VARCHAR) = CAST(r.{name} AS VARCHAR)"),
                false => format!("s.v{at} = r.{name}"),
            })
            .collect();
        let sql = format!(
            "SELECT count(*), count(r.{}) FROM (SELECT DISTINCT {} FROM {source} WHERE {present}) AS s LEFT JOIN {} AS r ON {}",
            to_names[0],
            values.join(", "),
            table_ref(&to.name, self.warehouse.dialect()),
            pairs.join(" AND "),
        );
        let found = self.query_numbers(&sql).await?;
        Ok(found.map(|n| Inclusion { values: n[0], missing: n[0].saturating_sub(n[1]), whole }))
    }

    /// Returns true if two columns must be cast to text to be compared.
    fn as_text(&self, from: &Table, own: &str, to: &Table, referenced: &str) -> bool {
        let dialect = self.warehouse.dialect().sql();
        let type_of =
            |table: &Table, name: &str| table.find_column(name).map(|c| c.data_type.clone()).unwrap_or_default();
        let (a, b) = (type_of(from, own), type_of(to, referenced));
        dialect.separates_text_types() && a != b && [&a, &b].iter().any(|t| dialect.type_family(t) == TypeFamily::Text)
    }

    fn quote_columns(&self, columns: &[&str]) -> Vec<String> {
        columns.iter().map(|column| quote_identifier(column, self.warehouse.dialect())).collect()
    }

    /// Returns the FROM clause for a table, and true if it covers all rows.
    async fn source(&self, unit: &Unit<'_>) -> Result<(String, bool), WarehouseError> {
        let dialect = self.warehouse.dialect();
        let (table, rows) = (unit.table, unit.rows);
        let whole = if self.options.copied { unit.whole } else { rows <= self.options.exact_rows };
        if whole || self.options.copied {
            return Ok((Source::Whole.build_from_clause(table, dialect), whole));
        }
        let by_ranges = dialect.sql().row_sampling() == RowSampling::RowIdRanges;
        let ends = if by_ranges && has_row_ids(table) {
            self.query_numbers(&Queries { dialect }.row_ids(&table_ref(&table.name, dialect))).await?
        } else {
            None
        };
        let ends = ends.map(|ends| (ends[0] as i64, ends[1] as i64));
        Ok((
            Source::spread_rows(table, dialect, self.options.sample_rows, rows, ends).build_from_clause(table, dialect),
            false,
        ))
    }

    /// Returns the numbers in the only row of a result; `None` if the query fails or times out.
    async fn query_numbers(&self, sql: &str) -> Result<Option<Vec<u64>>, WarehouseError> {
        let dialect = self.warehouse.dialect();
        let sql = ReadOnlySql::parse(sql, dialect).map_err(|error| WarehouseError::query(error.to_string()))?;
        let limits = Limits { rows: Some(1), timeout: self.options.timeout, ..Limits::default() };
        let read = async {
            let batches = self.warehouse.run_query(&sql, limits, self.cancel.clone()).await?;
            read_page(batches, 1).await
        };
        match read.await {
            Ok(page) => {
                let cells = page.rows.first().map(Vec::as_slice).unwrap_or_default();
                Ok(cells.iter().map(|cell| cell.as_deref()?.parse().ok()).collect())
            }
            Err(WarehouseError::Cancelled) => Err(WarehouseError::Cancelled),
            Err(error) => {
                tracing::debug!(%error, sql = sql.as_str(), "a key could not be checked");
                Ok(None)
            }
        }
    }
}
