//! What an answer says at a glance, as one line. The facts are in its `Headline`; values stand as the database wrote them.

use crate::output::{clean, count};
use vitrine_domain::{Extreme, Headline, HeadlineShape, Page, RunReport};

/// Names that share a place, before "and 3 more".
const NAMED: usize = 3;

/// The line; `None` where the rows themselves say as much.
pub(crate) fn headline_line(report: &RunReport) -> Option<String> {
    let (headline, page) = (report.headline.as_ref()?, report.page.as_ref()?);
    let line = Said { headline, page }.line()?;
    Some(format!("Answer: {}", clean(&line, false)))
}

struct Said<'a> {
    headline: &'a Headline,
    page: &'a Page,
}

impl Said<'_> {
    fn line(&self) -> Option<String> {
        let Headline { shape, measure, .. } = self.headline;
        match shape {
            HeadlineShape::Empty => Some("no rows".to_owned()),
            HeadlineShape::Value => Some(self.value()),
            HeadlineShape::Series => Some(self.series()),
            HeadlineShape::Ranked => self.ranked((*measure)? as usize),
            HeadlineShape::Row | HeadlineShape::Rows => None,
        }
    }

    /// "18462 (number of distinct customer ids; from customer, where region is “North”)"
    fn value(&self) -> String {
        let Headline { tables, conditions, .. } = self.headline;
        let from = (!tables.is_empty()).then(|| format!("from {}", tables.join(", ")));
        let only = (!conditions.is_empty()).then(|| format!("where {}", conditions.join(" and ")));
        let of: Vec<String> = from.into_iter().chain(only).collect();
        let of = if of.is_empty() { String::new() } else { format!("; {}", of.join(", ")) };
        format!("{} ({}{of})", self.cell(0, 0), self.name(0))
    }

    fn series(&self) -> String {
        let last = self.page.rows.len().saturating_sub(1);
        let span = format!("{}, {} to {}", count(self.page.row_count, "row"), self.label(0), self.label(last));
        match (self.headline.measure, self.headline.highest, self.headline.lowest) {
            (Some(at), Some(highest), Some(lowest)) => {
                let end = |end: &Extreme| {
                    format!("{} in {}", self.cell(end.row, at as usize), self.holders(end, at as usize))
                };
                format!("{span}; {} highest {}, lowest {}", self.name(at as usize), end(&highest), end(&lowest))
            }
            _ => span,
        }
    }

    fn ranked(&self, at: usize) -> Option<String> {
        let said = |word: &str, end: &Extreme| format!("{word} {}, {}", self.holders(end, at), self.cell(end.row, at));
        let ends = [("highest", &self.headline.highest), ("lowest", &self.headline.lowest)];
        let ends: Vec<String> = ends.iter().filter_map(|(word, end)| Some(said(word, end.as_ref()?))).collect();
        let more = if self.page.truncated { "at least " } else { "" };
        (!ends.is_empty())
            .then(|| format!("{} ({}; {more}{})", ends.join("; "), self.name(at), count(self.page.row_count, "row")))
    }

    fn cell(&self, row: impl TryInto<usize>, at: usize) -> &str {
        let row = row.try_into().ok().and_then(|row| self.page.rows.get(row));
        row.and_then(|row| row.get(at)).and_then(|cell| cell.as_deref()).unwrap_or("NULL")
    }

    fn label(&self, row: usize) -> String {
        self.headline.labels.iter().map(|at| self.cell(row, *at as usize)).collect::<Vec<_>>().join(", ")
    }

    /// The rows that share a value.
    fn holders(&self, end: &Extreme, at: usize) -> String {
        let value = self.cell(end.row, at);
        let same = (0..self.page.rows.len()).filter(|row| self.cell(*row, at) == value).take(NAMED);
        let names: Vec<String> = same.map(|row| self.label(row)).collect();
        match end.rows as usize - names.len().min(end.rows as usize) {
            0 => names.join("; "),
            more => format!("{} and {more} more", names.join("; ")),
        }
    }

    fn name(&self, at: usize) -> &str {
        let meaning = self.headline.meanings.get(at).and_then(Option::as_deref);
        let name = &self.page.columns[at].name;
        if name.contains('(') { meaning.unwrap_or(name) } else { name }
    }
}
