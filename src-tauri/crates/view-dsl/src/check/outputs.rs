//! Resolves references to a view's own columns: ratios, windows, group filters, top rows, order.

use super::conditions::held_of_outputs;
use super::lookup::find_output;
use super::scope::Problems;
use crate::model::plan::{Output, Plan, Ratio, Top, Window};
use vitrine_domain::views::{self, WindowKind};
use vitrine_sql::ColumnType;

/// Maximum offset of a lag and maximum size of a moving window, in rows.
const MOST_ROWS: u32 = 100_000;

/// Resolves references to the view's own columns.
pub(crate) fn resolve_outputs(plan: &mut Plan<'_>, problems: &mut Problems<'_>) {
    let spec = problems.spec;
    for ratio in &spec.ratios {
        let place = format!("ratio {}", ratio.name);
        let metrics: Vec<Output> = plan.metrics.iter().map(|m| m.output.clone()).collect();
        let of = problems.unwrap_or_report(&place, find_numeric_output(&ratio.of, &metrics, "metric"));
        let to = problems.unwrap_or_report(&place, find_numeric_output(&ratio.to, &metrics, "metric"));
        if let (Some(of), Some(to)) = (of, to) {
            let output = Output::without_hidden_type(ratio.name.clone(), quotient_type(of.family, to.family));
            plan.ratios.push(Ratio { of, to, output });
        }
    }
    let dimensions: Vec<Output> = plan.dimensions.iter().map(|d| d.output.clone()).collect();
    let before: Vec<Output> = plan.outputs().cloned().collect();
    for window in &spec.windows {
        let place = format!("window {}", window.name);
        let found = self::resolve_window(window, &before, &dimensions, plan.is_grouped());
        plan.windows.extend(problems.unwrap_or_report(&place, found));
    }
    check_unique_names(plan, problems);
    plan.having = held_of_outputs(&spec.having, &before, problems);
    let all: Vec<Output> = plan.outputs().cloned().collect();
    if let Some(top) = &spec.top {
        let found = || -> Result<Top, String> {
            if top.n == 0 {
                return Err("n is 1 or more.".to_owned());
            }
            let per =
                top.per.iter().map(|name| find_output(name, &dimensions, "dimension")).collect::<Result<_, _>>()?;
            Ok(Top { n: top.n, by: find_sortable_output(&top.by, &all)?, per, ascending: top.ascending })
        };
        plan.top = problems.unwrap_or_report("top", found());
    }
    for key in &spec.order {
        let found = problems.unwrap_or_report("order", find_sortable_output(&key.by, &all));
        plan.order.extend(found.map(|output| (output, key.descending)));
    }
}

fn quotient_type(of: ColumnType, to: ColumnType) -> ColumnType {
    if of == ColumnType::Float || to == ColumnType::Float { ColumnType::Float } else { ColumnType::Decimal }
}

fn resolve_window(
    window: &views::Window,
    before: &[Output],
    dimensions: &[Output],
    grouped: bool,
) -> Result<Window, String> {
    let values: Vec<Output> = before.iter().filter(|o| !grouped || !dimensions.contains(o)).cloned().collect();
    let noun = if grouped { "metric" } else { "dimension" };
    let of = match window.kind {
        WindowKind::Rank | WindowKind::Lag => find_output(&window.of, &values, noun)?,
        _ => find_numeric_output(&window.of, &values, noun)?,
    };
    let named = |names: &[String]| -> Result<Vec<Output>, String> {
        names.iter().map(|name| find_output(name, dimensions, "dimension")).collect()
    };
    let (per, along) = (named(&window.per)?, named(&window.along)?);
    let rows = match (window.kind, window.rows) {
        (WindowKind::MovingSum | WindowKind::MovingAvg, None) => {
            return Err("A moving window needs rows: how many it holds.".to_owned());
        }
        (WindowKind::Lag | WindowKind::MovingSum | WindowKind::MovingAvg, rows) => rows.unwrap_or(1),
        (_, Some(_)) => return Err("Only a lag or a moving window has rows.".to_owned()),
        (_, None) => 1,
    };
    if !(1..=MOST_ROWS).contains(&rows) {
        return Err(format!("rows is between 1 and {MOST_ROWS}."));
    }
    let ordered = !matches!(window.kind, WindowKind::Rank | WindowKind::Share);
    match (ordered, along.is_empty()) {
        (true, true) if window.kind == WindowKind::RunningTotal => {
            return Err("A running total needs dimensions in along.".to_owned());
        }
        (true, true) => return Err("A lag or a moving window needs dimensions in along.".to_owned()),
        (false, false) => return Err("A share or a rank has no order, and so no along.".to_owned()),
        _ => {}
    }
    if let Some(other) = along.iter().find(|o| o.family == ColumnType::Other) {
        return Err(format!("{} has no order.", other.name));
    }
    let family = match window.kind {
        WindowKind::Rank => ColumnType::Whole,
        WindowKind::Share => quotient_type(of.converted_type(), of.converted_type()),
        WindowKind::RunningTotal | WindowKind::MovingSum | WindowKind::Lag => of.converted_type(),
        WindowKind::MovingAvg => quotient_type(of.converted_type(), of.converted_type()),
    };
    Ok(Window {
        kind: window.kind,
        of,
        per,
        along,
        rows,
        output: Output::without_hidden_type(window.name.clone(), family),
    })
}

fn find_numeric_output(name: &str, among: &[Output], noun: &str) -> Result<Output, String> {
    let found = find_output(name, among, noun)?;
    if found.converted_type().is_number() {
        Ok(found)
    } else {
        Err(format!("{} is {}.", found.name, found.converted_type().noun()))
    }
}

fn find_sortable_output(name: &str, among: &[Output]) -> Result<Output, String> {
    let found = find_output(name, among, "column")?;
    if found.family == ColumnType::Other { Err(format!("{} has no order.", found.name)) } else { Ok(found) }
}

fn check_unique_names(plan: &Plan<'_>, problems: &mut Problems<'_>) {
    let names: Vec<&String> = plan.outputs().map(|o| &o.name).collect();
    for (at, name) in names.iter().enumerate() {
        if name.trim().is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
            problems.add_problem("names", format!("'{name}' is no name: it needs 1 to 60 letters."));
        }
        if names[..at].iter().any(|other| other.eq_ignore_ascii_case(name)) {
            problems.add_problem("names", format!("Two columns are called {name}. Give one another name."));
        }
    }
}
