//! Output: results to standard output, everything else to standard error; tables that fit a terminal.

use serde::Serialize;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use vitrine_domain::{AppError, CellType, Page, ResultColumn};
use vitrine_words::{plural, tr};

pub(crate) use vitrine_words::format_number;

/// Maximum width of a cell in a terminal.
const WIDEST: usize = 60;
/// Maximum number of table rows in a terminal; a file or a program receives all rows.
const TERMINAL_ROWS: usize = 50;

/// Writes text to standard output without control characters. A closed pipe is not an error.
pub(crate) fn print_text(text: &str) {
    let lines: Vec<String> = text.split('\n').map(sanitize_line).collect();
    write_out(&lines.join("\n"));
}

fn write_out(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = out.write_all(b"\n");
    }
    let _ = out.flush();
}

/// Writes one JSON value to standard output.
pub(crate) fn print_json(value: &impl Serialize) {
    print_json_text(&serde_json::to_string_pretty(value).expect("plain data"));
}

/// Writes JSON text to standard output. Control characters are escaped, so the data do not change.
pub(crate) fn print_json_text(text: &str) {
    write_out(&escape_json(text));
}

fn escape_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if c.is_control() || is_direction_control(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Writes a line to standard error.
pub(crate) fn print_note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints an error: what failed, why, and the next step.
pub(crate) fn print_error(error: &AppError) {
    let mut text = tr!("error: {message}", message = sanitize_text(&error.message, false));
    if let Some(detail) = &error.detail {
        let _ = write!(text, "\n  {}", sanitize_text(detail, true).trim_end().replace('\n', "\n  "));
    }
    if let Some(hint) = &error.hint {
        let _ = write!(text, "\n{}", tr!("hint: {hint}", hint = sanitize_text(hint, false)));
    }
    print_note(&text);
}

/// Removes control characters from text of a database or a model.
pub(crate) fn sanitize_text(text: &str, lines: bool) -> String {
    text.chars()
        .map(|c| match c {
            '\n' if lines => c,
            '\n' => '⏎',
            '\t' => ' ',
            c => sanitize_char(c),
        })
        .collect()
}

/// Removes control characters from a line but keeps its columns.
fn sanitize_line(line: &str) -> String {
    line.trim_end_matches('\r').chars().map(|c| if c == '\t' { c } else { sanitize_char(c) }).collect()
}

fn sanitize_char(c: char) -> char {
    if c.is_control() || is_direction_control(c) { '\u{fffd}' } else { c }
}

/// Returns true if a character changes the direction of the surrounding text.
fn is_direction_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Formats the rows of a page as a table, limited in a terminal to a number that is convenient to scroll.
pub(crate) fn format_page(page: &Page) -> String {
    let in_terminal = std::io::stdout().is_terminal();
    let rows = if in_terminal { TERMINAL_ROWS } else { usize::MAX };
    format_table(&page.columns, &page.rows, rows, if in_terminal { WIDEST } else { usize::MAX })
}

/// Formats a table of plain text cells.
pub(crate) fn text_table(head: &[(String, CellType)], rows: &[Vec<String>]) -> String {
    let columns: Vec<_> = head.iter().map(|(name, kind)| ResultColumn::new(name.clone(), *kind)).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().cloned().map(Some).collect()).collect();
    format_table(&columns, &rows, usize::MAX, WIDEST)
}

