//! An estimate of the bytes that a query would read, from the server and without running it: its plan lists the columns
//! and tables, `EXPLAIN ESTIMATE` the rows according to the indexes, and the system tables the sizes of the parts.
//! Nothing is estimated if the plan reads anything except MergeTree tables, or if planning would run a nested query.

use super::http::{Failure, Http};
use super::introspect::quote_literal;
use super::rows::Rows;
use super::settings::Settings;
use serde_json::Value;
use std::collections::HashMap;

/// Steps of a plan that read nothing from tables.
const KNOWN: [(&str, &str); 3] = [
    ("ReadFromPreparedSource", "Optimized trivial count"),
    ("ReadFromPreparedSource", "_minmax_count_projection"),
    ("ReadFromSystemOne", ""),
];
/// A step that reads a MergeTree table.
const PARTS: &str = "ReadFromMergeTree";
/// Minimum number of rows that are read at once.
const GRANULE: u128 = 8_192;
/// Maximum bytes of a string's length when it is read; on disk it may take one byte.
const LENGTH: u128 = 8;

/// A table that a plan reads: its name in the plan and the columns.
#[derive(Debug, PartialEq, Eq)]
struct Read {
    table: String,
    /// Names of the columns, and whether each is a string.
    columns: Vec<(String, bool)>,
    /// Maximum number of rows that are read if the query ends early.
    most: Option<u128>,
}

/// The stored size of a table.
#[derive(Debug, Default)]
struct TableSize {
    rows: u128,
    bytes: u128,
    /// Rows in parts of the wide format, in which each column has its own size.
    wide: u128,
    /// Uncompressed bytes of each column in these rows.
    columns: HashMap<String, u128>,
}

/// Returns the uncompressed bytes that a query would read; `None` if they cannot be estimated.
pub(super) async fn estimate_bytes(http: &Http, settings: &Settings, seconds: u64, sql: &str) -> Option<u64> {
    match query_estimate(http, settings, seconds, sql).await {
        Ok(bytes) => bytes,
        Err(failure) => {
            tracing::debug!(?failure, "nothing is estimated of a query");
            None
        }
    }
}

async fn query_estimate(http: &Http, settings: &Settings, seconds: u64, sql: &str) -> Result<Option<u64>, Failure> {
    let Some(own) = settings.of_plan(seconds) else { return Ok(None) };
    let (plan, rows) = (format!("EXPLAIN json = 1, header = 1, actions = 1 {sql}"), format!("EXPLAIN ESTIMATE {sql}"));
    let (plan, rows) = futures::try_join!(http.query_rows_with(&plan, &own), http.query_rows_with(&rows, &own))?;
    let Some(reads) = collect_reads(&plan) else { return Ok(None) };
    let rows: Vec<((String, String), u128)> = rows.into_iter().filter_map(table_rows).collect();
    let named: Vec<&(String, String)> = rows.iter().filter(|(_, rows)| *rows > 0).map(|(table, _)| table).collect();
    let kept = match named.is_empty() {
        true => HashMap::new(),
        false => parse_table_sizes(http.query_rows(&build_size_query(&named), Some((settings, seconds))).await?),
    };
    Ok(sum_read_bytes(&reads, &rows, &kept))
}

/// Collects the reads of a plan; `None` if a step reads something of unknown size.
fn collect_reads(plan: &Rows) -> Option<Vec<Read>> {
    let text: Vec<&str> = plan.iter().filter_map(|row| row.first()?.as_deref()).collect();
    let plan: Value = serde_json::from_str(&text.join("\n")).ok()?;
    let (mut waiting, mut reads) = (Vec::new(), Vec::new());
    for query in plan.as_array()? {
        waiting.push((query.get("Plan")?, None));
    }
    while let Some((step, most)) = waiting.pop() {
        let text = |name: &str| step.get(name).and_then(Value::as_str).unwrap_or_default();
        let below = step.get("Plans").and_then(Value::as_array).filter(|below| !below.is_empty());
        match (below, text("Node Type"), text("Description")) {
            (Some(below), kind, _) => {
                let most = match kind {
                    "Limit" => find_row_limit(step),
                    "Expression" => most,
                    _ => None,
                };
                waiting.extend(below.iter().map(|step| (step, most)));
            }
            (None, PARTS, table) => {
                let columns = step.get("Header")?.as_array()?.iter().map(parse_column).collect::<Option<_>>()?;
                reads.push(Read { table: table.to_owned(), columns, most });
            }
            (None, kind, what) if KNOWN.contains(&(kind, what)) => {}
            _ => return None,
        }
    }
    Some(reads)
}

