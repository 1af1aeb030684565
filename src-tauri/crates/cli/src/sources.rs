//! Several warehouses for one query: `--warehouse NAME=ADDRESS`, repeated.

use crate::args::{Command, SourceArgs};
use crate::end::End;
use crate::output::{format_number, in_rows, print_note, sanitize_text};
use crate::password;
use vitrine_api::{App, SAMPLE, SourceRead, WarehouseUri, split_source};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{format_decimal, plural, tr};

/// Replaces the warehouses of a command by one address that joins them, if there are several or if they are named.
pub(crate) async fn join_sources(app: &App, command: &mut Command) -> Result<(), End> {
    let SourceArgs { warehouse: given, fetch_rows } = match command {
        Command::Ask(args) => {
            SourceArgs { warehouse: std::mem::take(&mut args.warehouse), fetch_rows: args.fetch_rows }
        }
        Command::Query(args) => std::mem::take(&mut args.sources),
        Command::Explain(args) => std::mem::take(&mut args.sources),
        Command::Keys(args) => std::mem::take(&mut args.sources),
        _ => return Ok(()),
    };
    if let Some(rows) = fetch_rows {
        app.limit_fetched_rows(rows);
    }
    let address = match given.as_slice() {
        [] => return Ok(()),
        [only] => match named_source(app, only).await? {
            Some(source) => open_named(app, vec![source]).await?,
            None => only.clone(),
        },
        several => {
            let mut sources = Vec::new();
            for text in several {
                sources.push(split_source(text)?.ok_or_else(|| unnamed_error(text))?);
            }
            open_named(app, sources).await?
        }
    };
    match command {
        Command::Ask(args) => args.warehouse = vec![address],
        Command::Query(args) => args.uri = Some(address),
        Command::Explain(args) => args.uri = Some(address),
        Command::Keys(args) => args.uri = Some(address),
        _ => {}
    }
    Ok(())
}

/// Returns the name and the address of a single warehouse if it has a name. An address may contain `=` itself.
async fn named_source(app: &App, text: &str) -> Result<Option<(String, String)>, AppError> {
    let known = app.address_of(text).await? != text;
    if known || std::path::Path::new(text).exists() {
        return Ok(None);
    }
    let Ok(Some((name, address))) = split_source(text) else { return Ok(None) };
    let is_address = address.eq_ignore_ascii_case(SAMPLE)
        || std::path::Path::new(&address).exists()
        || WarehouseUri::parse(&address).is_ok()
        || app.address_of(&address).await? != address;
    Ok(is_address.then_some((name, address)))
}

fn unnamed_error(text: &str) -> AppError {
    let address = WarehouseUri::redact_address(text);
    AppError::new(ErrorCode::Usage, tr!("Each of several warehouses needs a name, and {address} has none", address))
        .with_hint(tr!("Write --warehouse NAME=ADDRESS, such as --warehouse plan=targets.csv"))
}

/// Opens each warehouse, with a prompt for its password if needed, and returns the address of all.
async fn open_named(app: &App, sources: Vec<(String, String)>) -> Result<String, End> {
    let mut given = Vec::new();
    for (name, address) in sources {
        let address = app.address_of(&address).await?;
        // The user typed the address, which confirms the warehouse.
        app.confirm_warehouse(&address).await;
        password::offer_password_prompt(app, &address).await?;
        given.push((name, address));
    }
    Ok(app.join_warehouses(given).await?)
}

/// Reports the queries that the sources ran.
pub(crate) fn print_reads(reads: &[SourceRead]) {
    for read in reads {
        let seconds = format_decimal(read.seconds, 1);
        print_note(&tr!(
            "{source}: {rows}, {bytes} bytes in {seconds} s: {sql}",
            source = read.source,
            rows = in_rows(read.rows),
            bytes = format_number(read.bytes),
            seconds,
            sql = sanitize_text(&read.sql, false)
        ));
    }
}

/// Reports what each source delivered to the queries of a question.
pub(crate) fn print_read_totals(reads: &[SourceRead]) {
    let mut sources: Vec<&str> = reads.iter().map(|read| read.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let own = reads.iter().filter(|read| read.source == source);
        let (mut queries, mut rows, mut bytes, mut seconds) = (0_u64, 0, 0, 0.0);
        for read in own {
            (queries, rows, bytes, seconds) =
                (queries + 1, rows + read.rows, bytes + read.bytes, seconds + read.seconds);
        }
        print_note(&tr!(
            "{source}: {queries}, {rows}, {bytes} bytes in {seconds} s",
            source,
            queries = plural!(queries, "{n} query", "{n} queries"),
            rows = in_rows(rows),
            bytes = format_number(bytes),
            seconds = format_decimal(seconds, 1)
        ));
    }
}
