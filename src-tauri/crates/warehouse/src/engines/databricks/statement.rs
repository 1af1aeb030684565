//! Statements of the Statement Execution API: started, polled, read chunk by chunk, cancelled.

use super::errors::{ApiError, Failure};
use super::http::Http;
use crate::WarehouseError;
use serde_json::{Value, json};
use std::time::Duration;
use vitrine_sql::with_escaped_quotes;

const PATH: &str = "/api/2.0/sql/statements";
/// Time for which the workspace delays the response to an internal query.
const WAIT: &str = "30s";
/// The first and the longest interval between two polls of a running statement.
const PAUSES: [Duration; 2] = [Duration::from_millis(60), Duration::from_secs(2)];

/// Rows of an internal query, with each value as text.
pub(super) type Rows = Vec<Vec<Option<String>>>;

/// A statement that the workspace has started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    id: String,
}

/// A statement with its complete result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Done {
    statement: Statement,
    /// Names and types of the columns.
    pub columns: Vec<(String, String)>,
    /// Total number of rows in all chunks.
    pub total: u64,
    /// True if Databricks omitted rows.
    pub is_cut: bool,
    pub first: Chunk,
}

/// A part of the rows of a result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Chunk {
    pub rows: Vec<Value>,
    /// The path of the next chunk.
    pub next: Option<String>,
}

impl Http {
    /// Starts a statement. If it runs longer than `wait`, it continues and must be polled.
    async fn submit_statement(&self, sql: &str, wait: &str, rows: Option<u64>) -> Result<Value, Failure> {
        let mut request = json!({
            "statement": with_escaped_quotes(sql),
            "warehouse_id": self.warehouse.id,
            "catalog": self.warehouse.catalog,
            "disposition": "INLINE",
            "format": "JSON_ARRAY",
            "wait_timeout": wait,
        });
        if wait != "0s" {
            request["on_wait_timeout"] = "CONTINUE".into();
        }
        if let Some(schema) = &self.warehouse.schema {
            request["schema"] = schema.as_str().into();
        }
        if let Some(rows) = rows {
            request["row_limit"] = rows.into();
        }
        self.post(PATH, &request).await
    }

    /// Starts a query and returns its id immediately, because the query cannot be cancelled without it.
    pub async fn start_statement(&self, sql: &str, rows: Option<u64>) -> Result<Statement, Failure> {
        let answer = self.submit_statement(sql, "0s", rows).await?;
        Statement::from_answer(&answer)
    }

    /// Waits until a statement has finished.
    pub async fn wait_for_result(&self, statement: &Statement) -> Result<Done, Failure> {
        self.poll_until_done(self.get(&format!("{PATH}/{}", statement.id)).await?).await
    }

    async fn poll_until_done(&self, mut answer: Value) -> Result<Done, Failure> {
        let statement = Statement::from_answer(&answer)?;
        let mut pause = PAUSES[0];
        loop {
            match answer.pointer("/status/state").and_then(Value::as_str).unwrap_or_default() {
                "PENDING" | "RUNNING" => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 3 / 2).min(PAUSES[1]);
                    answer = self.get(&format!("{PATH}/{}", statement.id)).await?;
                }
                "SUCCEEDED" => return Done::from_answer(statement, &mut answer),
                "FAILED" => {
                    return Err(Failure::Answer(ApiError::from_answer(
                        200,
                        answer.pointer("/status/error").unwrap_or(&Value::Null),
                    )));
                }
                "CANCELED" => {
                    let detail = "somebody stopped it at Databricks".to_owned();
                    return Err(Failure::Connection(WarehouseError::Interrupted { detail }));
                }
                state => {
                    let error = format!("Databricks says that the statement is {state}");
                    return Err(Failure::Connection(WarehouseError::query(error)));
                }
            }
        }
    }

    /// Fetches a further chunk of a result.
    pub async fn fetch_chunk(&self, place: &str) -> Result<Chunk, Failure> {
        Chunk::from_answer(&mut self.get(place).await?).map_err(Failure::Connection)
    }

    pub async fn stop_statement(&self, statement: &Statement) {
        if let Err(error) = self.post(&format!("{PATH}/{}/cancel", statement.id), &json!({})).await {
            tracing::debug!(?error, "Databricks could not be told to stop a statement");
        }
    }

    /// Returns all rows of an internal query.
    pub async fn query_rows(&self, sql: &str) -> Result<Rows, Failure> {
        let done = self.poll_until_done(self.submit_statement(sql, WAIT, None).await?).await?;
        let (columns, total) = (done.columns.len(), done.total);
        if done.is_cut {
            return Err(Failure::Connection(truncated_error()));
        }
        let (mut rows, mut chunk) = (Rows::new(), done.first);
        loop {
            for row in &chunk.rows {
                let cells = row_cells(row, columns).ok_or_else(|| Failure::Connection(unreadable_error()))?;
                rows.push(cells.map(|cell| cell.map(str::to_owned)).collect());
            }
            let Some(next) = chunk.next.filter(|_| rows.len() as u64 <= total) else { break };
            chunk = self.fetch_chunk(&next).await?;
        }
        check_row_count(rows.len() as u64, total).map_err(Failure::Connection)?;
        Ok(rows)
    }
}