/// Returns the sum of a step's limit and offset.
fn find_row_limit(step: &Value) -> Option<u128> {
    let number = |name: &str| step.get(name).and_then(Value::as_u64).map(u128::from);
    Some(number("Limit")? + number("Offset").unwrap_or_default())
}

fn parse_column(column: &Value) -> Option<(String, bool)> {
    let text = |name: &str| column.get(name).and_then(Value::as_str);
    Some((text("Name")?.to_owned(), matches!(text("Type")?, "String" | "Nullable(String)")))
}

/// Parses a row of `EXPLAIN ESTIMATE`: database, table, parts, rows, marks.
fn table_rows(row: Vec<Option<String>>) -> Option<((String, String), u128)> {
    let [database, table, _, rows, _] = <[_; 5]>::try_from(row).ok()?;
    Some(((database?, table?), rows?.parse().ok()?))
}

fn build_size_query(tables: &[&(String, String)]) -> String {
    let names: Vec<String> = tables
        .iter()
        .map(|(database, table)| format!("({}, {})", quote_literal(database), quote_literal(table)))
        .collect();
    let of = format!("(database, table) IN ({})", names.join(", "));
    format!(
        "SELECT database, table, name, toString(data_uncompressed_bytes), '' FROM system.columns WHERE {of}
         UNION ALL
         SELECT database, table, toString(sum(rows)), toString(sum(data_uncompressed_bytes)), toString(coalesce(sumIf(rows, part_type = 'Wide'), 0))
           FROM system.parts WHERE active AND {of} GROUP BY database, table"
    )
}

fn parse_table_sizes(rows: Rows) -> HashMap<(String, String), TableSize> {
    let mut tables: HashMap<(String, String), TableSize> = HashMap::new();
    for row in rows {
        let Ok([Some(database), Some(table), Some(first), Some(bytes), Some(wide)]) = <[_; 5]>::try_from(row) else {
            continue;
        };
        let kept = tables.entry((database, table)).or_default();
        let number = |text: &str| text.parse().unwrap_or_default();
        match wide.is_empty() {
            true => drop(kept.columns.insert(first, number(&bytes))),
            false => (kept.rows, kept.bytes, kept.wide) = (number(&first), number(&bytes), number(&wide)),
        }
    }
    tables
}

/// Sums the bytes of all reads. If a table is read several times, the rows are known only as a total, so that all of
/// them count with the columns of the largest read. If every read ends early, the sum of their limits bounds the rows.
fn sum_read_bytes(
    reads: &[Read],
    rows: &[((String, String), u128)],
    kept: &HashMap<(String, String), TableSize>,
) -> Option<u64> {
    let named = |read: &Read| rows.iter().any(|((database, table), _)| read.table == format!("{database}.{table}"));
    if !reads.iter().all(named) {
        return None;
    }
    let mut sum: u128 = 0;
    for (table, rows) in rows.iter().filter(|(_, rows)| *rows > 0) {
        let name = format!("{}.{}", table.0, table.1);
        let of = kept.get(table)?;
        let reads: Vec<&Read> = reads.iter().filter(|read| read.table == name).collect();
        let early: Option<u128> = reads.iter().map(|read| Some(read.most?.next_multiple_of(GRANULE))).sum();
        let rows = early.map_or(*rows, |early| early.min(*rows));
        sum = sum.saturating_add(reads.iter().map(|read| of.bytes_of(read, rows)).max()??);
    }
    Some(u64::try_from(sum).unwrap_or(u64::MAX))
}

