//! Totals and notes at the end of a file that is too large to be parsed here. They are found in its last megabyte. As
//! in a small file, a row is recognized as a total by the file's numbers; the engine computes their sums, so that the
//! file is not held in memory.

use super::below::is_lone_text;
use super::cell::{Figure, Shape};
use super::column::Column;
use super::file::path_literal;
use super::missing_words::known_condition;
use super::number_text::{as_number, number_pattern};
use super::records::Dialect;
use super::total_words::is_total_word;
use super::{columns, ends::Ends, staged};
use crate::engines::duck::{quote_identifier, quote_literal};
use ::duckdb::{Connection, Result};
use std::path::Path;
use vitrine_domain::{DecimalSign, FileReading, SetAsideReason, SetAsideRow};

/// Number of decimal places to which sums are exact; numbers with more places were computed in binary.
const EXACT: u32 = 9;

/// Creates a table or view of the file without its last rows, if these are not data. Returns false if no rows are
/// excluded; then nothing was created.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    name: &str,
    ends: &Ends,
    kind: &str,
    reading: &mut FileReading,
) -> Result<bool> {
    let candidates = Candidates::from_ends(ends);
    if ends.names.is_empty() || candidates.row_indices().next().is_none() {
        return Ok(false);
    }
    let raw = read_csv_expression(file, ends, &candidates);
    let out = candidates.set_aside(connection, ends, &raw)?;
    if out.is_empty() {
        return Ok(false);
    }
    let rows: Vec<usize> = out.iter().map(|(row, _)| *row).collect();
    let source = format!("(SELECT * FROM {raw} WHERE NOT {})", is_one_of(ends, &rows));
    let told = reading.options.clone();
    let mut columns: Vec<Column> = staged::plain_types(connection, &ends.names, &source)?;
    columns::resolve_column_types(connection, &source, &mut columns, &told, reading)?;
    staged::create_table_or_view(connection, kind, name, &columns, &source)?;
    reading.encoding = Some(ends.encoding.to_owned());
    reading.delimiter = Some(char::from(ends.dialect.delimiter).to_string());
    let told = |(row, reason): &(usize, SetAsideReason)| SetAsideRow {
        row: ends.line_number(*row),
        reason: *reason,
        text: ends.rows.display_row(*row),
    };
    reading.set_aside = out.iter().map(told).collect();
    Ok(true)
}

/// Returns the call that reads every column of the file as text, including short lines if some rows to exclude are
/// short.
fn read_csv_expression(file: &Path, ends: &Ends, candidates: &Candidates) -> String {
    let sign = |byte: Option<u8>| quote_literal(&byte.map(|byte| char::from(byte).to_string()).unwrap_or_default());
    let Dialect { delimiter, quote, escape } = ends.dialect;
    let columns: Vec<String> = ends.names.iter().map(|name| format!("{}: 'VARCHAR'", quote_literal(name))).collect();
    let short = candidates.row_indices().any(|row| ends.rows.cells_of(row) < ends.names.len());
    // The engine cannot pad lines in parallel if a cell contains a line end.
    let padding = if short { "null_padding = true, parallel = false" } else { "null_padding = false" };
    format!(
        "read_csv({}, auto_detect = false, encoding = {}, delim = {}, quote = {}, escape = {}, header = {}, skip = {}, {padding}, columns = {{{}}})",
        path_literal(file),
        quote_literal(ends.encoding),
        sign(Some(delimiter)),
        sign(quote),
        sign(escape.or(quote)),
        ends.header_row > 0,
        ends.header_row.saturating_sub(1),
        columns.join(", ")
    )
}

/// Returns the expression for a text without surrounding blanks; NULL if it is empty.
fn trimmed_expression(name: &str) -> String {
    format!("nullif(trim({}), '')", quote_identifier(name))
}

