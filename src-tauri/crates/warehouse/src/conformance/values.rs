//! Checks of results.

use super::bench::Bench;
use super::check::{CheckObservation, Verdict, told_of};
use crate::{Limits, WarehouseError, cells};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{CellType, Dialect};
use vitrine_sql::quote_identifier;

const NO_LIST: &str = "there is no list of values for this dialect";
/// Maximum growth of memory in bytes while many rows are read.
const FLAT: u64 = 256 << 20;

pub(super) async fn check_types(bench: &Bench) -> Verdict {
    let Some(expressions) = bench.expressions() else {
        return Ok(CheckObservation::Untried(NO_LIST));
    };
    let mut wrong = Vec::new();
    for (expression, text, kind) in expressions {
        let sql = format!("SELECT {expression} AS a");
        let page = match bench.query_rows(&sql).await {
            Ok(page) => page,
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        let cell = page.rows.first().and_then(|row| row.first()?.clone());
        let got = page.columns.first().map(|column| column.cell_type);
        if cell.as_deref() != Some(*text) || got != Some(*kind) {
            wrong
                .push(format!("{expression} came out as {cell:?} of kind {got:?} in place of {text} of kind {kind:?}"));
        }
        match bench.warehouse.check_query(&bench.prove_read_only(&sql)?).await.map(|checked| checked.columns) {
            // SQLite does not know the type of a computed column before the query runs.
            Ok(columns)
                if columns.first().is_some_and(|c| Some(c.cell_type) == got || c.cell_type == CellType::Null) => {}
            Ok(columns) => wrong.push(format!("preparing {expression} said {columns:?}")),
            Err(error) => wrong.push(format!("preparing {expression} gave {error}")),
        }
    }
    if wrong.is_empty() {
        Ok(CheckObservation::Good(format!("{} types", expressions.len())))
    } else {
        Err(wrong.join("; "))
    }
}

pub(super) async fn check_nulls(bench: &Bench) -> Verdict {
    let Some(expressions) = bench.expressions() else {
        return Ok(CheckObservation::Untried(NO_LIST));
    };
    let mut wrong = Vec::new();
    for (expression, text, kind) in expressions {
        let value = format!("SELECT {expression} AS a");
        let sql = format!(
            "SELECT CASE WHEN n = 1 THEN a END AS a FROM ({value}) AS v, (SELECT 1 AS n UNION ALL SELECT 2) AS w ORDER BY n"
        );
        let page = match bench.query_rows(&sql).await {
            Ok(page) => page,
            Err(error) => {
                wrong.push(error);
                continue;
            }
        };
        let cells: Vec<Option<&str>> = page.rows.iter().map(|row| row[0].as_deref()).collect();
        // Computed columns of SQLite have no type.
        if cells != [Some(*text), None] {
            wrong.push(format!("{expression} of kind {kind:?} beside NULL came out as {cells:?}"));
        }
    }
    if wrong.is_empty() {
        Ok(CheckObservation::Good(format!("{} types", expressions.len())))
    } else {
        Err(wrong.join("; "))
    }
}

pub(super) async fn check_names(bench: &Bench) -> Verdict {
    let mut names = vec!["select", "order", "Größe in €", "a \"b\"", "semi;colon", "数量", "a.b", "%", "Name"];
    if bench.dialect() == Dialect::Bigquery {
        // BigQuery restricts the characters of column names.
        names.retain(|name| !name.contains(['"', ';', '.', '€']));
    }
    let columns: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(at, name)| format!("{at} AS {}", quote_identifier(name, bench.dialect())))
        .collect();
    let page = bench.query_rows(&format!("SELECT {}", columns.join(", "))).await?;
    let got: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    let values: Vec<Option<&str>> = page.rows[0].iter().map(Option::as_deref).collect();
    let wanted: Vec<String> = (0..names.len()).map(|at| at.to_string()).collect();
    if got == names && values.iter().zip(&wanted).all(|(value, wanted)| *value == Some(wanted)) {
        Ok(CheckObservation::Good(format!("{} names", names.len())))
    } else {
        Err(format!("{names:?} came out as {got:?} with {values:?}"))
    }
}

pub(super) async fn check_unicode(bench: &Bench) -> Verdict {
    let text = "Zoë, Łódź, Ελλάδα, Москва, 東京, 👩‍👩‍👧, e\u{301}, \u{200f}עברית, ''quoted''";
    let literal = if bench.dialect() == Dialect::Bigquery { text.replace("''", "\\'") } else { text.to_owned() };
    let page = bench.query_rows(&format!("SELECT '{literal}' AS a")).await?;
    let (got, wanted) = (page.rows[0][0].clone().unwrap_or_default(), text.replace("''", "'"));
    if got == wanted {
        Ok(CheckObservation::Good(format!("{} characters", wanted.chars().count())))
    } else {
        Err(format!("{wanted} came out as {got}"))
    }
}

pub(super) async fn check_empty_result(bench: &Bench) -> Verdict {
    let page = bench.query_rows("SELECT n AS a, 'x' AS b FROM (SELECT 1 AS n) AS t WHERE n = 2").await?;
    let names: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    if names == ["a", "b"].map(|name| bench.unquoted_name(name)) && page.rows.is_empty() && !page.truncated {
        Ok(CheckObservation::Good("2 columns".to_owned()))
    } else {
        Err(format!("columns {names:?}, rows {:?}", page.rows))
    }
}

