//! Approximate statistics of large tables by queries, within a limit of bytes: numbers of distinct values, ranges and
//! frequent values, over a sample of blocks if the whole table would exceed its share. They complete the profile of
//! the few rows that are read ahead of cloud databases.

use super::assemble::{Rows, assemble_column_profile};
use super::infer::{Facts, KeyRole};
use super::queries::{Queries, TOP};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Column, ColumnProfile, Profile, SemanticKind, Table, TableKind, TableProfile};
use vitrine_sql::dialect::TypeFamily;
use vitrine_sql::{DialectExt, ReadOnlySql, table_ref};
use vitrine_warehouse::{Limits, Warehouse, WarehouseError, read_page};

/// Maximum number of columns of a table whose statistics are queried.
const COLUMNS: usize = 100;
/// Number of cells of each column in a query: values, distinct values, minimum, maximum, frequent values.
const CELLS: usize = 5;
/// Smallest sample in percent.
const LEAST_PERCENT: f64 = 0.01;
const TIMEOUT: Duration = Duration::from_secs(120);

/// Limits of approximate statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApproximateOptions {
    /// Maximum number of bytes that all queries together may read, by the engine's own estimates.
    pub bytes: u64,
    /// Maximum number of tables.
    pub tables: usize,
}

/// The extent of approximate statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ApproximateReport {
    /// Number of tables whose statistics were queried.
    pub tables: usize,
    /// Number of tables that were left out, because they exceed the limit or their query failed.
    pub left_out: usize,
    /// Bytes of the queries, by the engine's estimates.
    pub bytes: u64,
}

/// Completes a profile with approximate statistics of the tables that it does not cover completely. Does nothing if the
/// engine has no such statistics. Tables whose bytes are unknown before the query are left out.
///
/// # Errors
/// If it is cancelled.
pub async fn approximate_profile(
    warehouse: Arc<dyn Warehouse>,
    catalog: &Catalog,
    mut profile: Profile,
    options: ApproximateOptions,
    cancel: CancellationToken,
) -> Result<(Profile, ApproximateReport), WarehouseError> {
    let mut report = ApproximateReport::default();
    if warehouse.dialect().sql().block_sample(1.0).is_none() {
        return Ok((profile, report));
    }
    let wanted: Vec<&Table> = catalog
        .tables
        .iter()
        .filter(|table| table.kind == TableKind::Table && !table.name.name.ends_with('*'))
        .filter(|table| profile.find_table(&table.name).is_none_or(|known| !known.is_whole()))
        .take(options.tables)
        .collect();
    for (done, table) in wanted.iter().enumerate() {
        let left = options.bytes.saturating_sub(report.bytes);
        let share = left / (wanted.len() - done) as u64;
        let reader = Reader { warehouse: warehouse.as_ref(), table, cancel: &cancel };
        match reader.read_statistics(share).await {
            Ok(Some((statistics, bytes))) => {
                report.bytes += bytes;
                report.tables += 1;
                complete_table(&mut profile, table, statistics);
            }
            Ok(None) => report.left_out += 1,
            Err(WarehouseError::Cancelled) => return Err(WarehouseError::Cancelled),
            Err(error) => {
                tracing::info!(table = %table.name, %error, "no approximate statistics");
                // A query that failed while it ran may have been billed up to its limit.
                report.bytes += share;
                report.left_out += 1;
            }
        }
    }
    Ok((profile, report))
}

/// Statistics of one table.
struct Statistics {
    rows: u64,
    /// `true` if no sample was drawn.
    all_rows: bool,
    columns: Vec<ColumnStatistics>,
}

/// Statistics of one column.
struct ColumnStatistics {
    facts: Facts,
    top: Vec<(String, u64)>,
}

struct Reader<'a> {
    warehouse: &'a dyn Warehouse,
    table: &'a Table,
    cancel: &'a CancellationToken,
}

