//! Plots of the HTML report, as positioned shapes. The template draws them with the colours of the style sheet.

use serde::Serialize;

const WIDTH: f64 = 720.0;
/// Space for labels on the left and for values on the right.
const LEFT: f64 = 180.0;
const RIGHT: f64 = 70.0;
const BAR: f64 = 14.0;

/// The format of the plotted values.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// With one decimal and a percent sign.
    Percent,
    /// A whole number with thousands separators.
    Count,
}

impl Unit {
    fn format_value(self, value: f64) -> String {
        match self {
            Unit::Percent => format!("{value:.1}%"),
            Unit::Count => format_thousands(value),
        }
    }
}

/// Shapes in drawing order. Lengths are strings with few digits.
#[derive(Serialize)]
pub(super) struct Plot {
    width: String,
    height: String,
    shapes: Vec<Shape>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Bar { series: usize, x: String, y: String, width: String, height: String, round: bool, title: String },
    Point { series: usize, x: String, y: String, title: String },
    Line { left: String, right: String, y: String },
    Text { class: &'static str, x: String, y: String, anchor: &'static str, text: String },
}

impl Plot {
    fn new(height: f64, shapes: Vec<Shape>) -> Self {
        Self { width: format!("{WIDTH:.0}"), height: format!("{:.0}", height.max(1.0)), shapes }
    }
}

/// Plots grouped horizontal bars, one bar per series; unknown values have no bar.
pub(super) fn plot_bars(series: &[String], groups: &[(String, Vec<Option<f64>>)], largest: f64, unit: Unit) -> Plot {
    let group_height = series.len() as f64 * (BAR + 2.0) + 12.0;
    let scale = (WIDTH - LEFT - RIGHT) / largest.max(f64::MIN_POSITIVE);
    let mut shapes = Vec::new();
    for (g, (label, values)) in groups.iter().enumerate() {
        let top = g as f64 * group_height;
        let middle = top + (group_height - 12.0) / 2.0 + 4.0;
        shapes.push(text_shape(LEFT - 10.0, middle, "end", "label", shorten_label(label)));
        for (s, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let y = top + s as f64 * (BAR + 2.0);
            shapes.push(Shape::Bar {
                series: s,
                x: format_length(LEFT),
                y: format_length(y),
                width: format_length((value * scale).max(1.0)),
                height: format_length(BAR),
                round: true,
                title: format!("{label}, {}: {}", series[s], unit.format_value(*value)),
            });
            shapes.push(text_shape(LEFT + value * scale + 6.0, y + 11.0, "start", "value", unit.format_value(*value)));
        }
    }
    Plot::new(groups.len() as f64 * group_height, shapes)
}

/// Plots one stacked horizontal bar per row, with a segment for each series.
pub(super) fn plot_stacked_bars(series: &[String], rows: &[(String, Vec<f64>)]) -> Plot {
    let height = BAR * 2.0;
    let totals: Vec<f64> = rows.iter().map(|(_, parts)| parts.iter().sum()).collect();
    let scale = (WIDTH - LEFT - RIGHT) / totals.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut shapes = Vec::new();
    for (r, (label, parts)) in rows.iter().enumerate() {
        let y = r as f64 * (height + 10.0);
        shapes.push(text_shape(LEFT - 10.0, y + 18.0, "end", "label", shorten_label(label)));
        let mut x = LEFT;
        for (s, &part) in parts.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            shapes.push(Shape::Bar {
                series: s,
                x: format_length(x),
                y: format_length(y),
                width: format_length(part * scale),
                height: format_length(height),
                round: false,
                title: format!("{label}, {}: {}", series[s], format_thousands(part)),
            });
            x += part * scale;
        }
        shapes.push(text_shape(x + 6.0, y + 18.0, "start", "value", format_thousands(totals[r])));
    }
    Plot::new(rows.len() as f64 * (height + 10.0), shapes)
}

/// Plots labelled points; the vertical axis is a percentage.
pub(super) fn plot_points(points: &[(String, f64, f64)], x_title: &str, y_title: &str) -> Plot {
    let (left, right, top, bottom) = (48.0, WIDTH - 24.0, 12.0, 252.0);
    let step = choose_tick(points.iter().map(|p| p.1).fold(1.0, f64::max) / 4.0);
    let most = step * (points.iter().map(|p| p.1).fold(1.0, f64::max) / step).ceil();
    let x = |value: f64| left + (right - left) * value / most;
    let y = |value: f64| bottom - (bottom - top) * value / 100.0;
    let mut shapes = Vec::new();
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let at = y(percent);
        shapes.push(Shape::Line { left: format_length(left), right: format_length(right), y: format_length(at) });
        shapes.push(text_shape(left - 8.0, at + 4.0, "end", "value", format!("{percent:.0}%")));
    }
    for index in 0..=((most / step).round() as usize) {
        let value = index as f64 * step;
        shapes.push(text_shape(x(value), bottom + 18.0, "middle", "value", format_thousands(value)));
    }
    for (series, (name, cost, share)) in points.iter().enumerate() {
        let (cx, cy) = (x(*cost), y(*share));
        let title = format!("{name}: {share:.1}% at {}", format_thousands(*cost));
        shapes.push(Shape::Point { series, x: format_length(cx), y: format_length(cy), title });
        // Keeps labels inside the plot.
        let (dx, anchor) = if *cost > 0.75 * most { (-11.0, "end") } else { (11.0, "start") };
        shapes.push(text_shape(cx + dx, cy + 4.0, anchor, "label", name.clone()));
    }
    shapes.push(text_shape(right, bottom + 36.0, "end", "label", x_title.to_owned()));
    shapes.push(text_shape(left + 4.0, top + 12.0, "start", "label", y_title.to_owned()));
    Plot::new(bottom + 42.0, shapes)
}

/// Returns the smallest of 1, 2 or 5 times a power of ten that is at least `least`.
fn choose_tick(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|tick| *tick >= least).unwrap_or(10.0 * power)
}

/// Shortens a label to fit beside the bars.
fn shorten_label(label: &str) -> String {
    const MOST: usize = 26;
    if label.chars().count() <= MOST { label.to_owned() } else { label.chars().take(MOST - 1).chain(['…']).collect() }
}

fn text_shape(x: f64, y: f64, anchor: &'static str, class: &'static str, text: String) -> Shape {
    Shape::Text { class, x: format_length(x), y: format_length(y), anchor, text }
}

fn format_length(value: f64) -> String {
    format!("{value:.1}")
}

/// Formats a whole number with thousands separators.
fn format_thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
