//! Formatting queries, rows and views for prompts.

use crate::prompt::ViewLine;
use crate::run::egress::ShownPage;
use vitrine_domain::{ModelProfile, Page, ViewAttempt};
use vitrine_words::format_english_number;

/// The text for a result without rows.
pub const NO_ROWS: &str = "no rows";

/// The most rows of a result in one line of a prompt, and cells of a row.
const ROWS: usize = 5;
const CELLS: usize = 6;
/// Characters of a cell.
const LETTERS: usize = 40;
/// Cells of a view's first row, and characters of each.
const VIEW_CELLS: usize = 8;
const VIEW_LETTERS: usize = 30;

/// What is known from the start, and what was found out, as the facts of a query's prompt. A small model reads them in
/// comments.
pub fn known_facts(profile: &ModelProfile, facts: &str, found: &[String]) -> String {
    let known = std::iter::once(facts).chain(found.iter().map(String::as_str)).filter(|fact| !fact.is_empty());
    known.collect::<Vec<_>>().join(if profile.deliberates { "\n- " } else { "\n-- " })
}

/// A text on one line, with each run of white space replaced by a space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `(a, 1, NULL)`: the first cells of a row, each shortened.
pub fn format_row(row: &[Option<String>], cells: usize) -> String {
    let cell = |cell: &Option<String>| {
        let text: String = cell.as_deref().unwrap_or("NULL").chars().take(LETTERS).collect();
        text.replace(['\n', '\t'], " ")
    };
    format!("({})", row.iter().take(cells).map(cell).collect::<Vec<_>>().join(", "))
}

/// `3 rows: (a, 1); (b, 2); (c, NULL)`, shortened to a few rows, cells and characters.
pub fn first_rows(page: &ShownPage<'_>) -> String {
    let shown: Vec<String> = page.rows.iter().take(ROWS).map(|cells| format_row(cells, CELLS)).collect();
    match shown.is_empty() {
        true => NO_ROWS.to_owned(),
        false => format!("{}: {}", format_row_count(page), shown.join("; ")),
    }
}

/// Characters of results that a prompt may show: an eighth of the context, at three characters a token.
pub fn letters_of_results(profile: &ModelProfile) -> usize {
    profile.context_tokens as usize * 3 / 8
}

/// All rows with all their cells below the names of the columns, one row a line, as far as they fit into so many
/// characters. What does not fit is counted.
pub fn all_rows(page: &ShownPage<'_>, letters: usize) -> String {
    if page.rows.is_empty() {
        return NO_ROWS.to_owned();
    }
    let names: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    let mut text = format!("{}: ({})", format_row_count(page), names.join(", "));
    // A single long cell leaves room for the rows behind it.
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
    // The page may be the beginning of a result itself.
    let left = (page.row_count as usize).max(page.rows.len()) - shown;
    if left > 0 {
        text.push_str(&format!("\n  and {} more", format_count(left, "row")));
    }
    text
}

/// A view with the cells of its first row, of the page that is shown of it.
pub fn view_line(view: &ViewAttempt, page: Option<ShownPage<'_>>) -> ViewLine {
    let page = page.as_deref();
    let first = page.and_then(|p| p.rows.first().map(|row| (p, row))).map(|(p, row)| {
        let pair = |(column, cell): (&vitrine_domain::ResultColumn, &Option<String>)| {
            let cell: String = cell.as_deref().unwrap_or("NULL").chars().take(VIEW_LETTERS).collect();
            format!("{}={}", column.name, cell.replace('\n', " "))
        };
        p.columns.iter().zip(row).take(VIEW_CELLS).map(pair).collect::<Vec<_>>().join(", ")
    });
    ViewLine {
        name: view.name.clone(),
        rationale: view.rationale.clone(),
        rows: page.map_or_else(|| format_count(0, "row"), format_row_count),
        sql: view.sql.clone(),
        sample: first.unwrap_or_else(|| "(no row)".to_owned()),
    }
}

/// `12 rows`; `at least 1,000 rows` where no more were read.
pub fn format_row_count(page: &Page) -> String {
    if !page.truncated {
        return format_count(page.row_count as usize, "row");
    }
    format!("at least {} rows", format_english_number(page.row_count))
}

/// `1 row`, `2 rows`.
pub fn format_count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