impl TableSize {
    /// Returns the bytes of the columns of a read for this number of rows.
    fn bytes_of(&self, read: &Read, rows: u128) -> Option<u128> {
        let whole = || rows.saturating_mul(self.bytes).checked_div(self.rows);
        let of_column = |(name, is_text): &(String, bool)| {
            let own = self.columns.get(name).or_else(|| self.columns.get(name.split('.').next()?))?;
            let own = rows.saturating_mul(*own).checked_div(self.wide)?;
            Some(own + if *is_text { rows * LENGTH } else { 0 })
        };
        // Compact parts have no sizes per column, and nested columns have none at all: then the average row size
        // counts.
        read.columns.iter().map(of_column).sum::<Option<u128>>().or_else(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_plan(text: &str) -> Option<Vec<Read>> {
        collect_reads(&text.lines().map(|line| vec![Some(line.to_owned())]).collect())
    }

    fn make_read(table: &str, columns: &[(&str, bool)]) -> Read {
        let columns = columns.iter().map(|(name, is_text)| ((*name).to_owned(), *is_text)).collect();
        Read { table: table.to_owned(), columns, most: None }
    }

    #[test]
    fn a_plan_is_read_or_nothing_of_it() {
        let parts = r#"{"Node Type": "ReadFromMergeTree", "Description": "shop.a", "Header": [{"Name": "id", "Type": "Int64"}, {"Name": "s", "Type": "String"}]}"#;
        let known = r#"{"Node Type": "ReadFromPreparedSource", "Description": "Optimized trivial count"}"#;
        let other = r#"{"Node Type": "ReadFromRemote", "Description": "Read from remote replica"}"#;
        let of = |below: &str| format!("[{{\"Plan\": {{\"Node Type\": \"Join\",\n\"Plans\": [{below}]}}}}]");
        let wanted = make_read("shop.a", &[("id", false), ("s", true)]);
        assert_eq!(parse_plan(&of(&format!("{parts},{known}"))), Some(vec![wanted]));
        assert_eq!(parse_plan(&of(known)), Some(Vec::new()));
        // A limit applies only if no step between must process all rows.
        let limited = |between: &str| {
            let step = format!(r#"{{"Node Type": "{between}", "Plans": [{parts}]}}"#);
            let limit = format!(r#"{{"Node Type": "Limit", "Limit": 5, "Offset": 2, "Plans": [{step}]}}"#);
            parse_plan(&of(&limit)).map(|reads| reads[0].most)
        };
        assert_eq!((limited("Expression"), limited("Sorting")), (Some(Some(7)), Some(None)));
        for nothing in [of(&format!("{parts},{other}")), of(parts).replace("Header", "Head"), "[{}]".into(), "[".into()]
        {
            assert_eq!(parse_plan(&nothing), None, "{nothing}");
        }
    }

    #[test]
    fn columns_count_by_their_size_and_small_parts_by_the_whole_row() {
        let name = ("shop".to_owned(), "a".to_owned());
        let columns = HashMap::from([("id".to_owned(), 8_000), ("s".to_owned(), 5_000), ("big".to_owned(), 90_000)]);
        let wide = TableSize { rows: 1_000, bytes: 103_000, wide: 1_000, columns: columns.clone() };
        let small = TableSize { wide: 0, columns, ..TableSize { rows: 1_000, bytes: 103_000, ..TableSize::default() } };
        let rows = [(name.clone(), 500)];
        let sum =
            |reads: &[Read], kept: TableSize| sum_read_bytes(reads, &rows, &HashMap::from([(name.clone(), kept)]));
        let some = make_read("shop.a", &[("id", false), ("s", true)]);
        assert_eq!(sum(std::slice::from_ref(&some), wide), Some(4_000 + 2_500 + 4_000));
        assert_eq!(sum(std::slice::from_ref(&some), small), Some(51_500));
        assert_eq!(sum(&[make_read("shop.other", &[])], TableSize::default()), None, "a read that no rows are told of");
        assert_eq!(
            sum_read_bytes(&[some], &[(name.clone(), 0)], &HashMap::new()),
            Some(0),
            "nothing is left of it by its index"
        );
        assert_eq!(sum_read_bytes(&[], &[], &HashMap::new()), Some(0));
        let early = Read { most: Some(10), ..make_read("shop.a", &[("id", false)]) };
        let kept = TableSize { rows: 1 << 20, bytes: 1 << 30, ..TableSize::default() };
        let sum = sum_read_bytes(&[early], &[(name.clone(), 1 << 20)], &HashMap::from([(name, kept)]));
        assert_eq!(sum, Some(GRANULE as u64 * 1_024));
    }
}
