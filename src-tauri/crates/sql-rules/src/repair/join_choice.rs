//! Chooses among several equally short paths of foreign keys to a table that a query uses without joining it: the
//! country of a sale is that of its customer or of its store. The question's words and the query's values decide; paths
//! that they do not distinguish are readings of the question.

use crate::RuleInput;
use crate::words::singular_words;
use std::cell::RefCell;
use vitrine_sql::{JoinPath, ReadOnlySql, collect_query_constants};
use vitrine_words::tr;

/// Maximum number of further paths that are offered.
const MOST_OTHERS: usize = 3;

/// A choice among equally likely paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenChoice {
    /// The column or table as written.
    pub name: String,
    /// Description of the path that was taken.
    pub taken: String,
    /// Positions and descriptions of the other paths.
    pub others: Vec<(usize, String)>,
}

/// Chooses paths of joins by the question and the constants of the query.
pub(crate) struct PathChooser<'a> {
    input: &'a RuleInput<'a>,
    asked: Vec<String>,
    constants: Vec<String>,
    /// The name and the position of the path that another reading takes.
    forced: Option<(String, usize)>,
    open: RefCell<Option<OpenChoice>>,
}

impl<'a> PathChooser<'a> {
    pub(crate) fn new(sql: &ReadOnlySql, input: &'a RuleInput<'a>) -> Self {
        let asked = singular_words(&input.facts.asked);
        Self { input, asked, constants: collect_query_constants(sql), forced: None, open: RefCell::new(None) }
    }

    /// Takes the path at this position for the name.
    pub(crate) fn with_path(self, name: &str, position: usize) -> Self {
        Self { forced: Some((name.to_owned(), position)), ..self }
    }

    /// Returns the position of the most likely path. Without a question, nothing is chosen.
    pub(crate) fn choose(&self, name: &str, paths: &[JoinPath]) -> Option<usize> {
        if self.asked.is_empty() {
            return None;
        }
        if let Some((_, position)) = self.forced.as_ref().filter(|(forced, _)| forced == name) {
            return Some(*position);
        }
        let scores: Vec<usize> = paths.iter().map(|path| self.score_path(name, path)).collect();
        let best = scores.iter().max()?;
        let mut equal = (0..paths.len()).filter(|at| scores[*at] == *best);
        let taken = equal.next()?;
        let others: Vec<(usize, String)> =
            equal.map(|at| (at, describe_path(name, &paths[at]))).take(MOST_OTHERS).collect();
        if !others.is_empty() && self.open.borrow().is_none() {
            let taken = describe_path(name, &paths[taken]);
            *self.open.borrow_mut() = Some(OpenChoice { name: name.to_owned(), taken, others });
        }
        Some(taken)
    }

    /// Returns the first choice between equally likely paths.
    pub(crate) fn into_open_choice(self) -> Option<OpenChoice> {
        self.open.into_inner()
    }

    /// Counts the evidence for a path: words of its tables and key columns in the question, and constants of the query
    /// that the column stores. A stored value is better evidence than a word.
    fn score_path(&self, name: &str, path: &JoinPath) -> usize {
        let named = singular_words(name);
        let is_asked = |word: &String| self.asked.contains(word) && !named.contains(word);
        let tables = path.tables.iter().map(|table| table.name.as_str());
        let mut words: Vec<String> =
            tables.chain(path.columns.iter().map(String::as_str)).flat_map(singular_words).collect();
        words.sort();
        words.dedup();
        let mentioned = words.iter().filter(|word| is_asked(word)).count();
        let profile = path.tables.last().and_then(|table| self.input.profile.find_table(table));
        let column = profile.and_then(|table| table.find_column(name));
        // Numbers such as a limit are not evidence.
        let is_text = |constant: &&String| constant.parse::<f64>().is_err();
        let is_stored = |constant: &&String| {
            let stored =
                column.into_iter().flat_map(|column| column.top.iter().map(|(value, _)| value).chain(&column.samples));
            stored.into_iter().any(|value| value == *constant)
        };
        let stored = self.constants.iter().filter(is_text).filter(is_stored).count();
        mentioned + 10 * stored
    }
}

fn describe_path(name: &str, path: &JoinPath) -> String {
    let table = path.tables.last().map(|table| table.name.as_str()).unwrap_or_default();
    let keys = path.columns.join(", ");
    if table.eq_ignore_ascii_case(name) {
        tr!("{table}, joined by {keys}", table, keys)
    } else {
        tr!("{column} of {table}, joined by {keys}", column = name, table, keys)
    }
}
