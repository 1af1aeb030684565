//! Evidence of NULL values in the compared columns, from the profile, and of their treatment in the query.

use super::scope::{ColumnRef, SelectScope, null_tested_columns};
use crate::RuleInput;
use crate::question::facts::has_word;
use sqlparser::ast::{BinaryOperator, CastKind, Expr, Select};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::{Table, TableName};
use vitrine_sql::ast::{InScope, collect_columns, last_part, visit_exprs};
use vitrine_sql::{Binding, ColumnType, DialectExt, ReadOnlySql, bind_names};

/// Prefixes of functions that may return NULL for some values.
const MAY_GIVE_NOTHING: [&str; 12] = [
    "nullif",
    "json_extract",
    "json_value",
    "json_query",
    "jsonextract",
    "get_json",
    "get_path",
    "try_",
    "safe_",
    "element_at",
    "list_extract",
    "regexp_substr",
];

/// The evidence for NULL values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Missing {
    /// Only a count can confirm it.
    Possible,
    /// The profile contains NULL values.
    Known,
}

/// Evidence about NULL values in the columns of one query.
pub(super) struct Evidence<'a> {
    input: &'a RuleInput<'a>,
    binding: Binding,
    /// Tables in scope; `None` for a query without a tree.
    names: Option<InScope<'a>>,
    /// Columns with a NULL test anywhere in the query.
    tests: Vec<ColumnRef>,
    /// Columns of standing conditions, in lower case.
    wanted: HashSet<String>,
}

impl<'a> Evidence<'a> {
    pub fn from_query(sql: &ReadOnlySql, input: &'a RuleInput<'a>) -> Self {
        let binding = bind_names(sql, input.catalog);
        let mut tests = Vec::new();
        let names = sql.with_query(|query| {
            let _ = visit_exprs::<()>(&query, |expr| {
                tests.extend(null_tested_columns(expr));
                ControlFlow::Continue(())
            });
            InScope::from_query(&query, input.catalog)
        });
        // A standing condition is the user's decision.
        let is_wanted = |column: &str| input.standing.conditions().any(|(_, wanted)| has_word(&wanted, column));
        let columns = binding.columns.iter().filter(|(_, column)| is_wanted(column));
        let wanted = columns.map(|(_, column)| column.to_lowercase()).collect();
        Self { input, binding, names, tests, wanted }
    }

