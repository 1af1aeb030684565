//! The plan by which an engine would answer a query: asked of the engine, which prepares the query and does not run it, and read from
//! its answer. What is sent is made here from the text of a proven query; no front end writes it.

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

/// Steps of a plan at most; nobody reads more.
const MOST_STEPS: usize = 5_000;
/// Rows of an answer at most. Only SQLite's has a row for each step.
const MOST_ROWS: u64 = MOST_STEPS as u64;

/// What asks an engine for the plan of a query; `None` where it has none that could be read, or would run a part of the query for it.
/// The query begins on a line of its own, so that nothing in it is read together with what stands before it.
pub(crate) fn build_explain_sql(dialect: Dialect, sql: &str) -> Option<String> {
    let explain = match dialect {
        Dialect::Sqlite => "EXPLAIN QUERY PLAN",
        Dialect::Duckdb | Dialect::Postgres => "EXPLAIN (FORMAT JSON)",
        Dialect::Mysql => "EXPLAIN FORMAT=JSON",
        // ClickHouse runs nested queries that give one value to make its plan.
        Dialect::Clickhouse
        | Dialect::Bigquery
        | Dialect::Databricks
        | Dialect::Snowflake
        | Dialect::Trino
        | Dialect::Mssql => return None,
    };
    Some(format!("{explain}\n{sql}"))
}

/// Limits of asking for a plan: time and memory are those of the query.
pub(crate) fn explain_limits(limits: Limits) -> Limits {
    Limits { rows: Some(MOST_ROWS), ..limits }
}

/// Reads an engine's answer.
pub(crate) async fn read_plan(dialect: Dialect, answer: Batches) -> Result<QueryPlan, WarehouseError> {
    let page = read_page(answer, MOST_ROWS).await?;
    let too_long = || WarehouseError::query("the engine's plan has too many steps to be shown");
    if page.truncated {
        return Err(too_long());
    }
    let steps = match dialect {
        Dialect::Sqlite => sqlite::build_steps(&page.rows),
        _ => {
            // DuckDB says which plan it is before the plan.
            let text = page.rows.first().and_then(|row| row.last()).and_then(Option::as_deref);
            let tree: Value = serde_json::from_str(text.unwrap_or_default())
                .map_err(|error| WarehouseError::query(format!("the engine's plan cannot be read: {error}")))?;
            match dialect {
                Dialect::Duckdb => duck::parse_steps(&tree),
                Dialect::Postgres => postgres::parse_steps(&tree),
                _ => mysql::parse_steps(&tree),
            }
        }
    };
    if steps.is_empty() {
        return Err(WarehouseError::query("the engine gave no plan of this query"));
    }
    if count_steps(&steps) > MOST_STEPS { Err(too_long()) } else { Ok(QueryPlan { steps }) }
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
#[path = "../tests/plans.rs"]
mod tests;
