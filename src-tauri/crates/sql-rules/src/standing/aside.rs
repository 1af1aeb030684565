//! Standing conditions that are not applied, because the question or the query concerns those rows, or because a
//! database view is in between. The user is informed.

use super::apply::insert_conditions;
use super::{Form, StandingCondition, merged};
use crate::RuleInput;
use sqlparser::ast::{Expr, GroupByExpr, Ident, Query, Select, SelectItem, UnaryOperator, Visitor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, TableKind, TableName};
use vitrine_sql::ast::{
    ColumnReferences, InScope, collect_conjuncts, collect_constants, is_column, iter_relations, visit_tree,
};
use vitrine_sql::{ReadOnlySql, bind_names, value_sources};
use vitrine_words::tr;

/// Returns one sentence for each standing condition that a query does not apply.
pub fn left_aside(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<String> {
    let asked_for: Vec<&StandingCondition> = input.standing.asked_for.iter().collect();
    let holding: Vec<&StandingCondition> = input.standing.holding.iter().collect();
    let unmerged = merged::left_aside(sql, input);
    if asked_for.is_empty() && holding.is_empty() {
        return unmerged;
    }
    let (mut notes, read) = match sql.has_tree() {
        true => (note_missing_conditions(sql, input, &asked_for, &holding), bind_names(sql, input.catalog).tables),
        false => {
            let followed = value_sources(sql, input.catalog, &|_, _| false);
            // If even the tables are unknown, the query may read any of them.
            let reads = |table: &TableName| followed.read.is_none() || followed.tables.contains(&table.to_string());
            let conditions = asked_for.iter().chain(&holding).filter(|condition| reads(&condition.table));
            (conditions.map(|condition| condition.note_not_put_in()).collect(), followed.tables.clone())
        }
    };
    notes.extend(unmerged);
    let views = input.catalog.tables.iter().filter(|table| table.kind == TableKind::View);
    for view in views.filter(|view| read.contains(&view.name.to_string())) {
        let made_of = |table: &TableName| {
            let words = view.definition.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
            words.into_iter().any(|word| word.eq_ignore_ascii_case(&table.name))
        };
        let inside = holding.iter().filter(|condition| made_of(&condition.table));
        notes.extend(inside.map(|condition| condition.note_inside(&view.name)));
    }
    notes
}

/// Adds notes on the conditions that the tree of a query lacks.
fn note_missing_conditions(
    sql: &ReadOnlySql,
    input: &RuleInput<'_>,
    asked_for: &[&StandingCondition],
    holding: &[&StandingCondition],
) -> Vec<String> {
    let lacks = |conditions: &[&StandingCondition]| -> Vec<StandingCondition> {
        let lacking = sql.with_query(|mut query| {
            insert_conditions(&mut query, input.catalog, conditions).into_iter().cloned().collect()
        });
        lacking.unwrap_or_else(|| conditions.iter().map(|&condition| condition.clone()).collect())
    };
    let mut notes: Vec<String> = lacks(asked_for).iter().map(StandingCondition::note_asked_for).collect();
    notes.extend(lacks(holding).iter().map(StandingCondition::note_looked_at));
    notes
}

impl StandingCondition {
    fn note_asked_for(&self) -> String {
        let (table, condition) = (&self.table, &self.condition);
        tr!(
            "“{condition}” is defined for every answer about {table}, but the question asks about the other rows",
            condition,
            table
        )
    }

    fn note_looked_at(&self) -> String {
        let (table, condition) = (&self.table, &self.condition);
        tr!(
            "“{condition}” is defined for every answer about {table}, but this query has its own condition on it",
            condition,
            table
        )
    }

    fn note_not_put_in(&self) -> String {
        let (table, condition) = (&self.table, &self.condition);
        tr!(
            "“{condition}” is defined for every answer about {table}, but only the database can parse this query, so the condition could not be added",
            condition,
            table
        )
    }

    fn note_inside(&self, view: &TableName) -> String {
        let (table, condition) = (&self.table, &self.condition);
        tr!(
            "“{condition}” is defined for every answer about {table}, but {view} is a view of it, and what it counts cannot be changed here",
            condition,
            table,
            view
        )
    }

    /// Returns true if a query tests the condition's columns itself: it selects rows that the condition excludes, or
    /// groups by these columns.
    pub(super) fn is_looked_at(&self, query: &Query, catalog: &Catalog) -> bool {
        if self.form == Form::Range {
            return false;
        }
        let mut aliases = Aliases { scope: InScope::from_query(query, catalog), of: HashMap::new() };
        let _ = visit_tree(query, &mut aliases);
        visit_tree(query, &mut Looks { condition: self, aliases: aliases.of }).is_break()
    }
}

/// The catalog tables of each alias, anywhere in a query.
struct Aliases<'c> {
    scope: InScope<'c>,
    of: HashMap<String, Vec<&'c TableName>>,
}

