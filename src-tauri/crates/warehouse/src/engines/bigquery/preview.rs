//! Rows that BigQuery lists (`tabledata.list`), which is free: no job, no query, no scan.

use super::address::ProjectAddress;
use super::column::{self, ColumnDecoder};
use super::fields::Field;
use super::jobs::read_number;
use super::query::build_batch;
use super::rest::{Failure, Rest};
use super::shards;
use crate::arrow_column::build_schema;
use crate::{Preview, WarehouseError};
use arrow::array::StringArray;
use arrow::datatypes::{DataType, Field as ArrowField, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use serde_json::Value;
use std::sync::Arc;
use vitrine_domain::{Table, TableName};
use vitrine_words::tr;

/// Types of tables whose rows can be listed.
const LISTED: [&str; 3] = ["TABLE", "SNAPSHOT", "CLONE"];
/// Number of evenly spread positions in a large table from which rows are taken; the first rows alone are often the
/// oldest.
const WINDOWS: u64 = 4;
/// Tables with fewer rows than this multiple of the requested rows are read from the beginning.
const SPREAD_FROM: u64 = 2;

/// Returns at most `rows` rows of a table or of a group of daily tables, whose names are in `parts`.
pub(super) async fn preview_table(
    rest: &Rest,
    address: &ProjectAddress,
    table: &Table,
    parts: Option<Vec<String>>,
    rows: u64,
) -> Result<Preview, WarehouseError> {
    let none = |reason: String| WarehouseError::NoPreview { table: table.name.to_string(), reason };
    let told = |failure: Failure| match failure {
        Failure::Answer(error) => none(error.message),
        Failure::Other(error) => error,
    };
    let place =
        |name| TablePath::from_name(address, &table.name, name).ok_or_else(|| none(tr!("its dataset is not known")));
    let names = parts.as_deref().map_or_else(|| vec![table.name.name.as_str()], sample_shards);
    let newest = place(names.last().copied().unwrap_or_default())?;
    let described = rest.get(&newest.path_segments(&[]), &[]).await.map_err(told)?;
    let kind = described.get("type").and_then(Value::as_str).unwrap_or_default();
    if !LISTED.contains(&kind) {
        return Err(none(match kind {
            "VIEW" => tr!("a view has no rows of its own"),
            "MATERIALIZED_VIEW" => tr!("rows of a materialized view can only be read by queries"),
            "EXTERNAL" => tr!("its rows are outside BigQuery"),
            other => tr!("BigQuery calls it {other}", other),
        }));
    }
    let fields = described.get("schema").and_then(Field::parse_schema).unwrap_or_default();
    let all = fields.len();
    // A column whose type cannot be shown exactly is omitted; the others remain.
    let readings: Vec<ColumnDecoder> =
        fields.into_iter().filter_map(|field| column::build_decoders(vec![field]).ok()?.pop()).collect();
    if readings.is_empty() {
        return Err(none(tr!("none of its columns can be listed")));
    }
    let selected =
        (readings.len() < all).then(|| readings.iter().map(|reading| reading.name()).collect::<Vec<_>>().join(","));
    let listing = Listing { rest, schema: Arc::new(build_schema(&readings)), readings, selected };
    let (mut batches, mut counted) = (Vec::new(), Vec::new());
    for name in &names {
        let place = place(name)?;
        let own = if *name == newest.table {
            described.clone()
        } else {
            rest.get(&place.path_segments(&[]), &[]).await.map_err(told)?
        };
        // A daily table with other columns than the newest is skipped.
        if own.get("schema") != described.get("schema") {
            continue;
        }
        let total = read_number(&own, "numRows").unwrap_or_default();
        counted.push(total);
        for batch in
            listing.read_rows(&place, total, rows / names.len() as u64).await.map_err(|failure| match failure {
                Listed::Failure(failure) => told(failure),
                Listed::Rows(error) => error,
            })?
        {
            batches.push(if parts.is_some() { with_day(&batch, shards::day_suffix(name))? } else { batch });
        }
    }
    // The total is extrapolated from the sampled tables: an exact count would take a request for each table.
    let sum: u128 = counted.iter().map(|rows| u128::from(*rows)).sum();
    let total = match &parts {
        // If all samples are empty, the total of the others is unknown.
        Some(parts) if sum == 0 && counted.len() < parts.len() => None,
        Some(parts) => u64::try_from(sum * parts.len() as u128 / counted.len().max(1) as u128).ok(),
        None => u64::try_from(sum).ok(),
    };
    let schema = match (&parts, batches.first()) {
        (Some(_), Some(batch)) => batch.schema(),
        _ => listing.schema,
    };
    Ok(Preview { schema, batches, total })
}

/// Selects tables of a group, evenly from the first day to the last.
fn sample_shards(parts: &[String]) -> Vec<&str> {
    let last = parts.len().saturating_sub(1) as u64;
    let mut names: Vec<&str> =
        (0..WINDOWS).filter_map(|at| parts.get((last * at / (WINDOWS - 1)) as usize)).map(String::as_str).collect();
    names.dedup();
    names
}

/// Adds the day of the table to its rows.
fn with_day(batch: &RecordBatch, day: &str) -> Result<RecordBatch, WarehouseError> {
    let mut fields: Vec<Arc<ArrowField>> = batch.schema().fields().iter().cloned().collect();
    fields.push(Arc::new(ArrowField::new(shards::SUFFIX, DataType::Utf8, false)));
    let mut columns = batch.columns().to_vec();
    columns.push(Arc::new(StringArray::from(vec![day; batch.num_rows()])));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .map_err(|error| WarehouseError::query(error.to_string()))
}

/// The columns that are listed of each table.
struct Listing<'a> {
    rest: &'a Rest,
    schema: SchemaRef,
    readings: Vec<ColumnDecoder>,
    selected: Option<String>,
}

