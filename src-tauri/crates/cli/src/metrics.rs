//! `vitrine metrics`: numbers that are defined once.

use crate::args::{MetricsCommand, MetricsPlace, QueryMetricsArgs};
use crate::end::End;
use crate::metric_change::explain_change;
use crate::named::resolve_address;
use crate::output::{format_page, in_rows, print_json, print_note, print_text, sanitize_text, text_table};
use crate::sample::announce_sample;
use crate::stop::Stop;
use serde_json::json;
use std::path::PathBuf;
use vitrine_api::metric_definitions::{AvailableDimension, Metric, MetricQuery, MetricsFile, export_metricflow};
use vitrine_api::{App, StoredMetrics};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::{plural, tr};

/// Maximum number of rows that are read without `--limit`.
const MOST_ROWS: u64 = 1_000_000;

pub(crate) async fn run(app: &App, command: MetricsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        MetricsCommand::Import { files, place, json } => {
            stop.or_cancelled(async { Ok(import_metrics(app, files, place, json).await?) }).await
        }
        MetricsCommand::List { place, json } => {
            stop.or_cancelled(async { Ok(list_metrics(app, place, json).await?) }).await
        }
        MetricsCommand::Show { name, place, json } => {
            stop.or_cancelled(async { Ok(show_metric(app, &name, place, json).await?) }).await
        }
        MetricsCommand::Check { place, json } => stop.or_cancelled(check_metrics(app, place, json)).await,
        MetricsCommand::Export { place, out } => {
            stop.or_cancelled(async { Ok(export_metrics(app, place, out).await?) }).await
        }
        MetricsCommand::Query(args) => Ok(query_metrics(app, *args, stop).await?),
        MetricsCommand::Explain(args) => {
            let (uri, stored) = open_metrics(app, args.place.clone()).await?;
            Ok(explain_change(app, &uri, &stored.file, *args, stop).await?)
        }
    }
}

/// Opens the warehouse and reads its metrics.
async fn open_metrics(app: &App, place: MetricsPlace) -> Result<(String, StoredMetrics), AppError> {
    let uri = resolve_address(app, &place.warehouse).await?;
    announce_sample(app, &uri);
    let stored = app.metrics(&uri, place.file).await?;
    Ok((uri, stored))
}

async fn import_metrics(app: &App, files: Vec<PathBuf>, place: MetricsPlace, json: bool) -> Result<(), AppError> {
    let uri = resolve_address(app, &place.warehouse).await?;
    announce_sample(app, &uri);
    let done = app.import_metrics(&uri, files, place.file).await?;
    if json {
        print_json(&done);
        return Ok(());
    }
    let rows: Vec<Vec<String>> = done
        .skipped
        .iter()
        .map(|one| [&one.kind, &one.name, &one.reason].map(|cell| sanitize_text(cell, false)).into())
        .collect();
    if !rows.is_empty() {
        print_text(&tr!("Not imported:"));
        let text = CellType::Text;
        let head = [
            (tr!(context "heading", "kind"), text),
            (tr!(context "heading", "name"), text),
            (tr!(context "heading", "reason"), text),
        ];
        print_text(&text_table(&head, &rows));
    }
    let (added, replaced) = (done.added.len(), done.replaced.len());
    print_note(&plural!(
        added,
        "{n} metric added, {replaced} replaced",
        "{n} metrics added, {replaced} replaced",
        replaced
    ));
    print_note(&tr!("file of metrics: {path}", path = done.path));
    Ok(())
}

async fn list_metrics(app: &App, place: MetricsPlace, json: bool) -> Result<(), AppError> {
    let (uri, stored) = open_metrics(app, place).await?;
    let dimensions = app.metric_dimensions(&uri, &stored.file, &[]).await?;
    if json {
        print_json(&json!({
            "file": stored.path.display().to_string(),
            "metrics": stored.file.metrics,
            "dimensions": dimensions,
            "calendar": stored.file.calendar,
        }));
        return Ok(());
    }
    if stored.file.metrics.is_empty() {
        print_note(&tr!("no metrics yet: vitrine metrics import FILE --warehouse W"));
    } else {
        print_metrics(&stored.file);
        print_text("");
        print_dimensions(&dimensions);
    }
    print_note(&tr!("file of metrics: {path}", path = stored.path.display()));
    Ok(())
}

/// Returns the form of a metric in a few words.
fn describe_form(metric: &Metric) -> String {
    let name = |value: serde_json::Value| value.as_str().unwrap_or_default().replace('_', " ");
    if let Some(ratio) = &metric.ratio {
        return format!("{} / {}", ratio.of.metric, ratio.to.metric);
    }
    if let Some(formula) = &metric.formula {
        return formula.clone();
    }
    let summed = match (&metric.aggregate, &metric.cumulative) {
        (Some(aggregate), _) => {
            let aggregate = name(serde_json::to_value(aggregate).unwrap_or_default());
            format!("{aggregate} ({})", metric.of.as_deref().unwrap_or("*"))
        }
        (None, Some(cumulative)) => cumulative.metric.clone().unwrap_or_default(),
        _ => String::new(),
    };
    match &metric.cumulative {
        Some(_) => tr!("{what}, accumulated", what = summed),
        None => summed,
    }
}