impl Statement {
    fn from_answer(answer: &Value) -> Result<Self, Failure> {
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let id = answer.get("statement_id").and_then(Value::as_str).filter(|id| id.chars().all(known));
        Ok(Self { id: id.ok_or_else(|| Failure::Answer(ApiError::not_databricks()))?.to_owned() })
    }
}

impl Done {
    fn from_answer(statement: Statement, answer: &mut Value) -> Result<Self, Failure> {
        let columns = answer.pointer("/manifest/schema/columns").and_then(Value::as_array);
        let column = |column: &Value| {
            let text = |name: &str| column.get(name).and_then(Value::as_str).map(str::to_owned);
            Some((text("name")?, text("type_text").or_else(|| text("type_name"))?))
        };
        let columns: Option<Vec<_>> = columns.map(|columns| columns.iter().map(column).collect()).unwrap_or_default();
        let columns = columns.ok_or_else(|| Failure::Connection(unreadable_error()))?;
        // Without the total, a truncated result could not be distinguished from a complete one.
        let total = answer.pointer("/manifest/total_row_count").and_then(Value::as_u64);
        let total = total.ok_or_else(|| Failure::Connection(unreadable_error()))?;
        let is_cut = answer.pointer("/manifest/truncated").and_then(Value::as_bool).unwrap_or_default();
        let first = answer.get_mut("result").map(Chunk::from_answer).transpose().map_err(Failure::Connection)?;
        Ok(Self { statement, columns, total, is_cut, first: first.unwrap_or_default() })
    }
}

impl Chunk {
    fn from_answer(answer: &mut Value) -> Result<Self, WarehouseError> {
        let next = match answer.get("next_chunk_internal_link") {
            None | Some(Value::Null) => None,
            Some(next) => Some(next.as_str().ok_or_else(unreadable_error)?.to_owned()),
        };
        let rows = match answer.get_mut("data_array").map(Value::take) {
            Some(Value::Array(rows)) => rows,
            None | Some(Value::Null) => Vec::new(),
            Some(_) => return Err(unreadable_error()),
        };
        let next = next.filter(|next| !next.is_empty());
        // An empty chunk with a successor could form an endless loop.
        if next.is_some() && rows.is_empty() { Err(unreadable_error()) } else { Ok(Self { rows, next }) }
    }
}

/// Returns the values of a row; `None` if it does not have exactly this number of columns.
pub(super) fn row_cells(row: &Value, columns: usize) -> Option<impl Iterator<Item = Option<&str>>> {
    let cells = row.as_array().filter(|cells| cells.len() == columns)?;
    let is_known = cells.iter().all(|cell| cell.is_null() || cell.is_string());
    is_known.then(|| cells.iter().map(Value::as_str))
}

/// Returns the error for a response in an unknown form.
pub(super) fn unreadable_error() -> WarehouseError {
    WarehouseError::query("Databricks sent rows in a form that is not known here")
}

/// Checks that the number of rows is the one that Databricks reported, because fewer rows would silently be a wrong
/// answer.
pub(super) fn check_row_count(rows: u64, total: u64) -> Result<(), WarehouseError> {
    match total == rows {
        true => Ok(()),
        false => Err(WarehouseError::query(format!("Databricks sent {rows} rows of {total}: the result is not whole"))),
    }
}

/// Returns the error for rows that Databricks omitted although the query has no such limit.
pub(super) fn truncated_error() -> WarehouseError {
    WarehouseError::query("Databricks left rows out of the result: it is not whole")
}
