//! Resolves queries: views, set operations and result columns.

use super::binding::{Binding, NameProblem, OutputColumn};
use super::scope::{Clause, Col, NameContext, Outcome, Rows, Scope, Walk, merge_distinct, rename_columns};
use super::select_list::output_name;
use super::ties::stored_sources;
use crate::ast::names_table;
use crate::dialect::{DialectExt, ImplicitNames};
use crate::text::same_name;
use sqlparser::ast::{
    Cte, Distinct, Expr, GroupByExpr, GroupByWithModifier, LimitClause, NamedWindowExpr, OrderBy, OrderByKind, Query,
    Select, SelectItem, SetExpr, SetQuantifier, With,
};
use vitrine_domain::Dialect;

impl<'a> Walk<'a> {
    /// Walks a whole query and returns its binding.
    pub fn run(mut self, query: &Query) -> Outcome {
        let rows = self.walk_query(query);
        let outputs = rows.cols.into_iter().map(|c| OutputColumn { name: c.name, sources: c.sources }).collect();
        let mut problems: Vec<NameProblem> = Vec::new();
        for issue in &self.issues {
            if !problems.contains(&issue.problem) {
                problems.push(issue.problem.clone());
            }
        }
        let binding = Binding { tables: self.tables, columns: self.columns, problems, outputs };
        Outcome { binding, issues: self.issues }
    }

    pub(super) fn walk_query(&mut self, query: &Query) -> Rows {
        let views = self.views.len();
        if let Some(with) = &query.with {
            // An existence test applies to the body, not to the views.
            let only_exists = std::mem::take(&mut self.only_exists);
            self.walk_with(with);
            self.only_exists = only_exists;
        }
        let rows = match &*query.body {
            SetExpr::Select(select) => self.walk_select(select, query.order_by.as_ref()),
            body => {
                let rows = self.walk_set_expr(body);
                if let Some(order) = &query.order_by {
                    self.order_result(order, &rows, body);
                }
                rows
            }
        };
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                for e in limit.iter().chain(offset.iter().map(|o| &o.value)) {
                    self.walk_expr(e);
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                self.walk_expr(offset);
                self.walk_expr(limit);
            }
            None => {}
        }
        self.views.truncate(views);
        rows
    }

    fn walk_with(&mut self, with: &With) {
        // The engine decides whether the name of a later view means that view.
        let reads_later = |(at, cte): (usize, &Cte)| {
            with.cte_tables[at + 1..].iter().any(|later| names_table(&cte.query, &later.alias.name.value))
        };
        self.reads_unknown |= self.follows_values()
            && with.recursive
            && !self.dialect.sql().views_see_later_views()
            && with.cte_tables.iter().enumerate().any(reads_later);
        for cte in order_by_dependency(&with.cte_tables, self.dialect) {
            let name = &cte.alias.name.value;
            let recursive = with.recursive || !self.dialect.sql().recursion_needs_keyword();
            let start = match &*cte.query.body {
                SetExpr::SetOperation { left, .. } if recursive && names_table(&cte.query, name) => Some(left),
                _ => None,
            };
            let depth = self.views.len();
            if let Some(start) = start {
                // The first operand of a recursive view defines its columns; it is walked again with the rest.
                let (issues, columns, tables, seen) =
                    (self.issues.len(), self.columns.len(), self.tables.len(), self.seen.clone());
                if let Some(inner) = &cte.query.with {
                    self.walk_with(inner);
                }
                let rows = self.walk_set_expr(start);
                self.issues.truncate(issues);
                self.columns.truncate(columns);
                self.tables.truncate(tables);
                self.seen = seen;
                self.views.truncate(depth);
                self.views.push((name.clone(), with_cte_columns(rows, cte)));
            }
            let mut rows = with_cte_columns(self.walk_query(&cte.query), cte);
            // In each iteration of a recursive view, a value may move by one column.
            for _ in 0..rows.cols.len() {
                let settled = start.is_none()
                    || !self.follows_values()
                    || self.views.last().is_none_or(|(_, known)| same_sources(known, &rows));
                if settled {
                    break;
                }
                self.views.truncate(depth);
                self.views.push((name.clone(), rows));
                rows = with_cte_columns(self.walk_query(&cte.query), cte);
            }
            self.views.truncate(depth);
            self.views.push((name.clone(), rows));
        }
    }

    fn walk_set_expr(&mut self, body: &SetExpr) -> Rows {
        match body {
            SetExpr::Select(select) => self.walk_select(select, None),
            SetExpr::Query(query) => self.walk_query(query),
            SetExpr::SetOperation { left, right, set_quantifier, .. } => {
                let mut left = self.walk_set_expr(left);
                let right = self.walk_set_expr(right);
                let by_name = matches!(
                    set_quantifier,
                    SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName
                );
                if by_name {
                    for col in right.cols {
                        match left.cols.iter_mut().find(|c| same_name(&c.name, &col.name)) {
                            Some(own) => merge_distinct(&mut own.sources, &col.sources),
                            None => left.cols.push(col),
                        }
                    }
                } else if !left.open && !right.open {
                    for (own, other) in left.cols.iter_mut().zip(&right.cols) {
                        merge_distinct(&mut own.sources, &other.sources);
                    }
                } else if self.follows_values() {
                    // Beside unlisted columns, the places of the listed ones are unknown.
                    let any = right.all_sources();
                    left.cols.iter_mut().for_each(|own| merge_distinct(&mut own.sources, &any));
                    merge_distinct(&mut left.unlisted, &any);
                }
                merge_distinct(&mut left.row_sources, &right.row_sources);
                left.open |= right.open;
                merge_distinct(&mut left.unlisted, &right.unlisted);
                left
            }
            SetExpr::Values(values) => {
                let width = values.rows.first().map_or(0, |row| row.content.len());
                let mut sources = vec![Vec::new(); width];
                for row in &values.rows {
                    for (at, e) in row.content.iter().enumerate() {
                        let own = self.walk_value(e);
                        sources.get_mut(at).into_iter().for_each(|known| merge_distinct(known, &own));
                    }
                }
                let dialect = self.dialect.sql();
                let col = |(i, sources)| Col { name: dialect.values_column_name(i), sources, guessed: false };
                let cols = (0..).zip(sources).map(col).collect();
                Rows { cols, ..Rows::default() }
            }
            _ => Rows { open: true, ..Rows::default() },
        }
    }

    /// Walks the ORDER BY of a set operation, which may only use result columns.
    fn order_result(&mut self, order: &OrderBy, rows: &Rows, body: &SetExpr) {
        let OrderByKind::Expressions(keys) = &order.kind else { return };
        for key in keys {
            let Expr::Identifier(ident) = &key.expr else { continue };
            let known = rows.open
                || rows.cols.iter().any(|c| same_name(&c.name, &ident.value))
                || names_column(body, &ident.value);
            if !known {
                let near: Vec<(String, String)> = rows.cols.iter().map(|c| (c.name.clone(), c.name.clone())).collect();
                self.unknown_among(ident, near);
            }
        }
    }

    pub(super) fn walk_select(&mut self, select: &Select, order: Option<&OrderBy>) -> Rows {
        let only_exists = std::mem::take(&mut self.only_exists);
        self.scopes.push(Scope::new(select.select_token.0.span));
        let late = self.walk_from(&select.from);
        let many = self.groups_many(select);
        let row_mark = self.next_row_mark();
        if let Some(scope) = self.current_scope() {
            scope.many = many;
            scope.row_mark = row_mark;
        }
        let mut rows = self.walk_projection(select, only_exists);
        // Late join conditions may use aliases of the select list.
        self.set_clause(Clause::Where);
        for condition in late.into_iter().chain(&select.prewhere).chain(&select.selection) {
            let sources = self.walk_condition(condition);
            self.add_condition_sources(&sources);
        }
        self.set_clause(Clause::GroupBy);
        let modifiers = match &select.group_by {
            GroupByExpr::All(modifiers) => modifiers,
            GroupByExpr::Expressions(keys, modifiers) => {
                keys.iter().for_each(|key| self.walk_key(key));
                modifiers
            }
        };
        for modifier in modifiers {
            if let GroupByWithModifier::GroupingSets(sets) = modifier {
                self.walk_key(sets);
            }
        }
        self.set_clause(Clause::Having);
        for condition in select.having.iter().chain(&select.qualify) {
            let sources = self.walk_condition(condition);
            self.add_condition_sources(&sources);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                let sources = self.walk_window(spec);
                self.current_scope().into_iter().for_each(|scope| merge_distinct(&mut scope.row_sources, &sources));
            }
        }
        self.set_clause(Clause::OrderBy);
        if let Some(Distinct::On(keys)) = &select.distinct {
            keys.iter().for_each(|key| self.walk_key(key));
        }
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = order {
            keys.iter().for_each(|key| self.walk_key(&key.expr));
        }
        rows.row_sources = self.finish_row_sources();
        self.scopes.pop();
        rows
    }

    /// Walks a sort or group key. An unqualified name may be an alias before it is a column.
    fn walk_key(&mut self, expr: &Expr) {
        match expr {
            Expr::Identifier(ident) => {
                self.resolve_name(ident, NameContext { bare: true, ..Default::default() });
            }
            _ => {
                self.walk_expr(expr);
            }
        }
    }
}