impl Visitor for Aliases<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for relation in iter_relations(select, &self.scope).flatten() {
            self.of.entry(relation.alias.to_lowercase()).or_default().push(&relation.table.name);
        }
        ControlFlow::Continue(())
    }
}

struct Looks<'a> {
    condition: &'a StandingCondition,
    aliases: HashMap<String, Vec<&'a TableName>>,
}

impl Looks<'_> {
    /// Returns true if a part refers to a column that may belong to the condition.
    fn names_condition_column(&self, part: &Expr) -> bool {
        let mut names = ColumnReferences::default();
        let _ = visit_tree(part, &mut names);
        let is_mine = |qualifier: &Ident| {
            let tables = self.aliases.get(&qualifier.value.to_lowercase());
            // Another alias may be a view of the query that passes the column on.
            tables.is_none_or(|tables| tables.contains(&&self.condition.table))
        };
        names.bare.iter().any(|name| self.condition.is_column(name))
            || names.columns.iter().any(|(of, name)| self.condition.is_column(name) && is_mine(of))
    }

    fn decides_condition(&self, expr: &Expr) -> bool {
        use Expr::{
            Between, BinaryOp, Case, ILike, InList, IsDistinctFrom, IsFalse, IsNotDistinctFrom, IsNotFalse, IsNotNull,
            IsNotTrue, IsNull, IsTrue, Like, SimilarTo, UnaryOp,
        };
        match (&self.condition.form, expr) {
            (Form::Range, _) => false,
            (_, BinaryOp { op, .. }) if is_joint(op) => false,
            (
                Form::State,
                BinaryOp { .. }
                | Between { .. }
                | InList { .. }
                | IsNull(_)
                | IsNotNull(_)
                | IsTrue(_)
                | IsNotTrue(_)
                | IsFalse(_)
                | IsNotFalse(_)
                | UnaryOp { op: UnaryOperator::Not, .. },
            ) => self.names_condition_column(expr),
            (
                form,
                BinaryOp { .. }
                | InList { .. }
                | IsDistinctFrom(..)
                | IsNotDistinctFrom(..)
                | Case { operand: Some(_), .. },
            ) => {
                self.names_condition_column(expr) && collect_constants(expr).iter().any(|value| form.leaves_out(value))
            }
            (form, Like { .. } | ILike { .. } | SimilarTo { .. }) => {
                self.names_condition_column(expr)
                    && collect_constants(expr).iter().any(|part| form.leaves_out_like(part))
            }
            _ => false,
        }
    }

    /// Returns true if the SELECT shows the condition's columns: each value has a separate row.
    fn sets_apart(&self, select: &Select) -> bool {
        let shown = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                is_column(expr) && self.names_condition_column(expr)
            }
            _ => false,
        };
        let keys = match &select.group_by {
            GroupByExpr::Expressions(keys, _) => keys.as_slice(),
            GroupByExpr::All(_) => return select.projection.iter().any(shown),
        };
        let is_shown = |key: &Expr| {
            let place = key.to_string().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
            match place.and_then(|place| select.projection.get(place)) {
                Some(item) => shown(item),
                None => is_column(key) && self.names_condition_column(key),
            }
        };
        keys.iter().any(is_shown) || select.distinct.is_some() && select.projection.iter().any(shown)
    }
}

fn is_joint(op: &sqlparser::ast::BinaryOperator) -> bool {
    matches!(op, sqlparser::ast::BinaryOperator::And | sqlparser::ast::BinaryOperator::Or)
}

impl Visitor for Looks<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut parts = Vec::new();
        select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut parts));
        let states = self.condition.form == Form::State
            && parts.iter().any(|part| is_column(part) && self.names_condition_column(part));
        if states || self.sets_apart(select) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.decides_condition(expr) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
