//! Tables with what is known of their columns, as far as keys are concerned.

use super::names::Name;
use crate::compress;
use crate::profile::Family;
use std::collections::HashMap;
use vitrine_domain::{
    Catalog, Column, ColumnProfile, Dialect, Profile, SemanticKind, Table, TableKind, TableName, TableProfile,
};

/// DuckDB counts distinct values exactly up to so many rows.
const EXACT_DISTINCT_ROWS: u64 = 200_000;
/// Estimates of distinct values are off by some percent.
const NEARLY: f64 = 0.9;
/// Texts of keys are short.
const LONGEST_KEY: usize = 40;

/// A table with rows, or the largest one of look-alikes, which stands for all of them.
pub(super) struct Unit<'a> {
    pub table: &'a Table,
    /// Those that were read, where nobody knows how many there are.
    pub rows: u64,
    /// Whether the profile has read all of them.
    pub whole: bool,
    pub name: Name,
    pub columns: Vec<KeyColumn<'a>>,
    /// All tables that it stands for; just itself where it has no look-alikes.
    pub members: Vec<&'a Table>,
    /// Its primary key by places of columns: the declared one, or the inferred one once it is known.
    pub primary: Vec<usize>,
}

/// A column of a unit.
pub(super) struct KeyColumn<'a> {
    pub column: &'a Column,
    pub profile: &'a ColumnProfile,
    pub name: Name,
    pub shape: Shape,
    /// Whether no value repeats and none is missing; `None` where only a query can tell.
    pub unique: Option<bool>,
}

/// What can be compared with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Whole numbers, also those that an export wrote with a point or SQLite keeps as text.
    Number,
    /// Text.
    Text,
    /// Dates and times.
    Time,
    /// What is no part of a key: fractions, places, nested values, long text.
    Other,
}

impl<'a> Unit<'a> {
    /// The table's own key, if it is one column.
    pub(super) fn lone_key(&self) -> Option<usize> {
        if let [only] = self.primary[..] { Some(only) } else { None }
    }

    /// Whether it stands for several tables.
    pub(super) fn is_family(&self) -> bool {
        self.members.len() > 1
    }

    /// The place of a column by its name.
    pub(super) fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|own| own.column.name.eq_ignore_ascii_case(column))
    }

    /// Whether a column is known to be unique: as declared, as the profile counted, or as a query found.
    pub(super) fn is_unique(&self, place: usize) -> bool {
        self.columns[place].unique == Some(true) || self.table.is_unique(&self.columns[place].column.name)
    }
}

/// The tables of a catalog that have rows and a profile; views have no keys.
pub(super) fn units<'a>(catalog: &'a Catalog, profile: &'a Profile) -> Vec<Unit<'a>> {
    let profiles: HashMap<&TableName, &TableProfile> =
        profile.tables.iter().map(|known| (&known.table, known)).collect();
    let tables: HashMap<&TableName, &Table> = catalog.tables.iter().map(|table| (&table.name, table)).collect();
    let rows_of = |table: &Table| profiles.get(&table.name).map_or(0, |known| rows(known));
    let groups = compress(catalog).tables.into_iter().filter_map(|group| {
        let members: Vec<&Table> = group.members.iter().filter_map(|name| tables.get(name).copied()).collect();
        let largest = members.iter().copied().max_by_key(|table| rows_of(table))?;
        (largest.kind == TableKind::Table && rows_of(largest) > 0).then_some((largest, members))
    });
    groups
        .filter_map(|(table, members)| {
            let known = *profiles.get(&table.name)?;
            let columns = table
                .columns
                .iter()
                .filter_map(|column| Some(KeyColumn::new(column, known.column(&column.name)?, known, catalog.dialect)));
            let mut unit = Unit {
                table,
                rows: rows(known),
                whole: known.is_whole(),
                name: Name::of_table(&table.name.name),
                columns: columns.collect(),
                members,
                primary: Vec::new(),
            };
            unit.primary = table.primary_key.iter().filter_map(|column| unit.place(column)).collect();
            Some(unit)
        })
        .collect()
}

fn rows(known: &TableProfile) -> u64 {
    known.row_count.unwrap_or(known.profiled_rows)
}

impl<'a> KeyColumn<'a> {
    fn new(column: &'a Column, profile: &'a ColumnProfile, table: &TableProfile, dialect: Dialect) -> Self {
        let rows = rows(table);
        let counted = table.is_whole() && (dialect != Dialect::Duckdb || rows <= EXACT_DISTINCT_ROWS);
        let shape = Shape::of(column, profile, dialect);
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
    fn of(column: &Column, profile: &ColumnProfile, dialect: Dialect) -> Self {
        let shown = || profile.samples.iter().chain(&profile.min).chain(&profile.max);
        let all = |test: fn(&str) -> bool| profile.samples.iter().all(|sample| test(sample.trim()));
        let whole = |text: &str| text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
        use SemanticKind::{Binary, Empty, Geo, Nested};
        if matches!(profile.kind, Nested | Geo | Binary | Empty) {
            return Shape::Other;
        }
        match Family::of(&column.data_type, dialect) {
            Family::Integer | Family::Float if all(whole) => Shape::Number,
            // SQLite compares by value: what is declared as text may hold numbers, and the other way round.
            Family::Text | Family::Temporal if dialect == Dialect::Sqlite && all(whole) => Shape::Number,
            Family::Temporal => Shape::Time,
            _ if profile.kind == SemanticKind::Time && profile.hidden.is_some() => Shape::Time,
            Family::Text if shown().all(|text| text.chars().count() <= LONGEST_KEY) => Shape::Text,
            Family::Integer if dialect == Dialect::Sqlite => Shape::Text,
            _ => Shape::Other,
        }
    }
}
