//! The outline of a query: its tables, columns, joins, filters and aggregation as sets of normalized texts, so that two
//! queries can be compared part by part.

use super::parts::factor_name;
use super::repeats::resolve_group_key;
use crate::ast::{
    Counted, Relation, classify_count, collect_conjuncts, collect_disjuncts, each_own_expr, each_own_function,
    each_select, is_aggregate, is_column, last_part, resolve_column_index, rewrite_count, same_name, visit_exprs_mut,
};
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, GroupByExpr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, OrderBy,
    OrderByKind, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, Value, ValueWithSpan,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use vitrine_domain::Catalog;

/// Stands for a nested query, whose parts are in the same sets.
const NESTED: &str = "(query)";

/// The parts of a query and of its nested queries. Names are catalog names in lower case; aliases, the order of
/// conditions and the sides of a comparison do not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryOutline {
    /// Tables of the catalog.
    pub tables: BTreeSet<String>,
    /// Columns that are shown, filtered, grouped or sorted by, as `table.column`.
    pub columns: BTreeSet<String>,
    /// Columns in the outermost SELECT clause, also within expressions.
    pub shown: BTreeSet<String>,
    /// Conditions between tables, and the kinds of joins other than inner ones.
    pub joins: BTreeSet<String>,
    /// Conditions of WHERE, HAVING and inner joins that do not link tables.
    pub filters: BTreeSet<String>,
    /// Aggregates, window functions, group keys and DISTINCT.
    pub aggregation: BTreeSet<String>,
}

/// Outlines a query. `None` if only its engine can parse it.
pub fn outline_query(sql: &ReadOnlySql, catalog: &Catalog) -> Option<QueryOutline> {
    let mut outline = QueryOutline::default();
    let mut outermost = None;
    each_select(sql, catalog, |query, select, tables| {
        let is_outermost = *outermost.get_or_insert(std::ptr::from_ref(query)) == std::ptr::from_ref(query);
        OneSelect { query, select, tables, outline: &mut outline }.add_parts(is_outermost);
    });
    sql.has_tree().then_some(outline)
}

/// One SELECT, whose parts are added to the outline.
struct OneSelect<'a, 'c> {
    query: &'a Query,
    select: &'a Select,
    tables: &'a [Relation<'c>],
    outline: &'a mut QueryOutline,
}

