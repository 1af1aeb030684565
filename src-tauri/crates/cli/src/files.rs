//! `vitrine files`, and how files were read in `vitrine schema`.

use crate::args::FilesArgs;
use crate::end::End;
use crate::output::{clean, note, print, print_json};
use vitrine_api::App;
use vitrine_domain::{AppError, DateOrder, DecimalSign, ErrorCode, FileReading, SetAsideReason};

pub(crate) async fn run(app: &App, args: FilesArgs) -> Result<(), End> {
    let mut readings = app.file_readings(args.uri.clone()).await;
    if let Some(table) = &args.table {
        let known = readings.as_ref().ok().and_then(|known| known.iter().find(|reading| reading.table == *table));
        if known.is_none() && readings.is_ok() {
            let message = format!("{table} is not a table of a CSV or Excel file");
            return Err(AppError::new(ErrorCode::Usage, message)
                .hint("`vitrine files URI` lists those that are")
                .into());
        }
        let told = args.told(known.map(|reading| reading.options.clone()).unwrap_or_default());
        readings = app.read_file_as(args.uri.clone(), table.clone(), told).await;
    }
    let readings = readings?;
    if args.json {
        print_json(&readings);
    } else if readings.is_empty() {
        note("no table here comes from a CSV or Excel file");
    } else {
        readings.iter().for_each(show);
    }
    Ok(())
}

/// What was understood of one table, in lines.
pub(crate) fn show(reading: &FileReading) {
    let say = |text: &str| print(&clean(text, false));
    let sheet = reading.sheet.as_ref().map(|sheet| format!(", sheet {sheet}")).unwrap_or_default();
    say(&format!("{}: {}{sheet}", reading.table, reading.file));
    let mut facts: Vec<String> = reading.encoding.iter().cloned().collect();
    facts.extend(reading.delimiter.as_deref().map(|delimiter| match delimiter {
        "\t" => "cells parted by tabs".to_owned(),
        delimiter => format!("cells parted by `{delimiter}`"),
    }));
    facts.extend(reading.decimal.map(|sign| match sign {
        DecimalSign::Comma => "decimal comma".to_owned(),
        DecimalSign::Point => "decimal point".to_owned(),
    }));
    facts.extend(reading.date_order.map(|order| match order {
        DateOrder::DayFirst => "dates with the day first".to_owned(),
        DateOrder::MonthFirst => "dates with the month first".to_owned(),
    }));
    facts.push(match reading.header_row {
        Some(row) => format!("column names in row {row}"),
        None => "no column names".to_owned(),
    });
    say(&format!("  {}", facts.join(", ")));
    for row in &reading.skipped {
        say(&format!("  above the names, row {}: {}", row.row, row.text));
    }
    for row in &reading.set_aside {
        let reason = match row.reason {
            SetAsideReason::Total => "total",
            SetAsideReason::Subtotal => "subtotal",
            SetAsideReason::Footnote => "note",
            SetAsideReason::Comment => "comment",
        };
        say(&format!("  set aside, row {} ({reason}): {}", row.row, row.text));
    }
    for column in &reading.converted {
        say(&format!("  {}: {}", column.column, column.how));
    }
    for doubt in &reading.doubts {
        say(&format!("  in doubt: {doubt}"));
    }
}
