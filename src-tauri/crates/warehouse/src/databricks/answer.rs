//! One answer of the workspace, read in bounded memory.

use super::errors::{ApiError, Failure};
use crate::WarehouseError;
use reqwest::RequestBuilder;
use serde_json::Value;
use std::error::Error;
use std::time::Duration;

/// The longest answer that is read: a chunk of a result has some 25 MB at most.
const LONGEST: usize = 128 << 20;

/// The answer to a request, or why there is none and how long the workspace asks to be left alone.
pub(super) async fn answer(request: RequestBuilder, shown: &str) -> Result<Value, (Failure, Option<Duration>)> {
    let lost = |error: reqwest::Error| {
        let detail = causes(error);
        (Failure::Connection(WarehouseError::Unreachable { server: shown.to_owned(), detail }), None)
    };
    let mut answer = request.send().await.map_err(lost)?;
    let status = answer.status().as_u16();
    let wait = answer.headers().get("retry-after").and_then(|wait| wait.to_str().ok()?.parse().ok());
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(lost)? {
        if body.len() + piece.len() > LONGEST {
            let error = format!("Databricks sent a chunk of more than {} MB", LONGEST >> 20);
            return Err((Failure::Connection(WarehouseError::query(error)), None));
        }
        body.extend_from_slice(&piece);
    }
    let value: Option<Value> = serde_json::from_slice(&body).ok();
    match value {
        Some(value) if status == 200 => Ok(value),
        None if status == 200 => Err((Failure::Answer(ApiError::elsewhere()), None)),
        value => {
            Err((Failure::Answer(ApiError::of(status, &value.unwrap_or_default())), wait.map(Duration::from_secs)))
        }
    }
}

/// What kept an answer from coming, without the address that was asked.
pub(super) fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
