//! Gold results: the gold queries of a question are executed in full.

use super::database::PreparedDatabase;
use crate::metrics::GoldResult;
use crate::pack::{GivenSchema, Question, SkipReason};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Page, SchemaSelection};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, Warehouse, WarehouseError};

/// Maximum rows of a result that are compared.
const COMPARED_ROWS: u64 = 100_000;
/// Timeout of one query during judging.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A right answer: a result, the query that produces it, or both.
pub(crate) struct Gold {
    pub(super) query: Option<ReadOnlySql>,
    pub(crate) result: Option<GoldResult>,
}

/// Runs the gold queries of a question, or returns the reason why it cannot be measured. If there are gold tables, they
/// are the results, and the SQL only determines the needed tables and columns, unless the data changes.
pub(crate) async fn load_golds(question: &Question, database: &PreparedDatabase) -> Result<Vec<Gold>, SkipReason> {
    let has_tables = !question.gold_tables.is_empty();
    let runs_sql = !has_tables || question.gold_terms.as_ref().is_some_and(|terms| terms.replaces_tables);
    let mut golds = Vec::new();
    let mut over_limit = false;
    for sql in &question.gold_sql {
        let Some(query) = parse_gold(sql, database) else { continue };
        let mut result = None;
        if runs_sql {
            match fetch_rows(database.warehouse.as_ref(), &query).await {
                Ok(page) => result = Some(build_result(page, &query, question)),
                Err(error) => over_limit |= is_over_limit(&error),
            }
        }
        if has_tables || result.is_some() {
            golds.push(Gold { query: Some(query), result });
        }
    }
    if golds.iter().all(|gold| gold.result.is_none()) {
        golds.extend(question.gold_tables.iter().map(|table| Gold { query: None, result: Some(table.clone()) }));
    }
    let results = || golds.iter().filter_map(|gold| gold.result.as_ref());
    if results().next().is_none() {
        return Err(if over_limit { SkipReason::OverLimit } else { SkipReason::GoldFails });
    }
    if !question.judged && results().all(|gold| is_trivial(&gold.page)) {
        return Err(SkipReason::GoldTrivial);
    }
    Ok(golds)
}

/// Returns the tables that the gold queries read, and their columns if only these are given; `None` if no gold query can be parsed.
pub(crate) fn select_gold_schema(golds: &[Gold], catalog: &Catalog, given: GivenSchema) -> Option<SchemaSelection> {
    let mut selection = SchemaSelection::default();
    for query in golds.iter().filter_map(|gold| gold.query.as_ref()).filter(|query| query.has_tree()) {
        let binding = vitrine_sql::bind_names(query, catalog);
        binding.tables.iter().for_each(|table| selection.add(table, None));
        if given == GivenSchema::GoldColumns {
            binding.columns.iter().for_each(|(table, column)| selection.add(table, Some(column)));
        }
    }
    Some(selection).filter(|selection| !selection.is_empty())
}

/// Returns the result of gold SQL with the pack's terms of comparison. Terms written for a stored result may name
/// columns that the SQL does not return; then all columns are required.
fn build_result(page: Page, query: &ReadOnlySql, question: &Question) -> GoldResult {
    let terms = question.gold_terms.as_ref();
    let ordered = terms.map_or_else(|| query.is_ordered(), |terms| terms.ordered);
    let required = terms.map(|terms| terms.required.clone()).unwrap_or_default();
    let fits = required.iter().all(|&column| column < page.columns.len());
    GoldResult { page, ordered, required: if fits { required } else { Vec::new() } }
}

/// Returns `true` if a byte limit refused a query, which says nothing about the query.
pub(super) fn is_over_limit(error: &WarehouseError) -> bool {
    matches!(error, WarehouseError::OverCap { .. })
}

/// Parses gold SQL. Some packs write text in double quotes, which the engine accepts only as identifiers, so unknown
/// names are repaired.
fn parse_gold(sql: &str, database: &PreparedDatabase) -> Option<ReadOnlySql> {
    let catalog = &database.catalog;
    let sql = database.prove_read_only(sql).ok()?;
    if vitrine_sql::bind_names(&sql, catalog).problems.is_empty() {
        return Some(sql);
    }
    Some(vitrine_sql::repair_names(&sql, catalog).map_or(sql, |rebound| rebound.sql))
}

/// Checks for a result without information: no row, or a single NULL.
fn is_trivial(page: &Page) -> bool {
    match page.rows.as_slice() {
        [] => true,
        [row] => matches!(row.as_slice(), [None]),
        _ => false,
    }
}

pub(crate) async fn fetch_rows(warehouse: &dyn Warehouse, sql: &ReadOnlySql) -> Result<Page, WarehouseError> {
    fetch_rows_within(warehouse, sql, TIME_LIMIT).await
}

pub(super) async fn fetch_rows_within(
    warehouse: &dyn Warehouse,
    sql: &ReadOnlySql,
    timeout: Duration,
) -> Result<Page, WarehouseError> {
    let limits = Limits { rows: Some(COMPARED_ROWS), timeout, ..Limits::default() };
    let batches = warehouse.run_query(sql, limits, CancellationToken::new()).await?;
    vitrine_warehouse::read_page(batches, COMPARED_ROWS).await
}
