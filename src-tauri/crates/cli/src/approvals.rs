//! `vitrine approvals`, and approval of queries at the terminal.

use crate::args::ApprovalsCommand;
use crate::choice::somebody_is_there;
use crate::end::End;
use crate::input::stdin_text;
use crate::named::resolve_address;
use crate::output::{print_json, print_note, print_text, sanitize_text, text_table};
use crate::typing::{print_prompt, read_on_thread};
use std::io::BufRead;
use tokio::sync::oneshot;
use vitrine_api::App;
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: ApprovalsCommand) -> Result<(), End> {
    match command {
        ApprovalsCommand::List { connection, json } => {
            let rows = app.approvals(connection).await?;
            if json {
                print_json(&rows);
                return Ok(());
            }
            let line = |row: &vitrine_api::AuditRow| {
                let entry = &row.entry;
                let sql = entry.sql.split_whitespace().collect::<Vec<_>>().join(" ");
                let who = entry.decided_by.clone().unwrap_or_default();
                let time = entry.at.chars().take(19).collect::<String>().replace('T', " ");
                [entry.sql_sha256.chars().take(12).collect(), time, who, sql.chars().take(80).collect()]
                    .map(|cell: String| sanitize_text(&cell, false))
                    .into()
            };
            let text = CellType::Text;
            let head = [
                (tr!(context "heading", "hash"), text),
                (tr!(context "heading", "approved"), text),
                (tr!(context "heading", "by"), text),
                (tr!(context "heading", "query"), text),
            ];
            print_text(&text_table(&head, &rows.iter().map(line).collect::<Vec<_>>()));
        }
        ApprovalsCommand::Add { connection, sql, sha256 } => {
            let sql = if sql == "-" { stdin_text()? } else { sql };
            let address = resolve_address(app, &connection).await?;
            let shown = app.approval(address.clone(), sql).await?;
            let hash = match sha256 {
                Some(hash) => hash,
                None if somebody_is_there() => {
                    if !ask_for_approval(&connection, &shown.sql, &shown.sql_sha256).await.unwrap_or(false) {
                        return Err(not_approved_error());
                    }
                    shown.sql_sha256.clone()
                }
                None => {
                    let what = tr!("An approval is given in a terminal, or with the hash of the text");
                    let known = format!("{}\nSHA-256 {}", shown.sql, shown.sql_sha256);
                    return Err(AppError::new(ErrorCode::Usage, what)
                        .with_hint(tr!("Add --sha256 HASH"))
                        .with_detail(known)
                        .into());
                }
            };
            let approved = app.approve_sql(address, shown.sql, hash).await?;
            print_note(&tr!("approved, SHA-256 {hash}", hash = approved.sql_sha256));
            if !approved.required {
                print_note(&tr!("this connection now also runs unapproved SQL: vitrine connections approval NAME on"));
            }
        }
        ApprovalsCommand::Revoke { connection, hash } => {
            app.revoke_approval(connection, hash).await?;
            print_note(&tr!("withdrawn; the text must be approved again before it runs"));
        }
    }
    Ok(())
}

/// Shows an unapproved query to the user of the terminal and stores the decision, if the connection runs only approved
/// SQL. Without a terminal, the query itself fails with the missing approval.
pub(crate) async fn offer_approval(app: &App, uri: &str, sql: &str) -> Result<(), End> {
    if !somebody_is_there() {
        return Ok(());
    }
    // If the query cannot run at all, the caller reports the reason.
    let Ok(shown) = app.approval(uri.to_owned(), sql.to_owned()).await else { return Ok(()) };
    if shown.required && !shown.approved && ask_for_approval(uri, &shown.sql, &shown.sql_sha256).await.unwrap_or(false)
    {
        app.approve_sql(uri.to_owned(), shown.sql, shown.sql_sha256).await?;
    }
    Ok(())
}

/// Shows a query in its final form and asks for approval. Only a typed yes approves it.
pub(crate) fn ask_for_approval(connection: &str, sql: &str, sql_sha256: &str) -> oneshot::Receiver<bool> {
    print_note(&format!(
        "\n{}\n",
        tr!("This query needs your approval to run on {connection}:", connection = sanitize_text(connection, false))
    ));
    print_note(&format!("{}\n", sanitize_text(sql, true)));
    print_note(&format!("SHA-256 {sql_sha256}"));
    read_on_thread(|| {
        print_prompt(&format!("{} ", tr!("Run exactly this? [y/N]")));
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        read.is_ok() && ["y", "yes"].contains(&line.trim().to_ascii_lowercase().as_str())
    })
}

fn not_approved_error() -> End {
    AppError::new(ErrorCode::NotApproved, tr!("Nothing was approved")).into()
}
