//! Selects the chart of a result. Misleading charts are excluded: identifiers, years and places are not amounts, and a
//! truncated result is not the whole.

use super::roles::{Role, amount_of, column_values, find_role};
use super::{Chart, ChartKind};
use std::collections::HashSet;
use vitrine_domain::{Headline, HeadlineShape, Page};

/// Maximum number of rows in a chart.
const MOST_ROWS: usize = 5_000;
/// Maximum number of columns of a result with a chart; wider results are lists of properties.
const MOST_COLUMNS: usize = 12;
/// Number of distinguishable colours.
pub(super) const MOST_SERIES: usize = 8;
/// Maximum number of bars.
pub(super) const MOST_BARS: usize = 30;

/// Selects the chart of a complete result; `None` if no chart shows it well.
pub fn choose_chart(page: &Page, headline: Option<&Headline>) -> Option<Chart> {
    let is_whole = !page.truncated && page.rows.len() as u64 == page.row_count;
    if !is_whole || !(2..=MOST_ROWS).contains(&page.rows.len()) || !(2..=MOST_COLUMNS).contains(&page.columns.len()) {
        return None;
    }
    let chooser = Chooser::new(page, headline);
    if chooser.roles.contains(&Role::Place) {
        return None;
    }
    let main = headline.and_then(|headline| headline.measure).map(|at| at as usize);
    let mut measures = chooser.amounts();
    measures.sort_by_key(|at| Some(*at) != main);
    measures.into_iter().find_map(|measure| chooser.choose_for(measure))
}

/// Returns true if a chart from outside fits the result.
pub(super) fn fits_page(chart: &Chart, page: &Page) -> bool {
    let columns: Vec<usize> =
        chart.along.iter().chain(&chart.by).chain([&chart.measure]).map(|at| *at as usize).collect();
    let is_number = |at: usize| {
        let mut values = column_values(page, at).flatten().peekable();
        values.peek().is_some() && values.all(|text| amount_of(text).is_some())
    };
    let needs_series = matches!(chart.kind, ChartKind::Grouped | ChartKind::Stacked);
    columns.iter().all(|at| *at < page.columns.len())
        && !page.rows.is_empty()
        && page.rows.len() <= MOST_ROWS
        && is_number(chart.measure as usize)
        && !chart.along.is_empty()
        && (!needs_series || chart.by.is_some())
        && (chart.kind != ChartKind::Points || is_number(chart.along[0] as usize))
}

struct Chooser<'a> {
    page: &'a Page,
    headline: Option<&'a Headline>,
    roles: Vec<Role>,
}

impl<'a> Chooser<'a> {
    fn new(page: &'a Page, headline: Option<&'a Headline>) -> Self {
        let labels = headline.map(|headline| headline.labels.as_slice()).unwrap_or_default();
        let roles = (0..page.columns.len()).map(|at| find_role(page, at, labels.contains(&(at as u32)))).collect();
        Self { page, headline, roles }
    }

    fn with_role(&self, role: Role) -> Vec<usize> {
        (0..self.roles.len()).filter(|at| self.roles[*at] == role).collect()
    }

    /// Returns the columns whose values are all numbers.
    fn amounts(&self) -> Vec<usize> {
        let is_drawable = |at: &usize| {
            let mut known = column_values(self.page, *at).flatten().peekable();
            known.peek().is_some() && known.all(|text| amount_of(text).is_some())
        };
        self.with_role(Role::Amount).into_iter().filter(is_drawable).collect()
    }

    fn count_distinct(&self, at: usize) -> usize {
        column_values(self.page, at).collect::<HashSet<_>>().len()
    }

    fn identifies_rows(&self, columns: &[usize]) -> bool {
        let key = |row: usize| columns.iter().map(|at| self.page.rows[row][*at].as_deref()).collect::<Vec<_>>();
        (0..self.page.rows.len()).map(key).collect::<HashSet<_>>().len() == self.page.rows.len()
    }

    fn choose_for(&self, measure: usize) -> Option<Chart> {
        let chart = |kind, along: &[usize], by: Option<usize>| Chart {
            kind,
            measure: measure as u32,
            along: along.iter().map(|at| *at as u32).collect(),
            by: by.map(|at| at as u32),
        };
        let (times, names, rows) = (self.with_role(Role::Time), self.with_role(Role::Name), self.page.rows.len());
        // If a name identifies the rows, a date is an attribute of each row, and no line connects them.
        let is_series = self.headline.is_some_and(|headline| headline.shape == HeadlineShape::Series);
        if !times.is_empty() && (is_series || !names.iter().any(|at| self.identifies_rows(&[*at]))) {
            let [time] = times[..] else { return None };
            if self.count_distinct(time) < 2 {
                return None;
            }
            if self.identifies_rows(&[time]) {
                let kind = if rows < 3 { ChartKind::Bar } else { ChartKind::Line };
                return Some(chart(kind, &[time], None));
            }
            let is_series = |at: &usize| self.count_distinct(*at) <= MOST_SERIES && self.identifies_rows(&[time, *at]);
            return names.into_iter().find(is_series).map(|by| chart(ChartKind::Line, &[time], Some(by)));
        }
        let labels: Vec<usize> =
            self.headline.iter().flat_map(|headline| &headline.labels).map(|at| *at as usize).collect();
        let labels: Vec<usize> = labels.into_iter().filter(|at| names.contains(at)).collect();
        let single = match labels[..] {
            [label] => Some(label),
            _ => names.iter().copied().find(|at| self.identifies_rows(&[*at])),
        };
        if let Some(name) = single {
            return Some(chart(ChartKind::Bar, &[name], None));
        }
        if let Some((name, by)) = self.find_pair(&names) {
            return Some(chart(ChartKind::Grouped, &[name], Some(by)));
        }
        if labels.len() > 1 && self.identifies_rows(&labels) {
            return Some(chart(ChartKind::Bar, &labels, None));
        }
        let other = self.amounts().into_iter().find(|at| *at != measure).filter(|_| rows >= 5);
        other.map(|other| chart(ChartKind::Points, &[other], None))
    }

    /// Finds two names that identify the rows; the one with fewer values is the series.
    fn find_pair(&self, names: &[usize]) -> Option<(usize, usize)> {
        let pairs = names.iter().flat_map(|name| names.iter().map(move |by| (*name, *by)));
        let mut fitting = pairs.filter(|(name, by)| {
            let (many, few) = (self.count_distinct(*name), self.count_distinct(*by));
            name != by && (2..=MOST_SERIES).contains(&few) && many <= MOST_BARS && many >= few
        });
        fitting.find(|(name, by)| self.identifies_rows(&[*name, *by]))
    }
}
