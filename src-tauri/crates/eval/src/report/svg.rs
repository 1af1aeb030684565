//! The plots of the page, drawn here. Colours come from the page's style sheet: series `n` has the class `sN`.

use super::text::{escape, thousands};

const WIDTH: f64 = 720.0;
/// Room for labels on the left and for values on the right.
const LEFT: f64 = 180.0;
const RIGHT: f64 = 70.0;
const BAR: f64 = 14.0;

/// How a value is written.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// With a percent sign.
    Percent,
    /// As a whole number.
    Count,
}

impl Unit {
    fn text(self, value: f64) -> String {
        match self {
            Unit::Percent => format!("{value:.1}%"),
            Unit::Count => thousands(value),
        }
    }
}

/// Horizontal bars in groups, one bar a series; a value that is not known has none.
pub(super) fn bars(series: &[String], groups: &[(String, Vec<Option<f64>>)], largest: f64, unit: Unit) -> String {
    let group_height = series.len() as f64 * (BAR + 2.0) + 12.0;
    let scale = (WIDTH - LEFT - RIGHT) / largest.max(f64::MIN_POSITIVE);
    let mut out = String::new();
    for (g, (label, values)) in groups.iter().enumerate() {
        let top = g as f64 * group_height;
        let middle = top + (group_height - 12.0) / 2.0 + 4.0;
        out += &text(LEFT - 10.0, middle, "end", "label", &short(label));
        for (s, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let y = top + s as f64 * (BAR + 2.0);
            let title = format!("{label}, {}: {}", series[s], unit.text(*value));
            out += &bar(LEFT, y, value * scale, s, &title);
            out += &text(LEFT + value * scale + 6.0, y + 11.0, "start", "value", &unit.text(*value));
        }
    }
    svg(groups.len() as f64 * group_height, &out)
}

/// One horizontal bar a row, made of the parts of all series.
pub(super) fn stacked(series: &[String], rows: &[(String, Vec<f64>)]) -> String {
    let height = BAR * 2.0;
    let totals: Vec<f64> = rows.iter().map(|(_, parts)| parts.iter().sum()).collect();
    let scale = (WIDTH - LEFT - RIGHT) / totals.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut out = String::new();
    for (r, (label, parts)) in rows.iter().enumerate() {
        let y = r as f64 * (height + 10.0);
        out += &text(LEFT - 10.0, y + 18.0, "end", "label", &short(label));
        let mut x = LEFT;
        for (s, &part) in parts.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            let title = format!("{label}, {}: {}", series[s], thousands(part));
            out += &format!(
                r#"<rect class="s{}" x="{x:.1}" y="{y:.1}" width="{:.1}" height="{height:.1}"><title>{}</title></rect>"#,
                s % 6,
                part * scale,
                escape(&title)
            );
            x += part * scale;
        }
        out += &text(x + 6.0, y + 18.0, "start", "value", &thousands(totals[r]));
    }
    svg(rows.len() as f64 * (height + 10.0), &out)
}

/// Points with names; the vertical axis is a share of 100.
pub(super) fn scatter(points: &[(String, f64, f64)], x_title: &str, y_title: &str) -> String {
    let (left, right, top, bottom) = (48.0, WIDTH - 24.0, 12.0, 252.0);
    let step = tick(points.iter().map(|p| p.1).fold(1.0, f64::max) / 4.0);
    let most = step * (points.iter().map(|p| p.1).fold(1.0, f64::max) / step).ceil();
    let x = |value: f64| left + (right - left) * value / most;
    let y = |value: f64| bottom - (bottom - top) * value / 100.0;
    let mut out = String::new();
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let at = y(percent);
        out += &format!(r#"<line class="grid" x1="{left}" x2="{right}" y1="{at:.1}" y2="{at:.1}"/>"#);
        out += &text(left - 8.0, at + 4.0, "end", "value", &format!("{percent:.0}%"));
    }
    for index in 0..=((most / step).round() as usize) {
        let value = index as f64 * step;
        out += &text(x(value), bottom + 18.0, "middle", "value", &thousands(value));
    }
    for (index, (name, cost, share)) in points.iter().enumerate() {
        let (cx, cy) = (x(*cost), y(*share));
        let title = format!("{name}: {share:.1}% at {}", thousands(*cost));
        out += &format!(
            r#"<circle class="s{}" cx="{cx:.1}" cy="{cy:.1}" r="6"><title>{}</title></circle>"#,
            index % 6,
            escape(&title)
        );
        // Names stay inside the plot.
        let (dx, anchor) = if *cost > 0.75 * most { (-11.0, "end") } else { (11.0, "start") };
        out += &text(cx + dx, cy + 4.0, anchor, "label", name);
    }
    out += &text(right, bottom + 36.0, "end", "label", x_title);
    out += &text(left + 4.0, top + 12.0, "start", "label", y_title);
    svg(bottom + 42.0, &out)
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn tick(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|tick| *tick >= least).unwrap_or(10.0 * power)
}

fn bar(x: f64, y: f64, width: f64, series: usize, title: &str) -> String {
    format!(
        r#"<rect class="s{}" x="{x:.1}" y="{y:.1}" width="{:.1}" height="{BAR}" rx="2"><title>{}</title></rect>"#,
        series % 6,
        width.max(1.0),
        escape(title)
    )
}

/// A label that fits beside the bars.
fn short(label: &str) -> String {
    const MOST: usize = 26;
    if label.chars().count() <= MOST { label.to_owned() } else { label.chars().take(MOST - 1).chain(['…']).collect() }
}

fn text(x: f64, y: f64, anchor: &str, class: &str, text: &str) -> String {
    format!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#, escape(text))
}

fn svg(height: f64, content: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\">{content}</svg>\n", height.max(1.0))
}
