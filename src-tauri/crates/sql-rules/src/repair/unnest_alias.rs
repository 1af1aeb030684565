//! The alias of an unnested list: `unnest(items) AS item`. In most engines `item` is the member. In DuckDB before
//! version 2 it is a row with one column `unnest`, so that `item.sku` fails, and `item` alone is a struct.

use crate::RuleInput;
use sqlparser::ast::{Expr, Query, SetExpr, TableAlias, TableAliasColumnDef, TableFactor};
use std::ops::ControlFlow;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{InScope, build_identifier, each_query, last_part, visit_exprs, visit_table_names};
use vitrine_words::{join_with_and, tr};

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if !input.catalog.dialect.sql().unnests_to_rows() {
        return Vec::new();
    }
    let scope = InScope::from_query(query, input.catalog);
    let mut notes = Vec::new();
    each_query(query, |query| notes.extend(name_members(query, &scope)));
    notes
}

/// Names the column like the alias if that name is unused. Returns the names.
fn name_members(query: &mut Query, catalog: &InScope<'_>) -> Option<String> {
    let taken = visible_columns(query, catalog);
    let free = |name: &str| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    if !free("unnest") {
        return None;
    }
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    let mut named = Vec::new();
    for from in &mut select.from {
        for factor in std::iter::once(&mut from.relation).chain(from.joins.iter_mut().map(|join| &mut join.relation)) {
            if let Some(alias) = of_members(factor).filter(|alias| alias.columns.is_empty() && free(&alias.name.value))
            {
                let name = build_identifier(&alias.name.value, catalog.dialect);
                alias.columns.push(TableAliasColumnDef { name, data_type: None });
                named.push(alias.name.value.clone());
            }
        }
    }
    (!named.is_empty()).then(|| tr!("Read {names} as a member of its list", names = join_with_and(&named)))
}

/// Returns the alias of `unnest` over one list.
fn of_members(factor: &mut TableFactor) -> Option<&mut TableAlias> {
    match factor {
        TableFactor::UNNEST { alias, array_exprs, with_offset: false, with_ordinality: false, .. } => {
            alias.as_mut().filter(|_| array_exprs.len() == 1)
        }
        TableFactor::Table { name, alias, args: Some(args), with_ordinality: false, .. } => {
            let unnests = last_part(name).is_some_and(|name| name.value.eq_ignore_ascii_case("unnest"));
            alias.as_mut().filter(|_| unnests && args.args.len() == 1)
        }
        _ => None,
    }
}

/// Returns the columns of the tables that are read, and `unnest` if the query uses the engine's name of the column.
fn visible_columns(query: &Query, catalog: &InScope<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let _ = visit_table_names(query, |name| {
        names.extend(catalog.table_named(name).into_iter().flat_map(|t| &t.columns).map(|c| c.name.clone()));
        ControlFlow::<()>::Continue(())
    });
    let _ = visit_exprs(query, |expr| {
        let parts = match expr {
            Expr::Identifier(one) => std::slice::from_ref(one),
            Expr::CompoundIdentifier(parts) => parts.as_slice(),
            _ => &[],
        };
        names.extend(parts.iter().filter(|p| p.value.eq_ignore_ascii_case("unnest")).map(|p| p.value.clone()));
        ControlFlow::<()>::Continue(())
    });
    names
}