fn format_table(columns: &[ResultColumn], rows: &[Vec<Option<String>>], most: usize, widest: usize) -> String {
    let head: Vec<String> = columns.iter().map(|column| truncate_cell(&column.name, widest)).collect();
    let body: Vec<Vec<String>> = rows
        .iter()
        .take(most)
        .map(|row| {
            row.iter()
                .map(|cell| cell.as_deref().map_or("NULL".to_owned(), |text| truncate_cell(text, widest)))
                .collect()
        })
        .collect();
    let width = |column: usize| {
        body.iter().map(|row| row[column].width()).chain([head[column].width()]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut out = String::new();
    let mut line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(columns)
            .zip(&widths)
            .map(|((cell, column), width)| pad_cell(cell, column, *width))
            .collect();
        out += padded.join("  ").trim_end();
        out.push('\n');
    };
    line(&head);
    line(&widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>());
    body.iter().for_each(|row| line(row));
    if rows.len() > most {
        let _ = writeln!(out, "{}", plural!(rows.len() - most, "… {n} more row", "… {n} more rows"));
    }
    out
}

fn pad_cell(cell: &str, column: &ResultColumn, width: usize) -> String {
    let space = " ".repeat(width.saturating_sub(cell.width()));
    match column.cell_type {
        CellType::Integer | CellType::Decimal | CellType::Float => space + cell,
        _ => cell.to_owned() + &space,
    }
}

fn truncate_cell(text: &str, widest: usize) -> String {
    let text = sanitize_text(text, false);
    if text.width() <= widest {
        return text;
    }
    let mut room = widest - 1;
    let fits = |c: &char| {
        let width = c.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    text.chars().take_while(fits).collect::<String>() + "…"
}

/// Returns the date of a stored timestamp: RFC 3339, UTC.
pub(crate) fn date_part(moment: &str) -> &str {
    moment.split('T').next().unwrap_or(moment)
}

/// Formats a number of rows: `1 row`, `2 rows`.
pub(crate) fn in_rows(n: u64) -> String {
    plural!(n, "{n} row", "{n} rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_columns() -> Vec<ResultColumn> {
        let column = |name: &str, cell_type| ResultColumn::new(name, cell_type);
        vec![column("city", CellType::Text), column("orders", CellType::Integer)]
    }

    #[test]
    fn a_line_has_nothing_that_a_terminal_obeys_and_json_stays_the_same_data() {
        assert_eq!(sanitize_line("a\u{1b}[2Jb\tc\u{9b}d\u{202e}e\r"), "a\u{fffd}[2Jb\tc\u{fffd}d\u{fffd}e");
        assert_eq!(sanitize_line("Zürich 東京 'x'"), "Zürich 東京 'x'");
        let value = serde_json::json!({ "a\u{9b}": "b\u{202e}\u{1b}ü" });
        let text = escape_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !is_direction_control(c)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn numbers_stand_right_and_missing_values_are_named() {
        let rows = vec![vec![Some("Köln".to_owned()), Some("7".to_owned())], vec![None, Some("1200".to_owned())]];
        assert_eq!(
            format_table(&make_columns(), &rows, 9, 60),
            "city  orders\n────  ──────\nKöln       7\nNULL    1200\n"
        );
    }

    #[test]
    fn wide_characters_do_not_break_the_columns() {
        let rows = vec![
            vec![Some("東京".to_owned()), Some("1".to_owned())],
            vec![Some("Rome".to_owned()), Some("2".to_owned())],
        ];
        let text = format_table(&make_columns(), &rows, 9, 60);
        let ends: Vec<usize> = text.lines().skip(2).map(UnicodeWidthStr::width).collect();
        assert_eq!(ends[0], ends[1]);
    }

    #[test]
    fn text_of_a_database_cannot_command_the_terminal() {
        let rows = vec![vec![Some("a\u{1b}[2Jb\nc\u{202e}d".to_owned()), Some("1".to_owned())]];
        let text = format_table(&make_columns(), &rows, 9, 60);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}') && text.contains("a\u{fffd}[2Jb⏎c\u{fffd}d"));
    }

    #[test]
    fn long_tables_and_cells_are_cut_and_say_so() {
        let rows = vec![vec![Some("x".repeat(100)), Some("1".to_owned())]; 5];
        let text = format_table(&make_columns(), &rows, 2, 10);
        assert!(text.ends_with("… 3 more rows\n"), "{text}");
        assert!(text.lines().nth(2).unwrap().starts_with(&("x".repeat(9) + "…")), "{text}");
        assert_eq!(format_number(1_234_567), "1,234,567");
    }
}
