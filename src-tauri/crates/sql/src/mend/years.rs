//! A year that is said twice: by a table or a column of its own (`budget_2024`), and by a condition on a date that no table
//! of the query has.

use crate::columns::own_name;
use crate::conditions::{and, conjuncts};
use crate::relations::{Relation, relations};
use sqlparser::ast::{Expr, Query, Select, SelectItem, Value, Visit, Visitor, visit_expressions};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Table};

/// Drops such conditions of a SELECT. `known` are the tables of the whole query. Says what was left out.
pub(super) fn drop_stated(select: &mut Select, known: &[&Table], catalog: &Catalog) -> Option<String> {
    // A view's columns are not looked at: what it has is not known here.
    let tables: Vec<Relation<'_>> = relations(select, catalog).collect::<Option<_>>()?;
    let mut names: Vec<String> = Vec::new();
    let _ = visit_expressions(&select.projection, |expr| {
        names.extend(own_name(expr).map(str::to_owned));
        ControlFlow::<()>::Continue(())
    });
    names.extend(tables.iter().map(|relation| relation.table.name.name.clone()));
    let aliases = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.as_str()),
        _ => None,
    });
    let aliases: Vec<&str> = aliases.collect();

    let is_stated = |part: &Expr| {
        let mut words = Words::default();
        let whole = part.visit(&mut words).is_continue();
        let exists = |name: &String| {
            known.iter().any(|table| table.column(name).is_some())
                || aliases.iter().any(|a| a.eq_ignore_ascii_case(name))
        };
        let is_held =
            |year: &String| names.iter().any(|name| name.split(|c: char| !c.is_ascii_digit()).any(|run| run == year));
        whole
            && !words.columns.is_empty()
            && !words.columns.iter().any(exists)
            && !words.years.is_empty()
            && words.years.iter().all(is_held)
    };
    let mut parts = Vec::new();
    conjuncts(select.selection.as_ref()?, &mut parts);
    let (stated, kept): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| is_stated(part));
    if stated.is_empty() {
        return None;
    }
    let left_out: Vec<String> = stated.iter().map(ToString::to_string).collect();
    let note = format!("Left out {}: no such column, and the year is in a name already", left_out.join(" and "));
    select.selection = kept.into_iter().cloned().reduce(and);
    Some(note)
}

/// Columns and years of an expression. Breaks off at what is more than a comparison with years.
#[derive(Default)]
struct Words {
    columns: Vec<String>,
    years: Vec<String>,
}

impl Visitor for Words {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.columns.extend(own_name(expr).map(str::to_owned));
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
        match expr {
            Expr::Value(value) => match &value.value {
                Value::Number(text, _) | Value::SingleQuotedString(text) if digits(text) == 4 && text.len() == 4 => {
                    self.years.push(text.clone());
                }
                // Another number says something of its own.
                Value::Number(..) => return ControlFlow::Break(()),
                Value::SingleQuotedString(text) if digits(text) > 0 => return ControlFlow::Break(()),
                _ => {}
            },
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