pub(super) async fn check_row_limit(bench: &Bench) -> Verdict {
    let few = Limits { rows: Some(10), ..Limits::default() };
    for (digits, whole) in [(1, true), (4, false)] {
        let sql = Bench::build_digits_query("a0.d AS n", digits);
        let page =
            bench.query_page(&sql, few.clone(), CancellationToken::new()).await.map_err(|error| told_of(&error))?;
        if (page.rows.len(), page.truncated) != (10, !whole) {
            return Err(format!("10^{digits} rows came as {} and cut: {}", page.rows.len(), page.truncated));
        }
    }
    Ok(CheckObservation::Good("10 of 10 and 10 of 10,000 rows".to_owned()))
}

pub(super) async fn check_errors(bench: &Bench) -> Verdict {
    for sql in
        ["SELECT nothing_like_it FROM nowhere_at_all", "SELECT CAST(n AS no_such_type) AS a FROM (SELECT 1 AS n) AS t"]
    {
        match bench.query_page(sql, Limits::default(), CancellationToken::new()).await {
            Err(WarehouseError::Query { message }) if !message.is_empty() => {}
            Err(error) => return Err(format!("{sql}: {}", told_of(&error))),
            // SQLite accepts any word as a type.
            Ok(_) if sql.contains("no_such_type") => {}
            Ok(page) => return Err(format!("{sql} gave {:?}", page.rows)),
        }
        bench.check_still_works().await?;
    }
    Ok(CheckObservation::Good("the engine's own message".to_owned()))
}

pub(super) async fn check_many_rows(bench: &Bench) -> Verdict {
    let number: Vec<String> = (0..bench.digits).map(|at| format!("{} * a{at}.d", 10u64.pow(at))).collect();
    let sql =
        Bench::build_digits_query(&format!("{} AS n, 'a text of some length' AS t", number.join(" + ")), bench.digits);
    let proven = bench.prove_read_only(&sql)?;
    let limits = Limits { rows: None, timeout: std::time::Duration::from_secs(600), ..Limits::default() };
    let before = measure_resident_memory(bench).await;
    let mut peak = before;
    let mut result =
        bench.warehouse.run_query(&proven, limits, CancellationToken::new()).await.map_err(|error| told_of(&error))?;
    let (mut count, mut sum) = (0u64, 0u128);
    while let Some(batch) = result.stream.next().await {
        let batch = batch.map_err(|error| told_of(&error))?;
        count += batch.num_rows() as u64;
        for row in cells::format_rows(&batch.project(&[0]).map_err(|error| error.to_string())?) {
            sum += row[0].as_deref().and_then(|cell| cell.parse::<u128>().ok()).unwrap_or_default();
        }
        peak = peak.max(measure_resident_memory(bench).await);
    }
    let all = 10u64.pow(bench.digits);
    if (count, sum) != (all, u128::from(all) * u128::from(all - 1) / 2) {
        return Err(format!("{count} rows of {all} came, their sum is {sum}"));
    }
    match (before, peak) {
        (Some(before), Some(peak)) if peak.saturating_sub(before) > FLAT => {
            Err(format!("{count} rows took {} MB of memory", (peak - before) >> 20))
        }
        (Some(before), Some(peak)) => {
            Ok(CheckObservation::Good(format!("{count} rows, {} MB of memory", peak.saturating_sub(before) >> 20)))
        }
        _ => Ok(CheckObservation::Good(format!("{count} rows; memory is not measured on this system"))),
    }
}

pub(super) async fn check_catalog(bench: &Bench) -> Verdict {
    let again = bench.warehouse.load_catalog().await.map_err(|error| told_of(&error))?;
    let names: std::collections::HashSet<String> = again.tables.iter().map(|table| table.name.to_string()).collect();
    if names.len() != again.tables.len() {
        return Err(format!("{} tables have {} names", again.tables.len(), names.len()));
    }
    if let Some(table) = again.tables.iter().find(|table| table.columns.is_empty()) {
        return Err(format!("{} has no columns", table.name));
    }
    let names = |catalog: &vitrine_domain::Catalog| -> Vec<String> {
        catalog.tables.iter().map(|table| table.name.to_string()).collect()
    };
    if names(&again) != names(&bench.catalog) {
        return Err("the second reading has other tables".to_owned());
    }
    Ok(CheckObservation::Good(format!("{} tables, {} columns", again.tables.len(), again.column_count())))
}

/// Returns the memory of this process and of the engine's or driver's process, if the system reports it.
async fn measure_resident_memory(bench: &Bench) -> Option<u64> {
    let engine = match bench.engine_id().await {
        Some(number) => resident_of(&number.to_string())?,
        None => 0,
    };
    Some(resident_of("self")? + engine)
}

fn resident_of(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_another_process_is_read() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let found = super::resident_of(&child.id().to_string());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.is_some_and(|bytes| bytes > 0) && found < super::resident_of("self"), "{found:?}");
    }
}
