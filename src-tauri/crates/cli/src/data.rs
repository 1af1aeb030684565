//! `vitrine query`, `schema`, `profile`, `prepare` and `values`

use crate::approvals;
use crate::args::{ProfileArgs, QueryArgs, SchemaArgs, ValuesAction, ValuesArgs};
use crate::end::End;
use crate::export::{about_query, write_result};
use crate::files;
use crate::input::stdin_text;
use crate::keys;
use crate::output::{
    format_number, format_page, in_rows, print_json, print_note, print_text, sanitize_text, text_table,
};
use crate::sample::announce_sample;
use crate::sources::print_reads;
use crate::stop::Stop;
use serde_json::json;
use vitrine_api::{App, AppEvent, TypedValue, is_joined_address};
use vitrine_domain::money::format_usd;
use vitrine_domain::{AppError, CellType, ColumnProfile, TableProfile};
use vitrine_words::{plural, tr};

pub(crate) async fn run_query(app: &App, args: QueryArgs, stop: &Stop) -> Result<(), End> {
    let sql = if args.sql == "-" { stdin_text()? } else { args.sql };
    let uri = args.uri.unwrap_or_default();
    announce_sample(app, &uri);
    if !args.allow_functions.is_empty() || !args.disallow_functions.is_empty() {
        let mut names = app.allowed_functions(uri.clone()).await?;
        names.extend(args.allow_functions);
        names.retain(|name| !args.disallow_functions.iter().any(|other| other.trim().eq_ignore_ascii_case(name)));
        let names = app.allow_functions(uri.clone(), names).await?;
        let list = if names.is_empty() { tr!("none") } else { names.join(", ") };
        print_note(&tr!("functions of the database that queries may call: {list}", list));
    }
    let sql = match args.params.is_empty() {
        true => sql,
        false => fill_parameters(app, &uri, sql, args.params).await?,
    };
    if args.dry_run {
        return dry_run(app, uri, sql, args.json).await;
    }
    if !args.json {
        approvals::offer_approval(app, &uri, &sql).await?;
    }
    if let Some(file) = args.out.export_file(app.settings().await?.csv_style(), || about_query(&uri, &sql)) {
        write_result(app, &uri, &sql, file, stop).await?;
        if !args.json {
            print_reads(&app.source_reads(&uri).await);
            return Ok(());
        }
    }
    let rows = app.query_page(uri.clone(), sql.clone(), args.limit, stop.token()).await?;
    let reads = app.source_reads(&uri).await;
    if args.json {
        let mut object = json!({
            "sql": sql,
            "columns": rows.columns.iter().map(|c| json!({"name": c.name, "type": c.cell_type})).collect::<Vec<_>>(),
            "rows": rows.json_rows(),
            "row_count": rows.row_count,
            "truncated": rows.truncated,
        });
        if is_joined_address(&uri) {
            object["sources"] = json!(reads);
        }
        print_json(&object);
        return Ok(());
    }
    print_text(&format_page(&rows));
    let shown = in_rows(rows.row_count);
    print_note(&if rows.truncated {
        tr!("the first {shown} rows; for more, raise --limit or use --out", shown)
    } else {
        shown
    });
    print_reads(&reads);
    Ok(())
}

/// Returns the query with these parameter values.
async fn fill_parameters(app: &App, uri: &str, sql: String, params: Vec<(String, String)>) -> Result<String, AppError> {
    let value = |(name, value)| (name, TypedValue { kind: None, value });
    let values = params.into_iter().map(value).collect();
    Ok(app.fill_query(uri.to_owned(), sql, values).await?.sql)
}

/// Prints the columns of a query's result and the estimated amount of data, without executing the query.
async fn dry_run(app: &App, uri: String, sql: String, json: bool) -> Result<(), End> {
    let check = app.check_sql(sql.clone(), uri).await?;
    if json {
        print_json(&json!({
            "sql": sql,
            "columns": check.columns.iter().map(|c| json!({"name": c.name, "type": c.cell_type})).collect::<Vec<_>>(),
            "bytes": check.bytes,
            "micro_usd": check.money,
        }));
        return Ok(());
    }
    let names: Vec<String> = check.columns.iter().map(|column| sanitize_text(&column.name, false)).collect();
    print_text(&format!("{}\n", names.join("\n")));
    print_note(&match check.bytes {
        Some(bytes) => {
            let bytes = format_number(bytes);
            match check.money {
                Some(money) => {
                    tr!(
                        "nothing was run; it would read {bytes} bytes, billed for {money}",
                        bytes,
                        money = format_usd(money)
                    )
                }
                None => tr!("nothing was run; it would read {bytes} bytes", bytes),
            }
        }
        None => tr!("nothing was run; this database does not estimate how much it would read"),
    });
    Ok(())
}