impl OneSelect<'_, '_> {
    fn add_parts(&mut self, is_outermost: bool) {
        let (query, select) = (self.query, self.select);
        self.outline.tables.extend(self.tables.iter().map(|relation| relation.table.name.to_string().to_lowercase()));
        for join in select.from.iter().flat_map(|from| &from.joins) {
            self.add_join(join);
        }
        for condition in [&select.selection, &select.prewhere, &select.having, &select.qualify].into_iter().flatten() {
            self.add_conditions(&self.expand_aliases(condition));
        }
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr)
                | SelectItem::ExprWithAlias { expr, .. }
                | SelectItem::ExprWithAliases { expr, .. } => {
                    let mut shown = BTreeSet::new();
                    Conditions { tables: self.tables, columns: &mut shown }.normalize(expr);
                    self.outline.columns.extend(shown.iter().cloned());
                    self.outline.shown.extend(shown.into_iter().filter(|_| is_outermost));
                }
                // In EXISTS, `*` names no column.
                star if is_outermost => self.add_star(star),
                _ => {}
            }
        }
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &query.order_by {
            keys.iter().for_each(|key| _ = self.normalize_expr(&self.resolve_key(&key.expr)));
        }
        self.add_aggregation();
    }

    fn add_star(&mut self, star: &SelectItem) {
        let qualifier = match star {
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => last_part(name),
            _ => None,
        };
        for relation in self.tables.iter().filter(|table| qualifier.is_none_or(|name| table.matches_qualifier(name))) {
            let columns = relation.table.columns.iter().map(|column| name_column(relation, &column.name));
            let columns: Vec<String> = columns.collect();
            self.outline.columns.extend(columns.iter().cloned());
            self.outline.shown.extend(columns);
        }
    }

    fn add_join(&mut self, join: &Join) {
        use JoinOperator as J;
        let alias = factor_name(&join.relation);
        let joined = self.tables.iter().position(|table| alias.as_ref().is_some_and(|a| same_name(a, &table.alias)));
        let (kind, constraint) = match &join.join_operator {
            J::Join(on) | J::Inner(on) | J::CrossJoin(on) | J::StraightJoin(on) => (None, Some(on)),
            J::Left(on) | J::LeftOuter(on) => (Some("left"), Some(on)),
            J::Right(on) | J::RightOuter(on) => (Some("right"), Some(on)),
            J::FullOuter(on) => (Some("full"), Some(on)),
            J::Semi(on) | J::LeftSemi(on) | J::RightSemi(on) => (Some("semi"), Some(on)),
            J::Anti(on) | J::LeftAnti(on) | J::RightAnti(on) => (Some("anti"), Some(on)),
            J::AsOf { constraint, .. } => (Some("asof"), Some(constraint)),
            J::CrossApply | J::OuterApply | J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin => {
                (Some("apply"), None)
            }
        };
        let name = joined.map_or(NESTED.to_owned(), |at| self.tables[at].table.name.to_string().to_lowercase());
        self.outline.joins.extend(kind.map(|kind| format!("{kind} join {name}")));
        match constraint {
            // An outer join keeps rows that do not meet its condition, so that no part of it is a filter.
            Some(JoinConstraint::On(condition)) if kind.is_some() => {
                let mut parts = Vec::new();
                collect_conjuncts(condition, &mut parts);
                for part in parts {
                    let texts = Conditions { tables: self.tables, columns: &mut BTreeSet::new() }.describe(part);
                    self.outline.joins.extend(texts);
                }
            }
            Some(JoinConstraint::On(condition)) => self.add_conditions(condition),
            Some(JoinConstraint::Using(names)) => {
                for column in names.iter().filter_map(last_part) {
                    let equality = self.describe_using(joined, &column.value);
                    self.outline.joins.extend(equality);
                }
            }
            Some(JoinConstraint::Natural) => _ = self.outline.joins.insert(format!("natural join {name}")),
            Some(JoinConstraint::None) | None => {}
        }
    }

    /// Describes `USING (column)` as the equality of the column in the joined table and in the first table before it.
    fn describe_using(&self, joined: Option<usize>, column: &str) -> Option<String> {
        let joined = joined?;
        let other = self.tables[..joined].iter().find(|table| table.table.find_column(column).is_some())?;
        Some(describe_equality(name_column(&self.tables[joined], column), name_column(other, column)))
    }

    fn add_conditions(&mut self, condition: &Expr) {
        let mut parts = Vec::new();
        collect_conjuncts(condition, &mut parts);
        for part in parts {
            if self.links_tables(part) {
                let texts = Conditions { tables: self.tables, columns: &mut BTreeSet::new() }.describe(part);
                self.outline.joins.extend(texts);
            } else {
                let texts = Conditions { tables: self.tables, columns: &mut self.outline.columns }.describe(part);
                self.outline.filters.extend(texts);
            }
        }
    }

    /// Returns true for an equality of two columns that are not of one table.
    fn links_tables(&self, condition: &Expr) -> bool {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = without_brackets(condition) else { return false };
        let place = |expr: &Expr| resolve_column_index(expr, self.tables).map(|(at, _)| at);
        is_column(left) && is_column(right) && (place(left).is_none() || place(left) != place(right))
    }

    fn add_aggregation(&mut self) {
        let (query, select) = (self.query, self.select);
        let mut found: Vec<Function> = Vec::new();
        let mut look = |function: &Function| {
            let is_one = last_part(&function.name).is_some_and(|name| is_aggregate(&name.value));
            if is_one || function.over.is_some() {
                found.push(function.clone());
            }
        };
        each_own_function(&select.projection, &mut look);
        each_own_function(&select.having, &mut look);
        each_own_function(&query.order_by, &mut look);
        for function in found {
            let text = self.normalize_expr(&Expr::Function(function));
            self.outline.aggregation.insert(text);
        }
        match &select.group_by {
            GroupByExpr::All(_) => _ = self.outline.aggregation.insert("by all".to_owned()),
            GroupByExpr::Expressions(keys, modifiers) => {
                for key in keys {
                    let key = self.normalize_expr(&self.resolve_key(key));
                    self.outline.aggregation.insert(format!("by {key}"));
                }
                self.outline.aggregation.extend(modifiers.iter().map(|modifier| format!("by {modifier}")));
            }
        }
        if select.distinct.is_some() {
            self.outline.aggregation.insert("distinct".to_owned());
        }
    }

    /// Returns the expression of a group or sort key, which may be an alias or the position of a select item.
    fn resolve_key(&self, key: &Expr) -> Expr {
        self.expand_aliases(resolve_group_key(key, &self.select.projection, self.tables).unwrap_or(key))
    }

    /// Replaces aliases of select items by their expressions.
    fn expand_aliases(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        let _ = visit_exprs_mut::<()>(&mut expr, |part| {
            if let Expr::Identifier(name) = &*part
                && resolve_column_index(part, self.tables).is_none()
            {
                let meant = self.select.projection.iter().find_map(|item| match item {
                    SelectItem::ExprWithAlias { expr, alias } if same_name(&alias.value, &name.value) => Some(expr),
                    _ => None,
                });
                if let Some(meant) = meant {
                    *part = meant.clone();
                }
            }
            ControlFlow::Continue(())
        });
        expr
    }

    /// Normalizes an expression, and adds its columns to the outline.
    fn normalize_expr(&mut self, expr: &Expr) -> String {
        Conditions { tables: self.tables, columns: &mut self.outline.columns }.normalize(expr)
    }
}

/// Normalizes conditions over the tables of one SELECT; adds the columns that it meets to `columns`.
struct Conditions<'a, 'c> {
    tables: &'a [Relation<'c>],
    columns: &'a mut BTreeSet<String>,
}

