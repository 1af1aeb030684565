//! Version numbers that look like decimals: as numbers, 1.10 equals 1.1 and sorts before 1.9.

use super::column::Column;
use super::names;
use super::value_counts::{self, READ, ValueCount};
use ::duckdb::{Connection, Result};
use vitrine_domain::FileReading;
use vitrine_words::tr;

/// Words in the name of a column that holds versions.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "version", "versions", "versionsnummer", "versionsnr", "versionen", "release", "releases", "fassung", "fassungen", "révision",
    "revision",
];
/// Matches a version of two parts. The second part has no leading zero, unlike fractions of decimals such as `2.05`.
const VERSION: &str = "[0-9]{1,2}[.](?:0|[1-9][0-9]{0,2})";

/// Keeps decimals in version columns as text, and reports doubts about others that look like versions.
pub(super) fn keep_versions_as_text(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    reading: &mut FileReading,
) -> Result<()> {
    let mut decimals: Vec<&mut &mut Column> =
        columns.iter_mut().filter(|column| column.data_type == "DOUBLE").collect();
    for column in decimals.iter_mut().filter(|column| is_version_name(&column.name)) {
        column.keep_text();
        (column.is_words, column.has_reason) = (true, true);
    }
    decimals.retain(|column| column.data_type == "DOUBLE");
    if decimals.is_empty() {
        return Ok(());
    }
    let looks = decimals.iter().map(|column| {
        let any = |pattern: &str| format!("bool_or(regexp_matches({}, '{pattern}'))", column.text_expression());
        let all = format!("bool_and(regexp_full_match({}, '{VERSION}'))", column.text_expression());
        format!("coalesce({all} AND {} AND {}, false)", any("[.][1-9][0-9]*0$"), any("[.][0-9]$"))
    });
    let sql = format!("SELECT {} FROM {raw}", looks.collect::<Vec<_>>().join(", "));
    let looks: Vec<bool> = connection.query_row(&sql, [], |row| (0..decimals.len()).map(|at| row.get(at)).collect())?;
    for (column, _) in decimals.iter().zip(looks).filter(|(_, look)| *look) {
        let twice = written_twice(connection, raw, column)?;
        if !twice.is_empty() {
            reading.doubts.push(tr!(
                "{name} may contain version numbers: as numbers these are equal: {values}. As text they stay different.",
                name = column.name,
                values = value_counts::in_words(&twice)
            ));
        }
    }
    Ok(())
}

/// Returns the texts of numbers that occur in two notations, side by side.
fn written_twice(connection: &Connection, raw: &str, column: &Column) -> Result<Vec<ValueCount>> {
    let sql = format!(
        "SELECT v, n FROM (SELECT v, n, count(*) OVER (PARTITION BY TRY_CAST(v AS DECIMAL(18, 6))) AS ways
           FROM (SELECT v, count(*) AS n FROM (SELECT {} AS v FROM {raw}) WHERE v IS NOT NULL GROUP BY v))
          WHERE ways > 1 ORDER BY TRY_CAST(v AS DECIMAL(18, 6)), length(v) LIMIT {READ}",
        column.text_expression()
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| Ok(ValueCount { text: row.get(0)?, rows: row.get(1)? }))?;
    rows.collect()
}

/// Returns true if a name contains a word for versions: `app_version`, `appVersion`, but not `conversion`.
fn is_version_name(name: &str) -> bool {
    names::split_name_words(name).split_whitespace().any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_version_name;

    #[test]
    fn columns_of_versions_are_told_by_their_names() {
        for name in ["version", "Version", "app_version", "appVersion", "VERSION", "Fassung", "release", "Version 2"] {
            assert!(is_version_name(name), "{name}");
        }
        for name in ["conversion", "price", "released", "versionless", "aversion", ""] {
            assert!(!is_version_name(name), "{name}");
        }
    }
}
