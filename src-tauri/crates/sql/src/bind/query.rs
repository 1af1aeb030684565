//! Queries: views, select lists, set operations, and the columns that come out.

use super::scope::{Clause, Col, Rows, Scope, Walk, same};
use crate::ast::names_table;
use sqlparser::ast::{
    Cte, Distinct, ExcludeSelectItem, Expr, Function, GroupByExpr, GroupByWithModifier, LimitClause, NamedWindowExpr,
    OrderBy, OrderByKind, Query, RenameSelectItem, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr,
    SetQuantifier, WildcardAdditionalOptions, With,
};
use vitrine_domain::Dialect;

impl<'a> Walk<'a> {
    pub(super) fn query(&mut self, query: &Query) -> Rows {
        let views = self.views.len();
        if let Some(with) = &query.with {
            // What asks only for existence asks it of the body, not of the views.
            let only_exists = std::mem::take(&mut self.only_exists);
            self.with(with);
            self.only_exists = only_exists;
        }
        let rows = match &*query.body {
            SetExpr::Select(select) => self.select(select, query.order_by.as_ref()),
            body => {
                let rows = self.body(body);
                if let Some(order) = &query.order_by {
                    self.order_result(order, &rows, body);
                }
                rows
            }
        };
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                for e in limit.iter().chain(offset.iter().map(|o| &o.value)) {
                    self.expr(e);
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                self.expr(offset);
                self.expr(limit);
            }
            None => {}
        }
        self.views.truncate(views);
        rows
    }

    fn with(&mut self, with: &With) {
        for cte in ordered(&with.cte_tables, self.dialect) {
            let name = &cte.alias.name.value;
            let recursive = with.recursive || self.dialect == Dialect::Sqlite;
            let start = match &*cte.query.body {
                SetExpr::SetOperation { left, .. } if recursive && names_table(&cte.query, name) => Some(left),
                _ => None,
            };
            let depth = self.views.len();
            if let Some(start) = start {
                // The start of a recursive view decides its columns; it is walked again with the rest.
                let (issues, columns, tables, seen) =
                    (self.issues.len(), self.columns.len(), self.tables.len(), self.seen.clone());
                if let Some(inner) = &cte.query.with {
                    self.with(inner);
                }
                let rows = self.body(start);
                self.issues.truncate(issues);
                self.columns.truncate(columns);
                self.tables.truncate(tables);
                self.seen = seen;
                self.views.truncate(depth);
                self.views.push((name.clone(), renamed(rows, cte)));
            }
            let rows = self.query(&cte.query);
            self.views.truncate(depth);
            self.views.push((name.clone(), renamed(rows, cte)));
        }
    }

    fn body(&mut self, body: &SetExpr) -> Rows {
        match body {
            SetExpr::Select(select) => self.select(select, None),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, right, set_quantifier, .. } => {
                let mut left = self.body(left);
                let right = self.body(right);
                let by_name = matches!(
                    set_quantifier,
                    SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName
                );
                if by_name {
                    for col in right.cols {
                        match left.cols.iter_mut().find(|c| same(&c.name, &col.name)) {
                            Some(own) => merge(&mut own.sources, &col.sources),
                            None => left.cols.push(col),
                        }
                    }
                } else if !left.open && !right.open {
                    for (own, other) in left.cols.iter_mut().zip(&right.cols) {
                        merge(&mut own.sources, &other.sources);
                    }
                }
                left.open |= right.open;
                merge(&mut left.unlisted, &right.unlisted);
                left
            }
            SetExpr::Values(values) => {
                for e in values.rows.iter().flat_map(|row| &row.content) {
                    self.expr(e);
                }
                let width = values.rows.first().map_or(0, |row| row.content.len());
                let name = |i: usize| {
                    if self.dialect == Dialect::Duckdb { format!("col{i}") } else { format!("column{}", i + 1) }
                };
                let cols = (0..width).map(|i| Col { name: name(i), ..Col::default() }).collect();
                Rows { cols, ..Rows::default() }
            }
            _ => Rows { open: true, ..Rows::default() },
        }
    }

    /// ORDER BY after a set operation may only use the columns that come out.
    fn order_result(&mut self, order: &OrderBy, rows: &Rows, body: &SetExpr) {
        let OrderByKind::Expressions(keys) = &order.kind else { return };
        for key in keys {
            let Expr::Identifier(ident) = &key.expr else { continue };
            let known =
                rows.open || rows.cols.iter().any(|c| same(&c.name, &ident.value)) || names_column(body, &ident.value);
            if !known {
                let near: Vec<(String, String)> = rows.cols.iter().map(|c| (c.name.clone(), c.name.clone())).collect();
                self.unknown_among(ident, near);
            }
        }
    }

    pub(super) fn select(&mut self, select: &Select, order: Option<&OrderBy>) -> Rows {
        let only_exists = std::mem::take(&mut self.only_exists);
        self.scopes.push(Scope::new(select.select_token.0.span));
        let late = self.from(&select.from);
        let rows = self.columns(select, only_exists);
        // SQLite lets a join condition name tables to its right and aliases of the select list.
        self.set_clause(Clause::Where);
        for condition in late {
            self.expr(condition);
        }
        for condition in select.prewhere.iter().chain(&select.selection) {
            self.expr(condition);
        }
        self.set_clause(Clause::GroupBy);
        let modifiers = match &select.group_by {
            GroupByExpr::All(modifiers) => modifiers,
            GroupByExpr::Expressions(keys, modifiers) => {
                keys.iter().for_each(|key| self.key(key));
                modifiers
            }
        };
        for modifier in modifiers {
            if let GroupByWithModifier::GroupingSets(sets) = modifier {
                self.key(sets);
            }
        }
        self.set_clause(Clause::Having);
        for condition in select.having.iter().chain(&select.qualify) {
            self.expr(condition);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &window.1 {
                self.window(spec);
            }
        }
        self.set_clause(Clause::OrderBy);
        if let Some(Distinct::On(keys)) = &select.distinct {
            keys.iter().for_each(|key| self.key(key));
        }
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = order {
            keys.iter().for_each(|key| self.key(&key.expr));
        }
        self.scopes.pop();
        rows
    }

    /// A sort or group key: a bare name may be an alias before it is a column.
    fn key(&mut self, expr: &Expr) {
        match expr {
            Expr::Identifier(ident) => {
                self.name(ident, super::resolve::Place { bare: true, ..Default::default() });
            }
            _ => {
                self.expr(expr);
            }
        }
    }

    fn columns(&mut self, select: &Select, only_exists: bool) -> Rows {
        self.set_clause(Clause::Columns);
        let explicit = select.projection.iter().filter_map(|item| match item {
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) if parts.len() == 2 => {
                Some((parts[0].value.clone(), parts[1].value.clone()))
            }
            _ => None,
        });
        let explicit: Vec<_> = explicit.collect();
        if let Some(scope) = self.scope() {
            scope.selected = explicit;
        }
        let mut rows = Rows { open: select.projection.is_empty() && select.from.is_empty(), ..Rows::default() };
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    if let Expr::Function(function) = expr
                        && expands(function, self.dialect)
                    {
                        let sources = self.expr(expr);
                        merge(&mut rows.unlisted, &sources);
                        rows.open = true;
                        continue;
                    }
                    let sources = self.expr(expr);
                    let (name, guessed) = output_name(expr, self.dialect);
                    self.alias(&name, &sources, false);
                    rows.cols.push(Col { name, sources, guessed });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let sources = self.expr(expr);
                    self.alias(&alias.value, &sources, true);
                    rows.cols.push(Col { name: alias.value.clone(), sources, guessed: false });
                }
                SelectItem::ExprWithAliases { expr, aliases } => {
                    let sources = self.expr(expr);
                    for alias in aliases {
                        self.alias(&alias.value, &sources, true);
                        rows.cols.push(Col { name: alias.value.clone(), sources: sources.clone(), guessed: false });
                    }
                }
                SelectItem::Wildcard(options) => self.star(None, options, only_exists, &mut rows),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    self.star(Some(name), options, only_exists, &mut rows);
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                    let sources = self.expr(expr);
                    merge(&mut rows.unlisted, &sources);
                    rows.open = true;
                }
            }
        }
        // FROM t without a SELECT means all columns.
        if select.projection.is_empty() && !select.from.is_empty() {
            self.star(None, &WildcardAdditionalOptions::default(), only_exists, &mut rows);
        }
        rows
    }

    fn alias(&mut self, name: &str, sources: &[super::scope::Source], explicit: bool) {
        if let Some(scope) = self.scope() {
            scope.aliases.push((name.to_owned(), sources.to_vec(), explicit));
        }
    }

    fn star(
        &mut self,
        qualifier: Option<&sqlparser::ast::ObjectName>,
        options: &WildcardAdditionalOptions,
        only_exists: bool,
        rows: &mut Rows,
    ) {
        let mut cols = match qualifier {
            None => {
                let Some(scope) = self.scopes.last() else { return };
                rows.open |= scope.open();
                scope.rels.iter().for_each(|rel| merge(&mut rows.unlisted, &rel.rows.unlisted));
                let mut cols: Vec<Col> = Vec::new();
                for col in scope.rels.iter().flat_map(|rel| &rel.rows.cols) {
                    let merged = scope.merged.contains(&col.name.to_lowercase());
                    match cols.iter_mut().find(|c| merged && same(&c.name, &col.name)) {
                        Some(own) => merge(&mut own.sources, &col.sources),
                        None => cols.push(col.clone()),
                    }
                }
                cols
            }
            Some(name) => match self.starred(name) {
                Some(found) => {
                    rows.open |= found.open;
                    merge(&mut rows.unlisted, &found.unlisted);
                    found.cols
                }
                None => {
                    rows.open = true;
                    Vec::new()
                }
            },
        };
        let dropped: Vec<&str> = excluded(options);
        cols.retain(|c| !dropped.iter().any(|d| same(d, &c.name)));
        for element in options.opt_replace.iter().flat_map(|replace| &replace.items) {
            let sources = self.expr(&element.expr);
            match cols.iter_mut().find(|c| same(&c.name, &element.column_name.value)) {
                Some(own) => own.sources = sources,
                None => rows.open = true,
            }
        }
        let renames = match &options.opt_rename {
            Some(RenameSelectItem::Single(one)) => std::slice::from_ref(one),
            Some(RenameSelectItem::Multiple(many)) => many,
            None => &[],
        };
        for rename in renames {
            if let Some(own) = cols.iter_mut().find(|c| same(&c.name, &rename.ident.value)) {
                own.name.clone_from(&rename.alias.value);
            }
        }
        rows.open |= options.opt_ilike.is_some();
        if !only_exists {
            for col in &cols {
                self.used(&col.sources);
            }
        }
        rows.cols.extend(cols);
    }
}

