//! Derives example questions with their queries from a schema: patterns over keys, kinds and stored values (CHASE-SQL's
//! R_t, section 3.3, without a model). Names of tables and columns are spoken in words; the queries are in the database's
//! dialect and use only existing names.

use serde::Serialize;
use std::cmp::Reverse;
use vitrine_domain::{Catalog, Dialect, ForeignKey, Profile, SemanticKind, Table};
use vitrine_sql::{first_rows, name_words, quote_identifier, same_name, singular_name, table_ref, text_value};

/// Maximum number of tables for which examples are derived, those with most words of the question first.
const TABLES: usize = 12;
/// Maximum number of derived examples.
const MOST: usize = 80;
/// Maximum number of characters of a value in an example.
const VALUE: usize = 40;

/// A question about a database with its query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaExample {
    /// The question in English.
    pub question: String,
    /// The query, on one line.
    pub sql: String,
}

/// Derives examples for the tables that are nearest to a question by their words.
pub fn derive_examples(catalog: &Catalog, profile: &Profile, question: &str) -> Vec<SchemaExample> {
    let asked = singular_words(question);
    let shared = |table: &Table| {
        let columns = table.columns.iter().map(|column| column.name.as_str());
        let own = std::iter::once(table.name.name.as_str()).chain(columns).flat_map(singular_words);
        own.filter(|word| asked.contains(word)).count()
    };
    let mut tables: Vec<(usize, &Table)> = catalog.tables.iter().map(|table| (shared(table), table)).collect();
    tables.sort_by_key(|(shared, _)| Reverse(*shared));
    let mut deriver = Deriver { catalog, profile, dialect: catalog.dialect, made: Vec::new() };
    for (_, table) in tables.into_iter().take(TABLES) {
        deriver.derive_from_table(table);
        table.foreign_keys.iter().for_each(|key| deriver.derive_from_key(table, key));
        if deriver.made.len() >= MOST {
            break;
        }
    }
    deriver.made.truncate(MOST);
    deriver.made
}

fn singular_words(text: &str) -> Vec<String> {
    name_words(text).iter().map(|word| singular_name(word)).collect()
}

/// Returns a name in words: `order_items` is "order items".
fn spell_name(name: &str) -> String {
    name_words(name).join(" ").to_lowercase()
}

struct Deriver<'a> {
    catalog: &'a Catalog,
    profile: &'a Profile,
    dialect: Dialect,
    made: Vec<SchemaExample>,
}

