//! Decomposition of queries into steps: how many can be decomposed, the agreement of the chain's result with the
//! query's, the cost of explanations, and the checks.

use crate::Options;
use crate::engines::{self, Engines, OnEngine};
use crate::report::{Figure, Section, Table, count};
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_catalog::ProfileOptions;
use vitrine_domain::{Catalog, Explanation, Page, Profile};
use vitrine_eval::{EvalScope, Pack};
use vitrine_explain::{Bounds, Explainer, Known};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_sql_steps::{StepKind, take_apart};
use vitrine_warehouse::{Limits, Warehouse, digest_rows, prove_read_only, read_page};

/// Maximum number of compared rows; includes all rows of these packs.
const ROWS: u64 = 1_000_000;
const TIMEOUT: Duration = Duration::from_secs(20);
/// Number of rows for profiling a table.
const SAMPLE: u64 = 20_000;
/// Queries of at least this duration are reported separately, because the cost of explaining faster ones is not
/// noticeable.
const SLOW: Duration = Duration::from_millis(5);
const HOW: &str = "\
    Every gold query that runs, taken apart with the catalog. The same result is the same columns and rows, in the same order where \
    the query has one. Where LIMIT cuts among equal rows an engine may keep others each time: such queries are compared where the result \
    happens to be the same. Times are of a second run each. An explanation is all that is done behind an \
    answer: the chain run and compared with the answer's rows, every step counted, what a careful reader asks, a few rows of each step. \
    DuckDB holds copies of the SQLite databases and is asked at most 1,500 questions of a pack, in the words of SQLite: what \
    it does not run is left out. The tables list the subjects of the checks: gold is mostly right, so that little should be asked at the answer.";
const HEAD: [&str; 3] = ["code", "at the answer", "at a step"];

#[derive(Default)]
struct Tally {
    queries: u64,
    taken_apart: u64,
    /// Chains with the same rows, in the same order if the query is ordered.
    same: u64,
    /// Among these, chains with a different name for an unnamed column of the query.
    renamed: u64,
    /// Queries whose LIMIT cuts among equal rows: the selection is arbitrary, so results are not compared.
    tied: u64,
    steps: u64,
    /// Steps that cannot be decomposed.
    whole: u64,
    reasons: BTreeMap<String, u64>,
    /// Time of each chain relative to its query.
    chains: Vec<f64>,
    /// Time of each explanation relative to its query, with `true` for slow queries.
    costs: Vec<(f64, bool)>,
    /// The time of each explanation, in milliseconds.
    times: Vec<f64>,
    /// Number of queries by check code: reported for the answer, and for a step.
    codes: BTreeMap<String, (u64, u64)>,
    /// Number of queries with a check on the answer.
    asked: u64,
}

