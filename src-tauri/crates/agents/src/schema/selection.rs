//! Selection of tables and columns: evidence without a model, and recording of a selection.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::schema::{Schema, join_paths};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use vitrine_domain::{
    Agent, Catalog, EventBody, LinkingPass, ModelProfile, NodeId, SchemaSelection, SelectedTable, Table, TableName,
    TableVerdict, ValueMatch,
};
use vitrine_sql::{quote_identifier, table_ref};
use vitrine_sql_rules::singularize;

/// Maximum number of names in one event.
const LISTED: usize = 200;

/// Question, knowledge and stored values for schema linking.
#[derive(Clone, Copy)]
pub struct LinkingInput<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names.
    pub matches: &'a [ValueMatch],
}

/// Adds the columns that store a value which the question names.
pub fn add_matches(selection: &mut SchemaSelection, matches: &[ValueMatch]) {
    matches
        .iter()
        .filter(|found| found.is_named())
        .for_each(|found| select_column(selection, &found.table, &found.column));
}

/// Adds a column, unless its table is selected without a column list, which means all columns.
pub fn select_column(selection: &mut SchemaSelection, table: &str, column: &str) {
    let whole = |t: &SelectedTable| t.name.eq_ignore_ascii_case(table) && t.columns.is_empty();
    if !selection.tables.iter().any(whole) {
        selection.add(table, Some(column));
    }
}

/// Returns true if a selection contains a column: its table is selected, with this column or without a column list.
pub fn contains_column(selection: &SchemaSelection, table: &TableName, column: &str) -> bool {
    let full = table.to_string();
    let whole = |t: &SelectedTable| t.columns.is_empty() && t.name.eq_ignore_ascii_case(&full);
    selection.contains(table, Some(column)) || selection.tables.iter().any(whole)
}

/// Returns a selected table in the form of SQL, with quotes around names that need them.
pub fn as_written(selected: &SelectedTable, catalog: &Catalog) -> String {
    let name = table_as_written(&selected.name, catalog);
    let columns: Vec<String> =
        selected.columns.iter().map(|column| quote_identifier(column, catalog.dialect)).collect();
    if columns.is_empty() { name } else { format!("{name}({})", columns.join(", ")) }
}

/// Returns a table name in the form of SQL, in quotes if it needs them.
pub fn table_as_written(name: &str, catalog: &Catalog) -> String {
    let needs_quotes =
        |table: &&Table| table.name.name_parts().any(|part| quote_identifier(part, catalog.dialect) != part);
    let table = catalog.find_table(name).filter(needs_quotes);
    table.map_or_else(|| name.to_owned(), |table| table_ref(&table.name, catalog.dialect))
}

/// Adds the tables that the question names, in the singular or the plural.
pub fn add_named(selection: &mut SchemaSelection, catalog: &Catalog, question: &str) {
    let words: Vec<String> = question.split(|c: char| !c.is_alphanumeric()).map(singularize).collect();
    for table in &catalog.tables {
        if words.contains(&singularize(&table.name.name)) {
            selection.add(&table.name.to_string(), None);
        }
    }
}

/// Returns true if a phrase is the name of a table, in the singular or the plural.
pub fn names_table(phrase: &str, catalog: &Catalog) -> bool {
    catalog.tables.iter().any(|table| singularize(&table.name.name) == singularize(phrase))
}

/// Neighbours by foreign key that are added to the tables of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// All tables one foreign key away, since a join may need them.
    All,
    /// Only tables on a join path between selected tables that no key joins.
    Between,
    /// No table besides the selected ones.
    None,
}

impl Neighbours {
    /// Returns the neighbours that suit a model. A small one selects too few tables; a large one selects what it needs, except for tables
    /// that only join others.
    pub fn for_model(profile: &ModelProfile) -> Self {
        if profile.deliberates { Self::Between } else { Self::All }
    }

    /// Adds the neighbours to a selection.
    pub fn add_to(self, selection: &mut SchemaSelection, catalog: &Catalog) {
        match self {
            Self::All => add_neighbours(selection, catalog),
            Self::Between => join_paths::add_connecting(selection, catalog),
            Self::None => {}
        }
    }
}

/// Adds the tables one foreign key away from the selected ones.
fn add_neighbours(selection: &mut SchemaSelection, catalog: &Catalog) {
    let chosen = selection.clone();
    for table in &catalog.tables {
        for key in &table.foreign_keys {
            let (from, to) = (chosen.contains(&table.name, None), chosen.contains(&key.ref_table, None));
            if from != to {
                selection.add(&if from { key.ref_table.to_string() } else { table.name.to_string() }, None);
            }
        }
    }
}

