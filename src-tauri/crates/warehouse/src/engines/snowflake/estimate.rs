//! An estimate of the bytes that a query would read, by Snowflake's EXPLAIN, which compiles the statement without
//! running it and needs no running warehouse. Snowflake bills the running time of a warehouse, which cannot be
//! estimated.

use crate::engines::adbc::{Pool, Row, query_rows};
use serde_json::Value;

/// Returns the bytes of all micro-partitions that the query may have to read; `None` if Snowflake does not report them.
pub(super) fn estimate_bytes(pool: &Pool, sql: &str) -> Option<u64> {
    match query_rows(pool, &format!("EXPLAIN USING JSON\n{sql}")) {
        Ok(rows) => parse_estimate(&rows),
        Err(error) => {
            tracing::debug!(%error, "nothing is estimated of a query");
            None
        }
    }
}

/// Parses the response, which contains exactly one plan.
pub(super) fn parse_estimate(rows: &[Row]) -> Option<u64> {
    let [Row(cells)] = rows else { return None };
    let [(_, Some(plan))] = cells.as_slice() else { return None };
    assigned_bytes(plan)
}

fn assigned_bytes(plan: &str) -> Option<u64> {
    serde_json::from_str::<Value>(plan).ok()?.pointer("/GlobalStats/bytesAssigned")?.as_u64()
}

#[cfg(test)]
mod tests {
    use super::assigned_bytes;

    #[test]
    fn documented_plans_say_how_many_bytes_are_assigned() {
        let plan = r#"{"GlobalStats":{"partitionsTotal":2,"partitionsAssigned":2,"bytesAssigned":1024},
            "Operations":[[{"id":0,"operation":"Result","expressions":["Z1.ID"]}]]}"#;
        assert_eq!(assigned_bytes(plan), Some(1024));
        for other in ["", "{}", r#"{"GlobalStats":{}}"#, r#"{"GlobalStats":{"bytesAssigned":-1}}"#] {
            assert_eq!(assigned_bytes(other), None, "{other}");
        }
    }
}
