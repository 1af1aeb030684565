//! Comparison of two runs from their logs.

mod rows;

pub(crate) use rows::compare_pages;

use crate::app::App;
use crate::types::{RunComparison, RunSide};
use vitrine_domain::{AppError, EventBody, Page, RunEvent, RunReport};

impl App {
    /// Compares two runs: question, SQL, result, cost and certainty. Nothing is run again; the results come from the logs.
    ///
    /// # Errors
    /// When one of the runs does not exist.
    pub async fn compare_runs(&self, run_id: String, other: String) -> Result<RunComparison, AppError> {
        let (left, first) = build_run_side(run_id.clone(), &self.run_events(run_id, 0).await?);
        let (right, second) = build_run_side(other.clone(), &self.run_events(other, 0).await?);
        let rows = first.zip(second).map(|(first, second)| compare_pages(&first, &second));
        Ok(RunComparison { left, right, rows })
    }
}

fn build_run_side(run_id: String, events: &[RunEvent]) -> (RunSide, Option<Page>) {
    let report = RunReport::from_events(events);
    let steered = match events.first().map(|event| &event.body) {
        Some(EventBody::RunStarted { steered, .. }) => steered.clone(),
        _ => None,
    };
    let side = RunSide {
        run_id,
        status: report.status(),
        question: report.question,
        strategy: report.strategy,
        warehouse: report.warehouse,
        started_at: report.started_at,
        sql: report.sql,
        code: report.code,
        row_count: report.page.as_ref().map(|page| page.row_count),
        certainty: report.certainty,
        usage: report.usage,
        steered,
    };
    (side, report.page)
}
