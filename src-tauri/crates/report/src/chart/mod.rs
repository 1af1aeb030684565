//! Charts of results: the choice of a chart, and its shapes. A result without a clear chart has none.

mod choose;
mod draw;
mod labels;
mod roles;
mod scale;
mod shape;

pub use choose::choose_chart;
pub(crate) use draw::draw_chart;
pub(crate) use shape::Drawing;

use serde::{Deserialize, Serialize};
use specta::Type;

/// The form of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ChartKind {
    /// A line over time, one for each value of `by`.
    Line,
    /// One bar for each row.
    Bar,
    /// Bars of several series beside each other.
    Grouped,
    /// Bars of several series on top of each other.
    Stacked,
    /// One point for each row, with an amount on each axis.
    Points,
}

/// A chart of a result, with its columns by their indices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// The form of the chart.
    pub kind: ChartKind,
    /// The column with the amounts.
    pub measure: u32,
    /// The columns that name the bars or the points in time; for `Points` the other amount.
    pub along: Vec<u32>,
    /// The column whose values are the series.
    pub by: Option<u32>,
}