impl Reader<'_> {
    /// Reads the statistics of a table within a number of bytes; `None` if that is impossible.
    async fn read_statistics(&self, share: u64) -> Result<Option<(Statistics, u64)>, WarehouseError> {
        let dialect = self.warehouse.dialect();
        let columns: Vec<(&Column, TypeFamily)> = self
            .table
            .columns
            .iter()
            .map(|column| (column, dialect.sql().type_family(&column.data_type)))
            .filter(|(_, family)| family.is_plain())
            .take(COLUMNS)
            .collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let name = table_ref(&self.table.name, dialect);
        let whole = self.build_query(&columns, &name)?;
        let Some(bytes) = self.estimate_bytes(&whole).await? else { return Ok(None) };
        if bytes <= share {
            return Ok(Some((self.query(&whole, &columns, true).await?, bytes)));
        }
        let percent = share as f64 * 100.0 / bytes as f64;
        let Some(clause) = dialect.sql().block_sample(percent).filter(|_| percent >= LEAST_PERCENT) else {
            return Ok(None);
        };
        let sampled = self.build_query(&columns, &format!("{name} {clause}"))?;
        // The estimate counts, even if the engine estimates a sample like the whole table.
        match self.estimate_bytes(&sampled).await? {
            Some(bytes) if bytes <= share => Ok(Some((self.query(&sampled, &columns, false).await?, bytes))),
            _ => Ok(None),
        }
    }

    fn build_query(&self, columns: &[(&Column, TypeFamily)], from: &str) -> Result<ReadOnlySql, WarehouseError> {
        let dialect = self.warehouse.dialect();
        let sql = Queries { dialect }.approximate_query(columns, from);
        ReadOnlySql::parse(&sql, dialect).map_err(|error| WarehouseError::query(error.to_string()))
    }

    async fn estimate_bytes(&self, sql: &ReadOnlySql) -> Result<Option<u64>, WarehouseError> {
        let checked = self.warehouse.check_query(sql).await?;
        Ok(checked.metered.or(checked.bytes))
    }

    async fn query(
        &self,
        sql: &ReadOnlySql,
        columns: &[(&Column, TypeFamily)],
        all_rows: bool,
    ) -> Result<Statistics, WarehouseError> {
        let limits = Limits { rows: Some(1), timeout: TIMEOUT, ..Limits::default() };
        let batches = self.warehouse.run_query(sql, limits, self.cancel.clone()).await?;
        let page = read_page(batches, 1).await?;
        let cells = page.rows.into_iter().next().unwrap_or_default();
        let text = |at: usize| cells.get(at).cloned().flatten();
        let number = |at: usize| text(at).and_then(|text| text.parse().ok()).unwrap_or(0);
        let column = |(index, (column, family)): (usize, &(&Column, TypeFamily))| {
            let at = 1 + index * CELLS;
            let top = text(at + 4).map(|json| parse_top_values(&json)).unwrap_or_default();
            let facts = Facts {
                name: column.name.clone(),
                family: Some(*family),
                declared: column.data_type.clone(),
                key: KeyRole::default(),
                count: number(at),
                distinct: number(at + 1).min(number(at)),
                min: text(at + 2),
                max: text(at + 3),
                longest: top.iter().map(|(value, _)| value.chars().count() as u64).max().unwrap_or(0),
                sample: top.iter().map(|(value, _)| value.clone()).collect(),
                ..Facts::default()
            };
            ColumnStatistics { facts, top }
        };
        Ok(Statistics { rows: number(0), all_rows, columns: columns.iter().enumerate().map(column).collect() })
    }
}

/// Parses frequent values with their counts: a JSON list of `{"value": v, "count": n}` or `[v, n]`.
fn parse_top_values(json: &str) -> Vec<(String, u64)> {
    let Ok(Value::Array(entries)) = serde_json::from_str(json) else { return Vec::new() };
    let parts = |entry: &Value| match entry {
        Value::Object(fields) => Some((fields.get("value")?.clone(), fields.get("count")?.as_u64()?)),
        Value::Array(parts) => Some((parts.first()?.clone(), parts.get(1)?.as_u64()?)),
        _ => None,
    };
    let shown = |(value, count): (Value, u64)| match value {
        Value::String(text) => Some((text, count)),
        Value::Null => None,
        other => Some((other.to_string(), count)),
    };
    let mut top: Vec<(String, u64)> = entries.iter().filter_map(parts).filter_map(shown).collect();
    top.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    top
}

/// Adds the statistics of a table to a profile. The result counts as a sample even if all rows were read, because the
/// numbers are estimates.
fn complete_table(profile: &mut Profile, table: &Table, statistics: Statistics) {
    if statistics.rows == 0 {
        return;
    }
    let row_count = table.row_count.filter(|total| !statistics.all_rows && *total > statistics.rows);
    let rows = Rows { read: statistics.rows, total: row_count, whole: false };
    let assemble = |column: &ColumnStatistics| {
        assemble_column_profile(&column.facts, &column.facts.infer_judgement(), &column.top, None, rows)
    };
    let Some(known) = profile.tables.iter_mut().find(|known| known.table == table.name) else {
        let columns = statistics.columns.iter().map(assemble).collect();
        let (name, profiled_rows) = (table.name.clone(), statistics.rows);
        profile.tables.push(TableProfile { table: name, row_count, profiled_rows, columns });
        return;
    };
    (known.row_count, known.profiled_rows) = (row_count, statistics.rows);
    for column in &statistics.columns {
        let Some(own) = known.columns.iter_mut().find(|own| own.name == column.facts.name) else { continue };
        let estimated = assemble(column);
        if own.kind == SemanticKind::Empty {
            *own = estimated;
        } else {
            complete_column(own, estimated, &column.facts);
        }
    }
}

