//! Walks a query, view by view, and finds groups by a column and comparisons of a column with texts. Changes them if
//! values are to be merged.

use super::columns::{Held, Item, Views, collect_items, held_by, name_of, query_outputs, rename_outputs};
use super::compare::{Comparison, beside_each_other};
use super::put::{Columns, Puts, is_of, is_open};
use super::value_merge::{Category, ValueMerge};
use sqlparser::ast::{
    BinaryOperator, Distinct, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    GroupByExpr, Ident, JoinConstraint, JoinOperator, OrderBy, OrderByKind, Query, Select, SelectItem, SetExpr,
    TableFactor, Value, VisitMut, Visitor, VisitorMut, WindowType,
};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::ast::{InScope, is_column, last_part, visit_mut, visit_tree};

/// Functions that take a text besides a column but do not compare them.
const COMPARES_NOTHING: [&str; 8] =
    ["coalesce", "ifnull", "nvl", "concat", "concat_ws", "string_agg", "listagg", "group_concat"];

/// State of a walk through a query.
pub(super) struct Walk<'a> {
    scope: InScope<'a>,
    dialect: Dialect,
    merges: &'a [ValueMerge],
    /// Columns by which the query groups or whose values it compares.
    pub found: Vec<Category>,
    /// Indexes of the merges that were needed.
    pub used: Vec<usize>,
    /// True if the query uses a column in a way that is incompatible with merged values.
    pub unfit: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(query: &Query, catalog: &'a Catalog, dialect: Dialect, merges: &'a [ValueMerge]) -> Self {
        let scope = InScope::from_query(query, catalog);
        Self { scope, dialect, merges, found: Vec::new(), used: Vec::new(), unfit: false }
    }

    pub(super) fn walk_statement(&mut self, query: &mut Query) {
        self.walk_query(query, &Views::new());
    }

    fn walk_query(&mut self, query: &mut Query, views: &Views) {
        let mut views = views.clone();
        if let Some(with) = &mut query.with {
            for cte in &mut with.cte_tables {
                let name = cte.alias.name.value.to_lowercase();
                if with.recursive {
                    // Within its own definition, the outputs of a view are unknown.
                    views.push((name.clone(), Vec::new()));
                }
                self.walk_query(&mut cte.query, &views);
                let mut own = query_outputs(&cte.query, &self.scope, &views);
                rename_outputs(&mut own, cte.alias.columns.iter().map(|column| &column.name));
                views.push((name, own));
            }
        }
        self.walk_body(&mut query.body, query.order_by.as_mut(), &views);
    }

    fn walk_body(&mut self, body: &mut SetExpr, order_by: Option<&mut OrderBy>, views: &Views) {
        match body {
            SetExpr::Select(select) => self.walk_select(select, order_by, views),
            SetExpr::Query(query) => self.walk_query(query, views),
            SetExpr::SetOperation { left, right, .. } => {
                self.walk_body(left, None, views);
                self.walk_body(right, None, views);
            }
            _ => {}
        }
    }

    fn walk_select(&mut self, select: &mut Select, order_by: Option<&mut OrderBy>, views: &Views) {
        for from in &mut select.from {
            let joined = from.joins.iter_mut().map(|join| &mut join.relation);
            std::iter::once(&mut from.relation).chain(joined).for_each(|factor| self.walk_factor(factor, views));
        }
        let items = collect_items(select, &self.scope, views);
        for part in select_conditions(select) {
            self.walk_subqueries(part, views);
            self.complete_comparisons(part, &items);
        }
        self.walk_subqueries(&mut select.projection, views);
        self.complete_comparisons(&mut select.projection, &items);
        self.look_for_clashes(select, &items, views);
        let grouped = self.grouped_columns(select, &items);
        for held in &grouped {
            self.record_category(held, |category| category.grouped = true);
        }
        let is_open = |held: &Held| self.merges.iter().any(|merge| is_of(merge, held) && is_open(merge, held));
        let merged: Vec<Held> = grouped.into_iter().filter(is_open).collect();
        if !merged.is_empty() {
            self.unfit |= compares_otherwise(select, &items, &merged);
            self.insert_merged_values(select, order_by, &items, &merged);
        }
    }

    fn walk_factor(&mut self, factor: &mut TableFactor, views: &Views) {
        match factor {
            TableFactor::Derived { subquery, .. } => self.walk_query(subquery, views),
            TableFactor::NestedJoin { table_with_joins, .. } => {
                let joined = table_with_joins.joins.iter_mut().map(|join| &mut join.relation);
                std::iter::once(&mut table_with_joins.relation)
                    .chain(joined)
                    .for_each(|factor| self.walk_factor(factor, views));
            }
            _ => {}
        }
    }

    /// Walks the queries within expressions.
    fn walk_subqueries(&mut self, part: &mut impl VisitMut, views: &Views) {
        struct Nested<'w, 'a> {
            walk: &'w mut Walk<'a>,
            views: &'w Views,
            within: usize,
        }
        impl VisitorMut for Nested<'_, '_> {
            type Break = ();
            fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
                if self.within == 0 {
                    self.walk.walk_query(query, self.views);
                }
                self.within += 1;
                ControlFlow::Continue(())
            }
            fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
                self.within -= 1;
                ControlFlow::Continue(())
            }
        }
        let _ = visit_mut(part, &mut Nested { walk: self, views, within: 0 });
    }

    /// Records comparisons with texts, and extends them to all values of a merge.
    fn complete_comparisons(&mut self, part: &mut impl VisitMut, items: &[Item]) {
        let mut beside: Vec<(Expr, Expr)> = Vec::new();
        own_exprs(part, |expr| beside.extend(beside_each_other(expr)));
        own_exprs(part, |expr| {
            let whole = expr.clone();
            let Some(comparison) = Comparison::from_expr(&whole) else { return };
            let Some(held) = held_by(comparison.column, items) else { return };
            let texts: Vec<String> = comparison.texts.iter().map(|text| (*text).to_owned()).collect();
            self.record_category(&held, |category| category.compared.extend(texts));
            let others =
                beside.iter().filter(|(one, _)| *one == whole).filter_map(|(_, other)| Comparison::from_expr(other));
            let others: Vec<Comparison<'_>> = others.collect();
            let mut missing: Vec<&str> = Vec::new();
            for (at, merge) in self.merges.iter().enumerate().filter(|(_, merge)| is_of(merge, &held)) {
                let mut more = comparison.missing_values(merge.values());
                more.retain(|value| !others.iter().any(|other| other.matches_value(value)));
                if !more.is_empty() && !self.used.contains(&at) {
                    self.used.push(at);
                }
                missing.extend(more);
            }
            if !missing.is_empty() {
                *expr = comparison.with_values(&whole, &missing, self.dialect);
            }
        });
    }

    fn record_category(&mut self, held: &Held, note: impl FnOnce(&mut Category)) {
        let is_known = |known: &Category| known.table == held.table && known.column == held.column;
        let at = self.found.iter().position(is_known).unwrap_or_else(|| {
            let (table, column) = (held.table.clone(), held.column.clone());
            self.found.push(Category { table, column, grouped: false, compared: Vec::new() });
            self.found.len() - 1
        });
        note(&mut self.found[at]);
    }

    /// Detects merged values next to unmerged ones: a join or comparison of both would lose rows.
    fn look_for_clashes(&mut self, select: &mut Select, items: &[Item], views: &Views) {
        let held = |expr: &Expr| match expr {
            Expr::Subquery(query) => {
                query_outputs(query, &self.scope, views).into_iter().next().and_then(|(_, held)| held)
            }
            expr => held_by(expr, items),
        };
        let is_merged = |held: Option<&Held>| held.is_some_and(Held::is_merged);
        let mut clash = false;
        let mut look = |expr: &Expr| match expr {
            Expr::BinaryOp { left, op: BinaryOperator::Eq | BinaryOperator::NotEq, right } => {
                let is_text = |expr: &Expr| matches!(expr, Expr::Value(_));
                if !is_text(left) && !is_text(right) {
                    clash |= is_merged(held(left).as_ref()) != is_merged(held(right).as_ref());
                }
            }
            Expr::InSubquery { expr, subquery, .. } => {
                let within = query_outputs(subquery, &self.scope, views);
                let within = within.first().and_then(|(_, held)| held.as_ref());
                clash |= is_merged(held(expr).as_ref()) != is_merged(within);
            }
            _ => {}
        };
        for part in select_conditions(select) {
            own_exprs(part, |expr| look(expr));
        }
        let mut joined = |constraint: &JoinConstraint| {
            let named = |name: &Ident| held_by(&Expr::Identifier(name.clone()), items);
            match constraint {
                JoinConstraint::Using(names) => {
                    clash |= names.iter().filter_map(last_part).any(|name| is_merged(named(name).as_ref()));
                }
                JoinConstraint::Natural => clash |= items.iter().any(Item::hands_on_merged),
                _ => {}
            }
        };
        select
            .from
            .iter()
            .flat_map(|from| &from.joins)
            .filter_map(|join| join_constraint(&join.join_operator))
            .for_each(&mut joined);
        self.unfit |= clash;
    }

    /// Returns the columns whose values form separate groups.
    fn grouped_columns(&self, select: &Select, items: &[Item]) -> Vec<Held> {
        let mut keys: Vec<Expr> = Vec::new();
        let shown = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr.clone()),
            _ => None,
        };
        match &select.group_by {
            GroupByExpr::Expressions(own, _) => {
                for key in own {
                    let place = key.to_string().parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                    let aliased = |item: &&SelectItem| {
                        let named = matches!(item, SelectItem::ExprWithAlias { alias, .. } if is_name(key, alias));
                        named && held_by(key, items).is_none()
                    };
                    let item = place.and_then(|place| select.projection.get(place));
                    let item = item.or_else(|| select.projection.iter().find(aliased));
                    keys.extend(item.map_or_else(|| Some(key.clone()), shown));
                }
            }
            GroupByExpr::All(_) => keys.extend(select.projection.iter().filter_map(shown).filter(is_column)),
        }
        if matches!(select.distinct, Some(Distinct::Distinct)) {
            keys.extend(select.projection.iter().filter_map(shown));
        }
        struct Finds<'k>(&'k mut Vec<Expr>, usize);
        impl Visitor for Finds<'_> {
            type Break = ();
            fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
                self.1 += 1;
                ControlFlow::Continue(())
            }
            fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
                self.1 -= 1;
                ControlFlow::Continue(())
            }
            fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
                if let (Expr::Function(function), 0) = (expr, self.1) {
                    if let FunctionArguments::List(list) = &function.args
                        && list.duplicate_treatment == Some(DuplicateTreatment::Distinct)
                    {
                        self.0.extend(call_arguments(function).cloned());
                    }
                    if let Some(WindowType::WindowSpec(window)) = &function.over {
                        self.0.extend(window.partition_by.iter().cloned());
                    }
                }
                ControlFlow::Continue(())
            }
        }
        let _ = visit_tree(&select.projection, &mut Finds(&mut keys, 0));
        let _ = visit_tree(&select.having, &mut Finds(&mut keys, 0));
        let _ = visit_tree(&select.qualify, &mut Finds(&mut keys, 0));
        let mut found = Columns { items, found: Vec::new(), within: 0 };
        let _ = visit_tree(&keys, &mut found);
        found.found
    }

    /// Replaces columns by their merged values.
    fn insert_merged_values(
        &mut self,
        select: &mut Select,
        order_by: Option<&mut OrderBy>,
        items: &[Item],
        merged: &[Held],
    ) {
        let mut puts = Puts { items, merged, merges: self.merges, dialect: self.dialect, used: Vec::new(), within: 0 };
        let mut names: Vec<String> = Vec::new();
        for item in &mut select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let name = name_of(expr);
                    let _ = visit_mut(expr, &mut puts);
                    if is_column(expr) || name.is_empty() {
                        names.push(name);
                        continue;
                    }
                    let quoted = quote_of(expr);
                    let alias = Ident { quote_style: quoted, ..Ident::new(&name) };
                    names.push(name);
                    *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    names.push(alias.value.clone());
                    let _ = visit_mut(expr, &mut puts);
                }
                _ => {}
            }
        }
        if let GroupByExpr::Expressions(keys, _) = &mut select.group_by {
            let _ = visit_mut(keys, &mut puts);
        }
        let _ = visit_mut(&mut select.having, &mut puts);
        let _ = visit_mut(&mut select.qualify, &mut puts);
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = order_by {
            for key in keys {
                let is_output = matches!(&key.expr, Expr::Identifier(name) if names.iter().any(|own| own.eq_ignore_ascii_case(&name.value)));
                if !is_output {
                    let _ = visit_mut(&mut key.expr, &mut puts);
                }
            }
        }
        for at in puts.used {
            if !self.used.contains(&at) {
                self.used.push(at);
            }
        }
    }
}

