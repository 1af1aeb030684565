//! Two tables have columns of the same names: "the three most populated countries" out of `city`, which has a name and a
//! population, too.

use super::QuestionFacts;
use crate::RuleInput;
use sqlparser::ast::{Expr, Query, SetExpr, TableFactor, Visit, VisitMut, VisitorMut, visit_relations};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{InScope, Names, is_in_key, is_star, path, table_factor};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let scope = InScope::of(query, input.catalog);
    take_named(query, &scope, input.facts).into_iter().collect()
}

/// Reads the table that the question names instead of the only one that is read, where it has all of the columns. Keys
/// and what refers to that table are the same thing in both and say nothing.
fn take_named(query: &mut Query, catalog: &InScope<'_>, facts: &QuestionFacts) -> Option<String> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    if query.with.is_some() || select.projection.iter().any(is_star) {
        return None;
    }
    let mut read = Vec::new();
    let _ = visit_relations(query, |name| {
        read.push(catalog.table_named(name));
        ControlFlow::<()>::Continue(())
    });
    let [Some(table)] = read.as_slice() else { return None };
    if facts.mentioned.contains(&table.name) {
        return None;
    }
    let mut names = Names::default();
    let _ = Visit::visit(&*query, &mut names);
    let used: Vec<&str> =
        names.columns.iter().map(|(_, column)| column).chain(&names.bare).map(String::as_str).collect();
    let mut meant =
        catalog.tables.iter().filter(|other| facts.tables.contains(&other.name) && stands_in(other, table, &used));
    let (Some(other), None) = (meant.next(), meant.next()) else { return None };
    let mut change = Change { table, other, catalog, called_so: false };
    // What columns go by is known once the table was met, which stands behind them.
    for _ in 0..2 {
        let _ = VisitMut::visit(query, &mut change);
    }
    Some(format!(
        "Read {} instead of {}, which has columns of the same names: the question asks for it",
        other.name, table.name
    ))
}

/// Whether a table has all of the columns that a query uses of another, and one of them is no link.
fn stands_in(other: &Table, table: &Table, used: &[&str]) -> bool {
    let own: Vec<&&str> = used.iter().filter(|column| table.column(column).is_some()).collect();
    own.iter().all(|column| other.column(column).is_some())
        && own.iter().any(|column| !is_in_key(table, column) && !is_in_key(other, column))
}

struct Change<'a> {
    table: &'a Table,
    other: &'a Table,
    catalog: &'a InScope<'a>,
    /// Whether columns go by the table's own name.
    called_so: bool,
}

impl VisitorMut for Change<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, alias, .. } = factor
            && self.catalog.table_named(name).is_some_and(|t| t.name == self.table.name)
            && let TableFactor::Table { name: other, .. } = table_factor(&self.other.name, self.catalog.dialect)
        {
            self.called_so |= alias.is_none();
            *name = other;
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [qualifier, column] = parts.as_slice()
            && self.called_so
            && qualifier.value.eq_ignore_ascii_case(&self.table.name.name)
        {
            *expr = path(&self.other.name.name, &column.value, self.catalog.dialect);
        }
        ControlFlow::Continue(())
    }
}