pub(crate) async fn prepare_warehouse(app: &App, uri: &str) -> Result<(), End> {
    announce_sample(app, uri);
    Ok(app.make_ready(uri).await?)
}

pub(crate) async fn print_schema(app: &App, args: SchemaArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    let report = app.report_schema(args.uri.clone(), args.budget).await?;
    if args.render {
        print_text(&report.text);
        return Ok(());
    }
    if args.json {
        print_json(&report);
        return Ok(());
    }
    let rows = |n: Option<u64>| n.map(format_number).unwrap_or_default();
    let tables: Vec<Vec<String>> = report
        .tables
        .iter()
        .map(|t| {
            vec![
                t.name.clone(),
                t.members.len().to_string(),
                t.columns.len().to_string(),
                rows(t.row_count),
                t.columns.join(", "),
            ]
        })
        .collect();
    let text = CellType::Text;
    let whole = CellType::Integer;
    print_text(&text_table(
        &[
            (tr!(context "heading", "table"), text),
            (tr!(context "heading", "of"), whole),
            (tr!(context "heading", "columns"), whole),
            (tr!(context "heading", "rows"), whole),
            (tr!(context "heading", "names"), text),
        ],
        &tables,
    ));
    print_text(&format!(
        "\n{}\n{}\n",
        tr!(
            "{tables}, {columns}, {groups} of look-alikes",
            tables = plural!(report.table_count, "{n} table", "{n} tables"),
            columns = plural!(report.column_count, "{n} column", "{n} columns"),
            groups = plural!(report.group_count, "{n} group", "{n} groups")
        ),
        tr!(
            "{raw} tokens uncompressed, {compressed} compressed (counted by {by})",
            raw = format_number(report.tokens_raw.into()),
            compressed = format_number(report.tokens_compressed.into()),
            by = report.counted_by
        )
    ));
    print_text(&plural!(
        report.chunks.len(),
        "{n} chunk of at most {most} tokens:",
        "{n} chunks of at most {most} tokens:",
        most = format_number(report.budget.into())
    ));
    for chunk in &report.chunks {
        print_text(&format!(
            "  {}: {}, {}",
            chunk.index,
            tr!("{tokens} tokens", tokens = format_number(chunk.tokens.into())),
            sanitize_text(&chunk.tables.join(", "), false)
        ));
    }
    if !report.inferred_keys.is_empty() {
        print_text(&format!("\n{}\n", tr!("Keys that are not declared but inferred:")));
        keys::print_keys(&report.inferred_keys);
    }
    let readings = app.file_readings(args.uri).await?;
    let mut notable = readings.iter().filter(|reading| reading.is_notable()).peekable();
    if notable.peek().is_some() {
        print_text(&format!("\n{}\n", tr!("How the files were read (`vitrine files` changes it):")));
        notable.for_each(files::print_file_reading);
    }
    Ok(())
}

pub(crate) async fn print_profile(app: &App, args: ProfileArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    let profile = app.whole_profile(&args.uri).await?;
    if args.json {
        print_json(&profile);
        return Ok(());
    }
    let text = CellType::Text;
    for table in &profile.tables {
        print_text(&sanitize_text(&format!("{}: {}", table.table, describe_row_count(table)), false));
        let rows: Vec<Vec<String>> = table.columns.iter().flat_map(format_column).collect();
        print_text(&text_table(
            &[
                (tr!(context "heading", "column"), text),
                (tr!(context "heading", "kind"), text),
                (tr!(context "heading", "null"), CellType::Integer),
                (tr!(context "heading", "distinct"), CellType::Integer),
                (tr!(context "heading", "values"), text),
            ],
            &rows,
        ));
        print_text("");
    }
    Ok(())
}

