//! Schema linking: compares the tables and columns of a run with the names in the gold SQL.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use vitrine_domain::{Catalog, SchemaSelection};
use vitrine_sql::ReadOnlySql;

/// Names of tables and columns, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaNames {
    /// Names of tables in lower case.
    pub tables: BTreeSet<String>,
    /// Pairs of table and column name.
    pub columns: BTreeSet<(String, String)>,
}

impl SchemaNames {
    /// Returns the names that a query uses; `None` if only the engine can parse it.
    pub fn of_query(sql: &ReadOnlySql, catalog: &Catalog) -> Option<Self> {
        let binding = vitrine_sql::bind_names(sql, catalog);
        sql.has_tree().then(|| Self {
            tables: binding.tables.iter().map(|table| table.to_lowercase()).collect(),
            columns: binding.columns.iter().map(|(t, c)| (t.to_lowercase(), c.to_lowercase())).collect(),
        })
    }

    /// Returns the names that a run selected, spelled as in the catalog.
    pub fn of_selection(selection: &SchemaSelection, catalog: &Catalog) -> Self {
        let mut names = Self::default();
        for selected in &selection.tables {
            let known = catalog.find_table(&selected.name);
            let table = known.map_or(selected.name.clone(), |table| table.name.to_string()).to_lowercase();
            let mut add = |column: &str| names.columns.insert((table.clone(), column.to_lowercase()));
            match known {
                // A table without a list of columns is selected with all of them.
                Some(known) if selected.columns.is_empty() => known.columns.iter().for_each(|c| _ = add(&c.name)),
                _ => selected.columns.iter().for_each(|column| _ = add(column)),
            }
            names.tables.insert(table);
        }
        names
    }
}

/// The overlap of two sets of names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overlap {
    /// Number of names in the gold SQL.
    pub gold: u32,
    /// Number of names in the run.
    pub predicted: u32,
    /// Number of names in both.
    pub common: u32,
}

impl Overlap {
    fn from_sets<T: Ord>(gold: &BTreeSet<T>, predicted: &BTreeSet<T>) -> Self {
        Self {
            gold: gold.len() as u32,
            predicted: predicted.len() as u32,
            common: gold.intersection(predicted).count() as u32,
        }
    }

    /// Returns `true` if no needed name is missing.
    pub fn is_complete(self) -> bool {
        self.common == self.gold
    }

    /// Returns the share of needed names that the run has; 1 if none is needed.
    pub fn recall(self) -> f64 {
        if self.gold == 0 { 1.0 } else { f64::from(self.common) / f64::from(self.gold) }
    }

    /// Returns the share of the run's names that are needed; 0 if it has none.
    pub fn precision(self) -> f64 {
        if self.predicted == 0 { 0.0 } else { f64::from(self.common) / f64::from(self.predicted) }
    }

    /// Returns the harmonic mean of recall and precision.
    pub fn f1(self) -> f64 {
        let (recall, precision) = (self.recall(), self.precision());
        if recall + precision == 0.0 { 0.0 } else { 2.0 * recall * precision / (recall + precision) }
    }
}

/// Quality of a run's choice of tables and columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linking {
    /// The overlap of the table names.
    pub tables: Overlap,
    /// The overlap of the column names.
    pub columns: Overlap,
}

impl Linking {
    /// Compares a run's names with the names in the gold SQL; with several golds, uses the most similar one.
    pub fn best_match(golds: &[SchemaNames], predicted: &SchemaNames) -> Option<Self> {
        let linking = |gold: &SchemaNames| Self {
            tables: Overlap::from_sets(&gold.tables, &predicted.tables),
            columns: Overlap::from_sets(&gold.columns, &predicted.columns),
        };
        let nearness = |linking: &Self| (linking.tables.f1(), linking.columns.f1());
        golds.iter().map(linking).max_by(|a, b| nearness(a).partial_cmp(&nearness(b)).expect("no NaN"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_names(tables: &[&str], columns: &[(&str, &str)]) -> SchemaNames {
        SchemaNames {
            tables: tables.iter().map(|t| (*t).to_owned()).collect(),
            columns: columns.iter().map(|(t, c)| ((*t).to_owned(), (*c).to_owned())).collect(),
        }
    }

    #[test]
    fn a_table_too_many_costs_precision_and_a_missing_one_strict_recall() {
        let gold = build_names(&["a", "b"], &[("a", "x"), ("b", "y")]);
        let more = Linking::best_match(std::slice::from_ref(&gold), &build_names(&["a", "b", "c", "d"], &[("a", "x")]))
            .unwrap();
        assert!(more.tables.is_complete());
        assert_eq!((more.tables.recall(), more.tables.precision()), (1.0, 0.5));
        assert_eq!((more.columns.recall(), more.columns.precision()), (0.5, 1.0));
        let fewer = Linking::best_match(std::slice::from_ref(&gold), &build_names(&["a"], &[])).unwrap();
        assert!(!fewer.tables.is_complete());
        assert_eq!((fewer.tables.recall(), fewer.tables.precision()), (0.5, 1.0));
        let none = Linking::best_match(&[gold], &SchemaNames::default()).unwrap();
        assert_eq!((none.tables.recall(), none.tables.precision(), none.tables.f1()), (0.0, 0.0, 0.0));
    }

    #[test]
    fn a_table_without_a_list_of_columns_is_selected_whole() {
        let column = |name: &str| vitrine_domain::Column {
            name: name.into(),
            data_type: "TEXT".into(),
            nullable: true,
            comment: None,
        };
        let table = vitrine_domain::Table {
            name: vitrine_domain::TableName::from_unqualified("Shop"),
            kind: vitrine_domain::TableKind::Table,
            columns: vec![column("Id"), column("Town")],
            primary_key: Vec::new(),
            definition: None,
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            comment: None,
            row_count: None,
        };
        let catalog = Catalog {
            database: String::new(),
            dialect: vitrine_domain::Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vec![table],
        };
        let mut selection = SchemaSelection::default();
        selection.add("shop", None);
        let whole = build_names(&["shop"], &[("shop", "id"), ("shop", "town")]);
        assert_eq!(SchemaNames::of_selection(&selection, &catalog), whole);
        selection.add("shop", Some("Town"));
        assert_eq!(SchemaNames::of_selection(&selection, &catalog), build_names(&["shop"], &[("shop", "town")]));
    }

    #[test]
    fn the_nearest_gold_counts() {
        let golds = [build_names(&["a"], &[]), build_names(&["b", "c"], &[])];
        assert!(Linking::best_match(&golds, &build_names(&["c", "b"], &[])).unwrap().tables.is_complete());
        assert_eq!(Linking::best_match(&[], &SchemaNames::default()), None);
    }
}