/// A function that stands for any number of columns.
fn expands(function: &Function, dialect: Dialect) -> bool {
    dialect == Dialect::Duckdb
        && crate::ast::last_part(&function.name)
            .is_some_and(|n| ["columns", "unnest"].iter().any(|f| n.value.eq_ignore_ascii_case(f)))
}

fn excluded(options: &WildcardAdditionalOptions) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    match &options.opt_exclude {
        Some(ExcludeSelectItem::Single(name)) => names.extend(crate::ast::last_part(name).map(|i| i.value.as_str())),
        Some(ExcludeSelectItem::Multiple(many)) => {
            names.extend(many.iter().filter_map(|n| crate::ast::last_part(n).map(|i| i.value.as_str())));
        }
        None => {}
    }
    if let Some(except) = &options.opt_except {
        names.push(&except.first_element.value);
        names.extend(except.additional_elements.iter().map(|i| i.value.as_str()));
    }
    names
}

pub(super) fn merge<T: PartialEq + Clone>(into: &mut Vec<T>, from: &[T]) {
    for item in from {
        if !into.contains(item) {
            into.push(item.clone());
        }
    }
}

fn renamed(mut rows: Rows, cte: &Cte) -> Rows {
    rename(&mut rows, cte.alias.columns.iter().map(|c| c.name.value.as_str()));
    rows
}