/// Describes the number of rows of a table, and the number of rows that the profile is based on.
fn describe_row_count(table: &TableProfile) -> String {
    match (table.sampled_rows(), table.row_count) {
        (None, _) => in_rows(table.profiled_rows),
        (Some(read), Some(all)) => {
            tr!(
                "{rows}; the following describes {read} of them, which were read",
                rows = in_rows(all),
                read = format_number(read)
            )
        }
        (Some(read), None) => plural!(
            read,
            "the following describes {n} row that was read; the total is unknown",
            "the following describes {n} rows that were read; the total is unknown"
        ),
    }
}

/// Formats a column, followed by the fields within its values.
fn format_column(column: &ColumnProfile) -> Vec<Vec<String>> {
    let within = column.fields.iter().map(|field| {
        let dot = if field.name.is_empty() || field.name.starts_with('[') { "" } else { "." };
        format_column_row(field, format!("{}{dot}{}", column.name, field.name))
    });
    std::iter::once(format_column_row(column, column.name.clone())).chain(within).collect()
}

fn format_column_row(column: &ColumnProfile, name: String) -> Vec<String> {
    let kind = serde_json::to_value(column.kind).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
    let kind = match &column.hidden {
        Some(hidden) => format!("{kind} ({hidden})"),
        None => kind,
    };
    let values = match (&column.min, &column.max) {
        _ if column.complete => column
            .top
            .iter()
            .map(|(value, n)| format!("{value} ({})", format_number(*n)))
            .collect::<Vec<_>>()
            .join(", "),
        (Some(min), Some(max)) => match (&column.mean, column.stddev) {
            (Some(mean), Some(stddev)) => {
                tr!("{min} to {max}, mean {mean}, deviation {stddev}", min, max, mean, stddev)
            }
            _ => tr!("{min} to {max}", min, max),
        },
        _ => column.samples.join(", "),
    };
    vec![name, kind, format!("{:.0}%", column.null_ratio * 100.0), format_number(column.distinct), values]
}

pub(crate) async fn run_values(app: &App, args: ValuesArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    match args.action {
        ValuesAction::Build { json } => {
            let size = await_with_progress(app, app.build_values(&args.uri)).await?;
            if json {
                print_json(
                    &json!({"columns": size.columns, "values": size.values, "embedded": size.embedded, "bytes": size.bytes}),
                );
            } else {
                print_text(&format!(
                    "{}, {}, {}",
                    plural!(size.columns, "{n} column", "{n} columns"),
                    plural!(size.values, "{n} value", "{n} values"),
                    tr!("{bytes} bytes", bytes = format_number(size.bytes))
                ));
            }
        }
        ValuesAction::Search { term, json } => {
            let found = await_with_progress(app, app.search_values(&args.uri, term)).await?;
            if json {
                print_json(&found);
                return Ok(());
            }
            let ratio = |x: Option<f64>| x.map(|x| format!("{x:.2}")).unwrap_or_default();
            let rows: Vec<Vec<String>> = found
                .iter()
                .map(|m| {
                    vec![m.value.clone(), format!("{}.{}", m.table, m.column), ratio(Some(m.edit)), ratio(m.semantic)]
                })
                .collect();
            let (text, float) = (CellType::Text, CellType::Float);
            print_text(&text_table(
                &[
                    (tr!(context "heading", "value"), text),
                    (tr!(context "heading", "column"), text),
                    (tr!(context "heading", "spelling"), float),
                    (tr!(context "heading", "meaning"), float),
                ],
                &rows,
            ));
        }
    }
    Ok(())
}

/// Awaits work that depends on background preparation, and shows the progress.
async fn await_with_progress<T>(app: &App, work: impl Future<Output = Result<T, AppError>>) -> Result<T, AppError> {
    let mut stages = crate::stages::Stages::new();
    let mut events = app.subscribe_to_events();
    tokio::pin!(work);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            Ok(AppEvent::Preparation(p)) = events.recv() => {
                stages.set_message(tr!("{profiled} of {tables} tables read, {indexed} of {columns} columns indexed", profiled = p.profiled, tables = p.tables, indexed = p.values_indexed, columns = p.values_total));
            }
        }
    };
    stages.stop_spinner();
    done
}