fn is_name(expr: &Expr, name: &Ident) -> bool {
    matches!(expr, Expr::Identifier(own) if own.value.eq_ignore_ascii_case(&name.value))
}

/// Returns the quote character of the column that a merged value replaces.
fn quote_of(expr: &Expr) -> Option<char> {
    let Expr::Case { operand: Some(operand), .. } = expr else { return None };
    match operand.as_ref() {
        Expr::Identifier(name) => name.quote_style,
        Expr::CompoundIdentifier(parts) => parts.last().and_then(|name| name.quote_style),
        _ => None,
    }
}

/// Returns the conditions of a SELECT: ON, PREWHERE, WHERE, HAVING and QUALIFY.
fn select_conditions(select: &mut Select) -> Vec<&mut Expr> {
    let joins = select.from.iter_mut().flat_map(|from| &mut from.joins);
    let on = joins.filter_map(|join| match constraint_mut(&mut join.join_operator) {
        Some(JoinConstraint::On(on)) => Some(on),
        _ => None,
    });
    let rest = [&mut select.prewhere, &mut select.selection, &mut select.having, &mut select.qualify];
    on.chain(rest.into_iter().flatten()).collect()
}

macro_rules! constraint_of {
    ($operator:expr) => {{
        use JoinOperator::{
            Anti, CrossJoin, FullOuter, Inner, Join, Left, LeftAnti, LeftOuter, LeftSemi, Right, RightAnti, RightOuter,
            RightSemi, Semi, StraightJoin,
        };
        match $operator {
            Join(on) | Inner(on) | Left(on) | LeftOuter(on) | Right(on) | RightOuter(on) | FullOuter(on)
            | CrossJoin(on) | StraightJoin(on) | Semi(on) | LeftSemi(on) | RightSemi(on) | Anti(on) | LeftAnti(on)
            | RightAnti(on) => Some(on),
            _ => None,
        }
    }};
}

