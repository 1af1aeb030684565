//! A response of the workspace, read in bounded memory.

use super::errors::{ApiError, Failure};
use crate::web;
use reqwest::RequestBuilder;
use serde_json::Value;
use std::time::Duration;

/// Maximum bytes of a response; a chunk of a result has about 25 MB at most.
const LONGEST: usize = 128 << 20;

/// Returns the response to a request, or the error with the time that the workspace requests to wait before a retry.
pub(super) async fn fetch_answer(request: RequestBuilder, shown: &str) -> Result<Value, (Failure, Option<Duration>)> {
    let answer = web::fetch_answer(request, shown, LONGEST, "Databricks sent a chunk").await;
    let web::Answer { status, wait, body } = answer.map_err(|error| (Failure::Connection(error), None))?;
    let value: Option<Value> = serde_json::from_slice(&body).ok();
    match value {
        Some(value) if status == 200 => Ok(value),
        None if status == 200 => Err((Failure::Answer(ApiError::not_databricks()), None)),
        value => Err((Failure::Answer(ApiError::from_answer(status, &value.unwrap_or_default())), wait)),
    }
}
