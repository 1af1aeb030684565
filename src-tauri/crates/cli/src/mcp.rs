//! `vitrine mcp`

use crate::args::McpArgs;
use crate::ask::resolve_settings;
use crate::end::End;
use crate::stop::Stop;
use vitrine_api::App;
use vitrine_domain::{AppError, AskSettings};
use vitrine_mcp::{Limits, Scope, ScopedWarehouse};

/// Serves an agent until it disconnects. No user is at a terminal, and standard output belongs to the agent.
pub(crate) async fn run(app: &App, args: McpArgs, stop: &Stop) -> Result<(), End> {
    let mut warehouses = Vec::new();
    for named in args.warehouses {
        warehouses.push(parse_scoped_warehouse(app, &named).await?);
    }
    let scope = Scope::new(warehouses)?;
    let kept = app.settings().await?.for_asking();
    let settings = resolve_settings(app, AskSettings { ask_when_unsure: false, ..kept }, args.asking).await?;
    // An early answer requires a user who can choose to keep looking.
    let settings = AskSettings { ask_when_unsure: false, answer_within_s: 0, ..settings };
    let limits = Limits { query_rows: args.max_rows, page_rows: args.page_rows, bytes: args.max_bytes };
    Ok(vitrine_mcp::serve_client(app.clone(), scope, settings, limits, stop.token()).await?)
}

/// Parses `NAME=WAREHOUSE`, or a warehouse that is its own name. The argument confirms that the warehouse may be
/// opened.
async fn parse_scoped_warehouse(app: &App, named: &str) -> Result<ScopedWarehouse, AppError> {
    let is_name = |name: &str| !name.trim().is_empty() && !name.contains([':', '/', '\\', '?', '@']);
    let (name, warehouse) = match named.split_once('=') {
        Some((name, warehouse)) if is_name(name) => (name.trim(), warehouse),
        _ => (named.trim(), named),
    };
    let address = app.address_of(warehouse).await?;
    let title = app.title_of(&address).await?;
    app.confirm_warehouse(&address).await;
    // The agent does not need to know the address.
    let name = if name == named.trim() { title } else { name.to_owned() };
    Ok(ScopedWarehouse { name, address })
}