/// An error of listing rows.
enum Listed {
    Failure(Failure),
    Rows(WarehouseError),
}

impl Listing<'_> {
    async fn read_rows(&self, place: &TablePath<'_>, total: u64, rows: u64) -> Result<Vec<RecordBatch>, Listed> {
        let mut batches = Vec::new();
        for (start, wanted) in sample_windows(total, rows) {
            let mut left = wanted;
            while left > 0 {
                let at = start + (wanted - left);
                let mut query = vec![
                    ("maxResults", left.to_string()),
                    ("startIndex", at.to_string()),
                    ("formatOptions.useInt64Timestamp", "true".to_owned()),
                ];
                query.extend(self.selected.clone().map(|names| ("selectedFields", names)));
                let mut page = self.rest.get(&place.path_segments(&["data"]), &query).await.map_err(Listed::Failure)?;
                let Some(Value::Array(listed)) = page.get_mut("rows").map(Value::take) else { break };
                let count = listed.len() as u64;
                if count == 0 {
                    break;
                }
                batches.push(build_batch(&self.schema, &self.readings, &listed).map_err(Listed::Rows)?);
                left = left.saturating_sub(count);
            }
        }
        Ok(batches)
    }
}

/// Returns the ranges of rows to read, as first row and number of rows.
fn sample_windows(total: u64, rows: u64) -> Vec<(u64, u64)> {
    if total / SPREAD_FROM < rows || rows < WINDOWS {
        // Rows in the streaming buffer are not part of the row count yet.
        return vec![(0, rows)];
    }
    let each = rows / WINDOWS;
    (0..WINDOWS)
        .map(|window| {
            ((total - each) / (WINDOWS - 1) * window + (total - each) % (WINDOWS - 1) * window / (WINDOWS - 1), each)
        })
        .collect()
}

/// The parts of a table's URL path.
struct TablePath<'a> {
    project: &'a str,
    dataset: &'a str,
    table: &'a str,
}

impl<'a> TablePath<'a> {
    fn from_name(address: &'a ProjectAddress, name: &'a TableName, table: &'a str) -> Option<Self> {
        let dataset = name.schema.as_deref().or(address.dataset())?;
        Some(Self { project: address.project(), dataset, table })
    }

    fn path_segments(&self, more: &[&'a str]) -> Vec<&'a str> {
        let mut path = vec!["projects", self.project, "datasets", self.dataset, "tables", self.table];
        path.extend(more);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::{sample_shards, sample_windows};

    #[test]
    fn tables_that_are_one_are_looked_at_from_the_first_day_to_the_last() {
        let names: Vec<String> = (1..=31).map(|day| format!("e_202401{day:02}")).collect();
        assert_eq!(sample_shards(&names), ["e_20240101", "e_20240111", "e_20240121", "e_20240131"]);
        assert_eq!(sample_shards(&names[..4]), ["e_20240101", "e_20240102", "e_20240103", "e_20240104"]);
    }

    #[test]
    fn rows_are_taken_from_the_first_to_the_last_and_never_more_than_wanted() {
        assert_eq!(sample_windows(900, 1_000), [(0, 1_000)]);
        assert_eq!(sample_windows(0, 1_000), [(0, 1_000)]);
        let spread = sample_windows(1_000_000, 1_000);
        assert_eq!(spread, [(0, 250), (333_250, 250), (666_500, 250), (999_750, 250)]);
        assert_eq!(sample_windows(u64::MAX, 1_000).len(), 4, "nothing overflows");
    }
}
