//! Traces the input rows of a result row or of one of its cells.

use crate::run::{Explainer, Runner};
use crate::sentences;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, RowsBehind};
use vitrine_sql::{DialectExt, ReadOnlySql};
use vitrine_sql_steps::{Behind, CellOf, take_apart};
use vitrine_words::{plural, tr};

impl Explainer<'_> {
    /// Returns the rows behind a row of a query's result: first rows of tables, then rows of steps, last step first.
    /// With a `column`, returns the rows behind that cell. `row` contains the cells in the form in which the result
    /// showed them.
    ///
    /// # Errors
    /// Returns an error if the query cannot be split into steps, the result has no such row, or the time limit is
    /// exceeded.
    pub async fn rows_behind(
        &self,
        sql: &ReadOnlySql,
        row: &[Option<String>],
        column: Option<usize>,
        cancel: &CancellationToken,
    ) -> Result<Vec<RowsBehind>, AppError> {
        let cannot = |what: String| AppError::new(ErrorCode::Query, what);
        let steps = take_apart(sql, self.catalog)
            .map_err(|why| cannot(tr!("The rows behind this query cannot be traced: {reason}", reason = why.reason)))?;
        if !steps.can_be_numbered() {
            let engine = self.catalog.dialect.sql().display_name();
            return Err(cannot(tr!(
                "The rows behind a number cannot be traced in {engine}: it cannot number the rows of a step permanently",
                engine
            )));
        }
        let runner = Runner { own: self, cancel, deadline: Instant::now() + self.bounds.timeout };
        let slow = || {
            cannot(tr!("The rows behind this number could not be found in time"))
                .with_hint(tr!("Open the step's own rows under Graph, or filter the question further"))
        };
        let columns = runner.fetch_page(sql.as_str(), runner.deadline, 1).await.ok_or_else(slow)?.columns;
        let cell = CellOf { columns: &columns, row, column };
        // A rounded number does not match by its text; then the other cells identify the row.
        for exact in [true, false] {
            let (behind, counts) = steps.rows_behind(sql, self.catalog, cell, exact);
            let page = runner.fetch_page(&counts, runner.deadline, 1).await.ok_or_else(slow)?;
            let counts = page.rows.into_iter().next().unwrap_or_default();
            let counts: Vec<Option<u64>> = counts.into_iter().map(|cell| cell?.parse().ok()).collect();
            let meant = counts.first().copied().flatten().unwrap_or_default();
            if meant == 0 {
                continue;
            }
            let told = |(Behind { source, is_table, sql }, rows): (Behind, Option<u64>)| {
                let at = steps.steps().iter().position(|step| step.name == source && !is_table);
                let note = at.map(|at| sentences::describe_step(&steps, at, self.catalog.dialect)).unwrap_or_default();
                RowsBehind { source, is_table, note, sql, rows }
            };
            let mut found: Vec<RowsBehind> = behind.into_iter().zip(counts).map(told).collect();
            let result = found.remove(0);
            if meant > 1 {
                let note = plural!(
                    meant,
                    "The result has {n} row like this one; the rows below are behind all of them.",
                    "The result has {n} rows like this one; the rows below are behind all of them."
                );
                found.insert(0, RowsBehind { note, ..result });
            }
            return Ok(found);
        }
        Err(cannot(tr!("The result no longer has this row")).with_hint(tr!("Ask again: the data may have changed")))
    }
}
