//! Results as evidence for models with a large budget: columns with types and distinct values, and 5 to 20 rows.

use crate::run::egress::{Egress, MASKED};
use std::cmp::Reverse;
use std::collections::HashMap;
use vitrine_domain::page::CellType;
use vitrine_domain::{DistinctValues, Page, ResultColumn};

/// Minimum number of rows that a prompt shows of a longer result.
const FEWEST_ROWS: usize = 5;
/// Maximum number of rows that a prompt shows of a result.
pub const MOST_ROWS: usize = 20;
/// Maximum number of listed values of a column.
const VALUES: usize = 8;
/// Maximum number of characters of a value.
const VALUE: usize = 40;
/// Lowest and highest limit for the characters of a cell.
const CELL: (usize, usize) = (40, 200);

/// Counts the distinct values of each column and collects the most frequent ones.
pub fn collect_distinct(page: &Page) -> Vec<DistinctValues> {
    let columns = 0..page.columns.len();
    columns
        .map(|column| {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for cell in page.rows.iter().filter_map(|row| row.get(column)?.as_deref()) {
                *counts.entry(cell).or_default() += 1;
            }
            let count = counts.len();
            let repeats = count <= VALUES || count * 2 <= page.rows.len();
            let mut values: Vec<(&str, usize)> = counts.into_iter().filter(|_| repeats).collect();
            values.sort_by_key(|&(value, times)| (Reverse(times), value));
            let values = values.into_iter().take(VALUES).map(|(value, _)| value.chars().take(VALUE).collect());
            DistinctValues { count: count as u32, values: values.collect() }
        })
        .collect()
}

/// Returns a line for each column: `status text, 3 distinct: 'open', 'paid', 'late'`. Names and values are masked like
/// those of a page.
pub fn describe_columns(page: &Page, distinct: &[DistinctValues], egress: &Egress) -> Vec<String> {
    let values = arrange_values(page, distinct);
    let shown = egress.mask_page(&values);
    let line = |(at, column): (usize, &ResultColumn)| {
        let start = format!("{} {}", one_line(&column.name), describe_cell_type(column.cell_type));
        let Some(known) = distinct.get(at) else { return start };
        let least = if page.truncated { "at least " } else { "" };
        let cells = shown.rows.iter().filter_map(|row| row[at].as_deref()).filter(|cell| *cell != MASKED);
        let quoted: Vec<String> = cells.map(|value| quote(value, column.cell_type)).collect();
        let more = if quoted.len() < known.count as usize { ", ..." } else { "" };
        match quoted.is_empty() {
            true => format!("{start}, {least}{} distinct", known.count),
            false => format!("{start}, {least}{} distinct: {}{more}", known.count, quoted.join(", ")),
        }
    };
    shown.columns.iter().enumerate().map(line).collect()
}

/// Arranges the distinct values of each column below its name, as a page that can be masked.
fn arrange_values(page: &Page, distinct: &[DistinctValues]) -> Page {
    let most = distinct.iter().map(|known| known.values.len()).max().unwrap_or(0);
    let value = |column: usize, at: usize| distinct.get(column).and_then(|known| known.values.get(at).cloned());
    let rows = (0..most).map(|at| (0..page.columns.len()).map(|column| value(column, at)).collect()).collect();
    Page { columns: page.columns.clone(), rows, ..Page::default() }
}

/// Returns the first rows that fit into `letters` characters, 5 to 20. Rows of many cells are cut.
pub fn show_rows(rows: &[Vec<Option<String>>], letters: usize) -> Vec<String> {
    let longest_row = (letters / FEWEST_ROWS).max(CELL.0);
    let mut left = letters;
    let mut shown = Vec::new();
    for row in rows.iter().take(MOST_ROWS) {
        let longest = (longest_row / row.len().max(1)).clamp(CELL.0, CELL.1);
        let cell = |cell: &Option<String>| {
            one_line(&cell.as_deref().unwrap_or("NULL").chars().take(longest).collect::<String>())
        };
        let mut text = row.iter().map(cell).collect::<Vec<_>>().join(", ");
        if let Some((end, _)) = text.char_indices().nth(longest_row) {
            text.truncate(end);
            text.push_str("...");
        }
        if shown.len() >= FEWEST_ROWS && text.len() > left {
            break;
        }
        left = left.saturating_sub(text.len());
        shown.push(format!("({text})"));
    }
    shown
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// Formats a value as SQL spells it.
fn quote(value: &str, cell_type: CellType) -> String {
    let plain = matches!(
        cell_type,
        CellType::Boolean | CellType::Integer | CellType::Decimal | CellType::Float | CellType::Nested
    );
    if plain { one_line(value) } else { format!("'{}'", one_line(value).replace('\'', "''")) }
}

/// Returns the name of a cell type for prompts.
pub fn describe_cell_type(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::Boolean => "true or false",
        CellType::Integer => "whole number",
        CellType::Decimal | CellType::Float => "number",
        CellType::Text => "text",
        CellType::Date => "date",
        CellType::Time => "time of day",
        CellType::Timestamp => "date with time",
        CellType::Binary => "bytes",
        CellType::Nested => "nested",
        CellType::Null => "without a value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::EgressLevel;

    fn make_page(rows: usize) -> Page {
        let row = |n: usize| {
            vec![Some(n.to_string()), Some(["open", "it's\nback"][usize::from(n.is_multiple_of(3))].to_owned())]
        };
        Page {
            columns: vec![ResultColumn::new("id", CellType::Integer), ResultColumn::new("status", CellType::Text)],
            rows: (1..=rows).map(row).collect(),
            row_count: rows as u64,
            truncated: false,
        }
    }

    #[test]
    fn columns_have_types_and_the_values_that_repeat() {
        let page = make_page(30);
        let lines = describe_columns(&page, &collect_distinct(&page), &Egress::default());
        assert_eq!(lines, ["id whole number, 30 distinct", "status text, 2 distinct: 'open', 'it''s back'"]);
        let cut = Page { truncated: true, ..page };
        assert!(describe_columns(&cut, &[], &Egress::default())[1].ends_with("status text"));
        assert!(
            describe_columns(&cut, &collect_distinct(&cut), &Egress::default())[0].ends_with("at least 30 distinct")
        );
    }

    #[test]
    fn masked_columns_and_values_that_look_personal_are_counted_but_not_listed() {
        let mut page = make_page(30);
        page.columns[1].masked = true;
        let lines =
            |page: &Page| describe_columns(page, &collect_distinct(page), &Egress::at_level(EgressLevel::Results));
        assert_eq!(lines(&page)[1], "status text, 2 distinct");
        page.columns[1].name_masked = true;
        assert_eq!(lines(&page)[1], "column 2 text, 2 distinct", "a pivoted value may be the name");
        page.columns[1] = ResultColumn::new("status", CellType::Text);
        page.rows.iter_mut().step_by(2).for_each(|row| row[1] = Some("ada@example.org".into()));
        assert_eq!(lines(&page)[1], "status text, 3 distinct: 'open', 'it''s back', ...");
    }

    #[test]
    fn five_to_twenty_rows_are_shown_as_the_budget_allows() {
        let rows = make_page(30).rows;
        assert_eq!((show_rows(&rows, 10).len(), show_rows(&rows, 100_000).len()), (5, 20));
        assert_eq!(show_rows(&rows[2..3], 100), ["(3, it's back)"]);
        let wide = vec![vec![Some("x".repeat(500)); 100]; 9];
        assert!(show_rows(&wide, 2_000).concat().len() < 2_500, "the budget also bounds rows of many cells");
    }
}
