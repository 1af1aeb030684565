//! Executes the steps of a query: row counts, sample rows, and a comparison of the last step with the query's result.

use crate::checks::{Asked, Flow, Numbers, run_checks};
use crate::known::Known;
use crate::{explain_steps, explain_unsplit, question};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Explanation, Page, Profile};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_sql_steps::{Steps, take_apart};
use vitrine_warehouse::{Limits, RowsDigest, Warehouse, WarehouseError, prove_with, read_page};
use vitrine_words::{format_number, tr};

/// Number of sample rows of a step.
const SAMPLE_ROWS: u64 = 3;
/// Maximum number of counts that one statement returns.
const TOGETHER: usize = 200;
/// Maximum number of characters of a cell that are shown.
const SAMPLE_LETTERS: usize = 80;
/// Time limit for sample rows that the counting statement did not return.
const SAMPLE_TIME: Duration = Duration::from_millis(250);

/// The limits of an explanation.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Time limit of the whole explanation.
    pub timeout: Duration,
    /// Maximum number of result rows that are compared; they are not kept in memory.
    pub rows: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), rows: 1_000_000 }
    }
}

/// Explains the queries of one database.
pub struct Explainer<'a> {
    /// The database in which steps are executed.
    pub warehouse: &'a dyn Warehouse,
    /// The catalog of the database.
    pub catalog: &'a Catalog,
    /// The profile of the database, as far as known.
    pub profile: &'a Profile,
    /// Functions that a user allowed for the database.
    pub allowed: &'a AllowedFunctions,
    /// The limits of an explanation.
    pub bounds: Bounds,
}

impl Explainer<'_> {
    /// Explains a query: counts the rows of every step, compares the chain of steps with the query, and runs the
    /// checks. Parts that exceed the limits are omitted and reported.
    pub async fn explain(&self, sql: &ReadOnlySql, known: Known<'_>, cancel: &CancellationToken) -> Explanation {
        let steps = match take_apart(sql, self.catalog) {
            Ok(steps) => steps,
            Err(why) => {
                let mut explanation = explain_unsplit(why.reason, sql, self.catalog);
                explanation.question =
                    question::compare_question(sql, None, known, self.catalog, &explanation.selection);
                return explanation;
            }
        };
        let mut explanation = explain_steps(&steps, sql, self.catalog, known.views);
        explanation.question =
            question::compare_question(sql, Some(&steps), known, self.catalog, &explanation.selection);
        let runner = Runner { own: self, cancel, deadline: Instant::now() + self.bounds.timeout };
        explanation.unproven = runner.compare_results(sql, &steps, known.answer).await.err();
        explanation.proven = explanation.unproven.is_none();
        let counts = steps.row_count_queries(self.catalog);
        let mut found = FetchedData::default();
        let last = steps.steps().len() - 1;
        if let Some(answer) = known.answer {
            found.samples.insert(last, answer.rows.iter().take(SAMPLE_ROWS as usize).cloned().collect());
        }
        explanation.checks = loop {
            let wanted = RefCell::default();
            let (catalog, profile, numbers) = (self.catalog, self.profile, &found.numbers);
            let flow = Flow { sql, steps: &steps, counts: &counts, catalog, profile, numbers, wanted };
            let checks = run_checks(&flow);
            let wanted = flow.wanted.into_inner();
            if wanted.is_empty() {
                break checks;
            }
            runner.fetch_numbers(&steps, wanted, &mut found).await;
        };
        let count = |name: &str| *found.numbers.get(&Asked::OfSteps(counts.get(name)?.clone()))?;
        for table in &mut explanation.selection {
            table.rows = count(&table.table);
        }
        let until = runner.deadline.min(Instant::now() + SAMPLE_TIME);
        for (at, step) in explanation.steps.iter_mut().enumerate() {
            step.rows = count(&step.name);
            let rows = match found.samples.remove(&at) {
                Some(rows) => rows,
                None => {
                    runner.fetch_page(&step.runs, until, SAMPLE_ROWS).await.map(|page| page.rows).unwrap_or_default()
                }
            };
            step.sample = rows.into_iter().map(truncate_cells).collect();
        }
        explanation
    }
}

/// Executes the queries of one explanation within its limits.
pub(crate) struct Runner<'a> {
    pub own: &'a Explainer<'a>,
    pub cancel: &'a CancellationToken,
    pub deadline: Instant,
}

