//! `vitrine query`, `schema`, `profile`, `prepare` and `values`

use crate::approvals;
use crate::args::{ProfileArgs, QueryArgs, SchemaArgs, ValuesAction, ValuesArgs};
use crate::ask::write_result;
use crate::end::End;
use crate::files;
use crate::input::stdin_text;
use crate::keys;
use crate::output::{clean, count, note, number, page, print, print_json, text_table};
use crate::sample::announce_sample;
use crate::stop::Stop;
use serde_json::json;
use vitrine_api::{App, AppEvent};
use vitrine_domain::money::usd;
use vitrine_domain::{AppError, CellType, ColumnProfile};

pub(crate) async fn query(app: &App, args: QueryArgs, stop: &Stop) -> Result<(), End> {
    let sql = if args.sql == "-" { stdin_text()? } else { args.sql };
    announce_sample(app, &args.uri);
    if !args.allow_functions.is_empty() || !args.disallow_functions.is_empty() {
        let mut names = app.allowed_functions(args.uri.clone()).await?;
        names.extend(args.allow_functions);
        names.retain(|name| !args.disallow_functions.iter().any(|other| other.trim().eq_ignore_ascii_case(name)));
        let names = app.allow_functions(args.uri.clone(), names).await?;
        let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        note(&format!("functions of the database that queries may call: {list}"));
    }
    if args.dry_run {
        return dry_run(app, args.uri, sql, args.json).await;
    }
    if !args.json {
        approvals::offer(app, &args.uri, &sql).await?;
    }
    if let Some(file) = args.out.file(app.settings().await?.csv_style()) {
        write_result(app, &args.uri, &sql, file, stop).await?;
        if !args.json {
            return Ok(());
        }
    }
    let rows = app.query(args.uri, sql.clone(), args.limit, stop.token()).await?;
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
    print(&page(&rows));
    let shown = count(rows.row_count, "row");
    note(&if rows.truncated {
        format!("the first {shown}, there are more: raise --limit or use --out")
    } else {
        shown
    });
    Ok(())
}

/// What a query would give and read, without running it.
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
    let names: Vec<String> = check.columns.iter().map(|column| clean(&column.name, false)).collect();
    print(&format!("{}\n", names.join("\n")));
    note(&match check.bytes {
        Some(bytes) => {
            let money = check.money.map(|money| format!(", billed for {}", usd(money))).unwrap_or_default();
            format!("nothing was run; it would read {} bytes{money}", number(bytes))
        }
        None => "nothing was run; this database does not estimate how much it would read".to_owned(),
    });
    Ok(())
}

pub(crate) async fn prepare(app: &App, uri: &str) -> Result<(), End> {
    announce_sample(app, uri);
    Ok(app.make_ready(uri).await?)
}

pub(crate) async fn schema(app: &App, args: SchemaArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    let report = app.schema(args.uri.clone(), args.budget).await?;
    if args.render {
        print(&report.text);
        return Ok(());
    }
    if args.json {
        print_json(&report);
        return Ok(());
    }
    let rows = |n: Option<u64>| n.map(number).unwrap_or_default();
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
    print(&text_table(
        &[("table", text), ("of", whole), ("columns", whole), ("rows", whole), ("names", text)],
        &tables,
    ));
    print(&format!(
        "\n{}, {}, {} of look-alikes\n{} tokens as it is, {} compressed (counted by {})\n",
        count(report.table_count as u64, "table"),
        count(report.column_count as u64, "column"),
        count(report.group_count as u64, "group"),
        number(report.tokens_raw.into()),
        number(report.tokens_compressed.into()),
        report.counted_by,
    ));
    print(&format!(
        "{} of at most {} tokens:",
        count(report.chunks.len() as u64, "chunk"),
        number(report.budget.into())
    ));
    for chunk in &report.chunks {
        print(&format!(
            "  {}: {} tokens, {}",
            chunk.index,
            number(chunk.tokens.into()),
            clean(&chunk.tables.join(", "), false)
        ));
    }
    if !report.inferred_keys.is_empty() {
        print("\nKeys that are not declared but inferred:\n");
        keys::list(&report.inferred_keys);
    }
    let readings = app.file_readings(args.uri).await?;
    let mut notable = readings.iter().filter(|reading| reading.is_notable()).peekable();
    if notable.peek().is_some() {
        print("\nHow the files were read (`vitrine files` changes it):\n");
        notable.for_each(files::show);
    }
    Ok(())
}

