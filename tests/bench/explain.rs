//! Queries taken apart into steps: how many are, whether the chain gives what its query gives, and what it costs.

use crate::Options;
use crate::report::{Figure, Section, count};
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::Catalog;
use vitrine_eval::{Pack, Scope};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_steps::{StepKind, take_apart};
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, digest, read_page};

/// Rows of a result that are compared: all, for these packs.
const ROWS: u64 = 1_000_000;
const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Tally {
    queries: u64,
    taken_apart: u64,
    /// Chains with the same columns and rows, in the same order where the query has one.
    same: u64,
    /// Queries that do not run in time, so that nothing is compared.
    failed: u64,
    steps: u64,
    /// Steps that stay whole.
    whole: u64,
    reasons: BTreeMap<String, u64>,
    /// The time of each chain by that of its query.
    costs: Vec<f64>,
}

pub fn section(options: &Options) -> Result<Section> {
    let packs: Vec<_> = options.packs.iter().filter(|folder| folder.join("databases").is_dir()).collect();
    if packs.is_empty() {
        return Ok(Section::skipped(
            "skipped: packs of questions with gold SQL and databases are no part of the project; name their folders with --packs",
        ));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut figures = Vec::new();
    for folder in packs {
        let pack = Pack::load(folder, Scope::Answers)?;
        let mut tally = runtime.block_on(tally(&pack))?;
        let of = format!("{}, {} queries", pack.name, count(tally.queries));
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let compared = tally.taken_apart - tally.failed;
        let apart = percent(tally.taken_apart, tally.queries);
        figures.push(Figure::new(format!("{of}: taken apart"), format!("{apart:.2}%")).goal("95%", apart >= 95.0));
        figures.push(
            Figure::new(
                format!("{of}: the chain gives the query's result"),
                format!("{:.2}%", percent(tally.same, compared)),
            )
            .goal("100%", tally.same == compared),
        );
        figures.push(Figure::new(
            format!("{of}: steps of a query, those that stay whole"),
            format!("{:.1}, {}", tally.steps as f64 / tally.taken_apart.max(1) as f64, count(tally.whole)),
        ));
        tally.costs.sort_by(f64::total_cmp);
        if let Some(median) = tally.costs.get(tally.costs.len() / 2) {
            figures.push(Figure::new(format!("{of}: the chain's time"), "").against("the query's (median)", *median));
        }
        for (reason, times) in &tally.reasons {
            figures.push(Figure::new(format!("{of}: not taken apart: {reason}"), count(*times)));
        }
    }
    Ok(Section {
        how: "Every usable gold query, taken apart with the catalog. The same result is the same columns by name, the same rows, and \
              the same order where the query has one; ties count. Times are of a second run each."
            .to_owned(),
        figures,
        tables: Vec::new(),
    })
}

async fn tally(pack: &Pack) -> Result<Tally> {
    let mut opened: BTreeMap<&str, (Arc<dyn Warehouse>, Catalog)> = BTreeMap::new();
    let mut tally = Tally::default();
    for question in &pack.questions {
        if !opened.contains_key(question.warehouse.as_str()) {
            let warehouse = vitrine_warehouse::open(&WarehouseUri::parse(&question.warehouse)?).await?;
            let catalog = warehouse.catalog().await?;
            opened.insert(&question.warehouse, (warehouse, catalog));
        }
        let (warehouse, catalog) = &opened[question.warehouse.as_str()];
        let gold = question.gold_sql.first().and_then(|gold| ReadOnlySql::parse(gold, catalog.dialect).ok());
        if let Some(gold) = gold {
            look_at(&gold, warehouse.as_ref(), catalog, &mut tally).await;
        }
    }
    Ok(tally)
}

async fn look_at(gold: &ReadOnlySql, warehouse: &dyn Warehouse, catalog: &Catalog, tally: &mut Tally) {
    tally.queries += 1;
    let steps = match take_apart(gold, catalog) {
        Ok(steps) => steps,
        Err(why) => return *tally.reasons.entry(why.reason).or_default() += 1,
    };
    tally.taken_apart += 1;
    tally.steps += steps.steps().len() as u64;
    tally.whole += steps.steps().iter().filter(|step| matches!(step.kind, StepKind::Query { .. })).count() as u64;
    let Some(expected) = result(warehouse, gold, gold.is_ordered()).await else {
        tally.failed += 1;
        return;
    };
    let Some(chain) = gold.with_text(&steps.whole()) else { return };
    let given = result(warehouse, &chain, gold.is_ordered()).await;
    if given.as_ref() == Some(&expected) {
        tally.same += 1;
    } else {
        eprintln!("another result:\n{}\n{}\n", gold.as_str(), chain.as_str());
    }
    let (of_query, of_chain) = (time(warehouse, gold).await, time(warehouse, &chain).await);
    tally.costs.push(of_chain / of_query.max(1e-9));
}

/// The names of a result's columns, and a text that is equal where rows are; `None` for a query that fails.
async fn result(warehouse: &dyn Warehouse, sql: &ReadOnlySql, ordered: bool) -> Option<(Vec<String>, String)> {
    let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
    let batches = warehouse.query(sql, limits, CancellationToken::new()).await.ok()?;
    let page = read_page(batches, ROWS).await.ok()?;
    let names = page.columns.iter().map(|column| column.name.clone()).collect();
    Some((names, digest(&page, ordered)))
}

async fn time(warehouse: &dyn Warehouse, sql: &ReadOnlySql) -> f64 {
    let start = Instant::now();
    result(warehouse, sql, false).await;
    start.elapsed().as_secs_f64()
}