impl Deriver<'_> {
    fn add(&mut self, question: String, sql: String) {
        self.made.push(SchemaExample { question, sql });
    }

    fn quote(&self, name: &str) -> String {
        quote_identifier(name, self.dialect)
    }

    fn kind(&self, table: &Table, column: &str) -> Option<SemanticKind> {
        Some(self.profile.find_table(&table.name)?.find_column(column)?.kind)
    }

    /// Returns the columns of these kinds that belong to no key.
    fn columns_of<'t>(&self, table: &'t Table, kinds: &[SemanticKind]) -> Vec<&'t str> {
        let keys = || table.primary_key.iter().chain(table.foreign_keys.iter().flat_map(|key| &key.columns));
        let is_key = |name: &str| keys().any(|key| same_name(key, name));
        let names = table.columns.iter().map(|column| column.name.as_str()).filter(|name| !is_key(name));
        names.filter(|name| self.kind(table, name).is_some_and(|kind| kinds.contains(&kind))).collect()
    }

    /// Returns the column that names a row: a text called name or title, else the first text.
    fn label<'t>(&self, table: &'t Table) -> Option<&'t str> {
        let texts = self.columns_of(table, &[SemanticKind::Text, SemanticKind::Dimension]);
        let names = |column: &&&str| name_words(column).iter().any(|word| ["name", "title"].contains(&word.as_str()));
        texts.iter().find(names).or_else(|| texts.first()).copied()
    }

    /// Returns a frequent or sampled value of a column.
    fn value(&self, table: &Table, column: &str) -> Option<String> {
        let column = self.profile.find_table(&table.name)?.find_column(column)?;
        let known = column.top.iter().map(|(value, _)| value).chain(&column.samples);
        known.into_iter().find(|value| !value.trim().is_empty() && value.chars().count() <= VALUE).cloned()
    }

    fn derive_from_table(&mut self, table: &Table) {
        let (rows, from) = (spell_name(&table.name.name), table_ref(&table.name, self.dialect));
        let label = self.label(table);
        let metric = self.columns_of(table, &[SemanticKind::Metric]).first().copied();
        let category = self.columns_of(table, &[SemanticKind::Dimension]).first().copied();
        if let (Some(label), Some(metric)) = (label, metric) {
            let (shown, by) = (self.quote(label), self.quote(metric));
            let (label, metric) = (spell_name(label), spell_name(metric));
            let top = first_rows(&shown, &format!("{from} ORDER BY {by} DESC"), 1, self.dialect);
            self.add(format!("What is the {label} of the {rows} with the highest {metric}?"), top);
            self.add(
                format!("List the {label} of every {rows} whose {metric} is above the average."),
                format!("SELECT {shown} FROM {from} WHERE {by} > (SELECT AVG({by}) FROM {from})"),
            );
        }
        let Some(category) = category else { return };
        let (group, spoken) = (self.quote(category), spell_name(category));
        self.add(
            format!("How many {rows} are there for each {spoken}?"),
            format!("SELECT {group}, COUNT(*) FROM {from} GROUP BY {group}"),
        );
        self.add(
            format!("How many different {spoken} are there among the {rows}?"),
            format!("SELECT COUNT(DISTINCT {group}) FROM {from}"),
        );
        let Some(value) = self.value(table, category) else { return };
        let condition = format!("{group} = {}", text_value(&value, self.dialect));
        self.add(
            format!("How many {rows} have the {spoken} {value}?"),
            format!("SELECT COUNT(*) FROM {from} WHERE {condition}"),
        );
        if let Some(metric) = metric {
            let by = self.quote(metric);
            self.add(
                format!("What are the average and the maximum {} of {rows} with {spoken} {value}?", spell_name(metric)),
                format!("SELECT AVG({by}), MAX({by}) FROM {from} WHERE {condition}"),
            );
        }
    }

    /// Derives questions about the rows of a table and of the one that a key refers to.
    fn derive_from_key(&mut self, table: &Table, key: &ForeignKey) {
        let Some(parent) = self.catalog.tables.iter().find(|other| same_name(&other.name.name, &key.ref_table.name))
        else {
            return;
        };
        let targets = if key.ref_columns.is_empty() { &parent.primary_key } else { &key.ref_columns };
        let ([column], [target]) = (key.columns.as_slice(), targets.as_slice()) else { return };
        let Some(label) = self.label(parent).filter(|_| parent.name != table.name) else { return };
        let (rows, from) = (spell_name(&table.name.name), table_ref(&table.name, self.dialect));
        let (owner, owners) = (spell_name(&parent.name.name), table_ref(&parent.name, self.dialect));
        let shown = format!("{owners}.{}", self.quote(label));
        let (id, refers) = (format!("{owners}.{}", self.quote(target)), format!("{from}.{}", self.quote(column)));
        let join = format!("{owners} JOIN {from} ON {id} = {refers}");
        let spoken = spell_name(label);
        self.add(
            format!("Show the {spoken} of each {owner} and its number of {rows}."),
            format!("SELECT {shown}, COUNT(*) FROM {join} GROUP BY {id}, {shown}"),
        );
        let most = format!("{join} GROUP BY {id}, {shown} ORDER BY COUNT(*) DESC");
        self.add(
            format!("Which {owner} has the most {rows}? Give its {spoken}."),
            first_rows(&shown, &most, 1, self.dialect),
        );
        self.add(
            format!("Which {owner} do not have any {rows}? List the {spoken}."),
            format!("SELECT {shown} FROM {owners} WHERE {id} NOT IN (SELECT {refers} FROM {from} WHERE {refers} IS NOT NULL)"),
        );
        self.add(
            format!("Find the {spoken} of each {owner} with at least two {rows}."),
            format!("SELECT {shown} FROM {join} GROUP BY {id}, {shown} HAVING COUNT(*) >= 2"),
        );
        let detail = self.columns_of(table, &[SemanticKind::Metric]).first().copied().or_else(|| self.label(table));
        if let (Some(detail), Some(value)) = (detail, self.value(parent, label)) {
            self.add(
                format!("What is the {} of the {rows} of {owner} {value}?", spell_name(detail)),
                format!(
                    "SELECT {from}.{} FROM {join} WHERE {shown} = {}",
                    self.quote(detail),
                    text_value(&value, self.dialect)
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests;
