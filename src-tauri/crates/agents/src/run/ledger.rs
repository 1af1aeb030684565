//! The ledger of a run: the tables whose values a request contains.
//!
//! It is derived from the bytes of the request. A table is included if the text contains its name and one of its known values, or a value
//! that a query over it returned. The list may include too many tables, but not too few: equal numbers may come from elsewhere.

use aho_corasick::AhoCorasick;
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;
use vitrine_domain::{ColumnProfile, Page, Profile};

/// Maximum number of cells recorded per result.
const CELLS: usize = 60;

/// Values that requests may contain, with their tables.
#[derive(Debug, Default)]
pub struct Ledger {
    stored: OnceLock<Known>,
    found: Mutex<HashSet<(String, Vec<String>)>>,
}

/// Values that are searched for.
#[derive(Debug)]
struct Known {
    values: AhoCorasick,
    /// Tables of each value, in the order of the values.
    tables: Vec<Vec<String>>,
}

impl Ledger {
    /// Records the values that a query returned.
    pub fn record_result(&self, page: &Page, tables: &[String]) {
        let cells = page.rows.iter().flatten().flatten().take(CELLS);
        self.found.lock().extend(cells.map(|cell| (cell.clone(), tables.to_vec())));
    }

    /// Returns the tables whose values a request's body, a JSON text, contains; `profile` is the profile that the run's models may see.
    pub fn values_of(&self, body: &str, profile: &Profile) -> Vec<String> {
        let mut held: BTreeSet<String> = BTreeSet::new();
        let stored = self.stored.get_or_init(|| Known::from_values(collect_stored_values(profile)));
        for table in stored.find_tables(body) {
            // Prompts show values of a table only together with its name.
            let name = table.rsplit('.').next().unwrap_or(table);
            if body.contains(&escape_json_text(name)) {
                held.insert(table.to_owned());
            }
        }
        let found = Known::from_values(self.found.lock().iter().cloned().collect());
        held.extend(found.find_tables(body).into_iter().map(str::to_owned));
        held.into_iter().collect()
    }
}

impl Known {
    fn from_values(mut all: Vec<(String, Vec<String>)>) -> Self {
        all.retain(|(value, _)| !value.trim().is_empty());
        let escaped = all.iter().map(|(value, _)| escape_json_text(value));
        // Without values nothing matches; an automaton that exceeds memory is not expected.
        let values = AhoCorasick::new(escaped).unwrap_or_else(|_| AhoCorasick::new([""; 0]).expect("it is empty"));
        Self { values, tables: all.into_iter().map(|(_, tables)| tables).collect() }
    }

    /// Returns the tables whose values occur in a text as separate words.
    fn find_tables(&self, text: &str) -> BTreeSet<&str> {
        let mut tables = BTreeSet::new();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        for found in self.values.find_overlapping_iter(text) {
            let (before, after) = (text[..found.start()].chars().next_back(), text[found.end()..].chars().next());
            // An escaped line break before a value is not a letter.
            let after_escape = text[..found.start()].ends_with("\\n") || text[..found.start()].ends_with("\\t");
            if (!is_word(before) || after_escape) && !is_word(after) {
                tables.extend(self.tables[found.pattern().as_usize()].iter().map(String::as_str));
            }
        }
        tables
    }
}

/// Returns all known values with their tables.
fn collect_stored_values(profile: &Profile) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for table in &profile.tables {
        let name = table.table.to_string();
        let mut values = BTreeSet::new();
        table.columns.iter().for_each(|column| collect_column_values(column, &mut values));
        all.extend(values.into_iter().map(|value| (value, vec![name.clone()])));
    }
    all
}

fn collect_column_values(column: &ColumnProfile, values: &mut BTreeSet<String>) {
    let top = column.top.iter().map(|(value, _)| value);
    values.extend(top.chain(&column.samples).chain(&column.min).chain(&column.max).cloned());
    column.fields.iter().for_each(|field| collect_column_values(field, values));
}

/// Returns a text in its escaped form within a JSON text.
fn escape_json_text(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{TableName, TableProfile};

    fn profile_with_values(tables: &[(&str, &[&str])]) -> Profile {
        let table = |(name, values): &(&str, &[&str])| TableProfile {
            table: TableName::from_unqualified(*name),
            row_count: Some(1),
            profiled_rows: 1,
            columns: vec![ColumnProfile {
                samples: values.iter().map(|value| (*value).to_owned()).collect(),
                ..ColumnProfile::default()
            }],
        };
        Profile { tables: tables.iter().map(table).collect(), ..Profile::default() }
    }

    #[test]
    fn a_table_is_named_where_its_name_and_a_value_stand_in_the_bytes() {
        let profile =
            profile_with_values(&[("stores", &["Zürich \"Nord\"", "7"]), ("orders", &["paid"]), ("staff", &["7"])]);
        let ledger = Ledger::default();
        let body =
            serde_json::json!({ "text": "CREATE TABLE stores\n  name, -- e.g. 'Zürich \"Nord\"'\norders, unpaid" });
        assert_eq!(ledger.values_of(&body.to_string(), &profile), ["stores"]);
        assert_eq!(ledger.values_of(r#"{"text":"orders\npaid"}"#, &profile), ["orders"]);
        assert_eq!(ledger.values_of(r#"{"text":"staff has 17 rows"}"#, &profile), [""; 0]);
    }

    #[test]
    fn what_a_query_gave_is_named_by_the_tables_that_it_read() {
        let ledger = Ledger::default();
        let page = Page { rows: vec![vec![Some("4711".to_owned()), None]], ..Page::default() };
        ledger.record_result(&page, &["orders".to_owned(), "stores".to_owned()]);
        let none = Profile::default();
        assert_eq!(ledger.values_of(r#"{"rows":"(4711, NULL)"}"#, &none), ["orders", "stores"]);
        assert_eq!(ledger.values_of(r#"{"rows":"(14711)"}"#, &none), [""; 0]);
    }
}
