//! The sentence of a result, computed from its headline and its rows.

use crate::values::{column_label, format_value};
use vitrine_domain::{Extreme, Headline, HeadlineShape, Page, capitalize_first};
use vitrine_words::{join_with_and, plural, tr};

/// Maximum number of rows with the same value that are named, before "and 3 more".
const NAMED: usize = 3;
/// Maximum number of columns that the sentence about a single row names.
const MOST_COLUMNS: usize = 4;

/// Describes a result in one sentence.
pub fn describe_result(headline: Option<&Headline>, page: &Page) -> String {
    if page.row_count == 0 || page.columns.is_empty() {
        return tr!("No rows");
    }
    let rows = describe_row_count(page);
    let Some(headline) = headline else { return rows };
    let sentence = Sentence { headline, page, rows };
    match headline.shape {
        HeadlineShape::Empty => tr!("No rows"),
        HeadlineShape::Value => sentence.describe_value(),
        HeadlineShape::Row => sentence.describe_row(),
        HeadlineShape::Series => sentence.describe_series(),
        HeadlineShape::Ranked => sentence.describe_ranked().unwrap_or(sentence.rows),
        HeadlineShape::Rows => match headline.labels.as_slice() {
            [label] if !page.truncated => {
                tr!("{rows}, one per {label}", rows = sentence.rows, label = sentence.column_name(*label))
            }
            _ => sentence.rows,
        },
    }
}

fn describe_row_count(page: &Page) -> String {
    match page.truncated {
        true => plural!(page.row_count, "The first row; more exist", "The first {n} rows; more exist"),
        false => plural!(page.row_count, "{n} row", "{n} rows"),
    }
}

struct Sentence<'a> {
    headline: &'a Headline,
    page: &'a Page,
    rows: String,
}

impl Sentence<'_> {
    /// Describes a single value: "Number of orders: 1,204 (from orders, where status is “paid”)".
    fn describe_value(&self) -> String {
        let Headline { tables, conditions, .. } = self.headline;
        let name = capitalize_first(&self.column_name(0));
        let value = self.cell_text(0, 0);
        let tables: Vec<String> = tables.iter().map(|table| table.replace('_', " ")).collect();
        let scope = match (tables.is_empty(), conditions.is_empty()) {
            (true, true) => return tr!("{name}: {value}", name, value),
            (true, false) => tr!("where {conditions}", conditions = join_with_and(conditions)),
            (false, true) => tr!("from {tables}", tables = join_with_and(&tables)),
            (false, false) => tr!(
                "from {tables}, where {conditions}",
                tables = join_with_and(&tables),
                conditions = join_with_and(conditions)
            ),
        };
        tr!("{name}: {value} ({scope})", name, value, scope)
    }

    fn describe_row(&self) -> String {
        let Headline { measure, labels, .. } = self.headline;
        if let Some(measure) = measure.filter(|_| !labels.is_empty() && self.page.columns.len() == labels.len() + 1) {
            let (row, value) = (self.row_label(0), self.cell_text(0, measure));
            return tr!("{row}: {value} ({name})", row, value, name = self.column_name(measure));
        }
        let shown = (0..self.page.columns.len().min(MOST_COLUMNS) as u32)
            .map(|at| format!("{}: {}", self.column_name(at), self.cell_text(0, at)));
        let mut parts: Vec<String> = shown.collect();
        if self.page.columns.len() > MOST_COLUMNS {
            parts.push("…".to_owned());
        }
        parts.join("; ")
    }

    fn describe_series(&self) -> String {
        let last = self.page.rows.len().saturating_sub(1);
        let label = |row: usize| self.headline.labels.first().map(|at| self.raw_cell(row, *at)).unwrap_or_default();
        let (first, last) = if label(0) <= label(last) { (0, last) } else { (last, 0) };
        let span = tr!(
            "{rows}, {first} to {last}",
            rows = self.rows,
            first = self.row_label(first),
            last = self.row_label(last)
        );
        let (Some(measure), Some(highest), Some(lowest)) =
            (self.headline.measure, self.headline.highest, self.headline.lowest)
        else {
            return span;
        };
        let name = self.column_name(measure);
        if highest.rows as usize == self.page.rows.len() {
            return tr!("{span}: {name} is always {value}", span, name, value = self.cell_text(0, measure));
        }
        tr!(
            "{span}: {name} highest in {high} ({most}), lowest in {low} ({least})",
            span,
            name,
            high = self.name_holders(highest, measure),
            most = self.cell_text(highest.row as usize, measure),
            low = self.name_holders(lowest, measure),
            least = self.cell_text(lowest.row as usize, measure)
        )
    }

    fn describe_ranked(&self) -> Option<String> {
        let Headline { highest, lowest, .. } = *self.headline;
        let measure = self.headline.measure?;
        let (name, rows) = (self.column_name(measure), &self.rows);
        let describe = |end: Extreme| {
            let (value, names) = (self.cell_text(end.row as usize, measure), self.name_holders(end, measure));
            tr!("{value} for {names}", value, names)
        };
        Some(match (highest, lowest) {
            (Some(high), Some(_)) if high.rows as usize == self.page.rows.len() => {
                let value = self.cell_text(high.row as usize, measure);
                tr!("{name} is {value} in every row ({rows})", name = capitalize_first(&name), value, rows)
            }
            (Some(high), Some(low)) => tr!(
                "Highest {name}: {high}; lowest: {low} ({rows})",
                name,
                high = describe(high),
                low = describe(low),
                rows
            ),
            (Some(high), None) => tr!("Highest {name}: {high} ({rows})", name, high = describe(high), rows),
            (None, Some(low)) => tr!("Lowest {name}: {low} ({rows})", name, low = describe(low), rows),
            (None, None) => return None,
        })
    }

    /// Names the rows that share a value.
    fn name_holders(&self, end: Extreme, measure: u32) -> String {
        let value = self.raw_cell(end.row as usize, measure);
        let holders = (0..self.page.rows.len()).filter(|row| self.raw_cell(*row, measure) == value);
        let names: Vec<String> = holders.take(NAMED).map(|row| self.row_label(row)).collect();
        match (end.rows as usize).saturating_sub(names.len()) {
            0 => join_with_and(&names),
            more => tr!("{names} and {more} more", names = names.join(", "), more),
        }
    }

    fn row_label(&self, row: usize) -> String {
        self.headline.labels.iter().map(|at| self.cell_text(row, *at)).collect::<Vec<_>>().join(", ")
    }

    fn column_name(&self, at: u32) -> String {
        column_label(self.page, Some(self.headline), at as usize)
    }

    fn raw_cell(&self, row: usize, at: u32) -> &str {
        let cell = self.page.rows.get(row).and_then(|row| row.get(at as usize));
        cell.and_then(|cell| cell.as_deref()).unwrap_or_default()
    }

    fn cell_text(&self, row: usize, at: u32) -> String {
        let cell = self.page.rows.get(row).and_then(|row| row.get(at as usize)).and_then(|cell| cell.as_deref());
        match (cell, self.page.columns.get(at as usize)) {
            (Some(text), Some(column)) => crate::values::clip_text(&format_value(column, text), 80),
            _ => tr!("no value"),
        }
    }
}