/// Returns the condition that a row equals one of these rows in all cells.
fn is_one_of(ends: &Ends, rows: &[usize]) -> String {
    let one = |row: &usize| {
        let cells = ends.names.iter().enumerate().map(|(at, name)| match ends.rows.cell(*row, at) {
            "" => format!("{} IS NULL", trimmed_expression(name)),
            cell => format!("coalesce({} = {}, false)", trimmed_expression(name), quote_literal(cell)),
        });
        format!("({})", cells.collect::<Vec<_>>().join(" AND "))
    };
    format!("({})", rows.iter().map(one).collect::<Vec<_>>().join(" OR "))
}

/// Last rows that may not be data.
struct Candidates {
    total: Option<usize>,
    notes: Vec<usize>,
}

/// Statistics of a column, computed by the engine.
struct Counted {
    /// The sum of its numbers for each decimal sign; `None` if a text is not a number with that sign.
    sums: [Option<Sum>; 2],
    /// True if every row has the value of the last one.
    alike: bool,
    /// True if every row has a value.
    filled: bool,
}

struct Sum {
    exact: Option<Figure>,
    places: u32,
    near: f64,
    size: f64,
}

const SIGNS: [DecimalSign; 2] = [DecimalSign::Comma, DecimalSign::Point];

impl Candidates {
    fn from_ends(ends: &Ends) -> Self {
        let all: Vec<usize> = (0..ends.names.len()).collect();
        let notes = ends.last.iter().rev().take_while(|row| is_lone_text(&ends.rows, **row, &all)).count();
        let (above, notes) = ends.last.split_at(ends.last.len() - notes);
        Self { total: above.last().copied(), notes: notes.to_vec() }
    }

    fn row_indices(&self) -> impl Iterator<Item = usize> {
        self.total.into_iter().chain(self.notes.iter().copied())
    }

    /// Returns the rows that are not data, with their kinds.
    fn set_aside(&self, connection: &Connection, ends: &Ends, raw: &str) -> Result<Vec<(usize, SetAsideReason)>> {
        let total = match self.total {
            Some(row) if self.is_total(connection, ends, raw, row)? => Some(row),
            _ => None,
        };
        let notes = match total {
            Some(_) => self.notes.as_slice(),
            // Without a total, notes must be separated from the data.
            None => {
                let short = |row: usize| ends.names.len() > 2 && ends.rows.cells_of(row) == 1;
                let apart = self.notes.iter().position(|row| ends.rows.is_apart(*row) || short(*row));
                apart.map(|at| &self.notes[at..]).unwrap_or_default()
            }
        };
        let notes = notes.iter().map(|row| (*row, SetAsideReason::Footnote));
        let out: Vec<(usize, SetAsideReason)> =
            total.map(|row| (row, SetAsideReason::Total)).into_iter().chain(notes).collect();
        if out.is_empty() {
            return Ok(out);
        }
        // No data row may be equal to these rows, because it would be excluded too.
        let rows: Vec<usize> = out.iter().map(|(row, _)| *row).collect();
        let sql = format!("SELECT count(*) FROM {raw} WHERE {}", is_one_of(ends, &rows));
        let found: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
        Ok(if found == out.len() as i64 { out } else { Vec::new() })
    }

    /// Returns true if a row holds the sums of all rows above it; see [`super::below`].
    fn is_total(&self, connection: &Connection, ends: &Ends, raw: &str, last: usize) -> Result<bool> {
        let cell = |at: usize| ends.rows.cell(last, at);
        let counted = self.compute_column_sums(connection, ends, raw, last)?;
        let (mut summed, mut label) = (Vec::new(), None);
        for (at, column) in counted.iter().enumerate() {
            match Shape::classify(cell(at)) {
                Shape::Empty => {}
                Shape::Number | Shape::Words if column.alike => {}
                Shape::Number => summed.push(at),
                Shape::Words if label.is_none() => label = Some(cell(at)),
                Shape::Words | Shape::Date => return Ok(false),
            }
        }
        let is_sum = |at: &usize| {
            let sums = counted[*at].sums.iter().zip(SIGNS);
            sums.filter_map(|(sum, sign)| Some((sum.as_ref()?, Figure::parse(cell(*at), sign)?)))
                .any(|(sum, total)| sum.equals_total(total))
        };
        if summed.is_empty() || !summed.iter().all(is_sum) {
            return Ok(false);
        }
        let figure = |at: &usize| SIGNS.into_iter().find_map(|sign| Figure::parse(cell(*at), sign));
        let weight: u32 = summed.iter().filter_map(figure).map(Figure::significant_digits).sum();
        let apart = counted.iter().enumerate().any(|(at, column)| cell(at).is_empty() && column.filled);
        Ok(label.is_some_and(is_total_word) || apart && weight >= 3)
    }

