//! Names and stored values of an open database, for follow-ups.

use super::complete::{ColumnSet, StoredNames};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use vitrine_domain::{Catalog, Profile, SemanticKind, ValueMatch};
use vitrine_sql::{normalize_name, singular_name};
use vitrine_values::{SearchOptions, SearchTerm, ValueIndex, is_variant};

/// Maximum number of given columns in which a phrase is searched.
const MOST_COLUMNS: usize = 4;
/// Maximum number of matches for a phrase.
const MOST_MATCHES: usize = 20;
/// Numbers of characters of a phrase that may be an abbreviation.
const CODE_LETTERS: std::ops::RangeInclusive<usize> = 2..=4;

/// Looks up names in a catalog, and stored values in a profile and a value index. Empty by default.
#[derive(Default)]
pub struct DataNames {
    catalog: Option<Arc<Catalog>>,
    index: Option<Arc<ValueIndex>>,
    /// Columns that contain each value of the profile; values are normalized.
    profiled: HashMap<String, ColumnSet>,
    /// Columns whose values are all in the profile, so that the index has no others.
    complete: ColumnSet,
    /// Names of tables and columns, normalized and in the singular.
    names: BTreeSet<String>,
    dimensions: BTreeSet<String>,
}

impl DataNames {
    /// Prepares the lookups. Searches block for milliseconds.
    pub fn new(catalog: Arc<Catalog>, profile: &Profile, index: Option<Arc<ValueIndex>>) -> Self {
        let mut profiled: HashMap<String, ColumnSet> = HashMap::new();
        let (mut names, mut dimensions, mut complete) = (BTreeSet::new(), BTreeSet::new(), ColumnSet::new());
        let profiles = profile.by_table();
        for table in &catalog.tables {
            let known = profiles.get(&table.name);
            names.insert(singular_name(&table.name.name));
            dimensions.insert(singular_name(&table.name.name));
            for column in &table.columns {
                let column_profile = known.and_then(|table| table.find_column(&column.name));
                let kind = column_profile.map(|column| column.kind);
                names.insert(singular_name(&column.name));
                if kind != Some(SemanticKind::Metric) && (kind.is_some() || !is_number_type(&column.data_type)) {
                    dimensions.insert(singular_name(&column.name));
                }
                if column_profile.is_some_and(|column| column.complete) && known.is_some_and(|table| table.is_whole()) {
                    complete.insert((table.name.to_string(), column.name.clone()));
                }
                let numbers = matches!(kind, Some(SemanticKind::Metric | SemanticKind::Time | SemanticKind::Binary));
                for (value, _) in column_profile.iter().filter(|_| !numbers).flat_map(|column| &column.top) {
                    let place = (table.name.to_string(), column.name.clone());
                    profiled.entry(normalize_name(value)).or_default().insert(place);
                }
            }
        }
        Self { catalog: Some(catalog), index, profiled, complete, names, dimensions }
    }

    /// Returns the columns in which the value index has each phrase.
    fn search_index(&self, phrases: &[String], within: Option<&ColumnSet>) -> Vec<(usize, (String, String))> {
        let Some(index) = &self.index else { return Vec::new() };
        let mut terms: Vec<SearchTerm> = Vec::new();
        for phrase in phrases {
            match within {
                None => terms.push(SearchTerm::new(phrase.clone())),
                Some(columns) => {
                    let open = columns.difference(&self.complete).take(MOST_COLUMNS);
                    terms.extend(open.map(|(table, column)| SearchTerm {
                        text: phrase.clone(),
                        column: Some(column.clone()),
                        table: Some(table.clone()),
                    }));
                }
            }
        }
        if terms.is_empty() {
            return Vec::new();
        }
        let options = SearchOptions { limit: MOST_MATCHES, ..SearchOptions::default() };
        // Without the index only the profile's values are known; other follow-ups are left to a model.
        let found = index.search(&terms, options, None).unwrap_or_default();
        let place = |found: &ValueMatch| {
            let known = self.catalog.as_ref().and_then(|catalog| catalog.find_table(&found.table));
            let table = known.map_or(found.table.clone(), |table| table.name.to_string());
            (table, found.column.clone())
        };
        let at = |found: &ValueMatch| phrases.iter().position(|phrase| *phrase == found.literal);
        let meant = found.iter().filter(|found| is_stored(found));
        meant.filter_map(|found| Some((at(found)?, place(found)))).collect()
    }
}