/// Replaces the numbers of a column; its kind, format and examples are those of the rows that were read.
fn complete_column(own: &mut ColumnProfile, estimated: ColumnProfile, facts: &Facts) {
    own.null_ratio = estimated.null_ratio;
    own.distinct = estimated.distinct;
    own.complete = false;
    // Dates and numbers in text have no order as text.
    if own.hidden.is_none() && own.min.is_some() {
        own.min = facts.min.clone().or(own.min.take());
        own.max = facts.max.clone().or(own.max.take());
    }
    if !estimated.top.is_empty() && matches!(own.kind, SemanticKind::Dimension | SemanticKind::Text) {
        own.top = estimated.top.into_iter().take(TOP).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::TableName;

    #[test]
    fn frequent_values_are_read_in_both_forms() {
        let expected = [("x".to_owned(), 3), ("7".to_owned(), 1)];
        assert_eq!(
            parse_top_values(r#"[{"value":"x","count":3},{"value":7,"count":1},{"value":null,"count":9}]"#),
            expected
        );
        assert_eq!(parse_top_values(r#"[[7, 1], ["x", 3], [null, 2]]"#), expected);
        assert!(parse_top_values("{}").is_empty() && parse_top_values("").is_empty());
    }

    fn column_profile(name: &str, kind: SemanticKind, top: &[(&str, u64)]) -> ColumnProfile {
        let top = top.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect();
        ColumnProfile { name: name.to_owned(), kind, top, complete: true, ..ColumnProfile::default() }
    }

    fn statistics(name: &str, rows: u64, distinct: u64, top: &[(&str, u64)], all_rows: bool) -> Statistics {
        let top: Vec<(String, u64)> = top.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect();
        let sample = top.iter().map(|(value, _)| value.clone()).collect();
        let facts = Facts {
            name: name.to_owned(),
            family: Some(TypeFamily::Text),
            declared: "STRING".to_owned(),
            count: rows / 2,
            distinct,
            min: Some("a".to_owned()),
            max: Some("z".to_owned()),
            longest: 5,
            sample,
            ..Facts::default()
        };
        Statistics { rows, all_rows, columns: vec![ColumnStatistics { facts, top }] }
    }

    fn table(row_count: Option<u64>) -> Table {
        Table {
            name: TableName::from_unqualified("t"),
            kind: TableKind::Table,
            comment: None,
            row_count,
            columns: Vec::new(),
            primary_key: Vec::new(),
            definition: None,
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
        }
    }

    #[test]
    fn estimates_never_stand_for_the_whole_table() {
        for (all_rows, row_count) in [(true, None), (false, Some(1_000))] {
            let columns = vec![column_profile("city", SemanticKind::Dimension, &[("Bern", 9)])];
            let known = TableProfile { table: table(None).name, row_count: Some(10), profiled_rows: 9, columns };
            let mut profile = Profile { tables: vec![known], ..Profile::default() };
            let top = [("Oslo", 300), ("Bern", 100)];
            complete_table(&mut profile, &table(Some(1_000)), statistics("city", 800, 2, &top, all_rows));
            let known = &profile.tables[0];
            assert_eq!((known.row_count, known.profiled_rows, known.is_whole()), (row_count, 800, false));
            let city = &known.columns[0];
            assert_eq!((city.distinct, city.null_ratio, city.complete), (2, 0.5, false));
            assert_eq!(city.top[0], ("Oslo".to_owned(), 300));
        }
    }

    #[test]
    fn a_table_without_rows_read_ahead_and_a_column_without_values_get_a_kind() {
        let top = [("Oslo", 300), ("Bern", 100)];
        let mut profile = Profile::default();
        complete_table(&mut profile, &table(None), statistics("city", 800, 2, &top, false));
        assert_eq!(profile.tables[0].columns[0].kind, SemanticKind::Dimension);
        profile.tables[0].columns[0] = column_profile("city", SemanticKind::Empty, &[]);
        complete_table(&mut profile, &table(None), statistics("city", 800, 2, &top, false));
        assert_eq!(profile.tables[0].columns[0].kind, SemanticKind::Dimension);
        complete_table(&mut profile, &table(None), statistics("city", 0, 0, &[], false));
        assert_eq!(profile.tables[0].profiled_rows, 800, "an empty sample says nothing");
    }
}
