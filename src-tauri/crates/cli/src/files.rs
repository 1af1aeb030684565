//! `vitrine files`, and the reading of files in `vitrine schema`.

use crate::args::FilesArgs;
use crate::end::End;
use crate::output::{print_json, print_note, print_text, sanitize_text};
use vitrine_api::App;
use vitrine_domain::{AppError, DateOrder, DecimalSign, ErrorCode, FileReading, SetAsideReason};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, args: FilesArgs) -> Result<(), End> {
    let mut readings = app.file_readings(args.uri.clone()).await;
    if let Some(table) = &args.table {
        let known = readings.as_ref().ok().and_then(|known| known.iter().find(|reading| reading.table == *table));
        if known.is_none() && readings.is_ok() {
            let message = tr!("{table} is not a table of a CSV, JSON or Excel file", table);
            return Err(AppError::new(ErrorCode::Usage, message)
                .with_hint(tr!("`vitrine files URI` lists those that are"))
                .into());
        }
        let told = args.update_options(known.map(|reading| reading.options.clone()).unwrap_or_default());
        readings = app.read_file_as(args.uri.clone(), table.clone(), told).await;
    }
    let readings = readings?;
    if args.json {
        print_json(&readings);
    } else if readings.is_empty() {
        print_note(&tr!("no table here comes from a CSV, JSON or Excel file"));
    } else {
        readings.iter().for_each(print_file_reading);
    }
    Ok(())
}

/// Prints the detected format of one table.
pub(crate) fn print_file_reading(reading: &FileReading) {
    let say = |text: &str| print_text(&sanitize_text(text, false));
    if let Some(why) = &reading.left_out {
        say(&tr!("{file} was not read: {why}", file = reading.file, why));
        return;
    }
    say(&match &reading.sheet {
        Some(sheet) => tr!("{table}: {file}, sheet {sheet}", table = reading.table, file = reading.file, sheet),
        None => format!("{}: {}", reading.table, reading.file),
    });
    let mut facts: Vec<String> = reading.encoding.iter().cloned().collect();
    facts.extend(reading.delimiter.as_deref().map(|delimiter| match delimiter {
        "\t" => tr!("cells separated by tabs"),
        delimiter => tr!("cells separated by `{delimiter}`", delimiter),
    }));
    facts.extend(reading.decimal.map(|sign| match sign {
        DecimalSign::Comma => tr!("decimal comma"),
        DecimalSign::Point => tr!("decimal point"),
    }));
    facts.extend(reading.date_order.map(|order| match order {
        DateOrder::DayFirst => tr!("dates with the day first"),
        DateOrder::MonthFirst => tr!("dates with the month first"),
    }));
    // JSON records have keys and no header row.
    let has_rows = reading.sheet.is_some() || reading.encoding.is_some();
    facts.extend(match reading.header_row {
        Some(row) => Some(tr!("column names in row {row}", row)),
        None => has_rows.then(|| tr!("no column names")),
    });
    if !facts.is_empty() {
        say(&format!("  {}", facts.join(", ")));
    }
    for row in &reading.skipped {
        say(&format!("  {}", tr!("above the names, row {row}: {text}", row = row.row, text = row.text)));
    }
    for row in &reading.set_aside {
        let reason = match row.reason {
            SetAsideReason::Total => tr!("total"),
            SetAsideReason::Subtotal => tr!("subtotal"),
            SetAsideReason::Footnote => tr!("note"),
            SetAsideReason::Comment => tr!("comment"),
            SetAsideReason::Names => tr!("column names again"),
            SetAsideReason::Units => tr!("units"),
        };
        say(&format!("  {}", tr!("set aside, row {row} ({reason}): {text}", row = row.row, reason, text = row.text)));
    }
    for column in &reading.converted {
        say(&format!("  {}: {}", column.column, column.how));
    }
    for doubt in &reading.doubts {
        say(&format!("  {}", tr!("in doubt: {doubt}", doubt)));
    }
}
