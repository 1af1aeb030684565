//! Errors as an agent reads them: what happened, and what to do next.

use rmcp::model::{ContentBlock, IntoContents};
use serde_json::json;
use vitrine_domain::AppError;

/// A call that failed. The agent gets it as the call's result, marked as an error, so that it can do better.
#[derive(Debug)]
pub(crate) struct Failure(AppError);

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self(error)
    }
}

impl IntoContents for Failure {
    fn into_contents(self) -> Vec<ContentBlock> {
        let Self(error) = self;
        let told = json!({
            "error": error.message,
            "kind": error.code,
            "do_next": error.hint,
            // The message of the database or the model's server.
            "untrusted_detail": error.detail,
        });
        vec![ContentBlock::text(told.to_string())]
    }
}
