//! `vitrine connections limit` and `vitrine connections spending`

use crate::args::{LimitArgs, ScanLimit};
use crate::end::End;
use crate::output::{format_number, print_json, print_note, print_text, sanitize_text, text_table};
use vitrine_api::{App, Connection, ConnectionDraft, Metering, ReadingAhead, held_limits, metering_at, reading_ahead};
use vitrine_domain::money::format_usd;
use vitrine_domain::{AppError, CellType, ErrorCode, SCAN_PRICE_ON, ScanCap};
use vitrine_words::{join_with_or, tr};

/// Sets limits, and shows the amounts used so far.
pub(crate) async fn set_limits(app: &App, args: LimitArgs) -> Result<(), End> {
    let Some(name) = &args.name else {
        let mut settings = app.settings().await?;
        if let Some(limit) = args.month {
            apply_limit(&mut settings.monthly_scans, limit);
            app.set_settings(settings).await?;
        }
        return print_spending(app, None, false).await;
    };
    let connection = app.find_connection(name).await?;
    let how = reading_ahead(&connection.address);
    check_limits(&connection, how, &args)?;
    let mut settings = connection.settings;
    if let Some(limit) = args.question {
        // Default limits are shown next to the user's own.
        let held = held_limits(&connection.address, settings.scans.clone()).question;
        apply_limit(settings.scans.question.insert(held.unwrap_or_default()), limit);
    }
    if let Some(limit) = args.month {
        apply_limit(&mut settings.scans.month, limit);
    }
    settings.scans.price = args.price.or(settings.scans.price);
    settings.previews.rows = args.preview_rows.unwrap_or(settings.previews.rows);
    settings.previews.tables = args.preview_tables.unwrap_or(settings.previews.tables);
    settings.previews.statistics_bytes = args.profile_bytes.unwrap_or(settings.previews.statistics_bytes);
    let draft = ConnectionDraft {
        id: Some(connection.id),
        name: connection.name,
        address: connection.address,
        environment: connection.environment,
        schemas: connection.schemas,
        settings,
        password: None,
        remember: false,
    };
    let kept = app.keep_connection(draft).await?.connection;
    let (rows, tables) = (kept.settings.previews.rows, kept.settings.previews.tables);
    if kept.settings.previews.statistics_bytes > 0 {
        let megabytes = format_number(kept.settings.previews.statistics_bytes / 1_000_000);
        print_note(&tr!("queries for approximate statistics may read {megabytes} MB", megabytes));
    }
    if how == ReadingAhead::Queried {
        let meters = metering_at(&kept.address) != Metering::Untold;
        print_note(&tr!(
            "ahead of questions up to {rows} rows of up to {tables} tables are read, by one query each",
            rows,
            tables
        ));
        return if meters { print_spending(app, None, false).await } else { Ok(()) };
    }
    print_note(&tr!("up to {rows} rows of up to {tables} tables are listed, which is free", rows, tables));
    print_spending(app, None, false).await
}

/// Rejects a limit that cannot be enforced.
fn check_limits(connection: &Connection, how: ReadingAhead, args: &LimitArgs) -> Result<(), AppError> {
    let name = sanitize_text(&connection.name, false);
    let bills = args.question.is_some() || args.month.is_some() || args.price.is_some();
    if bills && !metering_at(&connection.address).holds_limits() {
        let said = tr!(
            "{name} cannot be limited by bytes or money: only BigQuery and ClickHouse report what a query has read",
            name
        );
        return Err(AppError::new(ErrorCode::Usage, said).with_hint(tr!(
            "Set a limit where the bill is made, such as a resource monitor or a budget of the warehouse"
        )));
    }
    if !how.is_bounded() {
        let said = tr!("{name} is sampled as its profile needs it, without limits on rows or tables", name);
        return Err(AppError::new(ErrorCode::Usage, said)
            .with_hint(tr!("Limits of reading ahead are for warehouses in the cloud")));
    }
    Ok(())
}

/// Describes briefly which data of a connection may be read ahead of questions.
pub(crate) fn describe_read_ahead(connection: &Connection) -> String {
    let settings = &connection.settings;
    if !settings.read_ahead || settings.require_approval {
        return tr!("no");
    }
    match reading_ahead(&connection.address).is_bounded() {
        true => tr!("{rows} rows of {tables} tables", rows = settings.previews.rows, tables = settings.previews.tables),
        false => tr!("samples"),
    }
}

fn apply_limit(cap: &mut ScanCap, limit: ScanLimit) {
    match limit {
        ScanLimit::Bytes(bytes) => cap.bytes = Some(bytes),
        ScanLimit::Money(money) => cap.money = Some(money),
        ScanLimit::None => *cap = ScanCap::default(),
    }
}

/// Prints the billed amounts of a month, with the limits.
pub(crate) async fn print_spending(app: &App, month: Option<String>, json: bool) -> Result<(), End> {
    let scans = app.scans(month).await?;
    if json {
        print_json(&scans);
        return Ok(());
    }
    let rows: Vec<Vec<String>> = scans
        .rows
        .iter()
        .map(|row| {
            vec![
                sanitize_text(row.name.as_deref().unwrap_or(&row.warehouse), false),
                format_number(row.queries),
                format_number(row.bytes.div_ceil(1_000_000)),
                row.limits.price.map(|_| format_usd(row.money)).unwrap_or_default(),
                row.limits.price.map(format_usd).unwrap_or_default(),
                format_cap(&row.limits.question.unwrap_or_default()),
                format_cap(&row.limits.month),
            ]
        })
        .collect();
    let (text, count) = (CellType::Text, CellType::Integer);
    let head = [
        (scans.month.clone(), text),
        (tr!(context "heading", "queries"), count),
        (tr!(context "heading", "MB billed or read"), count),
        (tr!(context "heading", "money"), text),
        (tr!(context "heading", "for a TiB"), text),
        (tr!(context "heading", "limit of a question"), text),
        (tr!(context "heading", "limit of the month"), text),
    ];
    print_text(&text_table(&head, &rows));
    print_note(&tr!("limit of all connections in a month: {limit}", limit = format_cap(&scans.all)));
    print_note(&tr!(
        "the price for a TiB is BigQuery's for the US as of {date} unless you set another; for ClickHouse it is what you set",
        date = SCAN_PRICE_ON
    ));
    Ok(())
}

fn format_cap(cap: &ScanCap) -> String {
    let limits = [cap.bytes.map(|bytes| format!("{} MB", format_number(bytes / 1_000_000))), cap.money.map(format_usd)];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() { tr!("none") } else { join_with_or(&limits) }
}
