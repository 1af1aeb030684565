//! Execution plans: the engine explains a query without running it, and its answer is parsed. The EXPLAIN statement is
//! built here from the text of a proven query, never by a front end.

mod duck;
mod json;
mod mysql;
mod postgres;
mod share;
mod sqlite;
#[cfg(test)]
mod told;

use crate::{Batches, Limits, WarehouseError, read_page};
use serde_json::Value;
use vitrine_domain::{Dialect, PlanStep, QueryPlan};
use vitrine_sql::DialectExt;
use vitrine_sql::dialect::PlanFormat;

/// Maximum number of steps in a plan.
const MOST_STEPS: usize = 5_000;
/// Maximum number of rows in an answer. Only SQLite returns a row per step.
const MOST_ROWS: u64 = MOST_STEPS as u64;

/// Returns the statement that explains a query; `None` if the engine has no readable plans or would run a part of the
/// query. The query starts on its own line, so that its text cannot combine with the EXPLAIN keyword.
pub(crate) fn build_explain_sql(dialect: Dialect, sql: &str) -> Option<String> {
    let explain = dialect.sql().explain_statement()?;
    Some(format!("{}\n{sql}", explain.keywords))
}

/// Returns the limits for an EXPLAIN statement: time and memory as for the query.
pub(crate) fn explain_limits(limits: Limits) -> Limits {
    Limits { rows: Some(MOST_ROWS), ..limits }
}

/// Parses an engine's answer to a plan.
pub(crate) async fn read_plan(dialect: Dialect, answer: Batches) -> Result<QueryPlan, WarehouseError> {
    let page = read_page(answer, MOST_ROWS).await?;
    let too_long = || WarehouseError::query("the engine's plan has too many steps to be shown");
    if page.truncated {
        return Err(too_long());
    }
    let steps = match dialect.sql().explain_statement().map(|explain| explain.format) {
        None => Vec::new(),
        Some(PlanFormat::StepRows) => sqlite::build_steps(&page.rows),
        Some(PlanFormat::Operators) => duck::parse_steps(&parse_tree(&page.rows)?),
        Some(PlanFormat::PlanNodes) => postgres::parse_steps(&parse_tree(&page.rows)?),
        Some(PlanFormat::QueryBlocks) => mysql::parse_steps(&parse_tree(&page.rows)?),
    };
    if steps.is_empty() {
        return Err(WarehouseError::query("the engine gave no plan of this query"));
    }
    if count_steps(&steps) > MOST_STEPS { Err(too_long()) } else { Ok(QueryPlan { steps }) }
}

/// Parses the JSON of the only row. DuckDB returns the type of the plan in the first column.
fn parse_tree(rows: &[Vec<Option<String>>]) -> Result<Value, WarehouseError> {
    let text = rows.first().and_then(|row| row.last()).and_then(Option::as_deref);
    serde_json::from_str(text.unwrap_or_default())
        .map_err(|error| WarehouseError::query(format!("the engine's plan cannot be read: {error}")))
}

fn count_steps(steps: &[PlanStep]) -> usize {
    steps.iter().map(|step| 1 + count_steps(&step.children)).sum()
}

#[cfg(test)]
mod bounds {
    use super::*;
    use arrow::array::{RecordBatch, StringArray};
    use arrow::datatypes::{DataType, Field, Schema};
    use futures::{StreamExt, stream};
    use std::sync::Arc;

    async fn read_duckdb_plan(text: &str) -> Result<QueryPlan, WarehouseError> {
        let schema = Arc::new(Schema::new(vec![Field::new("plan", DataType::Utf8, true)]));
        let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(StringArray::from(vec![text]))]).unwrap();
        read_plan(Dialect::Duckdb, Batches::new(schema, stream::iter([Ok(batch)]).boxed())).await
    }

    #[tokio::test]
    async fn an_answer_that_is_no_plan_too_deep_or_too_long_is_an_error() {
        let step = r#"{"name":"SCAN"}"#;
        assert_eq!(read_duckdb_plan(&format!("[{step}]")).await.unwrap().steps.len(), 1);
        assert!(read_duckdb_plan(&format!("[{}]", vec![step; MOST_STEPS + 1].join(","))).await.is_err());
        let deep = r#"[{"name":"A","children":"#.repeat(10_000);
        for wrong in ["", "no", "null", "[]", "[1]", &deep] {
            assert!(read_duckdb_plan(wrong).await.is_err(), "{}", &wrong[..wrong.len().min(40)]);
        }
    }
}

#[cfg(test)]
mod tests;
