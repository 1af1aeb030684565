//! `vitrine audit`

use crate::args::{AuditCommand, Author};
use crate::end::End;
use crate::output::{format_number, in_rows, print_json, print_note, print_text, sanitize_text, text_table};
use vitrine_api::{App, AuditRow, AuditVerdict, QueryAuthor};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: AuditCommand) -> Result<(), End> {
    match command {
        AuditCommand::List { search, by, limit, json } => {
            let rows = app.audit(search, by.map(Author::to_query_author), limit, 0).await?;
            if json {
                print_json(&rows);
                return Ok(());
            }
            let (text, whole) = (CellType::Text, CellType::Integer);
            let head = [
                (String::new(), whole),
                (tr!(context "heading", "time"), text),
                (String::new(), text),
                (tr!(context "heading", "rows"), whole),
                (tr!(context "heading", "by"), text),
                (tr!(context "heading", "for"), text),
                (tr!(context "heading", "warehouse"), text),
                (tr!(context "heading", "query"), text),
            ];
            print_text(&text_table(&head, &rows.iter().map(format_audit_row).collect::<Vec<_>>()));
        }
        AuditCommand::Export { file } => {
            let rows = app.write_audit(file.clone()).await?;
            print_note(&tr!("{rows} written to {path}", rows = in_rows(u64::from(rows)), path = file.display()));
        }
        AuditCommand::Verify { json } => {
            let check = app.check_audit().await?;
            if json {
                print_json(&check);
            }
            if let Some(broken) = check.broken_at {
                let what =
                    tr!("The audit log is not intact: row {broken} was changed, or a row before it is missing", broken);
                return Err(AppError::new(ErrorCode::Internal, what)
                    .with_hint(tr!("Compare it with an earlier export"))
                    .into());
            }
            print_note(&tr!(
                "{rows}, intact; the hash of the last row is {hash}",
                rows = in_rows(check.rows),
                hash = check.last_hash
            ));
        }
    }
    Ok(())
}

fn format_audit_row(row: &AuditRow) -> Vec<String> {
    let verdict = match row.entry.verdict {
        AuditVerdict::Ran => tr!(context "verdict", "ran"),
        AuditVerdict::Refused => tr!(context "verdict", "refused"),
        AuditVerdict::Failed => tr!(context "verdict", "failed"),
        AuditVerdict::Cancelled => tr!(context "verdict", "cancelled"),
        AuditVerdict::Approved => tr!(context "verdict", "approved"),
        AuditVerdict::Revoked => tr!(context "verdict", "revoked"),
        AuditVerdict::Told => tr!(context "verdict", "told"),
    };
    let query = row.entry.sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let query: String = query.chars().take(80).collect();
    let rows = row.entry.rows.map(format_number).unwrap_or_default();
    let time = row.entry.at.chars().take(19).collect::<String>().replace('T', " ");
    let receiver = row.entry.receiver.clone().unwrap_or_default();
    let author = match row.entry.author {
        Some(QueryAuthor::User) => tr!(context "author of a query", "you"),
        Some(QueryAuthor::Model) => tr!(context "author of a query", "model"),
        Some(QueryAuthor::App) => tr!(context "author of a query", "Vitrine"),
        Some(QueryAuthor::Program) => tr!(context "author of a query", "program"),
        None => String::new(),
    };
    [row.number.to_string().as_str(), &time, &verdict, &rows, &author, &receiver, &row.entry.warehouse, &query]
        .map(|cell| sanitize_text(cell, false))
        .into()
}
