//! Queries that models wrote, from the files of `vitrine eval --replies`.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use vitrine_agents::Ask;
use vitrine_agents::attempt::reply::{is_same_query_text, sql_of};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::ReadOnlySql;

/// Prefixes of the question in prompts that request a query.
const BEFORE: [&str; 2] = ["Question: ", "-- "];

/// A relevant line of a tape.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Head { id: String },
    Call { request: Box<Request>, replies: Vec<String> },
}

/// A reply of a model, and the tables in its prompt.
struct Written {
    tables: Vec<String>,
    reply: String,
}

#[derive(Default)]
pub struct Tapes {
    models: BTreeSet<String>,
    /// Replies by the line of the prompt that contains the question.
    written: HashMap<String, Vec<Written>>,
}

impl Tapes {
    /// Reads recorded replies.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn read(files: &[PathBuf]) -> Result<Self> {
        let mut tapes = Self::default();
        for file in files {
            let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
                match line {
                    Line::Head { id } => tapes.models.extend([id]),
                    Line::Call { request, replies } => tapes.add(&request, &replies),
                }
            }
        }
        Ok(tapes)
    }

    /// Returns the names of the models.
    pub fn models(&self) -> String {
        self.models.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    fn add(&mut self, request: &Request, replies: &[String]) {
        // Replies in JSON are views, plans and verdicts.
        if request.output != OutputFormat::Text {
            return;
        }
        let shown = request.prefix.lines().filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split(" (").next());
        let tables: Vec<String> = shown.map(|name| name.replace('"', "")).collect();
        let asked = request.tail.lines().filter_map(|line| BEFORE.iter().find_map(|before| line.strip_prefix(before)));
        for question in asked {
            let written = replies
                .iter()
                .map(|reply| Written { tables: tables.clone(), reply: format!("{}{reply}", request.assistant_prefix) });
            self.written.entry(question.trim().to_owned()).or_default().extend(written);
        }
    }

    /// Returns the distinct queries that were written for a question over its tables.
    pub fn queries(&self, ask: &Ask) -> Vec<ReadOnlySql> {
        let mut queries: Vec<ReadOnlySql> = Vec::new();
        for written in self.written.get(ask.question.trim()).into_iter().flatten() {
            let is_here = !written.tables.is_empty()
                && written.tables.iter().all(|name| ask.data.catalog.find_table(name).is_some());
            let sql = ask.prove_query(sql_of(ask, &written.reply));
            if let Ok(sql) = sql
                && is_here
                && !queries.iter().any(|known| is_same_query_text(known.as_str(), sql.as_str()))
            {
                queries.push(sql);
            }
        }
        queries
    }
}