/// Returns true if a value is stored in the phrase's spelling, or as its code: `US` for "USA".
fn is_stored(found: &ValueMatch) -> bool {
    let phrase = found.literal.trim();
    let is_code = CODE_LETTERS.contains(&phrase.chars().count()) && phrase.chars().all(char::is_uppercase);
    let is_long = phrase.contains(' ') && phrase.chars().next().is_some_and(char::is_uppercase);
    normalize_name(&found.value) == normalize_name(phrase) || ((is_code || is_long) && is_variant(&found.value, phrase))
}

fn is_number_type(data_type: &str) -> bool {
    let data_type = data_type.to_lowercase();
    ["int", "dec", "num", "float", "double", "real", "money"].iter().any(|part| data_type.contains(part))
}

impl StoredNames for DataNames {
    fn find_columns(&self, phrases: &[String], within: Option<&ColumnSet>) -> Vec<ColumnSet> {
        let known = |phrase: &String| self.profiled.get(&normalize_name(phrase)).cloned().unwrap_or_default();
        let mut found: Vec<ColumnSet> = phrases.iter().map(known).collect();
        for (at, place) in self.search_index(phrases, within) {
            found[at].insert(place);
        }
        if let Some(within) = within {
            found.iter_mut().for_each(|columns| columns.retain(|column| within.contains(column)));
        }
        found
    }

    fn is_name(&self, phrase: &str) -> bool {
        self.names.contains(&singular_name(phrase))
    }

    fn names_dimension(&self, phrase: &str) -> bool {
        self.dimensions.contains(&singular_name(phrase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow_up::{Completion, complete_follow_up};
    use vitrine_domain::{Column, ColumnProfile, Dialect, Table, TableKind, TableName, TableProfile};

    fn shop_names() -> DataNames {
        let column = |name: &str, data_type: &str| Column {
            name: name.into(),
            data_type: data_type.into(),
            nullable: true,
            comment: None,
        };
        let table = Table {
            name: TableName::from_unqualified("customers"),
            kind: TableKind::Table,
            comment: None,
            row_count: None,
            columns: vec![column("country", "TEXT"), column("revenue", "DECIMAL")],
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        };
        let country = ColumnProfile {
            name: "country".into(),
            kind: SemanticKind::Dimension,
            top: [("Germany", 3), ("France", 2)].map(|(value, count)| (value.to_owned(), count)).into(),
            complete: true,
            ..ColumnProfile::default()
        };
        let profile = Profile {
            fingerprint: String::new(),
            tables: vec![TableProfile {
                table: TableName::from_unqualified("customers"),
                row_count: Some(5),
                profiled_rows: 5,
                columns: vec![country],
            }],
            complete: true,
        };
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vec![table],
        };
        DataNames::new(Arc::new(catalog), &profile, None)
    }

    #[test]
    fn the_profile_knows_values_before_there_is_an_index() {
        let names = shop_names();
        let completed = complete_follow_up("How many customers in Germany?", "and in France?", &names);
        assert_eq!(completed, Completion::Question("How many customers in France?".to_owned()));
        let unknown = complete_follow_up("How many customers in Germany?", "and in Chile?", &names);
        assert_eq!(unknown, Completion::Unclear, "Chile is not stored");
    }

    #[test]
    fn rows_are_grouped_by_dimensions_and_not_by_quantities() {
        let names = shop_names();
        assert!(names.names_dimension("Country") && names.names_dimension("customer"));
        assert!(!names.names_dimension("revenue") && names.is_name("revenue"));
    }

    #[test]
    fn a_code_stands_for_its_name_and_a_word_for_no_code() {
        let found = |literal: &str, value: &str| ValueMatch {
            literal: literal.into(),
            table: String::new(),
            column: String::new(),
            value: value.into(),
            edit: 0.0,
            semantic: None,
        };
        assert!(is_stored(&found("USA", "US")) && is_stored(&found("germany", "Germany")));
        assert!(!is_stored(&found("customers", "CUS")) && !is_stored(&found("Berlin", "Bern")));
    }
}
