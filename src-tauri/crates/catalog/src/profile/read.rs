//! Reads and profiles one table.

use super::assemble::{Rows, assemble_column_profile, most_frequent};
use super::dates;
use super::family::Classes;
use super::fields::profile_fields;
use super::infer::{Facts, Judgement, KeyRole};
use super::nested::Nested;
use super::numbers;
use super::options::ProfileOptions;
use super::queries::{ARMS_PER_QUERY, CELL, COLUMNS_PER_QUERY, DEVIATION, FACTS, HIDDEN, Queries};
use super::source::{Source, has_row_ids};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Column, Dialect, NumberForm, SemanticKind, Table, TableProfile};
use vitrine_sql::dialect::{RowSampling, TypeFamily};
use vitrine_sql::{DialectExt, ReadOnlySql, table_ref};
use vitrine_warehouse::{Limits, Warehouse, WarehouseError, read_page};

/// Number of rows whose values are sampled.
const LOOKED_AT: u64 = 1_000;
/// Number of nested values that are parsed, and the number if they are long.
const NESTED_ROWS: u64 = 10_000;
pub(crate) const LONG_NESTED_ROWS: u64 = 1_000;
/// Number of rows for tables that are too slow for larger samples.
const LAST_RESORT_ROWS: u64 = 2_000;

type Cells = Vec<Vec<Option<String>>>;

/// Profiles one table of a warehouse.
pub(super) struct TableReader {
    warehouse: Arc<dyn Warehouse>,
    table: Table,
    options: ProfileOptions,
    cancel: CancellationToken,
    queries: Queries,
    dialect: Dialect,
}

impl TableReader {
    pub(super) fn new(
        warehouse: Arc<dyn Warehouse>,
        table: Table,
        options: ProfileOptions,
        cancel: CancellationToken,
    ) -> Self {
        let dialect = warehouse.dialect();
        Self { warehouse, table, options, cancel, queries: Queries { dialect }, dialect }
    }

