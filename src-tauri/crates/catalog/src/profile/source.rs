//! Selects the rows of a table that are read.

use vitrine_domain::{Dialect, Table, TableKind};
use vitrine_sql::dialect::RowSampling;
use vitrine_sql::{DialectExt, quote_identifier, table_ref};

/// 2^32 divided by the golden ratio: multiplication scatters neighbouring row ids, so that a sample does not coincide
/// with periodic rows.
const SPREAD: u64 = 2_654_435_761;
/// Number of evenly spread ranges of row ids that are read.
const WINDOWS: i64 = 40;
/// Above this number of rows TABLESAMPLE selects pages instead of rows.
const WHOLE_PAGES: u64 = 1_000_000;
/// Number of columns that are hashed to sample the rows of a view.
const HASHED_COLUMNS: usize = 16;

/// A reproducible selection of rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// All rows of the table.
    Whole,
    /// Rows whose row id or content fulfils a condition.
    Where(String),
    /// Rows that the engine samples; contains the clause after the table's name.
    Drawn(String),
    /// The first rows of the table.
    Head(u64),
}

impl Source {
    /// Selects about `rows` of the `total` rows, spread over the table. `ends` are the smallest and largest row id.
    pub(crate) fn spread_rows(
        table: &Table,
        dialect: Dialect,
        rows: u64,
        total: u64,
        ends: Option<(i64, i64)>,
    ) -> Self {
        if rows >= total {
            return Source::Whole;
        }
        let threshold = (u128::from(rows) << 32) / u128::from(total.max(1));
        match (dialect.sql().row_sampling(), ends) {
            (RowSampling::RowIdRanges, Some((first, last))) => row_id_windows(rows, total, first, last),
            (RowSampling::Hashes, _) if has_row_ids(table) => {
                Source::Where(format!("(rowid * {SPREAD}) % {} < {threshold}", 1u64 << 32))
            }
            (RowSampling::Hashes, _) if total < u64::MAX => {
                let plain = table.columns.iter().filter(|c| dialect.sql().type_family(&c.data_type).is_plain());
                let columns: Vec<String> =
                    plain.take(HASHED_COLUMNS).map(|c| quote_identifier(&c.name, dialect)).collect();
                if columns.is_empty() {
                    return Source::Head(rows);
                }
                Source::Where(format!("hash({}) % {} < {threshold}", columns.join(", "), 1u64 << 32))
            }
            // Reproducible as long as the table does not change. Large tables are sampled by whole pages, so that the
            // others need not be read.
            (RowSampling::TableSample, _) if table.kind == TableKind::Table && total < u64::MAX => {
                let method = if total > WHOLE_PAGES { "SYSTEM" } else { "BERNOULLI" };
                let percent = rows as f64 * 100.0 / total as f64;
                Source::Drawn(format!("TABLESAMPLE {method} ({percent:.6}) REPEATABLE (1)"))
            }
            _ => Source::Head(rows),
        }
    }

    /// Returns the FROM clause for these rows.
    pub(crate) fn build_from_clause(&self, table: &Table, dialect: Dialect) -> String {
        let name = table_ref(&table.name, dialect);
        match self {
            Source::Whole => name,
            Source::Where(condition) => format!("(SELECT * FROM {name} WHERE {condition}) AS sampled"),
            Source::Drawn(how) => format!("(SELECT * FROM {name} {how}) AS sampled"),
            Source::Head(rows) => format!("(SELECT * FROM {name} LIMIT {rows}) AS sampled"),
        }
    }
}

/// Returns ranges of row ids: the engine finds each by its index and reads nothing between them.
fn row_id_windows(rows: u64, total: u64, first: i64, last: i64) -> Source {
    let span = last.saturating_sub(first).saturating_add(1).max(1);
    // Windows are wider if ids have gaps, to contain the same number of rows.
    let wanted = (i128::from(rows) * i128::from(span) / i128::from(total.max(1))).max(1);
    let width = (wanted / i128::from(WINDOWS)).max(1);
    let count = (wanted / width).clamp(1, i128::from(WINDOWS));
    let ranges: Vec<String> = (0..count)
        .map(|window| {
            let start = i128::from(first) + (i128::from(span) - width).max(0) * window / (count - 1).max(1);
            format!("rowid BETWEEN {start} AND {}", start + width - 1)
        })
        .collect();
    Source::Where(ranges.join(" OR "))
}

/// Returns true if the table has row ids.
pub(crate) fn has_row_ids(table: &Table) -> bool {
    table.kind == TableKind::Table && table.find_column("rowid").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_reach_from_the_first_row_to_the_last() {
        let Source::Where(condition) = row_id_windows(4_000, 1_000_000, 1, 1_000_000) else { panic!() };
        assert!(condition.starts_with("rowid BETWEEN 1 AND 100 OR "));
        assert!(condition.ends_with("rowid BETWEEN 999901 AND 1000000"));
        assert_eq!(condition.matches("BETWEEN").count(), 40);
    }

    #[test]
    fn odd_row_ids_do_not_overflow() {
        for (first, last) in [(i64::MIN, i64::MAX), (5, 5), (-3, 9)] {
            row_id_windows(10, 1_000, first, last);
        }
        let few = row_id_windows(1, 1_000, 1, 1_000);
        assert_eq!(few, Source::Where("rowid BETWEEN 1 AND 1".into()));
    }

    #[test]
    fn small_tables_are_read_whole() {
        let table = Table {
            name: vitrine_domain::TableName::from_unqualified("t"),
            kind: TableKind::View,
            comment: None,
            row_count: None,
            columns: Vec::new(),
            primary_key: Vec::new(),
            definition: None,
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
        };
        assert_eq!(Source::spread_rows(&table, Dialect::Duckdb, 100, 100, None), Source::Whole);
        assert_eq!(Source::spread_rows(&table, Dialect::Sqlite, 100, 101, None), Source::Head(100));
    }
}
