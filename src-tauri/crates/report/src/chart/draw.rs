//! Draws a chart: horizontal bars for names, vertical bars and lines for time, points for two amounts.

use super::choose::{MOST_BARS, MOST_SERIES, fits_page};
use super::labels::Labels;
use super::roles::{amount_of, seconds_of};
use super::scale::{Scale, format_tick};
use super::shape::{Area, Drawing, Shape, format_length, make_line, make_rect, make_text};
use super::{Chart, ChartKind};
use crate::values::clip_text;
use vitrine_domain::{Headline, Page};
use vitrine_words::{format_number, plural, tr};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 8.0;
/// Thickness of a horizontal bar.
const BAR: f64 = 16.0;
/// Average width of a letter of the labels.
const LETTER: f64 = 6.7;
/// Maximum width of the names beside horizontal bars.
const LONGEST_LABEL: usize = 28;

/// Draws a chart of these rows; `None` if the chart does not fit them.
pub(crate) fn draw_chart(page: &Page, chart: &Chart, headline: Option<&Headline>) -> Option<Drawing> {
    if !fits_page(chart, page) {
        return None;
    }
    let labels = Labels::new(page, chart, headline);
    let points = collect_points(&labels)?;
    let drawn: Vec<usize> = points.iter().map(|point| point.row).collect();
    let mut drawing = Drawing {
        width: format_length(WIDTH),
        height: format_length(HEIGHT),
        title: labels.title(),
        description: labels.description(&drawn),
        caveats: list_caveats(&labels, drawn.len()),
        legend: list_series(&points),
        shapes: Vec::new(),
    };
    // Colours beyond the last distinguishable one would be ambiguous.
    if drawing.legend.len() > MOST_SERIES {
        return None;
    }
    let is_time = labels.grain.is_some();
    match chart.kind {
        ChartKind::Line => draw_lines(&mut drawing, &labels, &points),
        ChartKind::Points => draw_points(&mut drawing, &labels, &points),
        _ if is_time => draw_columns(&mut drawing, &labels, &points),
        _ => draw_bars(&mut drawing, &labels, &points),
    }
    Some(drawing)
}

/// A row with its amount.
struct Point {
    row: usize,
    amount: f64,
    /// The position along a time axis or the other amount; the number of the category otherwise.
    along: f64,
    category: String,
    series: String,
}

/// Collects the rows with an amount: in the order of time, or of many bars the largest.
fn collect_points(labels: &Labels<'_>) -> Option<Vec<Point>> {
    let chart = labels.chart;
    let mut points: Vec<Point> = Vec::new();
    for row in 0..labels.page.rows.len() {
        let Some(amount) = labels.cell(row, chart.measure).and_then(amount_of) else { continue };
        let along = match (chart.kind, labels.grain) {
            (ChartKind::Points, _) => labels.cell(row, chart.along[0]).and_then(amount_of),
            (_, Some(grain)) => labels.cell(row, chart.along[0]).and_then(|text| seconds_of(text, grain)),
            _ => Some(row as f64),
        };
        let Some(along) = along else { continue };
        let (category, series) = (labels.along_text(row), labels.series_text(row));
        points.push(Point { row, amount, along, category, series });
    }
    if labels.grain.is_some() {
        points.sort_by(|one, other| one.along.total_cmp(&other.along));
    } else if chart.kind == ChartKind::Bar {
        let is_sorted = points.is_sorted_by(|one, other| one.amount >= other.amount)
            || (points.len() <= MOST_BARS && points.is_sorted_by(|one, other| one.amount <= other.amount));
        if !is_sorted {
            points.sort_by(|one, other| other.amount.total_cmp(&one.amount));
        }
        points.truncate(MOST_BARS);
    }
    let can_stack = points.iter().all(|point| point.amount >= 0.0);
    (!points.is_empty() && (can_stack || chart.kind != ChartKind::Stacked)).then_some(points)
}

fn list_series(points: &[Point]) -> Vec<String> {
    let mut series: Vec<String> = Vec::new();
    for point in points.iter().filter(|point| !point.series.is_empty()) {
        if !series.contains(&point.series) {
            series.push(point.series.clone());
        }
    }
    series
}

fn list_caveats(labels: &Labels<'_>, drawn: usize) -> Vec<String> {
    let all = labels.page.rows.len();
    let missing = (0..all).filter(|row| labels.cell(*row, labels.chart.measure).is_none()).count();
    let mut caveats = Vec::new();
    if labels.chart.kind == ChartKind::Bar && drawn < all - missing {
        let (shown, all) = (format_number(drawn as u64), format_number(all as u64));
        caveats.push(match labels.grain {
            Some(_) => tr!("The first {shown} of {all} bars", shown, all),
            None => tr!("The {shown} largest of {all} bars", shown, all),
        });
    }
    if missing > 0 {
        caveats.push(plural!(
            missing,
            "{n} row without a value of {measure} is not drawn",
            "{n} rows without a value of {measure} are not drawn",
            measure = labels.column_name(labels.chart.measure)
        ));
    }
    caveats
}