/// The reason why a selection has changed.
pub struct SelectionChange {
    /// Pass that changed it.
    pub pass: LinkingPass,
    /// Number of the round within the pass, from 1.
    pub round: u32,
    /// Names that were added or removed.
    pub changed: Vec<String>,
    /// Reasons for each table, if the model gave them.
    pub verdicts: Vec<TableVerdict>,
}

impl SelectionChange {
    /// Creates a change without reasons for each table.
    pub fn new(pass: LinkingPass, round: u32, changed: Vec<String>) -> Self {
        Self { pass, round, changed, verdicts: Vec::new() }
    }
}

/// Records the selection, with the tokens of its text.
///
/// # Errors
/// Fails if tokens cannot be counted.
pub async fn record_selection(
    context: &RunContext,
    node: &NodeId,
    schema: &Schema,
    kept: &SchemaSelection,
    change: SelectionChange,
) -> Result<(), StageError> {
    let SelectionChange { pass, round, mut changed, mut verdicts } = change;
    let text = schema.for_agent(Agent::Linker).render_selection(context, kept);
    let tokens = context.model(Agent::Linker).count_tokens(&[&text]).await?.first().copied().unwrap_or(0);
    changed.truncate(LISTED);
    verdicts.truncate(LISTED);
    let (node, kept) = (node.to_owned(), kept.clone());
    context.emit(EventBody::SchemaLinked { node, pass, round, kept, changed, tokens, verdicts });
    Ok(())
}

/// Returns the key columns, which joins need.
pub fn key_columns(catalog: &Catalog) -> HashSet<String> {
    let mut keys = HashSet::new();
    for table in &catalog.tables {
        let mut add = |table: &vitrine_domain::TableName, columns: &[String]| {
            keys.extend(columns.iter().map(|column| format!("{table}.{column}")));
        };
        add(&table.name, &table.primary_key);
        for key in &table.foreign_keys {
            add(&table.name, &key.columns);
            add(&key.ref_table, &key.ref_columns);
        }
    }
    keys
}

/// Removes names from a selection. A table that loses its last column remains only if it has key columns.
pub fn selection_without(selection: &SchemaSelection, gone: &[String]) -> SchemaSelection {
    let mut rest = selection.clone();
    let gone: HashSet<&String> = gone.iter().collect();
    rest.tables.retain(|table| !gone.contains(&table.name));
    for table in &mut rest.tables {
        table.columns.retain(|column| !gone.contains(&format!("{}.{column}", table.name)));
    }
    rest.tables.retain(|table| !table.columns.is_empty());
    rest
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use vitrine_domain::{Column, Dialect, TableKind};

    pub(in crate::schema) fn sample_catalog() -> Catalog {
        let column =
            |name: &str| Column { name: name.into(), data_type: "INTEGER".into(), nullable: true, comment: None };
        let table = |name: &str, columns: &[&str]| Table {
            name: TableName::from_unqualified(name),
            kind: TableKind::Table,
            columns: columns.iter().map(|c| column(c)).collect(),
            primary_key: Vec::new(),
            definition: None,
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            comment: None,
            row_count: None,
        };
        Catalog {
            database: "shop".into(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vec![table("targets", &["store_id", "month"]), table("order_items", &["order_id", "product_id"])],
        }
    }

    #[test]
    fn the_question_names_tables_in_singular_or_plural() {
        let mut selection = SchemaSelection::default();
        add_named(&mut selection, &sample_catalog(), "Which target did each store reach?");
        assert_eq!(selection.tables.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["targets"]);
    }

    #[test]
    fn a_table_that_is_shown_whole_stays_whole() {
        let mut selection = SchemaSelection::default();
        selection.add("targets", None);
        select_column(&mut selection, "targets", "month");
        assert!(contains_column(&selection, &TableName::from_unqualified("targets"), "store_id"));
        select_column(&mut selection, "order_items", "order_id");
        assert!(!contains_column(&selection, &TableName::from_unqualified("order_items"), "product_id"));
    }

    #[test]
    fn tables_and_columns_go_by_name() {
        let mut all = SchemaSelection::default();
        for (table, column) in [("a", "x"), ("a", "y"), ("b", "z"), ("c", "w")] {
            all.add(table, Some(column));
        }
        let rest = selection_without(&all, &["a.x".into(), "b".into(), "c.w".into()]);
        assert_eq!(rest.tables.len(), 1);
        assert_eq!((rest.tables[0].name.as_str(), &rest.tables[0].columns), ("a", &vec!["y".to_owned()]));
    }
}
