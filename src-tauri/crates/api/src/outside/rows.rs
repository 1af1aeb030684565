//! Rows of results as an external program may read them, in parts.

use super::{Opened, Outside};
use crate::audit::{Auditor, ReplyRecord};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use vitrine_domain::page::json_cell;
use vitrine_domain::{AppError, CellType, ErrorCode, Page, ResultColumn};
use vitrine_sql::ReadOnlySql;

/// Maximum size of a cell in bytes of JSON.
const LONGEST_CELL: usize = 4_000;
/// Divisor of the reply size that gives the maximum size of column names.
const MOST_NAMES: usize = 2;

/// A result without the data that the program may not read.
#[derive(Clone)]
pub struct OutsideRows {
    /// Columns of the result. A name that may be a stored value is replaced if values are withheld.
    pub columns: Vec<ResultColumn>,
    /// Number of rows in the result, as far as it was read.
    pub row_count: u64,
    /// True if the result may have more rows than these.
    pub truncated: bool,
    /// True if the query's lineage is unknown, so that every column is masked.
    pub unfollowed: bool,
    /// Reason that rows are withheld; `None` if they are not.
    pub withheld: Option<String>,
    rows: Vec<Vec<Option<String>>>,
    sql: String,
    run: Option<(String, String)>,
    audit: Auditor,
}

/// A part of a result's rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OutsidePart {
    /// Cells as JSON values, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// Number of the first row after these, from 0; `None` at the end.
    pub next: Option<u64>,
    /// Number of cells that were cut because of their length.
    pub cut: u32,
}

impl Outside {
    /// Runs a query with the usual read-only proof, and reads at most `row_limit` rows.
    ///
    /// # Errors
    /// When the query is refused or fails. Stored values in a database's error are removed if values are withheld.
    pub async fn run_query(
        &self,
        sql: &str,
        row_limit: u64,
        cancel: CancellationToken,
    ) -> Result<OutsideRows, AppError> {
        let opened = self.open_prepared(&cancel).await?;
        let rows = self.app.query_rows_for(&self.uri, sql, Some(&self.receiver)).await?;
        let read = self.app.first_rows(&rows, row_limit, cancel).await;
        let page = read.map_err(|error| opened.redact_error(error, sql))?;
        Ok(self.redact_page(&opened, page, Some(rows.sql()), sql, None))
    }

    /// Returns the part of a page that the program may read. Without a proven query, the source columns of its values are unknown.
    pub(super) fn redact_page(
        &self,
        opened: &Opened,
        mut page: Page,
        sql: Option<&ReadOnlySql>,
        text: &str,
        run: Option<(String, String)>,
    ) -> OutsideRows {
        let known = match sql {
            Some(sql) => opened.egress.mark_masked_columns(&mut page, sql, &opened.open.catalog()),
            None => {
                opened.egress.mark_unknown_result(&mut page, text);
                false
            }
        };
        let mut withheld = opened.withholding_reason();
        if sql.is_none() && withheld.is_none() && opened.egress.leaves_out() {
            withheld = Some(
                "It cannot be told from which columns these rows come, and some columns of this database are masked. The \
                 user can see the rows in Vitrine"
                    .to_owned(),
            );
        }
        let unfollowed = !known && page.columns.iter().any(|column| column.masked);
        let shown = opened.egress.mask_page(&page);
        let columns = shown.columns.clone();
        let rows = if withheld.is_some() { Vec::new() } else { shown.rows.clone() };
        OutsideRows {
            columns,
            row_count: page.row_count,
            truncated: page.truncated,
            unfollowed,
            withheld,
            rows,
            sql: text.to_owned(),
            run,
            audit: self.create_auditor(&opened.open),
        }
    }
}

