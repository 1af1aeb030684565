//! Converts errors to replies for an agent: the message, and advice on the next step.

use rmcp::model::{ContentBlock, IntoContents};
use serde_json::json;
use vitrine_domain::AppError;

/// A failed call. Returned to the agent as the call's result, marked as an error, so that it can correct its request.
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
            // The message of the database or of the model server.
            "untrusted_detail": error.detail,
        });
        vec![ContentBlock::text(told.to_string())]
    }
}