fn same_sources(one: &Rows, other: &Rows) -> bool {
    let same = |(a, b): (&Col, &Col)| stored_sources(&a.sources) == stored_sources(&b.sources);
    one.cols.len() == other.cols.len() && one.cols.iter().zip(&other.cols).all(same)
}

fn with_cte_columns(mut rows: Rows, cte: &Cte) -> Rows {
    rename_columns(&mut rows, cte.alias.columns.iter().map(|c| c.name.value.as_str()));
    rows
}

/// Sorts the views of one WITH clause by dependency, if a view may read later ones.
fn order_by_dependency(ctes: &[Cte], dialect: Dialect) -> Vec<&Cte> {
    let mut waiting: Vec<&Cte> = ctes.iter().collect();
    if !dialect.sql().views_see_later_views() {
        return waiting;
    }
    let mut placed = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let free = |c: &&Cte| {
            let other = |o: &&Cte| !std::ptr::eq(*o, *c) && names_table(&c.query, &o.alias.name.value);
            !waiting.iter().any(other)
        };
        let next = waiting.iter().position(free).unwrap_or(0);
        placed.push(waiting.remove(next));
    }
    placed
}

/// Returns true if an operand of a set operation gives a column this name, or selects a column of this name.
fn names_column(body: &SetExpr, name: &str) -> bool {
    let is_called = |expr: &Expr| output_name(expr, ImplicitNames::Text).0.eq_ignore_ascii_case(name);
    match body {
        SetExpr::Select(select) => select.projection.iter().any(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => same_name(&alias.value, name) || is_called(expr),
            SelectItem::UnnamedExpr(expr) => is_called(expr),
            _ => true,
        }),
        SetExpr::SetOperation { left, right, .. } => names_column(left, name) || names_column(right, name),
        SetExpr::Query(query) => names_column(&query.body, name),
        _ => true,
    }
}
