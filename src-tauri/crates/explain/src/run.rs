//! Running the steps of a query: how many rows each has, a few of them, and whether the last one gives what the query gives.

use crate::checks::{Flow, checks};
use crate::{of, question, whole};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Explanation, Page, Profile, ValueMatch};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_sql_steps::{Steps, take_apart};
use vitrine_warehouse::{Limits, RowsDigest, Warehouse, WarehouseError, prove_with, read_page};

/// Rows of a step that are shown.
const SAMPLE_ROWS: u64 = 3;
/// The most rows of a query that gives numbers.
const NUMBERS: u64 = 10_000;
/// Letters of a cell that are shown.
const SAMPLE_LETTERS: usize = 80;
/// The least time that samples may take; beyond it they take no longer than the counts did.
const SAMPLE_TIME: Duration = Duration::from_millis(250);

/// How much an explanation may cost.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Time for all of it.
    pub timeout: Duration,
    /// Rows of a result that are compared; they are not kept.
    pub rows: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), rows: 1_000_000 }
    }
}

/// What is known of a query besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The question that it answers.
    pub question: Option<&'a str>,
    /// Stored values that resemble parts of the question.
    pub values: &'a [ValueMatch],
    /// Its result; it is run again where the page does not hold all of it.
    pub answer: Option<&'a Page>,
    /// Views that a method wrote, by name.
    pub views: &'a [String],
}

/// Explains the queries of one database.
pub struct Explainer<'a> {
    /// Where steps are run.
    pub warehouse: &'a dyn Warehouse,
    /// What it holds.
    pub catalog: &'a Catalog,
    /// What its data looks like, as far as known.
    pub profile: &'a Profile,
    /// Functions that a person allowed for it.
    pub allowed: &'a AllowedFunctions,
    /// How much an explanation may cost.
    pub bounds: Bounds,
}

impl Explainer<'_> {
    /// Explains a query with its rows: every step is counted, the chain is compared with the query, and what a careful
    /// reader would ask about is told. What cannot be run within the bounds is left out, and said.
    pub async fn explain(&self, sql: &ReadOnlySql, known: Known<'_>, cancel: &CancellationToken) -> Explanation {
        let steps = match take_apart(sql, self.catalog) {
            Ok(steps) => steps,
            Err(why) => {
                let mut explanation = whole(why.reason, sql, self.catalog);
                explanation.question = question::beside(sql, None, known, self.catalog, &explanation.selection);
                return explanation;
            }
        };
        let mut explanation = of(&steps, sql, self.catalog, known.views);
        explanation.question = question::beside(sql, Some(&steps), known, self.catalog, &explanation.selection);
        let runner = Runner { own: self, cancel, deadline: Instant::now() + self.bounds.timeout };
        explanation.unproven = runner.differs(sql, &steps, known.answer).await.err();
        explanation.proven = explanation.unproven.is_none();
        let began = Instant::now();
        if let Some(rows) = runner.counts(&steps).await {
            for step in &mut explanation.steps {
                step.rows = rows.get(&step.name).copied();
            }
            for table in &mut explanation.selection {
                table.rows = rows.get(&table.table).copied();
            }
            let flow =
                Flow { sql, steps: &steps, rows: &rows, catalog: self.catalog, profile: self.profile, runner: &runner };
            explanation.checks = checks(flow).await;
            let until = runner.deadline.min(Instant::now() + began.elapsed().max(SAMPLE_TIME));
            runner.samples(&mut explanation, until).await;
        }
        explanation
    }
}

/// Runs the queries that one explanation takes, within its bounds.
pub(crate) struct Runner<'a> {
    pub own: &'a Explainer<'a>,
    pub cancel: &'a CancellationToken,
    pub deadline: Instant,
}

impl Runner<'_> {
    /// The bounds of one more query.
    fn limits(&self, until: Instant, rows: u64) -> Option<Limits> {
        let timeout = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        Some(Limits { timeout, rows: Some(rows), ..Limits::default() })
    }

    /// The first rows of a query; `None` where it cannot be run in time.
    pub async fn page(&self, text: &str, until: Instant, rows: u64) -> Option<Page> {
        let sql = self.proven(text).ok()?;
        let batches = self.own.warehouse.query(&sql, self.limits(until, rows)?, self.cancel.clone()).await.ok()?;
        read_page(batches, rows).await.ok()
    }

    fn proven(&self, text: &str) -> Result<ReadOnlySql, String> {
        prove_with(text, self.own.catalog, self.own.allowed).map_err(|e| e.to_string())
    }

    /// What all rows of a query come to.
    async fn digest(&self, sql: &ReadOnlySql, ordered: bool) -> Result<RowsDigest, String> {
        let most = self.own.bounds.rows;
        // One row more tells whether there are more.
        let limits = self.limits(self.deadline, most + 1).ok_or("The time for it is over")?;
        let said = |error: WarehouseError| error.to_string();
        let batches = self.own.warehouse.query(sql, limits, self.cancel.clone()).await.map_err(said)?;
        let digest = RowsDigest::read(batches, ordered, most).await.map_err(said)?;
        digest.ok_or_else(|| format!("The result has more than {most} rows: too many to compare"))
    }

    /// Compares the chain with the query. `Err` says why it is not proven.
    async fn differs(&self, sql: &ReadOnlySql, steps: &Steps, answer: Option<&Page>) -> Result<(), String> {
        let ordered = sql.is_ordered();
        let expected = match answer.filter(|page| !page.truncated) {
            Some(page) => RowsDigest::of(page, ordered),
            None => self.digest(sql, ordered).await?,
        };
        let found = self.digest(&self.proven(&steps.whole())?, ordered).await?;
        (found == expected).then_some(()).ok_or_else(|| "The steps do not give the query's result".to_owned())
    }

    /// The rows of a query that gives numbers; `None` where it cannot be run.
    pub(crate) async fn numbers(&self, text: &str) -> Option<Vec<Vec<Option<u64>>>> {
        let page = self.page(text, self.deadline, NUMBERS).await?;
        let number = |cell: Option<String>| cell.and_then(|cell| cell.parse().ok());
        Some(page.rows.into_iter().map(|row| row.into_iter().map(number).collect()).collect())
    }

    /// Rows of every step and of every table that steps read, by name.
    async fn counts(&self, steps: &Steps) -> Option<HashMap<String, u64>> {
        let (names, text) = steps.counts(self.own.catalog);
        let page = self.page(&text, self.deadline, 1).await?;
        let cells = page.rows.into_iter().next()?;
        let number = |(name, cell): (String, Option<String>)| Some((name, cell?.parse().ok()?));
        Some(names.into_iter().zip(cells).filter_map(number).collect())
    }

    /// Fetches a few rows of each step, as far as time allows.
    async fn samples(&self, explanation: &mut Explanation, until: Instant) {
        for step in &mut explanation.steps {
            if let Some(page) = self.page(&step.runs, until, SAMPLE_ROWS).await {
                let short = |cell: String| match cell.char_indices().nth(SAMPLE_LETTERS) {
                    Some((end, _)) => format!("{}…", &cell[..end]),
                    None => cell,
                };
                let rows = page.rows.into_iter();
                step.sample = rows.map(|row| row.into_iter().map(|cell| cell.map(short)).collect()).collect();
            }
        }
    }
}