fn join_constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    constraint_of!(operator)
}

fn constraint_mut(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
    constraint_of!(operator)
}

fn call_arguments(function: &Function) -> impl Iterator<Item = &Expr> {
    let list = match &function.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    })
}

/// Returns true if a SELECT compares a merged column with a text other than by a comparison operator: CASE over the
/// column, or a function of both.
fn compares_otherwise(select: &mut Select, items: &[Item], merged: &[Held]) -> bool {
    let is_merged = |expr: &Expr| held_by(expr, items).is_some_and(|held| merged.contains(&held));
    let is_text = |expr: &Expr| matches!(expr, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_) | Value::DoubleQuotedString(_)));
    let mut found = false;
    let mut look = |expr: &mut Expr| match &*expr {
        Expr::Case { operand: Some(operand), .. } => found |= is_merged(operand),
        Expr::Function(function) => {
            let name = last_part(&function.name).map(|name| name.value.to_lowercase()).unwrap_or_default();
            let compares = call_arguments(function).any(is_merged) && call_arguments(function).any(is_text);
            found |= compares && !COMPARES_NOTHING.contains(&name.as_str());
        }
        _ => {}
    };
    own_exprs(&mut select.projection, &mut look);
    own_exprs(&mut select.having, &mut look);
    found
}

/// Applies `change` to the expressions of a part, inner ones first, without nested queries.
fn own_exprs(part: &mut impl VisitMut, change: impl FnMut(&mut Expr)) {
    struct Own<F>(F, usize);
    impl<F: FnMut(&mut Expr)> VisitorMut for Own<F> {
        type Break = ();
        fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            self.1 += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            self.1 -= 1;
            ControlFlow::Continue(())
        }
        fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            if self.1 == 0 {
                (self.0)(expr);
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(part, &mut Own(change, 0));
}
