//! Represents the steps of a query as tables of a catalog, to follow names and keys from step to step: the lineage of
//! each column, and the grain.

use crate::names::same_name;
use crate::phrases::{describe_sql, identifier_words};
use crate::steps::{JoinKind, Output, Step, StepColumn, StepKind, Steps};
use sqlparser::ast::SelectItem;
use vitrine_domain::{Catalog, Column, ColumnSource, ExplainedColumn, Table, TableKind, TableName};
use vitrine_sql::ast::{Grain, Matches, each_select, resolve_column_index};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_words::{join_with_and, tr};

/// Facts about a step besides its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Its columns with their lineage.
    pub columns: Vec<ExplainedColumn>,
    /// Its grain in words; `None` if unknown.
    pub grain: Option<String>,
}

/// The grain of a step: the entity that one row represents.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unit {
    /// One row of each of these tables, by name.
    Rows(Vec<String>),
    /// A combination of values, each in words.
    Values(Vec<String>),
    /// A single row for the whole result.
    One,
}

impl Unit {
    fn describe_grain(&self) -> String {
        match self {
            Unit::Rows(names) => {
                let mut tables = names.iter().map(|name| identifier_words(name));
                let first = tables.next().unwrap_or_default();
                let tables = tables.fold(first, |before, table| tr!("{before} with one of {table}", before, table));
                tr!("one row of {tables}", tables)
            }
            Unit::Values(values) => tr!("one row for each {values}", values = join_with_and(values)),
            Unit::One => tr!("one row in all"),
        }
    }

    /// Combines the grains of joined rows.
    fn combine_with(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Unit::One, unit) | (unit, Unit::One) => Some(unit),
            (Unit::Rows(mut left), Unit::Rows(right)) => {
                left.extend(right);
                Some(Unit::Rows(left))
            }
            (Unit::Values(mut left), Unit::Values(right)) => {
                left.extend(right);
                Some(Unit::Values(left))
            }
            _ => None,
        }
    }
}

impl Steps {
    /// Follows columns and rows through the steps of a query; returns one scheme per step.
    pub fn schemes(&self, sql: &ReadOnlySql, catalog: &Catalog) -> Vec<Scheme> {
        let mut known = Known { sql, tables: tables_read(self, catalog), units: Vec::new() };
        self.steps().iter().map(|step| known.add_step(step)).collect()
    }
}

/// Returns the tables that steps read.
fn tables_read(steps: &Steps, catalog: &Catalog) -> Catalog {
    let own = |step: &Step| match &step.kind {
        StepKind::Table { table, .. } => Some(table.clone()),
        _ => None,
    };
    let names: Vec<String> = steps.steps().iter().flat_map(|s| s.reads.iter().cloned().chain(own(s))).collect();
    let mut tables: Vec<Table> = Vec::new();
    for table in names.iter().filter_map(|name| catalog.find_table(name)) {
        if tables.iter().all(|known| known.name != table.name) {
            tables.push(table.clone());
        }
    }
    Catalog {
        database: String::new(),
        dialect: catalog.dialect,
        search_path: catalog.search_path.clone(),
        own_functions: catalog.own_functions.clone(),
        fingerprint: String::new(),
        tables,
    }
}

struct Known<'s> {
    sql: &'s ReadOnlySql,
    /// The tables, and the steps so far.
    tables: Catalog,
    /// The grains of the steps so far, by name.
    units: Vec<(String, Option<Unit>)>,
}

