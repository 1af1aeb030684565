//! Properties of a table's profile that questions can be based on.

use super::question::{Effort, SuggestedQuestion};
use crate::names::{is_plural, split_words};
use crate::personal::personal_columns;
use std::collections::{HashMap, HashSet};
use vitrine_domain::{Catalog, ColumnProfile, EgressPolicy, Profile, SemanticKind, Table, TableProfile};
use vitrine_words::tr;

/// Numbers of groups that are suitable for a category.
const GROUPS: std::ops::RangeInclusive<u64> = 2..=40;
/// Columns with a higher ratio of NULLs are ignored.
const MOSTLY_EMPTY: f64 = 0.5;
/// Minimum ratio of deviation to mean of an amount that can be summed: ages, grades and shares vary less.
const SPREAD: f64 = 0.3;
/// Maximum number of characters of a value in a question.
const LONGEST_VALUE: usize = 30;

/// All tables that have rows, largest first.
pub(super) struct Known<'a> {
    pub(super) tables: Vec<KnownTable<'a>>,
}

/// A table with the roles of its columns.
pub(super) struct KnownTable<'a> {
    table: &'a Table,
    profile: &'a TableProfile,
    pub(super) label: String,
    pub(super) rows: u64,
    /// Columns to group rows by.
    pub(super) groups: Vec<Group>,
    /// Columns with quantities to sum or average.
    pub(super) amounts: Vec<Amount>,
    /// Columns with dates or times.
    pub(super) moments: Vec<Moment>,
    /// The column that identifies rows for people.
    pub(super) names: Option<String>,
}

/// A column to group by.
pub(super) struct Group {
    pub(super) name: String,
    pub(super) label: String,
}

/// A column to add up or average.
pub(super) struct Amount {
    pub(super) name: String,
    pub(super) label: String,
    /// True if the values vary enough to be summed.
    pub(super) varies: bool,
}

/// A column for a development over time.
pub(super) struct Moment {
    pub(super) name: String,
    pub(super) label: String,
    /// The unit with a readable number of rows.
    pub(super) unit: Unit,
}

/// The unit that dates are truncated to.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Month,
    Year,
}

impl<'a> Known<'a> {
    pub(super) fn new(catalog: &'a Catalog, profile: &'a Profile) -> Self {
        let masks = EgressPolicy { mask_personal: true, ..EgressPolicy::default() };
        let personal: HashSet<(String, String)> = personal_columns(catalog, profile, &masks)
            .into_iter()
            .map(|column| (column.table, column.column))
            .collect();
        let profiles = profile.by_table();
        let known = |table: &'a Table| {
            let profile = profiles.get(&table.name).copied().filter(|profile| known_row_count(profile) > 0)?;
            Some(KnownTable::new(table, profile, &personal))
        };
        let mut tables: Vec<KnownTable<'a>> = catalog.tables.iter().filter_map(known).collect();
        tables.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.table.name.cmp(&b.table.name)));
        Self { tables }
    }

    /// Returns the questions about single tables.
    pub(super) fn questions_per_table(
        &self,
        ask: impl Fn(&KnownTable<'a>) -> Option<SuggestedQuestion>,
    ) -> Vec<SuggestedQuestion> {
        self.tables.iter().filter_map(ask).collect()
    }

    /// Returns the questions about a table, its foreign-key column and the table that it refers to.
    pub(super) fn each_pair(
        &self,
        ask: impl Fn(&KnownTable<'a>, &str, &KnownTable<'a>) -> Option<SuggestedQuestion>,
    ) -> Vec<SuggestedQuestion> {
        let mut found = Vec::new();
        let tables: HashMap<_, _> = self.tables.iter().map(|table| (&table.table.name, table)).collect();
        for child in &self.tables {
            for key in &child.table.foreign_keys {
                let [column] = key.columns.as_slice() else { continue };
                let parent = tables.get(&key.ref_table).copied();
                let Some(parent) = parent.filter(|parent| parent.table.name != child.table.name) else { continue };
                let has_values = child.profile.find_column(column).is_some_and(|known| known.null_ratio < MOSTLY_EMPTY);
                found.extend(has_values.then(|| ask(child, column, parent)).flatten());
            }
        }
        found
    }
}