    /// Computes the sums of all rows except the candidates.
    fn compute_column_sums(
        &self,
        connection: &Connection,
        ends: &Ends,
        raw: &str,
        last: usize,
    ) -> Result<Vec<Counted>> {
        let candidates: Vec<usize> = self.row_indices().collect();
        let texts: Vec<String> =
            ends.names.iter().enumerate().map(|(at, name)| format!("{} AS t{at}", trimmed_expression(name))).collect();
        let looks = (0..ends.names.len()).map(|at| {
            let text = format!("CASE WHEN NOT {} THEN t{at} END", known_condition(&format!("t{at}")));
            let sums = SIGNS.map(|sign| {
                let matches = format!("regexp_full_match({text}, {})", quote_literal(&number_pattern(sign)));
                let number = |kind: &str| as_number(&format!("({text})"), sign, kind, "TRY_CAST", true);
                let separator = if sign == DecimalSign::Comma { "," } else { "[.]" };
                format!(
                    "coalesce(bool_and({matches}), false),
                     sum({})::VARCHAR,
                     coalesce(max(length(regexp_extract({text}, '{separator}([0-9]*)[^0-9]*$', 1))), 0)::INTEGER,
                     coalesce(sum({near}), 0)::DOUBLE, coalesce(sum(abs({near})), 0)::DOUBLE",
                    number(&format!("DECIMAL(38, {EXACT})")),
                    near = number("DOUBLE"),
                )
            });
            let alike = format!(
                "coalesce(bool_and(coalesce(t{at} = {}, false)), false)",
                quote_literal(ends.rows.cell(last, at))
            );
            format!("{}, {alike}, coalesce(bool_and(t{at} IS NOT NULL), false)", sums.join(", "))
        });
        let looks: Vec<String> = looks.collect();
        let sql = format!(
            "SELECT {} FROM (SELECT {} FROM {raw} WHERE NOT {})",
            looks.join(", "),
            texts.join(", "),
            is_one_of(ends, &candidates)
        );
        connection.query_row(&sql, [], |row| {
            let sum = |at: usize| -> Result<Option<Sum>> {
                let exact: Option<String> = row.get(at + 1)?;
                let sum = Sum {
                    exact: exact.and_then(|text| Figure::parse(&text, DecimalSign::Point)),
                    places: row.get::<_, i32>(at + 2)?.unsigned_abs(),
                    near: row.get(at + 3)?,
                    size: row.get(at + 4)?,
                };
                Ok(row.get::<_, bool>(at)?.then_some(sum))
            };
            (0..ends.names.len())
                .map(|column| {
                    let at = column * 12;
                    Ok(Counted { sums: [sum(at)?, sum(at + 5)?], alike: row.get(at + 10)?, filled: row.get(at + 11)? })
                })
                .collect()
        })
    }
}

impl Sum {
    /// Returns true if the sum equals a total: exactly, or within the precision of a float for numbers that were
    /// computed in binary.
    fn equals_total(&self, total: Figure) -> bool {
        if self.places > EXACT || total.scale > EXACT {
            return (self.near - total.as_f64()).abs() <= self.size * 1e-12;
        }
        self.exact.is_some_and(|sum| {
            sum.units_at_scale(EXACT).is_some() && sum.units_at_scale(EXACT) == total.units_at_scale(EXACT)
        })
    }
}
