//! One answer of the workspace, read in bounded memory.

use super::errors::{ApiError, Failure};
use crate::web;
use reqwest::RequestBuilder;
use serde_json::Value;
use std::time::Duration;

/// The longest answer that is read: a chunk of a result has some 25 MB at most.
const LONGEST: usize = 128 << 20;

/// The answer to a request, or why there is none and how long the workspace asks to be left alone.
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
