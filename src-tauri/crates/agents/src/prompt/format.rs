//! Formatting queries, rows and views for prompts.

use crate::prompt::{ViewLine, evidence};
use crate::run::egress::{Egress, ShownPage};
use vitrine_domain::{EgressLevel, ModelProfile, Page, ViewAttempt};
use vitrine_words::format_english_number;

/// Text for a result without rows.
pub const NO_ROWS: &str = "no rows";

/// Maximum number of rows of a result in one line of a prompt, and of cells in a row.
const ROWS: usize = 5;
const CELLS: usize = 6;
/// Maximum number of characters of a cell.
const LETTERS: usize = 40;
/// Maximum number of cells of a view's first row, and of characters of each.
const VIEW_CELLS: usize = 8;
const VIEW_LETTERS: usize = 30;

/// Returns the initial facts and the findings as the facts of a query's prompt. For a small model, the findings are written as comments.
pub fn known_facts(profile: &ModelProfile, facts: &str, found: &[String]) -> String {
    let known = std::iter::once(facts).chain(found.iter().map(String::as_str)).filter(|fact| !fact.is_empty());
    known.collect::<Vec<_>>().join(if profile.deliberates { "\n- " } else { "\n-- " })
}

/// Returns a text on one line, with each run of white space replaced by a space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats the first cells of a row, each shortened: `(a, 1, NULL)`.
pub fn format_row(row: &[Option<String>], cells: usize) -> String {
    let cell = |cell: &Option<String>| {
        let text: String = cell.as_deref().unwrap_or("NULL").chars().take(LETTERS).collect();
        text.replace(['\n', '\t'], " ")
    };
    format!("({})", row.iter().take(cells).map(cell).collect::<Vec<_>>().join(", "))
}

/// Formats a result as `3 rows: (a, 1); (b, 2); (c, NULL)`, shortened to a few rows, cells and characters.
pub fn first_rows(page: &ShownPage<'_>) -> String {
    let shown: Vec<String> = page.rows.iter().take(ROWS).map(|cells| format_row(cells, CELLS)).collect();
    match shown.is_empty() {
        true => NO_ROWS.to_owned(),
        false => format!("{}: {}", format_row_count(page), shown.join("; ")),
    }
}

/// Returns the number of characters of results that a prompt may contain: an eighth of the context, at three characters a token.
pub fn letters_of_results(profile: &ModelProfile) -> usize {
    profile.context_tokens as usize * 3 / 8
}

/// Returns the number of characters that a prompt may contain of each of several results; 0 if the model or the egress level allows only the
/// first cells.
pub fn letters_of_each(profile: &ModelProfile, egress: &Egress, results: usize) -> usize {
    let whole = profile.deliberates && egress.level() >= EgressLevel::Results;
    if whole { letters_of_results(profile) / 2 / results.max(1) } else { 0 }
}

/// Formats all rows with all their cells below the column names, one row a line, up to `letters` characters. A final line counts the
/// omitted rows.
pub fn all_rows(page: &ShownPage<'_>, letters: usize) -> String {
    if page.rows.is_empty() {
        return NO_ROWS.to_owned();
    }
    let names: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    let mut text = format!("{}: ({})", format_row_count(page), names.join(", "));
    // Limits the length of a cell, so that one long cell leaves room for the rows after it.
    let longest = (letters / 8).max(LETTERS);
    let mut shown = 0;
    for cells in &page.rows {
        let cell = |cell: &Option<String>| {
            let cell = cell.as_deref().unwrap_or("NULL");
            let shown: String = cell.chars().take(longest).collect::<String>().replace(['\n', '\t'], " ");
            if shown.len() < cell.len() { format!("{shown}...") } else { shown }
        };
        let line = format!("\n  ({})", cells.iter().map(cell).collect::<Vec<_>>().join(", "));
        if shown > 0 && text.len() + line.len() > letters {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    // The page itself may hold only the first rows of a result.
    let left = (page.row_count as usize).max(page.rows.len()) - shown;
    if left > 0 {
        text.push_str(&format!("\n  and {} more", format_count(left, "row")));
    }
    text
}

/// Formats a view: with columns and rows of at most `letters` characters, and with the cells of its first row for models that get no more.
pub fn view_line(view: &ViewAttempt, egress: &Egress, letters: usize) -> ViewLine {
    let shown = view.page.as_ref().map(|page| egress.mask_page(page));
    let first = shown.as_deref().and_then(|p| p.rows.first().map(|row| (p, row))).map(|(p, row)| {
        let pair = |(column, cell): (&vitrine_domain::ResultColumn, &Option<String>)| {
            let cell: String = cell.as_deref().unwrap_or("NULL").chars().take(VIEW_LETTERS).collect();
            format!("{}={}", column.name, cell.replace('\n', " "))
        };
        p.columns.iter().zip(row).take(VIEW_CELLS).map(pair).collect::<Vec<_>>().join(", ")
    });
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    if let Some((page, shown)) = view.page.as_ref().zip(shown.as_deref()).filter(|_| letters > 0) {
        columns = evidence::describe_columns(page, &view.distinct, egress);
        rows = evidence::show_rows(&shown.rows, letters);
    }
    ViewLine {
        name: view.name.clone(),
        rationale: view.rationale.clone(),
        rows: shown.as_deref().map_or_else(|| format_count(0, "row"), format_row_count),
        sql: view.sql.clone(),
        sample: first.unwrap_or_else(|| "(no row)".to_owned()),
        columns,
        shown: rows,
    }
}

/// Formats a row count: `12 rows`, or `at least 1,000 rows` if reading stopped there.
pub fn format_row_count(page: &Page) -> String {
    if !page.truncated {
        return format_count(page.row_count as usize, "row");
    }
    format!("at least {} rows", format_english_number(page.row_count))
}

/// Formats a count with its noun: `1 row`, `2 rows`.
pub fn format_count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_model_and_a_strict_level_get_the_first_cells() {
        let large = ModelProfile::default();
        let small = ModelProfile { deliberates: false, ..ModelProfile::default() };
        assert_eq!(letters_of_each(&large, &Egress::at_level(EgressLevel::Results), 2), 32_768 * 3 / 8 / 4);
        assert_eq!(letters_of_each(&large, &Egress::at_level(EgressLevel::Samples), 2), 0);
        assert_eq!(letters_of_each(&small, &Egress::default(), 2), 0);
    }
}