impl OutsideRows {
    /// Returns at most `count` rows from row `from`, counted from 0, in about `bytes` bytes of JSON at most, but at least one row. The
    /// audit log records the reply.
    ///
    /// # Errors
    /// When the column names alone exceed the size of a reply, or the row does not exist.
    pub fn read_part(&self, from: u64, count: u32, bytes: u32) -> Result<OutsidePart, AppError> {
        let bytes = bytes as usize;
        let names: usize = self.columns.iter().map(|column| column.name.len() + 32).sum();
        if names > bytes / MOST_NAMES {
            let what = format!("The result has {} columns, too many for one reply", self.columns.len());
            return Err(AppError::new(ErrorCode::Usage, what).with_hint("Select fewer columns"));
        }
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        if from > 0 && from >= self.rows.len() {
            let what = format!("There is no row after the first {from}");
            return Err(AppError::new(ErrorCode::NotFound, what).with_hint("Begin with row 0"));
        }
        let room = bytes - names;
        let longest = (room / self.columns.len().max(1)).clamp(16, LONGEST_CELL);
        let (mut part, mut taken) = (OutsidePart { rows: Vec::new(), next: None, cut: 0 }, 0);
        for row in self.rows[from..].iter().take(count as usize) {
            let mut cut = 0;
            let cells: Vec<Value> = row
                .iter()
                .zip(&self.columns)
                .map(|(cell, column)| tellable_cell(cell, column, longest, &mut cut))
                .collect();
            let size = serde_json::to_string(&cells).map_or(0, |text| text.len() + 1);
            if taken + size > room && !part.rows.is_empty() {
                break;
            }
            taken += size;
            part.cut += cut;
            part.rows.push(cells);
        }
        let next = from + part.rows.len();
        part.next = (next < self.rows.len()).then_some(next as u64);
        self.audit.record_reply(&ReplyRecord {
            sql: &self.sql,
            what: self.withheld.as_deref(),
            run: self.run.as_ref().map(|(question, run_id)| (question.as_str(), run_id.as_str())),
            rows: part.rows.len() as u64,
            bytes: (names + taken) as u64,
        });
        Ok(part)
    }
}

impl OutsideRows {
    /// Returns all rows with their masked columns, for a computation whose result the program receives. The audit log
    /// records them as a reply.
    ///
    /// # Errors
    /// When rows are withheld.
    pub(super) fn read_all(&self) -> Result<Page, AppError> {
        if let Some(reason) = &self.withheld {
            return Err(AppError::new(ErrorCode::Usage, reason.clone()));
        }
        let cells = self.rows.iter().flatten().flatten();
        self.audit.record_reply(&ReplyRecord {
            sql: &self.sql,
            what: None,
            run: None,
            rows: self.rows.len() as u64,
            bytes: cells.map(|cell| cell.len() as u64).sum(),
        });
        Ok(Page {
            columns: self.columns.clone(),
            rows: self.rows.clone(),
            row_count: self.row_count,
            truncated: self.truncated,
        })
    }
}

impl Opened {
    /// Returns an error of a query that the program may read: the database's message may repeat values, our own sentences do not.
    fn redact_error(&self, error: AppError, sql: &str) -> AppError {
        AppError { detail: error.detail.map(|text| self.egress.redact_error(&text, sql)), ..error }
    }
}

/// Returns a cell as JSON, cut if it is long. A masked cell is text, whatever the type of its column.
fn tellable_cell(cell: &Option<String>, column: &ResultColumn, longest: usize, cut: &mut u32) -> Value {
    let Some(text) = cell else { return Value::Null };
    let mut size = 0;
    let end = text.char_indices().find(|(_, letter)| {
        size += match letter {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            letter if letter.is_control() => 6,
            letter => letter.len_utf8(),
        };
        size > longest
    });
    match end {
        Some((end, _)) => {
            *cut += 1;
            format!("{}… [cut: {} bytes in all]", &text[..end], text.len()).into()
        }
        None => json_cell(Some(text), if column.masked { CellType::Text } else { column.cell_type }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cell_is_cut_between_letters_and_says_so() {
        let column = ResultColumn::new("note", CellType::Text);
        let mut cut = 0;
        let cell = tellable_cell(&Some("ä".repeat(40)), &column, 21, &mut cut);
        assert_eq!((cell, cut), (format!("{}… [cut: 80 bytes in all]", "ä".repeat(10)).into(), 1));
        assert_eq!(tellable_cell(&Some("short".into()), &column, 21, &mut cut), "short");
        assert_eq!((tellable_cell(&None, &column, 21, &mut cut), cut), (Value::Null, 1));
    }

    #[test]
    fn letters_that_json_writes_longer_count_as_they_are_written() {
        let column = ResultColumn::new("note", CellType::Text);
        let mut cut = 0;
        let cell = tellable_cell(&Some("\u{1}".repeat(9)), &column, 30, &mut cut);
        assert!(
            cell.as_str()
                .is_some_and(|text| text.starts_with(&"\u{1}".repeat(5)) && !text.starts_with(&"\u{1}".repeat(6)))
        );
    }

    #[test]
    fn numbers_stay_numbers_and_a_masked_one_is_text() {
        let mut column = ResultColumn::new("n", CellType::Integer);
        let mut cut = 0;
        assert_eq!(tellable_cell(&Some("12".into()), &column, 16, &mut cut), 12);
        column.masked = true;
        assert_eq!(tellable_cell(&Some("[masked]".into()), &column, 16, &mut cut), "[masked]");
    }
}
