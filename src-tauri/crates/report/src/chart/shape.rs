//! The shapes of a chart. Lengths are texts with one decimal; colours come from the style sheet.

use serde::Serialize;

/// A chart as shapes in drawing order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Drawing {
    pub(crate) width: String,
    pub(crate) height: String,
    /// The title, such as "Revenue by month".
    pub(crate) title: String,
    /// A description of the chart for readers who do not see it.
    pub(crate) description: String,
    /// Omissions and other properties that a reader must know.
    pub(crate) caveats: Vec<String>,
    /// Names of the series; empty without series.
    pub(crate) legend: Vec<String>,
    pub(crate) shapes: Vec<Shape>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    Rect { series: usize, x: String, y: String, width: String, height: String, title: String },
    Path { series: usize, d: String },
    Circle { series: usize, x: String, y: String, r: String, title: String },
    Line { x1: String, x2: String, y1: String, y2: String },
    Text { class: &'static str, x: String, y: String, anchor: &'static str, text: String },
}

/// Formats a length with one decimal.
pub(super) fn format_length(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The position and size of a rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

pub(super) fn make_rect(series: usize, area: Area, title: String) -> Shape {
    Shape::Rect {
        series,
        x: format_length(area.x),
        y: format_length(area.y),
        width: format_length(area.width.max(0.5)),
        height: format_length(area.height.max(0.5)),
        title,
    }
}

pub(super) fn make_line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Shape {
    Shape::Line { x1: format_length(x1), x2: format_length(x2), y1: format_length(y1), y2: format_length(y2) }
}

pub(super) fn make_text(class: &'static str, (x, y): (f64, f64), anchor: &'static str, text: String) -> Shape {
    Shape::Text { class, x: format_length(x), y: format_length(y), anchor, text }
}