    /// Returns the table's profile. If a query fails or times out, smaller samples are tried.
    pub(super) async fn read_profile(self) -> Result<TableProfile, WarehouseError> {
        let name = table_ref(&self.table.name, self.dialect);
        let counted = match self.query_rows(&self.queries.count_query(&name)).await {
            Ok(rows) => Some(parse_cell(&rows, 0, 0)),
            Err(error) if gives_up(&error) => return Err(error),
            // A view may be too slow to be counted and still return its first rows.
            Err(_) => None,
        };
        if self.options.copied {
            let held = counted.ok_or_else(|| WarehouseError::query("the sample cannot be counted"))?;
            return self.read_from(&Source::Whole, (held, self.table.row_count), None).await;
        }
        let total = counted.or(self.table.row_count).unwrap_or(u64::MAX);
        let budget = self.options.sample_rows * self.dialect.sql().sample_factor();
        let ends = self.row_id_ends(total > LOOKED_AT.min(budget)).await;
        let tries = [
            self.spread_source(budget, total, ends),
            self.spread_source((budget / 20).max(1), total, ends),
            Source::Head(LAST_RESORT_ROWS.min(budget.max(1))),
        ];
        let mut failed = WarehouseError::query("no rows could be read");
        for source in tries {
            match self.read_from(&source, (total, counted), ends).await {
                Ok(profile) => return Ok(profile),
                Err(error) if gives_up(&error) => return Err(error),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn spread_source(&self, rows: u64, total: u64, ends: Option<(i64, i64)>) -> Source {
        Source::spread_rows(&self.table, self.dialect, rows, total, ends)
    }

    async fn row_id_ends(&self, needed: bool) -> Option<(i64, i64)> {
        let by_ranges = self.dialect.sql().row_sampling() == RowSampling::RowIdRanges;
        if !needed || !by_ranges || !has_row_ids(&self.table) {
            return None;
        }
        // Tables without row ids answer with an error.
        let rows = self.query_rows(&self.queries.row_ids(&table_ref(&self.table.name, self.dialect))).await.ok()?;
        let end = |column: usize| rows.first()?.get(column)?.as_deref()?.parse().ok();
        Some((end(0)?, end(1)?))
    }

    /// Reads some of the `held` rows that the warehouse has of a table with `total` rows (`None` if unknown).
    async fn read_from(
        &self,
        source: &Source,
        (held, total): (u64, Option<u64>),
        ends: Option<(i64, i64)>,
    ) -> Result<TableProfile, WarehouseError> {
        let from = source.build_from_clause(&self.table, self.dialect);
        let read = match source {
            Source::Whole if total.is_some() || self.options.copied => held,
            _ => parse_cell(&self.query_rows(&self.queries.count_query(&from)).await?, 0, 0),
        };
        if read == 0 && total.is_some_and(|total| total > 0) {
            return Err(WarehouseError::query("the sample holds no row"));
        }
        let mut facts = self.read_facts(&from, read).await?;
        self.read_samples(&mut facts, source, held, ends).await?;
        let judged: Vec<Judgement> = facts.iter().map(Facts::infer_judgement).collect();
        let top = self.read_top_values(&facts, &judged, &from).await?;
        let mut nested = self.read_nested(&facts, &judged, source, (read, held), ends).await?;
        let ranges = self.read_hidden_ranges(&mut facts, &judged, &from).await;
        if !self.dialect.sql().has_standard_deviation() {
            self.read_deviations(&mut facts, &judged, &from).await?;
        }
        let rows = Rows { read, total, whole: *source == Source::Whole && total == Some(read) };
        let columns = facts
            .iter()
            .zip(&judged)
            .enumerate()
            .map(|(index, (facts, judged))| {
                let top = top.get(&index).map(Vec::as_slice).unwrap_or_default();
                let mut column = assemble_column_profile(facts, judged, top, ranges.get(&index), rows);
                if let Some(nested) = nested.remove(&index) {
                    column.paths = nested.list_leaf_paths();
                    let rows = nested_value_rows(&nested, facts, rows);
                    column.fields = profile_fields(nested, rows);
                }
                column
            })
            .collect();
        Ok(TableProfile { table: self.table.name.clone(), row_count: total, profiled_rows: read, columns })
    }

    /// Reads counts, ranges and means of all columns.
    async fn read_facts(&self, from: &str, read: u64) -> Result<Vec<Facts>, WarehouseError> {
        let dialect = self.dialect.sql();
        let primary = &self.table.primary_key;
        let foreign: HashSet<&str> =
            self.table.foreign_keys.iter().flat_map(|k| &k.columns).map(String::as_str).collect();
        let mut all = Vec::with_capacity(self.table.columns.len());
        for columns in self.table.columns.chunks(COLUMNS_PER_QUERY) {
            let typed: Vec<(&Column, TypeFamily)> =
                columns.iter().map(|c| (c, dialect.type_family(&c.data_type))).collect();
            let rows = self.query_rows(&self.queries.aggregates_query(&typed, from, read)).await?;
            for (index, (column, declared)) in typed.into_iter().enumerate() {
                let count = |cell: usize| parse_cell(&rows, 0, index * FACTS + cell);
                let text = |cell: usize| rows.first().and_then(|r| r.get(index * FACTS + cell)).cloned().flatten();
                let classes = Classes { integer: count(6), real: count(7), text: count(8), blob: count(9) };
                let family = if dialect.has_dynamic_types() { classes.correct_family(declared) } else { declared };
                let in_primary = primary.iter().any(|p| p.eq_ignore_ascii_case(&column.name));
                all.push(Facts {
                    name: column.name.clone(),
                    family: Some(family),
                    declared: column.data_type.clone(),
                    is_amount: dialect.is_amount_type(&column.data_type),
                    key: KeyRole {
                        primary: in_primary && primary.len() == 1,
                        part: in_primary && primary.len() > 1,
                        foreign: foreign.contains(column.name.as_str()),
                    },
                    count: count(0),
                    distinct: count(1).min(count(0)),
                    min: text(2),
                    max: text(3),
                    mean: text(4).and_then(|t| t.parse().ok()),
                    stddev: text(10).and_then(|t| t.parse().ok()),
                    longest: count(5),
                    sample: Vec::new(),
                    heads: Vec::new(),
                });
            }
        }
        Ok(all)
    }

    /// Reads sample rows into the facts of each column.
    async fn read_samples(
        &self,
        facts: &mut [Facts],
        source: &Source,
        total: u64,
        ends: Option<(i64, i64)>,
    ) -> Result<(), WarehouseError> {
        let from = self.narrower_clause(source, LOOKED_AT, total, ends);
        for start in (0..facts.len()).step_by(COLUMNS_PER_QUERY) {
            let end = (start + COLUMNS_PER_QUERY).min(facts.len());
            let typed = |plain_only: bool| -> Vec<(&Column, Option<TypeFamily>)> {
                (start..end)
                    .map(|i| (&self.table.columns[i], facts[i].family.unwrap_or(TypeFamily::Text)))
                    .map(|(c, f)| (c, (!plain_only || f.is_plain()).then_some(f)))
                    .collect()
            };
            let rows = match self.query_rows(&self.queries.rows_query(&typed(false), &from, LOOKED_AT)).await {
                // Not every engine can cast every nested or geometric value to text.
                Err(WarehouseError::Query { .. }) => {
                    self.query_rows(&self.queries.rows_query(&typed(true), &from, LOOKED_AT)).await?
                }
                other => other?,
            };
            for row in rows {
                for (fact, cell) in facts[start..end].iter_mut().zip(row) {
                    match fact.family {
                        Some(TypeFamily::Binary) => fact.heads.extend(cell),
                        _ => fact.sample.extend(cell),
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a FROM clause for fewer rows of the same kind of source.
    fn narrower_clause(&self, source: &Source, rows: u64, total: u64, ends: Option<(i64, i64)>) -> String {
        let narrow = match source {
            Source::Head(_) => Source::Head(rows),
            _ => self.spread_source(rows, total, ends),
        };
        narrow.build_from_clause(&self.table, self.dialect)
    }

    /// Reads the most frequent values of columns with repeated values, by column.
    async fn read_top_values(
        &self,
        facts: &[Facts],
        judged: &[Judgement],
        from: &str,
    ) -> Result<BTreeMap<usize, Vec<(String, u64)>>, WarehouseError> {
        let wanted: Vec<usize> = (0..facts.len()).filter(|&i| facts[i].has_repeated_values(&judged[i])).collect();
        let mut top: BTreeMap<usize, Vec<(String, u64)>> = BTreeMap::new();
        for some in wanted.chunks(ARMS_PER_QUERY) {
            let columns: Vec<&Column> = some.iter().map(|&i| &self.table.columns[i]).collect();
            for row in self.query_rows(&self.queries.top_values_query(&columns, from)).await? {
                if let [Some(arm), Some(value), Some(count)] = &row[..]
                    && let (Ok(arm), Ok(count)) = (arm.parse::<usize>(), count.parse())
                    && let Some(&column) = some.get(arm)
                {
                    top.entry(column).or_default().push((value.clone(), count));
                }
            }
        }
        Ok(top.into_iter().map(|(column, values)| (column, most_frequent(values))).collect())
    }

    /// Reads and parses nested values, by column.
    async fn read_nested(
        &self,
        facts: &[Facts],
        judged: &[Judgement],
        source: &Source,
        (read, total): (u64, u64),
        ends: Option<(i64, i64)>,
    ) -> Result<BTreeMap<usize, Nested>, WarehouseError> {
        let mut values = BTreeMap::new();
        for (index, _) in judged.iter().enumerate().filter(|(_, j)| j.kind == SemanticKind::Nested) {
            let sample = &facts[index].sample;
            let short = !sample.is_empty() && sample.iter().all(|text| text.len() < CELL);
            let limit = if short { NESTED_ROWS } else { LONG_NESTED_ROWS }.min(read);
            let from = self.narrower_clause(source, limit * 2, total, ends);
            match self.query_rows(&self.queries.nested_query(&self.table.columns[index], &from, limit)).await {
                Ok(rows) => {
                    values.insert(index, Nested::from_texts(rows.iter().flatten().flatten().map(String::as_str)));
                }
                // A nested column can be profiled without its content.
                Err(WarehouseError::Query { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(values)
    }

    /// Reads first and last moment, or smallest and largest number, of text that contains them; for numbers also mean
    /// and standard deviation. If the engine cannot parse the format, the range of the sample rows is used or omitted.
    async fn read_hidden_ranges(
        &self,
        facts: &mut [Facts],
        judged: &[Judgement],
        from: &str,
    ) -> BTreeMap<usize, (String, String)> {
        let mut ranges = BTreeMap::new();
        let mut asked: Vec<(usize, [String; HIDDEN])> = Vec::new();
        for (index, (facts, judged)) in facts.iter().zip(judged).enumerate() {
            let (Some(hidden), Some(TypeFamily::Text)) = (judged.hidden.as_deref(), facts.family) else { continue };
            if dates::sorts_as_text(hidden) {
                continue;
            }
            let full = dates::fixed_positions(hidden).is_some_and(|(_, width)| {
                facts.longest == width as u64 && facts.sample.iter().all(|t| t.len() == width || t.is_empty())
            });
            match self.queries.hidden_value_cells(&self.table.columns[index], hidden, full) {
                Some(cells) => asked.push((index, cells)),
                None => {
                    let read = facts.sample.iter().filter_map(|t| dates::parse_date(hidden, t.trim()));
                    ranges.extend(smallest_and_largest(read).map(|range| (index, range)));
                }
            }
        }
        if asked.is_empty() {
            return ranges;
        }
        let select = |cells: Vec<&str>| format!("SELECT {} FROM {from}", cells.join(", "));
        let all = select(asked.iter().flat_map(|(_, cells)| cells).map(String::as_str).collect());
        let rows: Vec<(usize, Vec<Option<String>>)> = match self.query_rows(&all).await {
            Ok(mut rows) if !rows.is_empty() => {
                let mut cells = rows.swap_remove(0).into_iter();
                asked.iter().map(|(index, _)| (*index, cells.by_ref().take(HIDDEN).collect())).collect()
            }
            // If a value of one column causes an error, the other columns are queried alone.
            Err(WarehouseError::Query { .. }) => {
                let mut rows = Vec::new();
                for (index, cells) in &asked {
                    let alone = self.query_rows(&select(cells.iter().map(String::as_str).collect())).await;
                    rows.extend(alone.ok().and_then(|rows| rows.into_iter().next()).map(|row| (*index, row)));
                }
                rows
            }
            _ => return ranges,
        };
        for (index, row) in rows {
            let cell = |number: usize| row.get(number).and_then(Option::as_deref);
            if let (Some(min), Some(max)) = (cell(0), cell(1)) {
                ranges.insert(index, (plain_moment(min), plain_moment(max)));
            }
            let number = |cell: Option<&str>| cell.and_then(|t| t.parse().ok());
            (facts[index].mean, facts[index].stddev) = (number(cell(2)), number(cell(3)));
        }
        ranges
    }

    /// Computes standard deviations from SQLite's sums, once the means are known.
    async fn read_deviations(
        &self,
        facts: &mut [Facts],
        judged: &[Judgement],
        from: &str,
    ) -> Result<(), WarehouseError> {
        let means: Vec<(usize, f64)> = (0..facts.len())
            .filter(|&i| facts[i].is_numeric(&judged[i]))
            .filter_map(|i| Some((i, facts[i].mean.filter(|mean| mean.is_finite())?)))
            .collect();
        for some in means.chunks(COLUMNS_PER_QUERY) {
            let asked = |&(i, mean): &(usize, f64)| {
                let form = judged[i].hidden.as_deref().and_then(NumberForm::from_hidden).unwrap_or(NumberForm::PLAIN);
                self.queries.deviation_cells(
                    &self.table.columns[i],
                    (facts[i].family.unwrap_or(TypeFamily::Text), form),
                    mean,
                )
            };
            let cells: Vec<String> = some.iter().flat_map(asked).collect();
            let rows = self.query_rows(&format!("SELECT {} FROM {from}", cells.join(", "))).await?;
            for (at, &(index, _)) in some.iter().enumerate() {
                let number = |cell: usize| rows.first()?.get(at * DEVIATION + cell)?.as_deref()?.parse::<f64>().ok();
                if let (Some(count), Some(away), Some(squares)) = (number(0), number(1), number(2)) {
                    // Corrects the squares for the rounding of the mean.
                    facts[index].stddev = numbers::sample_deviation(count, squares - away * away / count);
                }
            }
        }
        Ok(())
    }

    async fn query_rows(&self, sql: &str) -> Result<Cells, WarehouseError> {
        let sql = ReadOnlySql::parse(sql, self.dialect).map_err(|e| WarehouseError::query(e.to_string()))?;
        let most = 100_000;
        let limits = Limits { rows: Some(most), timeout: self.options.timeout, ..Limits::default() };
        let batches = self.warehouse.run_query(&sql, limits, self.cancel.clone()).await?;
        Ok(read_page(batches, most).await?.rows)
    }
}

/// Returns true for errors that a smaller sample cannot avoid.
fn gives_up(error: &WarehouseError) -> bool {
    !matches!(error, WarehouseError::Query { .. } | WarehouseError::Timeout { .. } | WarehouseError::Memory { .. })
}

fn parse_cell(rows: &Cells, row: usize, column: usize) -> u64 {
    let cell = rows.get(row).and_then(|r| r.get(column)).and_then(Option::as_deref);
    cell.and_then(|t| t.parse().ok()).unwrap_or(0)
}

/// Returns the rows that the parsed nested values came from, including rows without a value.
fn nested_value_rows(nested: &Nested, facts: &Facts, rows: Rows) -> Rows {
    let whole = rows.whole && nested.values == facts.count;
    let read = u128::from(nested.values) * u128::from(rows.read) / u128::from(facts.count.max(1));
    Rows { read: read as u64, whole, ..rows }
}

/// Removes the midnight that DuckDB adds to dates parsed with strptime.
fn plain_moment(text: &str) -> String {
    text.strip_suffix(" 00:00:00").unwrap_or(text).to_owned()
}

fn smallest_and_largest(texts: impl Iterator<Item = String>) -> Option<(String, String)> {
    texts.fold(None, |range, text| match range {
        None => Some((text.clone(), text)),
        Some((min, max)) => Some((min.min(text.clone()), max.max(text))),
    })
}
