//! Digests of results: equal for equal results, so that candidates can vote and revisions can be compared.

use crate::{Batches, WarehouseError, cells};
use futures::StreamExt;
use vitrine_domain::{CellType, Page, ResultColumn};

/// Significant digits of a binary float: sums in another order differ in the digits after these.
const FLOAT_DIGITS: usize = 12;

/// Returns 32 hex digits over the rows. Column names are ignored; row order is significant if `ordered`; numbers
/// compare by value (`1.0` equals `1`, `2.50` equals `2.5`), floats to 12 digits.
pub fn digest_rows(page: &Page, ordered: bool) -> String {
    let mut rows: Vec<[u8; 32]> = page.rows.iter().map(|row| row_digest(&page.columns, row)).collect();
    if !ordered {
        rows.sort_unstable();
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(page.columns.len() as u64).to_le_bytes());
    hasher.update(&[u8::from(page.truncated)]);
    for row in &rows {
        hasher.update(row);
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Maximum number of column assignments that [`contains_result`] tries; columns with equal cells are rare.
const ASSIGNMENTS: usize = 64;

/// Returns true if a result contains another one: the same rows, with all of its columns in any order and possibly more
/// columns. Column names are ignored, as is row order unless `ordered`. Returns false if rows are missing or there are
/// none.
pub fn contains_result(more: &Page, page: &Page, ordered: bool) -> bool {
    let partial = |page: &Page| page.truncated || page.rows.is_empty();
    if partial(more) || partial(page) || more.rows.len() != page.rows.len() || more.columns.len() < page.columns.len() {
        return false;
    }
    let only = |page: &Page, columns: &[usize]| {
        let cells = |row: &Vec<Option<String>>| columns.iter().map(|at| row[*at].clone()).collect();
        Page {
            columns: columns.iter().map(|at| page.columns[*at].clone()).collect(),
            rows: page.rows.iter().map(cells).collect(),
            ..*page
        }
    };
    let each = |page: &Page| -> Vec<String> {
        (0..page.columns.len()).map(|at| digest_rows(&only(page, &[at]), ordered)).collect()
    };
    let (theirs, own, whole) = (each(more), each(page), digest_rows(page, ordered));
    let mut assigned: Vec<Vec<usize>> = vec![Vec::new()];
    for wanted in &own {
        let further = assigned.iter().flat_map(|taken| {
            let fits = |at: &usize| theirs[*at] == *wanted && !taken.contains(at);
            (0..theirs.len()).filter(fits).map(|at| [taken.as_slice(), &[at]].concat())
        });
        assigned = further.take(ASSIGNMENTS).collect();
    }
    assigned.iter().any(|columns| digest_rows(&only(more, columns), ordered) == whole)
}

fn row_digest(columns: &[ResultColumn], row: &[Option<String>]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for (index, cell) in row.iter().enumerate() {
        match cell {
            None => hasher.update(b"n"),
            Some(text) => {
                let float = columns.get(index).is_some_and(|column| column.cell_type == CellType::Float);
                let text = normal_number(text, float).unwrap_or_else(|| text.clone());
                hasher.update(b"t").update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes())
            }
        };
    }
    *hasher.finalize().as_bytes()
}

/// The digest of rows in constant memory: equal for equal rows, compared by value as in [`digest_rows`]. Column names
/// are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsDigest {
    columns: usize,
    rows: u64,
    /// The sum of the row digests, independent of their order; if ordered, each row's digest includes its position.
    sum: [u64; 4],
}

impl RowsDigest {
    /// Computes the digest of a page that holds all rows.
    pub fn from_page(page: &Page, ordered: bool) -> Self {
        let mut digest = Self::empty(&page.columns);
        page.rows.iter().for_each(|row| digest.add(&page.columns, row, ordered));
        digest
    }

    /// Computes the digest of a query's rows as they arrive. Returns `None` for more than `most` rows.
    ///
    /// # Errors
    /// Returns the error of the query.
    pub async fn from_batches(mut batches: Batches, ordered: bool, most: u64) -> Result<Option<Self>, WarehouseError> {
        let columns = cells::result_columns(&batches.schema);
        let mut digest = Self::empty(&columns);
        while let Some(batch) = batches.stream.next().await {
            let batch = batch?;
            if digest.rows + batch.num_rows() as u64 > most {
                return Ok(None);
            }
            cells::format_rows(&batch).iter().for_each(|row| digest.add(&columns, row, ordered));
        }
        Ok((!batches.is_truncated()).then_some(digest))
    }

