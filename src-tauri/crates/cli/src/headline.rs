//! The headline of an answer on one line. The facts are in its `Headline`; values are formatted as in the database.

use crate::output::{in_rows, sanitize_text};
use vitrine_domain::{Extreme, Headline, HeadlineShape, Page, RunReport};
use vitrine_words::{join_with_and, tr};

/// Maximum number of listed names that share a place, before "and 3 more".
const NAMED: usize = 3;

/// Returns the headline. `None` if the rows already show it.
pub(crate) fn headline_line(report: &RunReport) -> Option<String> {
    let (headline, page) = (report.headline.as_ref()?, report.page.as_ref()?);
    let line = HeadlineFormatter { headline, page }.format_headline()?;
    Some(tr!("Answer: {answer}", answer = sanitize_text(&line, false)))
}

struct HeadlineFormatter<'a> {
    headline: &'a Headline,
    page: &'a Page,
}

impl HeadlineFormatter<'_> {
    fn format_headline(&self) -> Option<String> {
        let Headline { shape, measure, .. } = self.headline;
        match shape {
            HeadlineShape::Empty => Some(tr!("no rows")),
            HeadlineShape::Value => Some(self.format_value()),
            HeadlineShape::Series => Some(self.format_series()),
            HeadlineShape::Ranked => self.format_ranked((*measure)? as usize),
            HeadlineShape::Row | HeadlineShape::Rows => None,
        }
    }

    /// Formats a value: "18462 (number of distinct customer ids; from customer, where region is “North”)".
    fn format_value(&self) -> String {
        let Headline { tables, conditions, .. } = self.headline;
        let from = (!tables.is_empty()).then(|| tr!("from {tables}", tables = tables.join(", ")));
        let only = (!conditions.is_empty()).then(|| tr!("where {conditions}", conditions = join_with_and(conditions)));
        let of: Vec<String> = from.into_iter().chain(only).collect();
        let of = if of.is_empty() { String::new() } else { format!("; {}", of.join(", ")) };
        format!("{} ({}{of})", self.cell_text(0, 0), self.column_name(0))
    }

    fn format_series(&self) -> String {
        let last = self.page.rows.len().saturating_sub(1);
        let span = tr!(
            "{rows}, {first} to {last}",
            rows = in_rows(self.page.row_count),
            first = self.row_label(0),
            last = self.row_label(last)
        );
        match (self.headline.measure, self.headline.highest, self.headline.lowest) {
            (Some(at), Some(highest), Some(lowest)) => {
                let end = |end: &Extreme| {
                    let (value, place) = (self.cell_text(end.row, at as usize), self.format_holders(end, at as usize));
                    tr!("{value} in {place}", value, place)
                };
                tr!(
                    "{span}; {measure} highest {highest}, lowest {lowest}",
                    span,
                    measure = self.column_name(at as usize),
                    highest = end(&highest),
                    lowest = end(&lowest)
                )
            }
            _ => span,
        }
    }

    fn format_ranked(&self, at: usize) -> Option<String> {
        let said = |word: &str, end: &Extreme| {
            format!("{word} {}, {}", self.format_holders(end, at), self.cell_text(end.row, at))
        };
        let ends = [(tr!("highest"), &self.headline.highest), (tr!("lowest"), &self.headline.lowest)];
        let ends: Vec<String> = ends.iter().filter_map(|(word, end)| Some(said(word, end.as_ref()?))).collect();
        let rows = in_rows(self.page.row_count);
        let rows = if self.page.truncated { tr!("at least {rows}", rows) } else { rows };
        (!ends.is_empty()).then(|| format!("{} ({}; {rows})", ends.join("; "), self.column_name(at)))
    }

    fn cell_text(&self, row: impl TryInto<usize>, at: usize) -> &str {
        let row = row.try_into().ok().and_then(|row| self.page.rows.get(row));
        row.and_then(|row| row.get(at)).and_then(|cell| cell.as_deref()).unwrap_or("NULL")
    }

    fn row_label(&self, row: usize) -> String {
        self.headline.labels.iter().map(|at| self.cell_text(row, *at as usize)).collect::<Vec<_>>().join(", ")
    }

    /// Lists the rows that share a value.
    fn format_holders(&self, end: &Extreme, at: usize) -> String {
        let value = self.cell_text(end.row, at);
        let same = (0..self.page.rows.len()).filter(|row| self.cell_text(*row, at) == value).take(NAMED);
        let names: Vec<String> = same.map(|row| self.row_label(row)).collect();
        match end.rows as usize - names.len().min(end.rows as usize) {
            0 => names.join("; "),
            more => tr!("{names} and {more} more", names = names.join("; "), more),
        }
    }

    fn column_name(&self, at: usize) -> &str {
        let meaning = self.headline.meanings.get(at).and_then(Option::as_deref);
        let name = &self.page.columns[at].name;
        if name.contains('(') { meaning.unwrap_or(name) } else { name }
    }
}
