//! `vitrine metrics explain`: why a metric changed.

use crate::args::ExplainMetricArgs;
use crate::output::{print_json, print_note, print_text, sanitize_text, text_table};
use crate::stop::Stop;
use vitrine_api::metric_definitions::MetricsFile;
use vitrine_api::{
    App, DimensionChange, GroupPair, InputChange, MemberChange, MetricChange, MetricChangeCost, MetricChangeRequest,
    Presence, metering_at,
};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::{format_decimal, format_number, format_percent, plural, tr};

/// Bytes of a megabyte, as databases that bill bytes count them.
const MEGABYTE: u64 = 1 << 20;

pub(crate) async fn explain_change(
    app: &App,
    uri: &str,
    file: &MetricsFile,
    args: ExplainMetricArgs,
    stop: &Stop,
) -> Result<(), AppError> {
    let request = MetricChangeRequest {
        metric: args.metric,
        from: args.from,
        to: args.to,
        between: args.between.as_deref().map(parse_pair).transpose()?,
        during: args.during,
        by: args.by,
        filters: args.filters,
        members: args.members,
    };
    if args.sql {
        let estimate = app.estimate_metric_change(uri, file, &request).await?;
        print_estimate(&estimate, args.json);
        return Ok(());
    }
    if metering_at(uri) == vitrine_api::Metering::Billed {
        let estimate = app.estimate_metric_change(uri, file, &request).await?;
        print_note(&describe_estimate(&estimate));
    }
    let change = app.explain_metric_change(uri, file, &request, stop.token()).await?;
    match args.json {
        true => print_json(&change),
        false => print_change(&change),
    }
    Ok(())
}

/// Parses `store__region=North,South`. An empty value means rows without one.
fn parse_pair(text: &str) -> Result<GroupPair, AppError> {
    let wrong = || {
        AppError::new(ErrorCode::Usage, tr!("'{text}' does not name two values of a dimension", text))
            .with_hint(tr!("For example: --between store__region=North,South. Values with commas can be compared by their other words in the definitions"))
    };
    let (dimension, values) = text.split_once('=').ok_or_else(wrong)?;
    let [before, after] = <[&str; 2]>::try_from(values.split(',').collect::<Vec<_>>()).map_err(|_| wrong())?;
    let value = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(GroupPair { dimension: dimension.trim().to_owned(), before: value(before), after: value(after) })
}

fn describe_estimate(estimate: &MetricChangeCost) -> String {
    let count = estimate.queries.len();
    let queries = plural!(count as u64, "{n} query", "{n} queries");
    match estimate.bytes {
        Some(bytes) => {
            tr!("{queries}, which read about {size} MB", queries, size = format_number(bytes.div_ceil(MEGABYTE)))
        }
        None => queries,
    }
}

fn print_estimate(estimate: &MetricChangeCost, json: bool) {
    if json {
        print_json(estimate);
        return;
    }
    for sql in &estimate.queries {
        print_text(&format!("{sql};\n"));
    }
    print_note(&describe_estimate(estimate));
}

fn print_change(change: &MetricChange) {
    print_text(&sanitize_text(&change.sentence, false));
    if let Some(reason) = &change.not_additive {
        print_text(&sanitize_text(&tr!("The change cannot be split: {reason}", reason), false));
    }
    for note in &change.notes {
        print_text(&sanitize_text(&tr!("Note: {note}", note), false));
    }
    if !change.inputs.is_empty() {
        print_inputs(change, &change.inputs);
    }
    for dimension in &change.dimensions {
        print_dimension(change, dimension);
    }
    for one in &change.left_out {
        print_note(&sanitize_text(&tr!("not compared: {name}: {reason}", name = one.name, reason = one.reason), false));
    }
}

fn print_inputs(change: &MetricChange, inputs: &[InputChange]) {
    let line = |input: &InputChange| {
        [input.title.as_str(), &input.before, &input.after, input.contribution.as_deref().unwrap_or_default()]
            .map(|cell| sanitize_text(cell, false))
            .into()
    };
    let (text, number) = (CellType::Text, CellType::Decimal);
    let head = [
        (tr!(context "heading", "computed from"), text),
        (sanitize_text(&change.before.title, false), number),
        (sanitize_text(&change.after.title, false), number),
        (tr!(context "heading", "contribution"), number),
    ];
    print_text("");
    print_text(&text_table(&head, &inputs.iter().map(line).collect::<Vec<Vec<String>>>()));
}

fn print_dimension(change: &MetricChange, dimension: &DimensionChange) {
    let is_quotient = dimension.rate.is_some();
    let share = |share: Option<f64>| share.map(format_percent).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let line = |member: &MemberChange| {
        let name = member.member.clone().unwrap_or_else(|| tr!("(no value)"));
        let name = match member.presence {
            Presence::Both => name,
            Presence::New => tr!("{name} (new)", name),
            Presence::Vanished => tr!("{name} (vanished)", name),
        };
        let mut cells = vec![name, text(&member.before), text(&member.after), member.contribution.clone()];
        if is_quotient {
            cells.extend([text(&member.rate), text(&member.mix)]);
        }
        cells.push(share(member.share));
        cells.iter().map(|cell| sanitize_text(cell, false)).collect::<Vec<String>>()
    };
    let mut rows: Vec<Vec<String>> = dimension.members.iter().map(line).collect();
    if let Some(others) = &dimension.others {
        let name = plural!(u64::from(others.count), "{n} other value", "{n} other values");
        let mut cells = vec![name, String::new(), String::new(), others.contribution.clone()];
        if is_quotient {
            cells.extend([text(&others.rate), text(&others.mix)]);
        }
        cells.push(share(others.share));
        rows.push(cells);
    }
    let number = CellType::Decimal;
    let mut head = vec![
        (sanitize_text(&dimension.title, false), CellType::Text),
        (sanitize_text(&change.before.title, false), number),
        (sanitize_text(&change.after.title, false), number),
        (tr!(context "heading", "contribution"), number),
    ];
    if is_quotient {
        head.extend([
            (tr!(context "heading", "from its own value"), number),
            (tr!(context "heading", "from its share"), number),
        ]);
    }
    head.push((tr!(context "heading", "of the change"), number));
    print_text("");
    print_text(&sanitize_text(
        &tr!(
            "{dimension} (explanatory power {power})",
            dimension = dimension.name,
            power = format_decimal(dimension.power, 2)
        ),
        false,
    ));
    print_text(&text_table(&head, &rows));
    for note in &dimension.notes {
        print_text(&sanitize_text(&tr!("Note: {note}", note), false));
    }
}