impl<'a> KnownTable<'a> {
    fn new(table: &'a Table, profile: &'a TableProfile, personal: &HashSet<(String, String)>) -> Self {
        let name = table.name.to_string();
        let keys: HashSet<&String> = table
            .primary_key
            .iter()
            .chain(table.foreign_keys.iter().flat_map(|key| &key.columns))
            .chain(table.unique_keys.iter().flatten())
            .collect();
        let usable = |column: &&ColumnProfile| {
            let is_key = keys.iter().any(|key| key.eq_ignore_ascii_case(&column.name));
            !is_key && !personal.contains(&(name.clone(), column.name.clone())) && column.null_ratio < MOSTLY_EMPTY
        };
        let label = |column: &ColumnProfile| {
            table.find_column(&column.name).map(|column| sentence_label(&column.display_label()))
        };
        let (mut groups, mut amounts, mut moments) = (Vec::new(), Vec::new(), Vec::new());
        for column in profile.columns.iter().filter(usable) {
            let Some(label) = label(column) else { continue };
            let name = column.name.clone();
            match column.kind {
                SemanticKind::Dimension
                    if GROUPS.contains(&column.distinct) && column.distinct < known_row_count(profile) =>
                {
                    groups.push(Group { name, label });
                }
                SemanticKind::Metric if column.distinct > 1 => {
                    amounts.push(Amount { name, label, varies: has_variation(column) });
                }
                SemanticKind::Time => moments.extend(time_unit(column).map(|unit| Moment { name, label, unit })),
                _ => {}
            }
        }
        let shown = sentence_label(&table.display_label());
        let names = profile
            .columns
            .iter()
            .filter(|column| !personal.contains(&(name.clone(), column.name.clone())))
            .find(|column| tells_rows(column, profile))
            .map(|column| column.name.clone());
        Self { table, profile, label: shown, rows: known_row_count(profile), groups, amounts, moments, names }
    }

    /// Creates a question about this table.
    pub(super) fn make_question(&self, question: String, effort: Effort, columns: &[&str]) -> SuggestedQuestion {
        let question = SuggestedQuestion { question, effort, about: Vec::new() };
        question.with_columns(self, columns)
    }

    /// Returns a plural for the rows: the table's name if it is a plural, otherwise "rows of" the table.
    pub(super) fn plural_label(&self) -> String {
        if is_plural(&self.label) { self.label.clone() } else { tr!("rows of {table}", table = self.label) }
    }

    pub(super) fn distinct_count(&self, column: &str) -> Option<u64> {
        Some(self.profile.find_column(column)?.distinct)
    }

    /// Returns a frequent value of a category: the second, since the first is often a default.
    pub(super) fn value_of(&self, column: &str) -> Option<&str> {
        let top = &self.profile.find_column(column)?.top;
        let (value, _) = top.get(1).or(top.first())?;
        let plain = |value: &&String| {
            let short = value.chars().count() <= LONGEST_VALUE;
            short && value.chars().any(char::is_alphabetic) && value.chars().all(|c| !c.is_control() && c != '”')
        };
        Some(value).filter(plain).map(String::as_str)
    }
}

impl SuggestedQuestion {
    /// Adds columns of another table that the question is about.
    pub(super) fn with_columns(mut self, table: &KnownTable<'_>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        self.about.push((table.table.name.to_string(), columns));
        self
    }
}

/// Returns the number of rows; that of the rows read if the total is unknown.
fn known_row_count(profile: &TableProfile) -> u64 {
    profile.row_count.unwrap_or(profile.profiled_rows)
}

/// Formats a name for a sentence: names without lower-case letters are converted to lower case.
fn sentence_label(label: &str) -> String {
    if label.chars().any(char::is_lowercase) { label.to_owned() } else { label.to_lowercase() }
}

fn has_variation(column: &ColumnProfile) -> bool {
    let mean: Option<f64> = column.mean.as_deref().and_then(|mean| mean.parse().ok());
    mean.zip(column.stddev).is_some_and(|(mean, spread)| mean > 0.0 && spread / mean >= SPREAD)
}

/// Returns the unit for which a time span has a few dozen rows at most.
fn time_unit(column: &ColumnProfile) -> Option<Unit> {
    let year = |text: &Option<String>| -> Option<i32> { text.as_deref()?.get(..4)?.parse().ok() };
    let (first, last) = (&column.min, &column.max);
    match (year(first), year(last)) {
        _ if first == last => None,
        (Some(first), Some(last)) if last - first >= 3 => Some(Unit::Year),
        // A column of years has no finer unit.
        _ if first.as_ref().is_some_and(|first| first.trim().len() <= 4) => Some(Unit::Year),
        _ => Some(Unit::Month),
    }
}

/// Returns true if the column names rows for people: words that are nearly unique.
fn tells_rows(column: &ColumnProfile, profile: &TableProfile) -> bool {
    let is_text = matches!(column.kind, SemanticKind::Text | SemanticKind::Identifier | SemanticKind::Dimension);
    let own = column.distinct.saturating_mul(10) >= profile.profiled_rows.saturating_mul(8);
    let word = |value: &&String| {
        let letters = split_words(value).concat().chars().filter(|c| c.is_alphabetic()).count();
        letters >= 3 && !value.chars().any(|c| c.is_ascii_digit() || matches!(c, '@' | '/'))
    };
    let worded = column.samples.iter().filter(word).count();
    is_text && own && column.null_ratio == 0.0 && !column.samples.is_empty() && worded * 2 > column.samples.len()
}