/// Groups the points by category, in order of appearance, each with its series.
fn group_by_category<'a>(points: &'a [Point], legend: &[String]) -> Vec<(&'a str, Vec<(usize, &'a Point)>)> {
    let mut groups: Vec<(&str, Vec<(usize, &Point)>)> = Vec::new();
    let is_single = legend.is_empty();
    for point in points {
        let series = legend.iter().position(|name| *name == point.series).unwrap_or_default();
        match groups.iter_mut().find(|(name, _)| !is_single && *name == point.category) {
            Some((_, members)) => members.push((series, point)),
            None => groups.push((&point.category, vec![(series, point)])),
        }
    }
    groups
}

/// Returns the range of amounts, including 0; stacked amounts are summed for each category.
fn range_of(groups: &[(&str, Vec<(usize, &Point)>)], is_stacked: bool) -> (f64, f64) {
    let amounts = groups.iter().flat_map(|(_, members)| match is_stacked {
        true => vec![members.iter().map(|(_, point)| point.amount).sum::<f64>()],
        false => members.iter().map(|(_, point)| point.amount).collect(),
    });
    amounts.fold((0.0, 0.0), |(low, high): (f64, f64), amount| (low.min(amount), high.max(amount)))
}

fn draw_bars(drawing: &mut Drawing, labels: &Labels<'_>, points: &[Point]) {
    let groups = group_by_category(points, &drawing.legend);
    let is_stacked = labels.chart.kind == ChartKind::Stacked;
    let (low, high) = range_of(&groups, is_stacked);
    let name = |text: &str| shorten_label(text, LONGEST_LABEL);
    let widest = groups.iter().map(|(category, _)| text_width(&name(category))).fold(40.0, f64::max);
    let values = points.iter().map(|point| text_width(&labels.cell_text(point.row, labels.chart.measure)));
    let right = if is_stacked { 16.0 } else { values.fold(16.0, f64::max).min(160.0) + 10.0 };
    let left = widest + MARGIN + 10.0;
    let scale = Scale { low, high: if low < high { high } else { low + 1.0 }, from: left, to: WIDTH - right - MARGIN };
    let mut y = MARGIN;
    for (category, members) in &groups {
        let lanes = if is_stacked { 1 } else { members.len() };
        let height = lanes as f64 * (BAR + 2.0);
        let middle = y + height / 2.0 + 4.0;
        drawing.shapes.push(make_text("label", (left - 10.0, middle), "end", name(category)));
        let mut stacked_from = 0.0;
        for (lane, (series, point)) in members.iter().enumerate() {
            let start = if is_stacked { stacked_from } else { 0.0 };
            let (from, to) = (scale.position(start), scale.position(start + point.amount));
            stacked_from += point.amount;
            let top = if is_stacked { y } else { y + lane as f64 * (BAR + 2.0) };
            let area = Area { x: from.min(to), y: top, width: (to - from).abs(), height: BAR };
            drawing.shapes.push(make_rect(*series, area, labels.point_text(point.row)));
            if !is_stacked {
                let value = labels.cell_text(point.row, labels.chart.measure);
                drawing.shapes.push(make_text("value", (from.max(to) + 6.0, top + 12.5), "start", value));
            }
        }
        y += height + 8.0;
    }
    if low < 0.0 {
        drawing.shapes.push(make_line((scale.position(0.0), MARGIN), (scale.position(0.0), y - 8.0)));
    }
    drawing.height = format_length(y);
}

/// The part of a chart between its axes, with a vertical scale of amounts.
struct Plot {
    left: f64,
    right: f64,
    bottom: f64,
    scale: Scale,
}

/// Draws the vertical axis with its grid lines.
fn draw_axis(drawing: &mut Drawing, range: (f64, f64)) -> Plot {
    let bottom = HEIGHT - 34.0;
    let scale = Scale::new(range, bottom, MARGIN + 8.0);
    let largest = scale.low.abs().max(scale.high.abs());
    let ticks: Vec<(f64, String)> =
        scale.ticks().into_iter().map(|tick| (scale.position(tick), format_tick(tick, largest))).collect();
    let left = ticks.iter().map(|(_, label)| text_width(label)).fold(24.0, f64::max) + MARGIN + 8.0;
    let right = WIDTH - 24.0;
    for (y, label) in ticks {
        drawing.shapes.push(make_line((left, y), (right, y)));
        drawing.shapes.push(make_text("value", (left - 8.0, y + 4.0), "end", label));
    }
    Plot { left, right, bottom, scale }
}

/// Draws labels below the plot; labels that would overlap are omitted.
fn draw_labels_below(drawing: &mut Drawing, plot: &Plot, labels: impl Iterator<Item = (f64, String)>) {
    let mut free_from = 0.0;
    for (x, label) in labels {
        let label = shorten_label(&label, 18);
        let half = text_width(&label) / 2.0;
        let x = x.clamp(half, WIDTH - half);
        if x - half >= free_from {
            drawing.shapes.push(make_text("value", (x, plot.bottom + 20.0), "middle", label));
            free_from = x + half + 10.0;
        }
    }
}