pub(crate) async fn profile(app: &App, args: ProfileArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    let profile = app.whole_profile(&args.uri).await?;
    if args.json {
        print_json(&profile);
        return Ok(());
    }
    let text = CellType::Text;
    for table in &profile.tables {
        let read = if table.profiled_rows < table.row_count {
            format!(", read {}", number(table.profiled_rows))
        } else {
            String::new()
        };
        print(&clean(&format!("{}: {}{read}", table.table, count(table.row_count, "row")), false));
        let rows: Vec<Vec<String>> = table.columns.iter().flat_map(column).collect();
        print(&text_table(
            &[
                ("column", text),
                ("kind", text),
                ("null", CellType::Integer),
                ("distinct", CellType::Integer),
                ("values", text),
            ],
            &rows,
        ));
        print("");
    }
    Ok(())
}

/// A column, and below it what its values hold.
fn column(column: &ColumnProfile) -> Vec<Vec<String>> {
    let within = column.fields.iter().map(|field| {
        let dot = if field.name.is_empty() || field.name.starts_with('[') { "" } else { "." };
        place(field, format!("{}{dot}{}", column.name, field.name))
    });
    std::iter::once(place(column, column.name.clone())).chain(within).collect()
}

fn place(column: &ColumnProfile, name: String) -> Vec<String> {
    let kind = serde_json::to_value(column.kind).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
    let kind = match &column.hidden {
        Some(hidden) => format!("{kind} ({hidden})"),
        None => kind,
    };
    let values = match (&column.min, &column.max) {
        _ if column.complete => {
            column.top.iter().map(|(value, n)| format!("{value} ({})", number(*n))).collect::<Vec<_>>().join(", ")
        }
        (Some(min), Some(max)) => match (&column.mean, column.stddev) {
            (Some(mean), Some(stddev)) => format!("{min} to {max}, mean {mean}, deviation {stddev}"),
            _ => format!("{min} to {max}"),
        },
        _ => column.samples.join(", "),
    };
    vec![name, kind, format!("{:.0}%", column.null_ratio * 100.0), number(column.distinct), values]
}

pub(crate) async fn values(app: &App, args: ValuesArgs) -> Result<(), End> {
    announce_sample(app, &args.uri);
    match args.action {
        ValuesAction::Build { json } => {
            let size = watched(app, app.build_values(&args.uri)).await?;
            if json {
                print_json(
                    &json!({"columns": size.columns, "values": size.values, "embedded": size.embedded, "bytes": size.bytes}),
                );
            } else {
                print(&format!(
                    "{}, {}, {} bytes",
                    count(size.columns, "column"),
                    count(size.values, "value"),
                    number(size.bytes)
                ));
            }
        }
        ValuesAction::Search { term, json } => {
            let found = watched(app, app.search_values(&args.uri, term)).await?;
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
            print(&text_table(&[("value", text), ("column", text), ("spelling", float), ("meaning", float)], &rows));
        }
    }
    Ok(())
}

/// Does something that waits for the background work, and shows how far that is.
async fn watched<T>(app: &App, work: impl Future<Output = Result<T, AppError>>) -> Result<T, AppError> {
    let mut stages = crate::stages::Stages::new();
    let mut events = app.subscribe();
    tokio::pin!(work);
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            Ok(AppEvent::Preparation(p)) = events.recv() => {
                stages.wait(format!("{} of {} tables read, {} of {} columns indexed", p.profiled, p.tables, p.values_indexed, p.values_total));
            }
        }
    };
    stages.still();
    done
}