impl Known<'_> {
    fn add_step(&mut self, step: &Step) -> Scheme {
        let read = self.sql.prove_text(&step.sql);
        let columns = self.trace_columns(step, read.as_ref());
        let (unit, keys) = self.grain_and_keys(step, read.as_ref());
        self.add(step, keys);
        let grain = unit.as_ref().map(Unit::describe_grain);
        self.units.push((step.name.clone(), unit));
        Scheme { columns, grain }
    }

    fn trace_columns(&self, step: &Step, read: Option<&ReadOnlySql>) -> Vec<ExplainedColumn> {
        let outputs = read.map(|sql| bind_names(sql, &self.tables).outputs).unwrap_or_default();
        let mut outputs = outputs.into_iter();
        let column = |column: &StepColumn| {
            let sources = outputs.next().map(|output| output.sources).unwrap_or_default();
            let from = sources.into_iter().map(|(source, column)| ColumnSource { source, column }).collect();
            ExplainedColumn { name: column.name.clone(), from }
        };
        step.columns.iter().map(column).collect()
    }

    /// Returns the grain, and the unique sets of columns.
    fn grain_and_keys(&self, step: &Step, read: Option<&ReadOnlySql>) -> (Option<Unit>, Vec<Vec<String>>) {
        match &step.kind {
            StepKind::Table { table, .. } => {
                let name = self.tables.find_table(table).map_or_else(|| table.clone(), |table| table.name.to_string());
                (Some(Unit::Rows(vec![name])), self.carried_keys(step, table, read))
            }
            StepKind::Join { kind, left, right, .. } => self.joined_grain_and_keys(step, *kind, (left, right), read),
            StepKind::Group { keys, .. } if keys.is_empty() => (Some(Unit::One), Vec::new()),
            StepKind::Group { keys, .. } => {
                // A column is not qualified if rows are grouped by it.
                let said = |key: &Output| match key.value.columns.as_slice() {
                    [only] if key.value.text.rsplit('.').next().is_some_and(|last| same_name(last, &only.column)) => {
                        identifier_words(&only.column)
                    }
                    _ => describe_sql(&key.value.text, self.tables.dialect),
                };
                let values = keys.iter().map(said).collect();
                (Some(Unit::Values(values)), vec![keys.iter().map(|key| key.name.clone()).collect()])
            }
            StepKind::Distinct | StepKind::Order { distinct: true, .. } | StepKind::SetOperation { all: false, .. } => {
                let all: Vec<String> = step.columns.iter().map(|column| column.name.clone()).collect();
                (Some(Unit::Values(all.iter().map(|name| identifier_words(name)).collect())), vec![all])
            }
            StepKind::Filter { .. }
            | StepKind::Having { .. }
            | StepKind::Window { .. }
            | StepKind::Project { .. }
            | StepKind::Order { .. }
            | StepKind::Limit(_) => match step.reads.first() {
                Some(source) => (self.grain_of(source), self.carried_keys(step, source, read)),
                None => (None, Vec::new()),
            },
            _ => (None, Vec::new()),
        }
    }

    fn joined_grain_and_keys(
        &self,
        step: &Step,
        kind: JoinKind,
        (left, right): (&str, &str),
        read: Option<&ReadOnlySql>,
    ) -> (Option<Unit>, Vec<Vec<String>>) {
        let (Some(of_left), Some(of_right)) = (self.grain_of(left), self.grain_of(right)) else {
            return (None, Vec::new());
        };
        let mut matches = (Matches::Unknown, Matches::Unknown);
        if let Some(sql) = read {
            let mut outermost = true;
            each_select(sql, &self.tables, |_, select, tables| {
                if std::mem::take(&mut outermost) && tables.len() == 2 {
                    let grain = Grain::from_select(select, tables);
                    matches = (grain.count_matches(&[0], &[1]), grain.count_matches(&[1], &[0]));
                }
            });
        }
        match (kind, matches) {
            (JoinKind::Inner | JoinKind::Left, (Matches::One, _)) => {
                (Some(of_left), self.carried_keys(step, left, read))
            }
            (JoinKind::Inner | JoinKind::Right, (_, Matches::One)) => {
                (Some(of_right), self.carried_keys(step, right, read))
            }
            // Unmatched rows of the left side are included, too.
            (JoinKind::Left, (_, Matches::One)) => (Some(of_right), Vec::new()),
            (JoinKind::Cross, _) | (JoinKind::Inner, (Matches::Several, _) | (_, Matches::Several)) => {
                (of_left.combine_with(of_right), Vec::new())
            }
            _ => (None, Vec::new()),
        }
    }

    fn grain_of(&self, name: &str) -> Option<Unit> {
        match self.units.iter().rev().find(|(step, _)| step == name) {
            Some((_, unit)) => unit.clone(),
            None => self.tables.find_table(name).map(|table| Unit::Rows(vec![table.name.to_string()])),
        }
    }

    /// Returns the keys of a source, if all their columns are passed on, by their names in the step.
    fn carried_keys(&self, step: &Step, source: &str, read: Option<&ReadOnlySql>) -> Vec<Vec<String>> {
        let (Some(table), Some(read)) = (self.tables.find_table(source), read) else { return Vec::new() };
        let keys = table.unique_keys.iter().chain([&table.primary_key]).filter(|key| !key.is_empty());
        let read_as = unchanged_columns(step, read, &self.tables);
        let name = |own: &String| {
            let same = |(_, source, column): &&(String, String, String)| {
                table.name.to_string().eq_ignore_ascii_case(source) && column.eq_ignore_ascii_case(own)
            };
            read_as.iter().find(same).map(|(name, _, _)| name.clone())
        };
        keys.filter_map(|key| key.iter().map(name).collect()).collect()
    }

    fn add(&mut self, step: &Step, keys: Vec<Vec<String>>) {
        let column = |column: &StepColumn| Column {
            name: column.name.clone(),
            data_type: String::new(),
            nullable: true,
            comment: None,
        };
        self.tables.tables.retain(|table| !table.name.to_string().eq_ignore_ascii_case(&step.name));
        self.tables.tables.push(Table {
            name: TableName::from_unqualified(&step.name),
            kind: TableKind::View,
            comment: None,
            row_count: None,
            columns: step.columns.iter().map(column).collect(),
            primary_key: Vec::new(),
            definition: None,
            unique_keys: keys,
            foreign_keys: Vec::new(),
        });
    }
}

/// Returns the columns of a step that are unchanged columns of a source: name, source, column there.
fn unchanged_columns(step: &Step, read: &ReadOnlySql, tables: &Catalog) -> Vec<(String, String, String)> {
    let mut plain = Vec::new();
    let mut outermost = true;
    each_select(read, tables, |_, select, from| {
        if !std::mem::take(&mut outermost) || select.projection.len() != step.columns.len() {
            return;
        }
        for (column, item) in step.columns.iter().zip(&select.projection) {
            let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { continue };
            if let Some((at, name)) = resolve_column_index(expr, from) {
                plain.push((column.name.clone(), from[at].table.name.to_string(), name.to_owned()));
            }
        }
    });
    plain
}
