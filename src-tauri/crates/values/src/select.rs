//! Selects the columns to index: columns whose values name things, judged by profile and by the format of the values.
//!
//! The name of a column is ignored: "width" and "candidate" contain the letters "id" but are not identifiers.

use crate::shape::Shape;
use vitrine_domain::{Catalog, Column, ColumnProfile, Profile, SemanticKind, Table, TableProfile};

/// Minimum share of the known values that must look like numbers, dates, telephone numbers, post codes or tokens to
/// exclude a column.
const MOSTLY: f64 = 0.8;

#[derive(Debug, Clone)]
pub struct Source<'a> {
    /// Table that contains the column.
    pub table: &'a Table,
    /// The column in the catalog.
    pub column: &'a Column,
    /// Estimated number of distinct values.
    pub distinct: u64,
    /// Digest that changes if the column's data seem to have changed.
    pub fingerprint: String,
    /// Frequent values of a table that is known by a sample; the rows that are read may lack them.
    pub frequent: Vec<&'a str>,
}

/// Returns true if a column's values name things that people spell in different ways.
pub fn names_things(column: &Column, profile: &ColumnProfile) -> bool {
    if profile.hidden.is_some() || holds_no_text(&column.data_type) {
        return false;
    }
    let mut seen: Vec<&str> =
        profile.top.iter().map(|(v, _)| v.as_str()).chain(profile.samples.iter().map(String::as_str)).collect();
    seen.sort_unstable();
    seen.dedup();
    if seen.is_empty() {
        return false;
    }
    let part = |wanted: &[Shape]| {
        seen.iter().filter(|v| wanted.contains(&Shape::from_value(v))).count() as f64 / seen.len() as f64
    };
    let bare = part(&[Shape::Number, Shape::Date, Shape::Phone, Shape::PostCode, Shape::Token]);
    let coded = bare + part(&[Shape::Code]);
    match profile.kind {
        SemanticKind::Metric
        | SemanticKind::Time
        | SemanticKind::Nested
        | SemanticKind::Geo
        | SemanticKind::Binary
        | SemanticKind::Empty => false,
        // A few repeated codes are categories ("A320"); many are identifiers.
        SemanticKind::Dimension => bare < MOSTLY,
        SemanticKind::Text => coded < MOSTLY,
        // Unique names and codes of letters ("US") name things; values with digits identify them.
        SemanticKind::Identifier => coded < 1.0 - MOSTLY,
    }
}

fn holds_no_text(data_type: &str) -> bool {
    let upper = data_type.to_ascii_uppercase();
    ["BLOB", "BYTEA", "BINARY", "VARBINARY", "BOOLEAN", "BOOL", "BIT"]
        .iter()
        .any(|t| upper == *t || upper.starts_with(&format!("{t}(")))
}

/// Returns the columns to index, in the order of the catalog. Tables without a profile are left for a later build.
pub fn select_sources<'a>(catalog: &'a Catalog, profile: &'a Profile) -> Vec<Source<'a>> {
    let mut found = Vec::new();
    let profiles = profile.by_table();
    for table in &catalog.tables {
        let Some(seen) = profiles.get(&table.name).copied() else { continue };
        for column in &table.columns {
            if let Some(of_column) = seen.find_column(&column.name).filter(|p| names_things(column, p)) {
                let fingerprint = column_fingerprint(column, seen, of_column);
                let frequent = match seen.is_whole() {
                    true => Vec::new(),
                    false => of_column.top.iter().map(|(value, _)| value.as_str()).collect(),
                };
                found.push(Source { table, column, distinct: of_column.distinct, fingerprint, frequent });
            }
        }
    }
    found
}

/// Returns a digest of the profile: type, row count, distinct count, range, frequent values, samples. A change that
/// affects none of these, in a table that is too large for a full profile, is not detected until the index is cleared.
fn column_fingerprint(column: &Column, table: &TableProfile, profile: &ColumnProfile) -> String {
    let facts =
        serde_json::to_vec(&(&column.data_type, table.row_count, table.profiled_rows, profile)).unwrap_or_default();
    blake3::hash(&facts).to_hex()[..32].to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Builds a profile with the given values as samples.
    pub(crate) fn make_profile(name: &str, kind: SemanticKind, values: &[&str]) -> ColumnProfile {
        ColumnProfile {
            name: name.into(),
            kind,
            null_ratio: 0.0,
            distinct: values.len() as u64,
            min: None,
            max: None,
            mean: None,
            top: values.iter().map(|v| ((*v).to_owned(), 1)).collect(),
            samples: Vec::new(),
            complete: true,
            hidden: None,
            paths: Vec::new(),
            ..ColumnProfile::default()
        }
    }

    fn is_name_column(name: &str, kind: SemanticKind, values: &[&str]) -> bool {
        let column = Column { name: name.into(), data_type: "TEXT".into(), nullable: true, comment: None };
        names_things(&column, &make_profile(name, kind, values))
    }

    #[test]
    fn the_letters_of_a_columns_name_do_not_count() {
        assert!(is_name_column("width", SemanticKind::Dimension, &["narrow", "wide"]));
        assert!(is_name_column("candidate", SemanticKind::Text, &["Ann Lee", "Bob Ray"]));
        assert!(is_name_column("update_id_code", SemanticKind::Identifier, &["US", "FR", "DE"]));
    }

    #[test]
    fn numbers_dates_phones_post_codes_and_identifiers_stay_out() {
        use SemanticKind::{Dimension, Identifier, Metric, Text, Time};
        assert!(!is_name_column("price", Metric, &["3.50"]));
        assert!(!is_name_column("born", Time, &["2001-02-03"]));
        assert!(!is_name_column("name", Text, &["2001-02-03", "2004-05-06"]));
        assert!(!is_name_column("city", Text, &["(510) 555-1234", "(415) 555-9876"]));
        assert!(!is_name_column("place", Dimension, &["94607", "94608-1234"]));
        assert!(!is_name_column("thing", Identifier, &["AB-1234", "AB-1235"]));
        assert!(!is_name_column("thing", Text, &["550e8400-e29b-41d4-a716-446655440000"]));
    }

    #[test]
    fn repeated_codes_are_categories() {
        assert!(is_name_column("aircraft", SemanticKind::Dimension, &["A320", "B737"]));
        assert!(is_name_column("grades", SemanticKind::Dimension, &["9-12", "K-8"]));
    }

    #[test]
    fn a_hidden_date_stays_out() {
        let column = Column { name: "when".into(), data_type: "TEXT".into(), nullable: true, comment: None };
        let profile =
            ColumnProfile { hidden: Some("%d.%m.%Y".into()), ..make_profile("when", SemanticKind::Text, &["x"]) };
        assert!(!names_things(&column, &profile));
    }
}
