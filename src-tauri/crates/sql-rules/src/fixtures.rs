//! Tables and catalogs for the unit tests of this crate.

use crate::{QuestionFacts, RuleInput, Standing};
use vitrine_domain::{Catalog, Column, Dialect, ForeignKey, Profile, Table, TableKind, TableName};

/// Builds a table of typed columns. Each entry of `refers` is an own column, the table that it refers to, and the
/// column there.
pub fn typed_table(name: &str, columns: &[(&str, &str)], key: &[&str], refers: &[(&str, &str, &str)]) -> Table {
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns
            .iter()
            .map(|(n, t)| Column { name: (*n).into(), data_type: (*t).into(), nullable: true, comment: None })
            .collect(),
        primary_key: key.iter().map(|k| (*k).to_owned()).collect(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: refers
            .iter()
            .map(|(c, t, r)| ForeignKey {
                columns: vec![(*c).into()],
                ref_table: TableName::from_unqualified(*t),
                ref_columns: vec![(*r).into()],
            })
            .collect(),
    }
}

/// Builds a catalog of these tables.
pub fn catalog_with(dialect: Dialect, tables: Vec<Table>) -> Catalog {
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    }
}

/// Builds a rule input with only a database and a question.
pub fn rule_input<'a>(catalog: &'a Catalog, profile: &'a Profile, facts: &'a QuestionFacts) -> RuleInput<'a> {
    let standing = Standing::none();
    RuleInput { catalog, profile, facts, knowledge: "", values: &[], standing, wrong_qualifiers: &[], off: &[] }
}
