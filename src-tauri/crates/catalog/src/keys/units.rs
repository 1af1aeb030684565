//! Tables with the column properties that the search for keys needs.

use super::names::Name;
use crate::compress_catalog;
use std::collections::HashMap;
use vitrine_domain::{
    Catalog, Column, ColumnProfile, Dialect, Profile, SemanticKind, Table, TableKind, TableName, TableProfile,
};
use vitrine_sql::DialectExt;
use vitrine_sql::dialect::TypeFamily;

/// Tolerance for estimates of distinct values, which are off by a few percent.
const NEARLY: f64 = 0.9;
/// Maximum number of characters of a text key.
const LONGEST_KEY: usize = 40;

/// A table with rows, or the largest one of a group of look-alike tables as its representative.
pub(super) struct Unit<'a> {
    pub table: &'a Table,
    /// The number of rows; that of the rows read if the total is unknown.
    pub rows: u64,
    /// True if the profile has read all rows.
    pub whole: bool,
    pub name: Name,
    pub columns: Vec<KeyColumn<'a>>,
    /// All tables that the unit represents, including itself.
    pub members: Vec<&'a Table>,
    /// Column indices of the declared or inferred primary key.
    pub primary: Vec<usize>,
}

/// A column with its profile, parsed name and shape.
pub(super) struct KeyColumn<'a> {
    pub column: &'a Column,
    pub profile: &'a ColumnProfile,
    pub name: Name,
    pub shape: Shape,
    /// True if no value repeats and none is NULL; `None` if only a query can tell.
    pub unique: Option<bool>,
}

/// Classes of values that can be compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Whole numbers, including exported ones with a decimal point and numbers that SQLite stores as text.
    Number,
    /// Text that is short enough for a key.
    Text,
    /// Dates and times of day.
    Time,
    /// Values that are not part of keys: fractions, geometries, nested values, long text.
    Other,
}

impl<'a> Unit<'a> {
    /// Returns the index of a single-column primary key.
    pub(super) fn lone_key(&self) -> Option<usize> {
        if let [only] = self.primary[..] { Some(only) } else { None }
    }

    /// Returns true if it represents several tables.
    pub(super) fn is_family(&self) -> bool {
        self.members.len() > 1
    }

    /// Returns the index of a column by name.
    pub(super) fn column_index(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|own| own.column.name.eq_ignore_ascii_case(column))
    }

    /// Returns true if a column is known to be unique: by declaration, by the profile or by a query.
    pub(super) fn is_unique(&self, place: usize) -> bool {
        self.columns[place].unique == Some(true) || self.table.is_unique(&self.columns[place].column.name)
    }
}

/// Returns the units of tables with rows and a profile; views have no keys.
pub(super) fn build_units<'a>(catalog: &'a Catalog, profile: &'a Profile) -> Vec<Unit<'a>> {
    let profiles = profile.by_table();
    let tables: HashMap<&TableName, &Table> = catalog.tables.iter().map(|table| (&table.name, table)).collect();
    let rows_of = |table: &Table| profiles.get(&table.name).map_or(0, |known| known_row_count(known));
    let groups = compress_catalog(catalog).tables.into_iter().filter_map(|group| {
        let members: Vec<&Table> = group.members.iter().filter_map(|name| tables.get(name).copied()).collect();
        let largest = members.iter().copied().max_by_key(|table| rows_of(table))?;
        (largest.kind == TableKind::Table && rows_of(largest) > 0).then_some((largest, members))
    });
    groups
        .filter_map(|(table, members)| {
            let known = *profiles.get(&table.name)?;
            let columns = table.columns.iter().filter_map(|column| {
                Some(KeyColumn::new(column, known.find_column(&column.name)?, known, catalog.dialect))
            });
            let mut unit = Unit {
                table,
                rows: known_row_count(known),
                whole: known.is_whole(),
                name: Name::of_table(&table.name.name),
                columns: columns.collect(),
                members,
                primary: Vec::new(),
            };
            unit.primary = table.primary_key.iter().filter_map(|column| unit.column_index(column)).collect();
            Some(unit)
        })
        .collect()
}

fn known_row_count(known: &TableProfile) -> u64 {
    known.row_count.unwrap_or(known.profiled_rows)
}

impl<'a> KeyColumn<'a> {
    fn new(column: &'a Column, profile: &'a ColumnProfile, table: &TableProfile, dialect: Dialect) -> Self {
        let rows = known_row_count(table);
        let counted = table.is_whole() && rows <= dialect.sql().exact_distinct_rows();
        let shape = Shape::from_profile(column, profile, dialect);
        let unique = if shape == Shape::Other || profile.null_ratio > 0.0 {
            Some(false)
        } else if counted {
            Some(profile.distinct == rows)
        } else if (profile.distinct as f64) < rows as f64 * NEARLY {
            Some(false)
        } else {
            None
        };
        Self { column, profile, name: Name::of_column(&column.name), shape, unique }
    }
}

impl Shape {
    fn from_profile(column: &Column, profile: &ColumnProfile, dialect: Dialect) -> Self {
        let shown = || profile.samples.iter().chain(&profile.min).chain(&profile.max);
        let all = |test: fn(&str) -> bool| profile.samples.iter().all(|sample| test(sample.trim()));
        let whole = |text: &str| text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
        use SemanticKind::{Binary, Empty, Geo, Nested};
        if matches!(profile.kind, Nested | Geo | Binary | Empty) {
            return Shape::Other;
        }
        // Values with their own types are compared as they are: columns declared as text may contain numbers, and vice versa.
        let dynamic = dialect.sql().has_dynamic_types();
        match dialect.sql().type_family(&column.data_type) {
            TypeFamily::Integer | TypeFamily::Float if all(whole) => Shape::Number,
            TypeFamily::Text | TypeFamily::Temporal if dynamic && all(whole) => Shape::Number,
            TypeFamily::Temporal => Shape::Time,
            _ if profile.kind == SemanticKind::Time && profile.hidden.is_some() => Shape::Time,
            TypeFamily::Text if shown().all(|text| text.chars().count() <= LONGEST_KEY) => Shape::Text,
            TypeFamily::Integer if dynamic => Shape::Text,
            _ => Shape::Other,
        }
    }
}