impl Runner<'_> {
    /// Returns the limits of the next query; `None` after the deadline.
    fn query_limits(&self, until: Instant, rows: u64) -> Option<Limits> {
        let timeout = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        Some(Limits { timeout, rows: Some(rows), ..Limits::default() })
    }

    /// Returns the first rows of a query; `None` if it cannot be executed in time.
    pub async fn fetch_page(&self, text: &str, until: Instant, rows: u64) -> Option<Page> {
        let sql = self.prove_read_only(text).ok()?;
        let batches =
            self.own.warehouse.run_query(&sql, self.query_limits(until, rows)?, self.cancel.clone()).await.ok()?;
        read_page(batches, rows).await.ok()
    }

    fn prove_read_only(&self, text: &str) -> Result<ReadOnlySql, String> {
        prove_with(text, self.own.catalog, self.own.allowed).map_err(|e| e.to_string())
    }

    /// Computes a digest of all rows of a query.
    async fn digest_rows(&self, sql: &ReadOnlySql, ordered: bool) -> Result<RowsDigest, String> {
        let most = self.own.bounds.rows;
        // One more row shows whether the limit is exceeded.
        let limits = self.query_limits(self.deadline, most + 1).ok_or_else(|| tr!("The time is over"))?;
        let said = |error: WarehouseError| error.to_string();
        let batches = self.own.warehouse.run_query(sql, limits, self.cancel.clone()).await.map_err(said)?;
        let digest = RowsDigest::from_batches(batches, ordered, most).await.map_err(said)?;
        digest
            .ok_or_else(|| tr!("The result has more than {most} rows: too many to compare", most = format_number(most)))
    }

    /// Compares the result of the steps with that of the query. `Err` contains the reason if they are not proven equal.
    async fn compare_results(&self, sql: &ReadOnlySql, steps: &Steps, answer: Option<&Page>) -> Result<(), String> {
        let ordered = sql.is_ordered();
        let expected = match answer.filter(|page| !page.truncated) {
            Some(page) => RowsDigest::from_page(page, ordered),
            None => self.digest_rows(sql, ordered).await?,
        };
        let found = self.digest_rows(&self.prove_read_only(&steps.full_sql())?, ordered).await?;
        (found == expected).then_some(()).ok_or_else(|| tr!("The steps do not give the result of the query"))
    }

    /// Executes counting queries and, in the first call, reads sample rows of the steps. Queries are combined into as
    /// few statements as possible, so that each step is computed once.
    async fn fetch_numbers(&self, steps: &Steps, wanted: BTreeSet<Asked>, found: &mut FetchedData) {
        let (of_steps, of_tables): (Vec<Asked>, Vec<Asked>) =
            wanted.into_iter().partition(|asked| matches!(asked, Asked::OfSteps(_)));
        // Columns of the last step may have the same name.
        let named = |at: &usize| at + 1 < steps.steps().len() && !steps.steps()[*at].columns.is_empty();
        let mut samples: Vec<usize> = match found.numbers.is_empty() {
            true => (0..steps.steps().len()).filter(named).collect(),
            false => Vec::new(),
        };
        let mut open: Vec<&[Asked]> = of_tables.chunks(TOGETHER).chain(of_steps.chunks(TOGETHER)).collect();
        while let Some(asked) = open.pop() {
            let queries: Vec<&str> = asked.iter().map(Asked::as_sql_text).collect();
            let shown = if matches!(asked[0], Asked::OfSteps(_)) { std::mem::take(&mut samples) } else { Vec::new() };
            let text = match asked[0] {
                Asked::OfSteps(_) => steps.gather_query(&queries, &shown, SAMPLE_ROWS),
                Asked::OfTables(_) => steps.gather_from_tables(&queries),
            };
            // Queries that fail or time out are retried in halves while time is left.
            let left = self.deadline.saturating_duration_since(Instant::now());
            let until = if asked.len() > 1 { Instant::now() + left / 2 } else { self.deadline };
            let rows = queries.len() as u64 + SAMPLE_ROWS * shown.len() as u64;
            match self.fetch_page(&text, until, rows).await {
                Some(page) => {
                    // Numbers that are still missing are not requested again.
                    found.numbers.extend(asked.iter().map(|asked| (asked.clone(), None)));
                    found.samples.extend(shown.into_iter().map(|at| (at, Vec::new())));
                    page.rows.into_iter().for_each(|row| found.add_result_row(row, asked, steps));
                }
                None if asked.len() > 1 => {
                    let (first, second) = asked.split_at(asked.len() / 2);
                    open.extend([second, first]);
                }
                None => drop(found.numbers.insert(asked[0].clone(), None)),
            }
        }
    }
}

/// Numbers and rows read from the data.
#[derive(Default)]
struct FetchedData {
    numbers: Numbers,
    /// Rows by the indices of their steps.
    samples: HashMap<usize, Vec<Vec<Option<String>>>>,
}

impl FetchedData {
    /// Adds a row of the result of [`Steps::gather`].
    fn add_result_row(&mut self, mut row: Vec<Option<String>>, asked: &[Asked], steps: &Steps) {
        let mut cells = row.drain(..);
        let Some(place) = cells.next().flatten().and_then(|place| place.parse::<usize>().ok()) else { return };
        if let Some(asked) = asked.get(place) {
            let number = cells.next().flatten().and_then(|number| number.parse().ok());
            self.numbers.insert(asked.clone(), number);
        } else if let Some(step) = steps.steps().get(place - asked.len()) {
            let rows = self.samples.entry(place - asked.len()).or_default();
            rows.push(cells.take(step.columns.len()).collect());
        }
    }
}

/// Returns a row with truncated cells.
fn truncate_cells(row: Vec<Option<String>>) -> Vec<Option<String>> {
    let short = |cell: String| match cell.char_indices().nth(SAMPLE_LETTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell,
    };
    row.into_iter().map(|cell| cell.map(short)).collect()
}
