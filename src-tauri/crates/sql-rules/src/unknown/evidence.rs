//! Whether the compared columns hold missing values, by the profile, and whether the query already says what happens to them.

use crate::RuleInput;
use crate::question::facts::has_word;
use sqlparser::ast::{Expr, Query};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::ast::{columns, visit_exprs};
use vitrine_sql::{Binding, ReadOnlySql, bind};

/// How far it is known that a column holds missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Missing {
    /// Only a count can tell.
    Possible,
    /// The profile has seen some.
    Known,
}

/// What is known about missing values in the columns of one query.
pub(super) struct Evidence<'a> {
    input: &'a RuleInput<'a>,
    binding: Binding,
    /// Names of columns that the query tests for missing values, in lower case.
    treated: HashSet<String>,
}

impl<'a> Evidence<'a> {
    pub fn of(sql: &ReadOnlySql, input: &'a RuleInput<'a>) -> Self {
        let binding = bind(sql, input.catalog);
        let mut treated = sql.with_query(|query| tested(&query)).unwrap_or_default();
        // A condition that the user wants always is the user's own.
        let is_wanted = |column: &str| input.standing.conditions().any(|(_, wanted)| has_word(&wanted, column));
        let wanted = binding.columns.iter().filter(|(_, column)| is_wanted(column));
        treated.extend(wanted.map(|(_, column)| column.to_lowercase()));
        Self { input, binding, treated }
    }

    /// The names of the columns in an expression. MySQL and SQLite read a name in double quotes that no table has as a text.
    pub fn names(&self, expr: &Expr) -> Vec<String> {
        if matches!(expr, Expr::Subquery(_)) {
            return Vec::new();
        }
        let reads_texts = matches!(self.input.catalog.dialect, Dialect::Sqlite | Dialect::Mysql);
        let is_text = |column: &Expr| match column {
            Expr::Identifier(name) => {
                reads_texts && name.quote_style == Some('"') && self.bound(&name.value).next().is_none()
            }
            _ => false,
        };
        columns(expr).iter().filter(|column| !is_text(column)).filter_map(last_name).collect()
    }

    /// How far it is known that one of these columns holds missing values; `None` where none does or the query treats them.
    pub fn missing(&self, names: &[String]) -> Option<Missing> {
        if names.iter().any(|name| self.treated.contains(&name.to_lowercase())) {
            return None;
        }
        names.iter().filter_map(|name| self.of_name(name)).max()
    }

    /// Returns whether another query has no problem that this one lacks.
    pub fn covers_problems_of(&self, other: &Binding) -> bool {
        other.problems.iter().all(|problem| self.binding.problems.contains(problem))
    }

    fn bound<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b (String, String)> {
        self.binding.columns.iter().filter(move |(_, column)| column.eq_ignore_ascii_case(name))
    }

    fn of_name(&self, name: &str) -> Option<Missing> {
        if self.bound(name).next().is_none() {
            // A name that the query gives itself: its values come from somewhere.
            return Some(Missing::Possible);
        }
        self.bound(name).filter_map(|(table, column)| self.of_column(table, column)).max()
    }

    fn of_column(&self, table: &str, column: &str) -> Option<Missing> {
        let table = self.input.catalog.table(table)?;
        let declared = table.column(column)?;
        let is_key = table.primary_key.len() == 1 && table.primary_key[0].eq_ignore_ascii_case(column);
        if !declared.nullable || is_key {
            return None;
        }
        self.of_profile(&table.name, column)
    }

    fn of_profile(&self, table: &TableName, column: &str) -> Option<Missing> {
        let Some(read) = self.input.profile.table(table) else { return Some(Missing::Possible) };
        match read.column(column) {
            Some(known) if known.null_ratio > 0.0 => Some(Missing::Known),
            Some(_) if read.is_whole() => None,
            _ => Some(Missing::Possible),
        }
    }
}

/// The last part of a column's name.
fn last_name(column: &Expr) -> Option<String> {
    match column {
        Expr::Identifier(name) => Some(name.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()),
        _ => None,
    }
}

/// The columns that a query tests by IS NULL or IS NOT NULL anywhere.
fn tested(query: &Query) -> HashSet<String> {
    let mut tested = HashSet::new();
    let _ = visit_exprs::<()>(query, |expr| {
        if let Expr::IsNull(inner) | Expr::IsNotNull(inner) = expr {
            tested.extend(columns(inner.as_ref()).iter().filter_map(last_name).map(|name| name.to_lowercase()));
        }
        ControlFlow::Continue(())
    });
    tested
}
