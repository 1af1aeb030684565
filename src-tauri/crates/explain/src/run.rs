//! Running the steps of a query: how many rows each has, and whether the last one gives what the query gives.

use crate::{flow, of, whole};
use std::collections::HashMap;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Explanation, Page, Profile};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_sql_steps::{Steps, take_apart};
use vitrine_warehouse::{Limits, Warehouse, digest, prove_with, read_page};

/// How much an explanation may cost.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Time that each of its queries may take.
    pub timeout: Duration,
    /// Rows of a result that are compared.
    pub rows: u64,
    /// Functions that a person allowed for this database.
    pub allowed: AllowedFunctions,
}

impl Default for Bounds {
    fn default() -> Self {
        let allowed = AllowedFunctions::default();
        Self { timeout: Duration::from_secs(30), rows: 10_000, allowed }
    }
}

/// Explains a query with its rows: every step is counted, the chain is compared with the query, and what a careful reader
/// would ask about is told. What cannot be run within the bounds is left out, and said.
pub async fn run(
    warehouse: &dyn Warehouse,
    sql: &ReadOnlySql,
    catalog: &Catalog,
    profile: &Profile,
    bounds: &Bounds,
    cancel: &CancellationToken,
) -> Explanation {
    let steps = match take_apart(sql, catalog) {
        Ok(steps) => steps,
        Err(why) => return whole(why.reason, sql, catalog),
    };
    let mut explanation = of(&steps, sql, catalog);
    let runner = Runner { warehouse, catalog, bounds, cancel };
    explanation.unproven = runner.differs(sql, &steps).await.err();
    explanation.proven = explanation.unproven.is_none();
    if let Some(rows) = runner.counts(&steps).await {
        for step in &mut explanation.steps {
            step.rows = rows.get(&step.name).copied();
        }
        explanation.checks = flow::checks(sql, &steps, &rows, catalog, profile);
    }
    explanation
}

struct Runner<'a> {
    warehouse: &'a dyn Warehouse,
    catalog: &'a Catalog,
    bounds: &'a Bounds,
    cancel: &'a CancellationToken,
}

impl Runner<'_> {
    async fn page(&self, sql: &ReadOnlySql) -> Result<Page, String> {
        let Bounds { timeout, rows, .. } = *self.bounds;
        // One row more tells whether there are more.
        let limits = Limits { timeout, rows: Some(rows + 1), ..Limits::default() };
        let batches = self.warehouse.query(sql, limits, self.cancel.clone()).await.map_err(|e| e.to_string())?;
        read_page(batches, rows).await.map_err(|e| e.to_string())
    }

    fn proven(&self, text: &str) -> Result<ReadOnlySql, String> {
        prove_with(text, self.catalog, &self.bounds.allowed).map_err(|e| e.to_string())
    }

    /// Compares the chain with the query. `Err` says why it is not proven.
    async fn differs(&self, sql: &ReadOnlySql, steps: &Steps) -> Result<(), String> {
        let expected = self.page(sql).await?;
        if expected.truncated {
            return Err(format!("The result has more than {} rows: too many to compare", self.bounds.rows));
        }
        let found = self.page(&self.proven(&steps.whole())?).await?;
        let same = !found.truncated && digest(&found, sql.is_ordered()) == digest(&expected, sql.is_ordered());
        same.then_some(()).ok_or_else(|| "The steps do not give the query's result".to_owned())
    }

    /// Rows of every step and of every table that steps read, by name.
    async fn counts(&self, steps: &Steps) -> Option<HashMap<String, u64>> {
        let (names, text) = steps.counts(self.catalog);
        let page = self.page(&self.proven(&text).ok()?).await.ok()?;
        let cells = page.rows.into_iter().next()?;
        let number = |(name, cell): (String, Option<String>)| Some((name, cell?.parse().ok()?));
        Some(names.into_iter().zip(cells).filter_map(number).collect())
    }
}
