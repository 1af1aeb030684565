//! Resolves the id of a run.

use vitrine_api::App;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Returns the full id of a run; `last` is the latest run.
pub(crate) async fn resolve_run_id(app: &App, id: String) -> Result<String, AppError> {
    if id != "last" {
        return Ok(id);
    }
    let latest = app.runs(String::new(), 1, 0).await?;
    latest.into_iter().next().map(|run| run.run_id).ok_or_else(|| {
        AppError::new(ErrorCode::NotFound, tr!("There are no runs"))
            .with_hint(tr!("Ask something first: vitrine ask \"How many customers do we have?\""))
    })
}
