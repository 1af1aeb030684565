//! Rows that BigQuery lists (`tabledata.list`), which is free: no job, no query, no scan.

use super::address::ProjectAddress;
use super::column::{self, Reading};
use super::fields::Field;
use super::jobs::number;
use super::query::batch;
use super::rest::{Failure, Rest};
use crate::{Preview, WarehouseError};
use serde_json::Value;
use std::sync::Arc;
use vitrine_domain::{Table, TableName};

/// Kinds of tables whose rows can be listed.
const LISTED: [&str; 3] = ["TABLE", "SNAPSHOT", "CLONE"];
/// Places of a large table from which rows are taken, spread evenly over it: the first rows alone are often the oldest.
const WINDOWS: u64 = 4;
/// Tables of fewer rows than this times the wanted ones are read from their beginning.
const SPREAD_FROM: u64 = 2;

/// At most `rows` rows of a table.
pub(super) async fn preview(
    rest: &Rest,
    address: &ProjectAddress,
    table: &Table,
    rows: u64,
) -> Result<Preview, WarehouseError> {
    let none = |reason: String| WarehouseError::NoPreview { table: table.name.to_string(), reason };
    let place = Place::of(address, &table.name).ok_or_else(|| none("its dataset is not known".to_owned()))?;
    let told = |failure: Failure| match failure {
        Failure::Answer(error) => none(error.message),
        Failure::Other(error) => error,
    };
    let described = rest.get(&place.path(&[]), &[]).await.map_err(told)?;
    let kind = described.get("type").and_then(Value::as_str).unwrap_or_default();
    if !LISTED.contains(&kind) {
        return Err(none(match kind {
            "VIEW" => "a view has no rows of its own".to_owned(),
            "MATERIALIZED_VIEW" => "rows of a materialized view are had by queries alone".to_owned(),
            "EXTERNAL" => "its rows are outside BigQuery".to_owned(),
            other => format!("BigQuery calls it {other}"),
        }));
    }
    let fields = described.get("schema").and_then(Field::list).unwrap_or_default();
    let all = fields.len();
    // A type that cannot be shown exactly leaves its own column out, and no other.
    let readings: Vec<Reading> =
        fields.into_iter().filter_map(|field| column::readings(vec![field]).ok()?.pop()).collect();
    if readings.is_empty() {
        return Err(none("none of its columns can be listed".to_owned()));
    }
    let selected =
        (readings.len() < all).then(|| readings.iter().map(|reading| reading.name()).collect::<Vec<_>>().join(","));
    let total = number(&described, "numRows").unwrap_or_default();
    let schema = Arc::new(column::schema(&readings));
    let mut batches = Vec::new();
    for (start, wanted) in windows(total, rows) {
        let mut left = wanted;
        while left > 0 {
            let at = start + (wanted - left);
            let mut query = vec![
                ("maxResults", left.to_string()),
                ("startIndex", at.to_string()),
                ("formatOptions.useInt64Timestamp", "true".to_owned()),
            ];
            query.extend(selected.clone().map(|names| ("selectedFields", names)));
            let mut page = rest.get(&place.path(&["data"]), &query).await.map_err(told)?;
            let Some(Value::Array(listed)) = page.get_mut("rows").map(Value::take) else { break };
            let count = listed.len() as u64;
            if count == 0 {
                break;
            }
            batches.push(batch(&schema, &readings, &listed)?);
            left = left.saturating_sub(count);
        }
    }
    Ok(Preview { schema, batches, total })
}

/// Where rows are taken, as first row and number.
fn windows(total: u64, rows: u64) -> Vec<(u64, u64)> {
    if total / SPREAD_FROM < rows || rows < WINDOWS {
        // What was just streamed into a table is not in its number of rows yet.
        return vec![(0, rows)];
    }
    let each = rows / WINDOWS;
    (0..WINDOWS)
        .map(|window| {
            ((total - each) / (WINDOWS - 1) * window + (total - each) % (WINDOWS - 1) * window / (WINDOWS - 1), each)
        })
        .collect()
}

/// A table in a path.
struct Place<'a> {
    project: &'a str,
    dataset: &'a str,
    table: &'a str,
}

impl<'a> Place<'a> {
    fn of(address: &'a ProjectAddress, name: &'a TableName) -> Option<Self> {
        let dataset = name.schema.as_deref().or(address.dataset())?;
        Some(Self { project: address.project(), dataset, table: &name.name })
    }

    fn path(&self, more: &[&'a str]) -> Vec<&'a str> {
        let mut path = vec!["projects", self.project, "datasets", self.dataset, "tables", self.table];
        path.extend(more);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::windows;

    #[test]
    fn rows_are_taken_from_the_first_to_the_last_and_never_more_than_wanted() {
        assert_eq!(windows(900, 1_000), [(0, 1_000)]);
        assert_eq!(windows(0, 1_000), [(0, 1_000)]);
        let spread = windows(1_000_000, 1_000);
        assert_eq!(spread, [(0, 250), (333_250, 250), (666_500, 250), (999_750, 250)]);
        assert_eq!(windows(u64::MAX, 1_000).len(), 4, "nothing overflows");
    }
}