fn draw_columns(drawing: &mut Drawing, labels: &Labels<'_>, points: &[Point]) {
    let legend = drawing.legend.clone();
    let groups = group_by_category(points, &legend);
    let is_stacked = labels.chart.kind == ChartKind::Stacked;
    let plot = draw_axis(drawing, range_of(&groups, is_stacked));
    let band = (plot.right - plot.left) / groups.len() as f64;
    let mut centers = Vec::new();
    for (at, (category, members)) in groups.iter().enumerate() {
        let start = plot.left + at as f64 * band;
        let lanes = if is_stacked { 1.0 } else { members.len() as f64 };
        let width = (band * 0.72 / lanes).min(60.0);
        let first = start + (band - width * lanes) / 2.0;
        let mut stacked_from = 0.0;
        for (lane, (series, point)) in members.iter().enumerate() {
            let from = if is_stacked { stacked_from } else { 0.0 };
            let (y0, y1) = (plot.scale.position(from), plot.scale.position(from + point.amount));
            stacked_from += point.amount;
            let x = if is_stacked { first } else { first + lane as f64 * width };
            let area = Area { x, y: y0.min(y1), width, height: (y0 - y1).abs() };
            drawing.shapes.push(make_rect(*series, area, labels.point_text(point.row)));
        }
        centers.push((start + band / 2.0, (*category).to_owned()));
    }
    draw_labels_below(drawing, &plot, centers.into_iter());
}

fn draw_lines(drawing: &mut Drawing, labels: &Labels<'_>, points: &[Point]) {
    let amounts = points.iter().map(|point| point.amount);
    let (low, high) = amounts.fold((f64::MAX, f64::MIN), |(low, high), amount| (low.min(amount), high.max(amount)));
    // A line that hardly moves would be flat from 0.
    let is_cut = low > 0.0 && (high - low) / high < 0.25;
    let range = if is_cut { (low, high) } else { (low.min(0.0), high.max(0.0)) };
    let plot = draw_axis(drawing, range);
    if is_cut {
        drawing.caveats.push(tr!("The axis does not start at 0"));
    }
    let (first, last) = (points[0].along, points[points.len() - 1].along);
    let span = if last > first { last - first } else { 1.0 };
    let x = |point: &Point| plot.left + 8.0 + (point.along - first) / span * (plot.right - plot.left - 16.0);
    let y = |point: &Point| plot.scale.position(point.amount);
    let radius = if points.len() <= 60 { 3.5 } else { 1.5 };
    for series in 0..drawing.legend.len().max(1) {
        let is_own = |point: &&Point| drawing.legend.get(series).is_none_or(|name| *name == point.series);
        let own: Vec<&Point> = points.iter().filter(is_own).collect();
        let step = |(at, point): (usize, &&Point)| {
            format!("{}{} {}", if at == 0 { "M" } else { "L" }, format_length(x(point)), format_length(y(point)))
        };
        let d = own.iter().enumerate().map(step).collect::<String>();
        drawing.shapes.push(Shape::Path { series, d });
        for point in own {
            drawing.shapes.push(circle(series, (x(point), y(point)), radius, labels.point_text(point.row)));
        }
    }
    let mut ticks: Vec<(f64, String)> = points.iter().map(|point| (x(point), point.category.clone())).collect();
    ticks.dedup_by(|one, other| one.1 == other.1);
    draw_labels_below(drawing, &plot, ticks.into_iter());
}

fn draw_points(drawing: &mut Drawing, labels: &Labels<'_>, points: &[Point]) {
    let ends = |values: &dyn Fn(&Point) -> f64| {
        points.iter().map(values).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let plot = draw_axis(drawing, ends(&|point| point.amount));
    let across = Scale::new(ends(&|point| point.along), plot.left + 8.0, plot.right - 8.0);
    for point in points {
        let place = (across.position(point.along), plot.scale.position(point.amount));
        drawing.shapes.push(circle(0, place, 4.0, labels.point_text(point.row)));
    }
    let largest = across.low.abs().max(across.high.abs());
    let ticks = across.ticks().into_iter().map(|tick| (across.position(tick), format_tick(tick, largest)));
    draw_labels_below(drawing, &plot, ticks);
}

fn circle(series: usize, (x, y): (f64, f64), radius: f64, title: String) -> Shape {
    Shape::Circle { series, x: format_length(x), y: format_length(y), r: format_length(radius), title }
}

/// Estimates the width of a label. Letters of East Asian scripts are about twice as wide.
fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c >= '\u{1100}' { 2.0 } else { 1.0 }).sum::<f64>() * LETTER
}

fn shorten_label(label: &str, most: usize) -> String {
    let wide = label.chars().filter(|c| *c >= '\u{1100}').count();
    let one_line = label.replace(['\n', '\t'], " ");
    clip_text(&one_line, if wide * 2 > label.chars().count() { most / 2 } else { most })
}