/// Gives columns new names from the left, as `t(a, b)` does.
pub(super) fn rename<'n>(rows: &mut Rows, names: impl Iterator<Item = &'n str>) {
    for (i, name) in names.enumerate() {
        let col = Col { name: name.to_owned(), ..Col::default() };
        match rows.cols.get_mut(i) {
            Some(own) => *own = Col { sources: std::mem::take(&mut own.sources), ..col },
            None => rows.cols.push(Col { sources: rows.unlisted.clone(), ..col }),
        }
    }
}

/// The views of one WITH clause in an order in which each comes after those it reads. Only SQLite lets a view read a
/// later one.
fn ordered(ctes: &[Cte], dialect: Dialect) -> Vec<&Cte> {
    let mut waiting: Vec<&Cte> = ctes.iter().collect();
    if dialect != Dialect::Sqlite {
        return waiting;
    }
    let mut placed = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let free = |c: &&Cte| {
            let other = |o: &&Cte| !std::ptr::eq(*o, *c) && names_table(&c.query, &o.alias.name.value);
            !waiting.iter().any(|o| other(o))
        };
        let next = waiting.iter().position(free).unwrap_or(0);
        placed.push(waiting.remove(next));
    }
    placed
}

/// Whether any arm of a set operation gives this name to a column, or selects a column of this name.
fn names_column(body: &SetExpr, name: &str) -> bool {
    match body {
        SetExpr::Select(select) => select.projection.iter().any(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => {
                same(&alias.value, name) || output_name(expr, Dialect::Sqlite).0.eq_ignore_ascii_case(name)
            }
            SelectItem::UnnamedExpr(expr) => output_name(expr, Dialect::Sqlite).0.eq_ignore_ascii_case(name),
            _ => true,
        }),
        SetExpr::SetOperation { left, right, .. } => names_column(left, name) || names_column(right, name),
        SetExpr::Query(query) => names_column(&query.body, name),
        _ => true,
    }
}

/// The name that an engine gives to a column without an alias, and whether that is a guess.
fn output_name(expr: &Expr, dialect: Dialect) -> (String, bool) {
    match expr {
        Expr::Identifier(ident) => (ident.value.clone(), false),
        Expr::CompoundIdentifier(parts) => (parts.last().map(|i| i.value.clone()).unwrap_or_default(), false),
        Expr::Nested(inner) if dialect != Dialect::Sqlite => output_name(inner, dialect),
        Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last() {
            Some(sqlparser::ast::AccessExpr::Dot(Expr::Identifier(ident))) => (ident.value.clone(), false),
            _ => (expr.to_string(), true),
        },
        Expr::Function(function) if dialect == Dialect::Postgres => {
            (crate::ast::last_part(&function.name).map(|i| i.value.clone()).unwrap_or_default(), false)
        }
        Expr::Cast { expr, .. } if dialect == Dialect::Postgres => output_name(expr, dialect),
        Expr::Case { .. } if dialect == Dialect::Postgres => ("case".to_owned(), false),
        _ => (expr.to_string(), true),
    }
}