    /// Records the tables and NULL tests of a SELECT.
    pub fn select_scope(&self, select: &Select) -> SelectScope<'a> {
        self.names.as_ref().map(|names| SelectScope::from_select(select, names)).unwrap_or_default()
    }

    /// Returns true if an expression has no columns.
    pub fn is_constant(&self, expr: &Expr) -> bool {
        self.referenced_columns(expr).is_empty()
    }

    /// Returns the names of the columns in an expression.
    pub fn column_names(&self, expr: &Expr) -> Vec<String> {
        self.referenced_columns(expr).into_iter().map(|column| column.name).collect()
    }

    /// Returns the columns in an expression, without double-quoted names that the engine reads as strings.
    fn referenced_columns(&self, expr: &Expr) -> Vec<ColumnRef> {
        if matches!(expr, Expr::Subquery(_)) {
            return Vec::new();
        }
        let reads_texts = self.input.catalog.dialect.sql().reads_unresolved_quotes_as_strings();
        let is_text = |column: &Expr| match column {
            Expr::Identifier(name) => {
                reads_texts && name.quote_style == Some('"') && self.bound_columns(&name.value).next().is_none()
            }
            _ => false,
        };
        collect_columns(expr).iter().filter(|column| !is_text(column)).filter_map(ColumnRef::from_expr).collect()
    }

    /// Returns the evidence that an expression of a SELECT is NULL in some rows. `None` if it is never NULL, or if the
    /// query handles such rows.
    pub fn assess_missing(&self, scope: &SelectScope<'a>, subject: &Expr) -> Option<Missing> {
        let columns = self.referenced_columns(subject);
        if columns.iter().any(|column| self.is_treated(scope, column)) {
            return None;
        }
        let known = columns.iter().filter_map(|column| self.of_column_in(scope, column)).max();
        let may_be = !columns.is_empty() && may_give_nothing(subject);
        known.max(may_be.then_some(Missing::Possible))
    }

    /// Returns true if a column is a flag: Boolean values, or only zeros and ones.
    pub fn is_flag(&self, scope: &SelectScope<'a>, column: &Expr) -> bool {
        let Some(column) = ColumnRef::from_expr(column) else { return false };
        let Some(table) = scope.source_of(&column).and_then(|source| source.table) else { return false };
        let is_truth = |data_type: &str| self.input.catalog.dialect.sql().column_type(data_type) == ColumnType::Boolean;
        let profile = self.input.profile.find_table(&table.name).and_then(|read| read.find_column(&column.name));
        let is_bit = |value: &Option<String>| value.as_deref().is_some_and(|value| matches!(value, "0" | "1"));
        table.find_column(&column.name).is_some_and(|declared| is_truth(&declared.data_type))
            || profile.is_some_and(|known| is_bit(&known.min) && is_bit(&known.max) && known.distinct <= 2)
    }

    /// Returns true if the query handles NULL values of a column: with a test in the same SELECT, or with any test if
    /// the column comes from a view of the query or from an outer query.
    fn is_treated(&self, scope: &SelectScope<'a>, column: &ColumnRef) -> bool {
        let is_stored = scope.source_of(column).is_some_and(|source| source.table.is_some());
        let is_tested = match is_stored {
            true => scope.tests_column(column),
            false => self.tests.iter().any(|test| test.name.eq_ignore_ascii_case(&column.name)),
        };
        is_tested || self.wanted.contains(&column.name.to_lowercase())
    }

    fn of_column_in(&self, scope: &SelectScope<'a>, column: &ColumnRef) -> Option<Missing> {
        let Some(source) = scope.source_of(column) else { return self.of_name(&column.name) };
        let stored = match source.table {
            Some(table) if table.find_column(&column.name).is_some() => self.of_column(table, &column.name),
            _ => self.of_name(&column.name),
        };
        stored.max(source.is_optional.then_some(Missing::Possible))
    }

    /// Returns true if another binding has no problem that this query lacks.
    pub fn covers_problems_of(&self, other: &Binding) -> bool {
        other.problems.iter().all(|problem| self.binding.problems.contains(problem))
    }

    fn bound_columns<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b (String, String)> {
        self.binding.columns.iter().filter(move |(_, column)| column.eq_ignore_ascii_case(name))
    }

    fn of_name(&self, name: &str) -> Option<Missing> {
        if self.bound_columns(name).next().is_none() {
            // The source of a name that the query defines is unknown.
            return Some(Missing::Possible);
        }
        let stored = |table: &str, column: &str| self.of_column(self.input.catalog.find_table(table)?, column);
        self.bound_columns(name).filter_map(|(table, column)| stored(table, column)).max()
    }

    fn of_column(&self, table: &Table, column: &str) -> Option<Missing> {
        let declared = table.find_column(column)?;
        let is_key = table.primary_key.len() == 1 && table.primary_key[0].eq_ignore_ascii_case(column);
        if !declared.nullable || is_key {
            return None;
        }
        self.of_profile(&table.name, column)
    }

    fn of_profile(&self, table: &TableName, column: &str) -> Option<Missing> {
        let Some(read) = self.input.profile.find_table(table) else { return Some(Missing::Possible) };
        match read.find_column(column) {
            Some(known) if known.null_ratio > 0.0 => Some(Missing::Known),
            Some(_) if read.is_whole() => None,
            _ => Some(Missing::Possible),
        }
    }
}

/// Returns true if an expression may be NULL although its columns are not.
fn may_give_nothing(subject: &Expr) -> bool {
    use BinaryOperator as Op;
    let look = |expr: &Expr| {
        let may_be = match expr {
            Expr::BinaryOp { op: Op::Arrow | Op::LongArrow | Op::HashArrow | Op::HashLongArrow, .. } => true,
            Expr::JsonAccess { .. } | Expr::CompoundFieldAccess { .. } => true,
            Expr::Cast { kind: CastKind::TryCast | CastKind::SafeCast, .. } => true,
            Expr::Function(function) => last_part(&function.name).is_some_and(|name| {
                let name = name.value.to_lowercase();
                MAY_GIVE_NOTHING.iter().any(|begin| name.starts_with(begin))
            }),
            _ => false,
        };
        if may_be { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    visit_exprs(subject, look).is_break()
}
