//! Searchable text of a run, stored next to it.

use rusqlite::{Connection, params};
use vitrine_domain::EventBody;

/// Stores the searchable text of a run: its interpreted question and its answer in words.
pub(crate) fn keep_words(transaction: &Connection, run_id: &str, body: &EventBody) -> rusqlite::Result<()> {
    let (column, words) = match body {
        EventBody::Rewritten { rewritten, .. } => {
            let parts = [&rewritten.task].into_iter().chain(&rewritten.outputs).chain(&rewritten.filters);
            ("understood", parts.map(String::as_str).chain([rewritten.ordering.as_str()]).collect::<Vec<_>>())
        }
        EventBody::ResultReady { page, headline: Some(headline), .. } => ("told", headline.mentioned_texts(page)),
        _ => return Ok(()),
    };
    let words = words.join("\n");
    // Also searchable as displayed, with spaces instead of underscores.
    let shown = words.replace('_', " ");
    let words = if shown == words { words } else { format!("{words}\n{shown}") };
    transaction.execute(&format!("UPDATE runs SET {column} = ?2 WHERE run_id = ?1"), params![run_id, words]).map(drop)
}
