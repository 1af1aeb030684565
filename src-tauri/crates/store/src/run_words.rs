//! What a run says in words, kept beside it to find it by.

use rusqlite::{Connection, params};
use vitrine_domain::EventBody;

/// Keeps what a run says in words, to find it by: how its question was understood, and what its answer tells.
pub(crate) fn keep_words(transaction: &Connection, run_id: &str, body: &EventBody) -> rusqlite::Result<()> {
    let (column, words) = match body {
        EventBody::Rewritten { rewritten, .. } => {
            let parts = [&rewritten.task].into_iter().chain(&rewritten.outputs).chain(&rewritten.filters);
            ("understood", parts.map(String::as_str).chain([rewritten.ordering.as_str()]).collect::<Vec<_>>())
        }
        EventBody::ResultReady { page, headline: Some(headline), .. } => ("told", headline.told(page)),
        _ => return Ok(()),
    };
    let words = words.join("\n");
    // Names are shown with blanks in place of underscores.
    let shown = words.replace('_', " ");
    let words = if shown == words { words } else { format!("{words}\n{shown}") };
    transaction.execute(&format!("UPDATE runs SET {column} = ?2 WHERE run_id = ?1"), params![run_id, words]).map(drop)
}