pub fn section(options: &Options) -> Result<Section> {
    let packs: Vec<_> = options.packs.iter().filter(|folder| folder.is_dir()).collect();
    if packs.is_empty() {
        return Ok(Section::skipped(
            "skipped: packs of questions with gold SQL and databases are no part of the project; name their folders with --packs",
        ));
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let mut engines = Engines::new()?;
    let mut section = Section { how: HOW.to_owned(), ..Section::default() };
    for folder in packs {
        for on_engine in runtime.block_on(engines.each(Pack::load(folder, EvalScope::Answers)?))? {
            eprintln!("explanations of {}", on_engine.name);
            let tally = runtime.block_on(tally(&on_engine))?;
            section.figures.extend(figures(&on_engine.name, &tally));
            let row = |(code, (answer, step)): (&String, &(u64, u64))| vec![code.clone(), count(*answer), count(*step)];
            let caption = format!(
                "{}: {} of {} queries are asked about at the answer",
                on_engine.name,
                count(tally.asked),
                count(tally.taken_apart)
            );
            section.tables.push(Table {
                caption,
                head: &HEAD,
                numbers: 1..3,
                rows: tally.codes.iter().map(row).collect(),
            });
        }
    }
    Ok(section)
}

fn figures(name: &str, tally: &Tally) -> Vec<Figure> {
    let of = format!("{name}, {} queries", count(tally.queries));
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let apart = percent(tally.taken_apart, tally.queries);
    let compared = tally.taken_apart - tally.tied;
    let same = percent(tally.same, compared);
    let mut figures = vec![
        Figure::new(format!("{of}: taken apart"), format!("{apart:.2}%")).goal("95%", apart >= 95.0),
        Figure::new(format!("{of}: the chain gives the query's result"), format!("{same:.2}%"))
            .goal("100%", tally.same == compared),
        Figure::new(
            format!("{of}: columns without a name that are called otherwise, queries cut among equals"),
            format!("{}, {}", count(tally.renamed), count(tally.tied)),
        ),
        Figure::new(
            format!("{of}: steps of a query, those that stay whole"),
            format!("{:.1}, {}", tally.steps as f64 / tally.taken_apart.max(1) as f64, count(tally.whole)),
        ),
    ];
    let mut timed = |what: &str, mut ratios: Vec<f64>, most: f64| {
        ratios.sort_by(f64::total_cmp);
        let Some(median) = ratios.get(ratios.len() / 2) else { return };
        let figure = Figure::new(format!("{of}: {what}, {} of them", count(ratios.len() as u64)), "");
        let goal = format!("below {most:.0}x");
        figures.push(figure.against("the query's (median)", *median).goal(goal, *median < most));
    };
    timed("the chain's time", tally.chains.clone(), 2.0);
    timed("the explanation's time", tally.costs.iter().map(|(ratio, _)| *ratio).collect(), 2.0);
    let slow = tally.costs.iter().filter(|(_, slow)| *slow).map(|(ratio, _)| *ratio);
    timed("the explanation's time where the query takes 5 ms or more", slow.collect(), 2.0);
    let mut times = tally.times.clone();
    times.sort_by(f64::total_cmp);
    if let Some(median) = times.get(times.len() / 2) {
        figures.push(Figure::new(format!("{of}: the explanation's time, median"), format!("{median:.1} ms")));
    }
    for (reason, times) in &tally.reasons {
        figures.push(Figure::new(format!("{of}: not taken apart: {reason}"), count(*times)));
    }
    figures
}

/// A database with its catalog and profile, as in a run.
struct Database {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

impl Database {
    async fn open(address: &str) -> Result<Self> {
        let warehouse = vitrine_warehouse::open_warehouse(&engines::opened(address)?).await?;
        let catalog = warehouse.load_catalog().await?;
        let options = ProfileOptions { sample_rows: SAMPLE, ..ProfileOptions::default() };
        let cancel = CancellationToken::new();
        let profile =
            vitrine_catalog::profile_database(warehouse.clone(), &catalog, options, |_, _, _| {}, cancel).await?;
        Ok(Self { warehouse, catalog, profile })
    }

    async fn result(&self, sql: &ReadOnlySql) -> Option<Page> {
        let limits = Limits { timeout: TIMEOUT, ..Limits::default() };
        let batches = self.warehouse.run_query(sql, limits, CancellationToken::new()).await.ok()?;
        read_page(batches, ROWS).await.ok()
    }

    /// Returns the query of a text with its result. If it fails because of texts in double quotes, its names are
    /// repaired in the only way that binds.
    async fn gold(&self, text: &str) -> Option<(ReadOnlySql, Page)> {
        let sql = prove_read_only(text, &self.catalog).ok()?;
        if let Some(page) = self.result(&sql).await {
            return Some((sql, page));
        }
        let sql = vitrine_sql::repair_names(&sql, &self.catalog)?.sql;
        let page = self.result(&sql).await?;
        Some((sql, page))
    }

    async fn explain(&self, sql: &ReadOnlySql, answer: &Page) -> Explanation {
        let explainer = Explainer {
            warehouse: self.warehouse.as_ref(),
            catalog: &self.catalog,
            profile: &self.profile,
            allowed: &AllowedFunctions::default(),
            bounds: Bounds { timeout: TIMEOUT, ..Bounds::default() },
        };
        let known = Known { answer: Some(answer), ..Known::default() };
        explainer.explain(sql, known, &CancellationToken::new()).await
    }
}

async fn tally(on_engine: &OnEngine) -> Result<Tally> {
    let mut by_database: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for question in &on_engine.pack.questions {
        let golds = by_database.entry(&question.warehouse).or_default();
        golds.extend(question.gold_sql.first().map(String::as_str));
    }
    let mut tally = Tally::default();
    for (address, golds) in by_database {
        let database = Database::open(address).await?;
        for gold in golds {
            look_at(gold, &database, &mut tally).await;
        }
        database.warehouse.close().await;
    }
    Ok(tally)
}

async fn look_at(gold: &str, database: &Database, tally: &mut Tally) {
    let Some((gold, expected)) = database.gold(gold).await else { return };
    tally.queries += 1;
    let steps = match take_apart(&gold, &database.catalog) {
        Ok(steps) => steps,
        Err(why) => return *tally.reasons.entry(why.reason).or_default() += 1,
    };
    tally.taken_apart += 1;
    tally.steps += steps.steps().len() as u64;
    tally.whole += steps.steps().iter().filter(|step| matches!(step.kind, StepKind::Query { .. })).count() as u64;
    let Some(chain) = gold.with_text(&steps.full_sql()) else { return };
    let given = database.result(&chain).await;
    let ordered = gold.is_ordered();
    if let Some(given) = given.as_ref().filter(|given| digest_rows(given, ordered) == digest_rows(&expected, ordered)) {
        tally.same += 1;
        tally.renamed += u64::from(names(given) != names(&expected));
    } else if is_cut_among_equals(&gold, &expected, database).await {
        tally.tied += 1;
    } else {
        eprintln!("another result:\n{}\n{}\n", gold.as_str(), chain.as_str());
    }
    let of_query = timed(database.result(&gold)).await.1;
    let of_chain = timed(database.result(&chain)).await.1;
    let (explanation, cost) = timed(database.explain(&gold, &expected)).await;
    let by = |time: Duration| time.as_secs_f64() / of_query.as_secs_f64().max(1e-9);
    tally.chains.push(by(of_chain));
    tally.costs.push((by(cost), of_query >= SLOW));
    tally.times.push(cost.as_secs_f64() * 1000.0);
    let mut told: BTreeMap<String, (bool, bool)> = BTreeMap::new();
    for check in explanation.checks {
        let (answer, step) = told.entry(check.code).or_default();
        *if check.may_change { answer } else { step } = true;
    }
    tally.asked += u64::from(told.values().any(|(answer, _)| *answer));
    for (code, (answer, step)) in told {
        let (at_answer, at_step) = tally.codes.entry(code).or_default();
        *at_answer += u64::from(answer);
        *at_step += u64::from(step);
    }
}

fn names(page: &Page) -> Vec<&str> {
    page.columns.iter().map(|column| column.name.as_str()).collect()
}

/// Checks if the first row beyond a LIMIT ranks equal to the last row within it.
async fn is_cut_among_equals(gold: &ReadOnlySql, expected: &Page, database: &Database) -> bool {
    let Some(beyond) = vitrine_sql_rules::beyond_limit(gold).filter(|beyond| beyond.limit == expected.row_count) else {
        return false;
    };
    let Some(page) = database.result(&beyond.sql).await else { return false };
    let keys = |row: &[Option<String>]| row[row.len() - beyond.keys..].to_vec();
    match page.rows.split_at_checked(beyond.limit as usize) {
        Some(([.., last], [next, ..])) => keys(last) == keys(next),
        _ => false,
    }
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let start = Instant::now();
    let done = work.await;
    (done, start.elapsed())
}