    fn empty(columns: &[ResultColumn]) -> Self {
        Self { columns: columns.len(), rows: 0, sum: [0; 4] }
    }

    fn add(&mut self, columns: &[ResultColumn], row: &[Option<String>], ordered: bool) {
        let mut digest = row_digest(columns, row);
        if ordered {
            digest = *blake3::Hasher::new().update(&self.rows.to_le_bytes()).update(&digest).finalize().as_bytes();
        }
        for (sum, part) in self.sum.iter_mut().zip(digest.chunks_exact(8)) {
            *sum = sum.wrapping_add(u64::from_le_bytes(part.try_into().unwrap_or_default()));
        }
        self.rows += 1;
    }
}

/// Normalizes a cell for comparison: equal for equal values, numbers by value.
pub fn normal_cell(text: &str, float: bool) -> String {
    normal_number(text, float).unwrap_or_else(|| text.to_owned())
}

/// Normalizes a number to sign, digits and exponent, equal for all notations; returns `None` if the text is not a
/// number.
fn normal_number(text: &str, float: bool) -> Option<String> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    // `007` is a code, not a number; `.5` and `5.` are not written by any supported engine.
    let coded = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || coded || mantissa.ends_with('.') || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).skip_while(|b| *b == b'0').collect();
    let mut exponent = exponent - fraction.len() as i64;
    if float && digits.len() > FLOAT_DIGITS {
        exponent += (digits.len() - FLOAT_DIGITS) as i64;
        let up = digits[FLOAT_DIGITS] >= b'5';
        digits.truncate(FLOAT_DIGITS);
        if up {
            let nines = digits.iter().rev().take_while(|b| **b == b'9').count();
            let kept = digits.len() - nines;
            digits[kept..].fill(b'0');
            match kept.checked_sub(1) {
                Some(last) => digits[last] += 1,
                None => digits.insert(0, b'1'),
            }
        }
    }
    while digits.last() == Some(&b'0') {
        digits.pop();
        exponent += 1;
    }
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    Some(format!("{}{}e{exponent}", if negative { "-" } else { "" }, String::from_utf8_lossy(&digits)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vitrine_domain::ResultColumn;

    fn make_page(cell_type: CellType, rows: &[&[Option<&str>]]) -> Page {
        let width = rows.first().map_or(0, |row| row.len());
        Page {
            columns: (0..width).map(|i| ResultColumn::new(format!("c{i}"), cell_type)).collect(),
            rows: rows.iter().map(|row| row.iter().map(|cell| cell.map(str::to_owned)).collect()).collect(),
            row_count: rows.len() as u64,
            truncated: false,
        }
    }

    proptest! {
        #[test]
        fn rows_come_to_the_same_in_any_order_and_each_time_they_are_there_counts(
            cells in proptest::collection::vec(0_u8..4, 0..12),
            turned in 0_usize..12,
        ) {
            let rows = |cells: &[u8]| {
                let mut all = make_page(CellType::Text, &[&[None]]);
                all.rows = cells.iter().map(|cell| vec![Some(cell.to_string())]).collect();
                all
            };
            let mut other = cells.clone();
            if !other.is_empty() {
                let by = turned % other.len();
                other.rotate_left(by);
            }
            prop_assert_eq!(RowsDigest::from_page(&rows(&cells), false), RowsDigest::from_page(&rows(&other), false));
            let same = cells == other;
            prop_assert_eq!(RowsDigest::from_page(&rows(&cells), true) == RowsDigest::from_page(&rows(&other), true), same);
            other.push(1);
            prop_assert_ne!(RowsDigest::from_page(&rows(&cells), false), RowsDigest::from_page(&rows(&other), false));
        }
    }

    #[test]
    fn numbers_count_by_value_and_text_by_letter() {
        let one = |text| digest_rows(&make_page(CellType::Text, &[&[Some(text)]]), false);
        for (a, b) in [
            ("1.0", "1"),
            ("2.50", "2.5"),
            ("1e3", "1000"),
            ("-0.0", "0"),
            ("0.10", "0.1"),
            ("1e20", "100000000000000000000"),
        ] {
            assert_eq!(one(a), one(b), "{a} {b}");
        }
        for (a, b) in [("007", "7"), ("a", "A"), ("", "0"), ("9223372036854775807", "9223372036854775806"), ("1", "-1")]
        {
            assert_ne!(one(a), one(b), "{a} {b}");
        }
    }

    #[test]
    fn floats_are_compared_to_twelve_digits() {
        let one = |text| digest_rows(&make_page(CellType::Float, &[&[Some(text)]]), false);
        assert_eq!(one("0.30000000000000004"), one("0.3"));
        assert_eq!(one("9.9999999999999999"), one("10.0"));
        assert_ne!(one("0.3001"), one("0.3"));
    }

    #[test]
    fn null_is_not_empty_text_and_cells_do_not_run_together() {
        let two = |a, b| digest_rows(&make_page(CellType::Text, &[&[a, b]]), false);
        assert_ne!(two(None, Some("x")), two(Some(""), Some("x")));
        assert_ne!(two(Some("ab"), Some("c")), two(Some("a"), Some("bc")));
    }

    #[test]
    fn a_result_with_further_columns_is_in_the_same_order_where_that_counts() {
        let text = |rows: &[&[Option<&str>]]| make_page(CellType::Text, rows);
        let answer = text(&[&[Some("Ada")], &[Some("Bo")]]);
        let in_order = text(&[&[Some("3"), Some("Ada")], &[Some("2"), Some("Bo")]]);
        let turned = text(&[&[Some("2"), Some("Bo")], &[Some("3"), Some("Ada")]]);
        assert!(contains_result(&in_order, &answer, true) && contains_result(&turned, &answer, false));
        assert!(!contains_result(&turned, &answer, true));
    }

    #[test]
    fn a_result_with_further_columns_says_the_same() {
        let text = |rows: &[&[Option<&str>]]| make_page(CellType::Text, rows);
        let answer = text(&[&[Some("Ada"), Some("3.0")], &[Some("Bo"), None]]);
        for more in [
            text(&[&[Some("2"), None, Some("Bo")], &[Some("1"), Some("3"), Some("Ada")]]),
            text(&[&[None, Some("Bo")], &[Some("3"), Some("Ada")]]),
            text(&[&[Some("Ada"), Some("Ada"), Some("3")], &[Some("Bo"), Some("Bo"), None]]),
        ] {
            assert!(contains_result(&more, &answer, false));
        }
        for other in [
            text(&[&[Some("Ada")], &[Some("Bo")]]),
            text(&[&[Some("Ada"), None, Some("x")], &[Some("Bo"), Some("3"), Some("x")]]),
            text(&[&[Some("Ada"), Some("3"), Some("x")]]),
            text(&[
                &[Some("Ada"), Some("3"), Some("x")],
                &[Some("Bo"), None, Some("x")],
                &[Some("Bo"), None, Some("y")],
            ]),
            Page { truncated: true, ..answer.clone() },
        ] {
            assert!(!contains_result(&other, &answer, false), "{other:?}");
        }
        let nothing = text(&[]);
        assert!(!contains_result(&nothing, &nothing, false));
    }

    #[test]
    fn order_counts_only_when_asked_for() {
        let up = make_page(CellType::Integer, &[&[Some("1")], &[Some("2")]]);
        let down = make_page(CellType::Integer, &[&[Some("2")], &[Some("1")]]);
        assert_eq!(digest_rows(&up, false), digest_rows(&down, false));
        assert_ne!(digest_rows(&up, true), digest_rows(&down, true));
        let twice = make_page(CellType::Integer, &[&[Some("1")], &[Some("1")], &[Some("2")]]);
        assert_ne!(digest_rows(&up, false), digest_rows(&twice, false));
    }

    proptest! {
        #[test]
        fn padding_with_zeros_never_changes_a_number(whole in 0u64.., fraction in "[0-9]{1,6}", zeros in 0usize..5) {
            let short = format!("{whole}.{fraction}");
            let long = format!("{short}{}", "0".repeat(zeros));
            prop_assert_eq!(normal_number(&short, false), normal_number(&long, false));
        }
    }
}