fn print_metrics(file: &MetricsFile) {
    let line = |metric: &Metric| {
        [
            metric.name.as_str(),
            metric.label.as_deref().unwrap_or_default(),
            &describe_form(metric),
            metric.table.as_deref().unwrap_or_default(),
            metric.unit.as_deref().unwrap_or_default(),
            metric.description.as_deref().unwrap_or_default(),
        ]
        .map(|cell| sanitize_text(cell, false))
        .into()
    };
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "metric"), text),
        (tr!(context "heading", "label"), text),
        (tr!(context "heading", "definition"), text),
        (tr!(context "heading", "table"), text),
        (tr!(context "heading", "unit"), text),
        (tr!(context "heading", "meaning"), text),
    ];
    print_text(&text_table(&head, &file.metrics.iter().map(line).collect::<Vec<Vec<String>>>()));
}

fn print_dimensions(dimensions: &[AvailableDimension]) {
    let line = |one: &AvailableDimension| {
        [one.name.as_str(), one.kind, &one.table, one.label.as_deref().unwrap_or_default()]
            .map(|cell| sanitize_text(cell, false))
            .into()
    };
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "dimension"), text),
        (tr!(context "heading", "kind"), text),
        (tr!(context "heading", "table"), text),
        (tr!(context "heading", "label"), text),
    ];
    print_text(&text_table(&head, &dimensions.iter().map(line).collect::<Vec<Vec<String>>>()));
}

async fn show_metric(app: &App, name: &str, place: MetricsPlace, json: bool) -> Result<(), AppError> {
    let (uri, stored) = open_metrics(app, place).await?;
    let dimensions = app.metric_dimensions(&uri, &stored.file, &[name.to_owned()]).await?;
    let found = stored.file.metrics.into_iter().find(|metric| metric.name.eq_ignore_ascii_case(name.trim()));
    let metric = found.ok_or_else(|| AppError::new(ErrorCode::NotFound, tr!("Metric '{name}' not found", name)))?;
    if json {
        print_json(&json!({ "metric": metric, "dimensions": dimensions }));
        return Ok(());
    }
    let alone = MetricsFile { metrics: vec![metric], ..MetricsFile::default() };
    print_text(&sanitize_text(&vitrine_api::metric_definitions::render_file(&alone)?, true));
    print_dimensions(&dimensions);
    Ok(())
}

async fn check_metrics(app: &App, place: MetricsPlace, json: bool) -> Result<(), End> {
    let (uri, stored) = open_metrics(app, place).await?;
    let checked = app.check_metrics(&uri, &stored.file).await?;
    let wrong = checked.iter().filter(|one| one.problem.is_some()).count();
    if json {
        print_json(&json!({ "metrics": checked }));
    } else {
        for one in &checked {
            let state = one.problem.as_deref().map_or_else(|| tr!("fits the database"), |problem| problem.to_owned());
            print_text(&sanitize_text(&format!("{}: {state}", one.name), false));
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => {
            let message = plural!(wrong, "{n} metric cannot be queried", "{n} metrics cannot be queried");
            Err(AppError::new(ErrorCode::Usage, message)
                .with_hint(tr!("Correct the file of metrics: {path}", path = stored.path.display()))
                .into())
        }
    }
}

async fn export_metrics(app: &App, place: MetricsPlace, out: Option<PathBuf>) -> Result<(), AppError> {
    let (_, stored) = open_metrics(app, place).await?;
    let exported = export_metricflow(&stored.file)?;
    for one in &exported.skipped {
        print_note(&sanitize_text(&tr!("not exported: {name}: {reason}", name = one.name, reason = one.reason), false));
    }
    match out {
        None => print_text(&exported.text),
        Some(path) => {
            std::fs::write(&path, &exported.text).map_err(|error| {
                AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
                    .with_hint(tr!("Check that the folder exists and that you may write to it"))
                    .with_detail(error)
            })?;
            print_note(&tr!("written: {path}", path = path.display()));
        }
    }
    Ok(())
}

async fn query_metrics(app: &App, args: QueryMetricsArgs, stop: &Stop) -> Result<(), AppError> {
    let (uri, stored) = open_metrics(app, args.place).await?;
    let query = MetricQuery {
        metrics: args.metrics,
        by: args.by,
        filters: args.filters,
        from: args.from,
        to: args.to,
        compare: args.compare.map(Into::into),
        share: args.share,
        running_total: args.running_total,
        order: args.order,
        limit: args.limit,
        ..MetricQuery::default()
    };
    let sql = app.compile_metrics(&uri, &stored.file, query, stop.token()).await?;
    if args.sql {
        match args.json {
            true => print_json(&json!({ "sql": sql })),
            false => print_text(&sql),
        }
        return Ok(());
    }
    let rows = app.query_page(uri, sql.clone(), MOST_ROWS, stop.token()).await?;
    if args.json {
        print_json(&json!({
            "sql": sql,
            "columns": rows.columns.iter().map(|c| json!({"name": c.name, "type": c.cell_type})).collect::<Vec<_>>(),
            "rows": rows.json_rows(),
            "row_count": rows.row_count,
            "truncated": rows.truncated,
        }));
        return Ok(());
    }
    print_text(&format_page(&rows));
    let shown = in_rows(rows.row_count);
    print_note(&if rows.truncated { tr!("the first {shown} rows; for fewer, use --limit", shown) } else { shown });
    Ok(())
}