impl Conditions<'_, '_> {
    /// Describes one operand of a conjunction; a range is two conditions.
    fn describe(&mut self, condition: &Expr) -> Vec<String> {
        match without_brackets(condition) {
            Expr::Between { expr, negated: false, low, high } => {
                let value = self.normalize(expr);
                vec![format!("{value} >= {}", self.normalize(low)), format!("{value} <= {}", self.normalize(high))]
            }
            any @ Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                let mut parts = Vec::new();
                collect_disjuncts(any, &mut parts);
                let mut texts: Vec<String> = parts.into_iter().map(|part| self.describe(part).join(" AND ")).collect();
                texts.sort();
                vec![texts.join(" OR ")]
            }
            Expr::BinaryOp { left, op, right } => {
                let constant = |expr: &Expr| matches!(without_brackets(expr), Expr::Value(_));
                let (from, to) = (self.normalize(left), self.normalize(right));
                match (op, constant(left), constant(right)) {
                    (BinaryOperator::Eq, false, false) => vec![describe_equality(from, to)],
                    (_, true, false) => match flip_operator(op) {
                        Some(op) => vec![format!("{to} {op} {from}")],
                        None => vec![format!("{from} {op} {to}")],
                    },
                    _ => vec![format!("{from} {op} {to}")],
                }
            }
            Expr::InList { expr, list, negated } => {
                let mut values: Vec<String> = list.iter().map(|value| self.normalize(value)).collect();
                values.sort();
                let value = self.normalize(expr);
                match (values.as_slice(), negated) {
                    ([only], false) => vec![format!("{value} = {only}")],
                    ([only], true) => vec![format!("{value} <> {only}")],
                    (_, false) => vec![format!("{value} IN ({})", values.join(", "))],
                    (_, true) => vec![format!("{value} NOT IN ({})", values.join(", "))],
                }
            }
            other => vec![self.normalize(other)],
        }
    }

    fn normalize(&mut self, expr: &Expr) -> String {
        let mut expr = without_brackets(expr).clone();
        let tables = self.tables;
        each_own_expr(&mut expr, |part| {
            if let Some((at, name)) = resolve_column_index(part, tables) {
                let column = name_column(&tables[at], name);
                *part = Expr::Identifier(Ident::new(&column));
                self.columns.insert(column);
                return;
            }
            match part {
                // A column of a nested query: its alias says nothing.
                Expr::CompoundIdentifier(parts) => {
                    let name = parts.last().map(|name| name.value.to_lowercase()).unwrap_or_default();
                    *part = Expr::Identifier(Ident::new(name));
                }
                Expr::Identifier(name) => *name = Ident::new(name.value.to_lowercase()),
                Expr::Value(ValueWithSpan { value, .. }) => {
                    if let Value::DoubleQuotedString(text) = value {
                        *value = Value::SingleQuotedString(std::mem::take(text));
                    }
                }
                Expr::Function(function) => normalize_function(function, tables),
                Expr::Subquery(_) => *part = Expr::Identifier(Ident::new(NESTED)),
                Expr::InSubquery { expr, negated, .. } => {
                    let list = vec![Expr::Identifier(Ident::new(NESTED))];
                    *part = Expr::InList { expr: expr.clone(), list, negated: *negated };
                }
                Expr::Exists { negated, .. } => {
                    let word = if *negated { "NOT EXISTS" } else { "EXISTS" };
                    *part = Expr::Identifier(Ident::new(format!("{word} {NESTED}")));
                }
                _ => {}
            }
        });
        expr.to_string()
    }
}

/// Writes a function's name in lower case, and a count of rows always in the same way.
fn normalize_function(function: &mut Function, tables: &[Relation<'_>]) {
    let counts_rows = match classify_count(function) {
        Some(Counted::Values(Expr::Value(_))) => true,
        // The key of the only table is never NULL.
        Some(Counted::Values(expr)) => {
            let key = resolve_column_index(expr, tables).filter(|_| tables.len() == 1);
            key.is_some_and(
                |(at, name)| matches!(tables[at].table.primary_key.as_slice(), [only] if same_name(only, name)),
            )
        }
        _ => false,
    };
    if counts_rows {
        rewrite_count(function, None);
    }
    let name = function.name.to_string().to_lowercase();
    function.name = ObjectName::from(vec![Ident::new(name)]);
}

fn without_brackets(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => without_brackets(inner),
        other => other,
    }
}

fn name_column(relation: &Relation<'_>, column: &str) -> String {
    format!("{}.{}", relation.table.name, column).to_lowercase()
}

fn describe_equality(one: String, other: String) -> String {
    if one <= other { format!("{one} = {other}") } else { format!("{other} = {one}") }
}

/// Swaps the sides of a comparison.
fn flip_operator(operator: &BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    Some(match operator {
        B::Eq => B::Eq,
        B::NotEq => B::NotEq,
        B::Lt => B::Gt,
        B::LtEq => B::GtEq,
        B::Gt => B::Lt,
        B::GtEq => B::LtEq,
        _ => return None,
    })
}
