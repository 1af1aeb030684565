//! Texts of a chart: its title, its description, and the names of its points.

use super::roles::{Grain, find_grain};
use super::{Chart, ChartKind};
use crate::values::{clip_text, column_label, format_value};
use vitrine_domain::{CellType, Headline, Page, ResultColumn, capitalize_first};
use vitrine_words::{plural, tr};

/// Texts of the points of one chart.
pub(super) struct Labels<'a> {
    pub(super) page: &'a Page,
    pub(super) chart: &'a Chart,
    pub(super) headline: Option<&'a Headline>,
    pub(super) grain: Option<Grain>,
}

impl<'a> Labels<'a> {
    pub(super) fn new(page: &'a Page, chart: &'a Chart, headline: Option<&'a Headline>) -> Self {
        let grain = match chart.kind {
            ChartKind::Points => None,
            _ => find_grain(page, chart.along[0] as usize, true).filter(|_| chart.along.len() == 1),
        };
        Self { page, chart, headline, grain }
    }

    pub(super) fn column_name(&self, at: u32) -> String {
        column_label(self.page, self.headline, at as usize)
    }

    pub(super) fn cell(&self, row: usize, at: u32) -> Option<&'a str> {
        self.page.rows[row].get(at as usize).and_then(|cell| cell.as_deref())
    }

    pub(super) fn cell_text(&self, row: usize, at: u32) -> String {
        let column = &self.page.columns[at as usize];
        match self.cell(row, at) {
            Some(text) => clip_text(&format_value(column, text), 80),
            None => tr!("no {name}", name = self.column_name(at)),
        }
    }

    /// Names a point along the axis; years and months have no day.
    pub(super) fn along_text(&self, row: usize) -> String {
        let name = |at: &u32| match (self.grain, self.cell(row, *at)) {
            (Some(Grain::Year), Some(text)) => text.chars().take(4).collect(),
            (Some(Grain::Month), Some(text)) => text.chars().take(7).collect(),
            _ => {
                let exact = ResultColumn { cell_type: CellType::Text, ..self.page.columns[*at as usize].clone() };
                match (self.page.columns[*at as usize].cell_type, self.cell(row, *at)) {
                    (CellType::Integer, Some(text)) => format_value(&exact, text),
                    _ => self.cell_text(row, *at),
                }
            }
        };
        self.chart.along.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// Names the series of a row; empty without series.
    pub(super) fn series_text(&self, row: usize) -> String {
        self.chart.by.map(|by| self.cell_text(row, by)).unwrap_or_default()
    }

    /// Describes a point: "2024-03, Web: 1,204".
    pub(super) fn point_text(&self, row: usize) -> String {
        let value = self.cell_text(row, self.chart.measure);
        if self.chart.kind == ChartKind::Points {
            let (x, other) = (self.column_name(self.chart.along[0]), self.cell_text(row, self.chart.along[0]));
            return format!("{x} {other}, {} {value}", self.column_name(self.chart.measure));
        }
        match self.series_text(row) {
            series if series.is_empty() => format!("{}: {value}", self.along_text(row)),
            series => format!("{}, {series}: {value}", self.along_text(row)),
        }
    }

    pub(super) fn title(&self) -> String {
        let along: Vec<String> = self.chart.along.iter().map(|at| self.column_name(*at)).collect();
        let (measure, along) = (capitalize_first(&self.column_name(self.chart.measure)), along.join(", "));
        match (self.chart.kind, self.chart.by) {
            (ChartKind::Points, _) => tr!("{measure} against {along}", measure, along),
            (_, Some(by)) => tr!("{measure} by {along} and {by}", measure, along, by = self.column_name(by)),
            (_, None) => tr!("{measure} by {along}", measure, along),
        }
    }

    /// Describes the chart with its highest and lowest point. `rows` are the drawn rows.
    pub(super) fn description(&self, rows: &[usize]) -> String {
        let form = match self.chart.kind {
            ChartKind::Line => tr!("Line chart"),
            ChartKind::Bar => tr!("Bar chart"),
            ChartKind::Grouped => tr!("Grouped bar chart"),
            ChartKind::Stacked => tr!("Stacked bar chart"),
            ChartKind::Points => tr!("Scatter plot"),
        };
        let points = plural!(rows.len(), "{n} point", "{n} points");
        let what = tr!("{form}: {title}, {points}.", form, title = self.title(), points);
        let amount = |row: &usize| self.cell(*row, self.chart.measure).and_then(super::roles::amount_of);
        let mut known: Vec<(usize, f64)> = rows.iter().filter_map(|row| Some((*row, amount(row)?))).collect();
        known.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        match (known.first(), known.last()) {
            (Some((low, _)), Some((high, _))) if self.chart.kind != ChartKind::Points => {
                let (high, low) = (self.point_text(*high), self.point_text(*low));
                format!("{what} {}", tr!("Highest: {high}. Lowest: {low}.", high, low))
            }
            _ => what,
        }
    }
}
