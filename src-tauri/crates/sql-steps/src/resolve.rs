//! Replaces names in a SELECT's expressions by slots; uncorrelated subqueries become branches.

use crate::branch::Target;
use crate::chain::Chain;
use crate::columns::{Locals, Named, rename_columns};
use crate::from::{Frame, NameLookup};
use crate::names::same_name;
use crate::query::select_from;
use crate::slots::{slot_marker, slot_of, used_slots};
use crate::steps::NotTakenApart;
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{
    AccessExpr, Expr, Ident, OrderBy, Query, Select, SelectItem, SetExpr, TableFactor, TableWithJoins, Value, VisitMut,
    VisitorMut,
};
use std::mem;
use std::ops::ControlFlow;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{is_aggregate, last_part, query_of, visit_mut};
use vitrine_words::tr;

/// An alias of a select list, and its expression.
pub(crate) type Alias = (String, Expr);
pub(crate) type Aliases = [Alias];

/// Replaces names by slots. Only the first `visible` sources are in scope; columns take precedence over aliases.
pub(crate) fn resolve_names(
    chain: &mut Chain<'_>,
    frame: &Frame,
    visible: usize,
    aliases: &Aliases,
    part: &mut impl VisitMut,
) -> Outcome<()> {
    let parked = Vec::new();
    let mut names = NameResolver {
        chain,
        frame,
        visible,
        aliases,
        inner: Vec::new(),
        locals: Vec::new(),
        parked,
        reaches_out: false,
    };
    into_outcome(visit_mut(part, &mut names))
}

fn into_outcome(flow: ControlFlow<NotTakenApart>) -> Outcome<()> {
    match flow {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The names that a nested SELECT defines.
struct Inner {
    from: Vec<Named>,
    aliases: Vec<String>,
}

struct NameResolver<'n, 'a> {
    chain: &'n mut Chain<'a>,
    frame: &'n Frame,
    visible: usize,
    aliases: &'n Aliases,
    /// Enclosing SELECTs within the one that is split.
    inner: Vec<Inner>,
    /// Views that enclosing queries define.
    locals: Locals,
    /// Finished queries that the traversal skips.
    parked: Vec<Query>,
    /// True if a nested query uses a column of the one that is split.
    reaches_out: bool,
}

impl VisitorMut for NameResolver<'_, '_> {
    type Break = NotTakenApart;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<NotTakenApart> {
        match self.resolve_nested_query(query) {
            Ok(()) => {
                self.parked.push(mem::replace(
                    query,
                    query_of(SetExpr::Values(sqlparser::ast::Values {
                        explicit_row: false,
                        value_keyword: false,
                        rows: Vec::new(),
                    })),
                ));
                ControlFlow::Continue(())
            }
            Err(why) => ControlFlow::Break(why),
        }
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<NotTakenApart> {
        if let Some(done) = self.parked.pop() {
            *query = done;
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<NotTakenApart> {
        // The name of a field is not a column name.
        if let Expr::CompoundFieldAccess { access_chain, .. } = expr {
            for access in access_chain {
                if let AccessExpr::Dot(Expr::Identifier(name)) = access {
                    *access = field_placeholder(name);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<NotTakenApart> {
        match self.resolve_name(expr) {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => ControlFlow::Break(why),
        }
    }
}

impl NameResolver<'_, '_> {
    /// Resolves a query nested in an expression.
    fn resolve_nested_query(&mut self, query: &mut Query) -> Outcome<()> {
        if !self.inner.is_empty() {
            return self.resolve_correlated_names(query);
        }
        let mut tried = query.clone();
        self.reaches_out = false;
        self.resolve_correlated_names(&mut tried)?;
        if self.reaches_out {
            *query = tried;
            return Ok(());
        }
        let branch = self.chain.build_branch(query, Target::Operand)?;
        match select_from(&branch, self.chain.dialect) {
            Some(selected) => *query = selected,
            None => return unsupported_part(tr!("a query inside that cannot be read as a step")),
        }
        Ok(())
    }

    /// Resolves only the correlated names of a query that is not split.
    fn resolve_correlated_names(&mut self, query: &mut Query) -> Outcome<()> {
        let locals = self.locals.len();
        for view in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
            let columns = self.chain.columns_of(&view.query, &self.locals);
            let view_itself = (view.alias.name.value.clone(), rename_columns(columns, Some(&view.alias)));
            self.locals.push(view_itself);
            self.resolve_correlated_names(&mut view.query)?;
        }
        let order = query.order_by.as_mut();
        match &mut *query.body {
            SetExpr::Select(select) => self.resolve_select(select, order)?,
            body => self.resolve_body(body)?,
        }
        if query.limit_clause.is_some() {
            into_outcome(visit_mut(&mut query.limit_clause, self))?;
        }
        self.locals.truncate(locals);
        Ok(())
    }

    fn resolve_body(&mut self, body: &mut SetExpr) -> Outcome<()> {
        match body {
            SetExpr::Select(select) => self.resolve_select(select, None),
            SetExpr::Query(query) => self.resolve_correlated_names(query),
            SetExpr::SetOperation { left, right, .. } => {
                self.resolve_body(left)?;
                self.resolve_body(right)
            }
            SetExpr::Values(values) => into_outcome(visit_mut(values, self)),
            _ => unsupported_part(tr!("a kind of query that is not known here")),
        }
    }

    fn resolve_select(&mut self, select: &mut Select, order: Option<&mut OrderBy>) -> Outcome<()> {
        let mut from = mem::take(&mut select.from);
        for item in &mut from {
            self.resolve_derived_tables(item)?;
        }
        let aliases = select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            _ => None,
        });
        let inner = Inner { from: self.chain.named_sources(&from, &self.locals), aliases: aliases.collect() };
        self.inner.push(inner);
        for join in from.iter_mut().flat_map(|item| &mut item.joins) {
            into_outcome(visit_mut(&mut join.join_operator, self))?;
        }
        into_outcome(visit_mut(select, self))?;
        if let Some(order) = order {
            into_outcome(visit_mut(order, self))?;
        }
        self.inner.pop();
        select.from = from;
        Ok(())
    }

    /// Resolves queries in a FROM clause, which cannot use other items.
    fn resolve_derived_tables(&mut self, item: &mut TableWithJoins) -> Outcome<()> {
        let factors = std::iter::once(&mut item.relation).chain(item.joins.iter_mut().map(|join| &mut join.relation));
        for factor in factors {
            match factor {
                TableFactor::Table { args: None, .. } => {}
                TableFactor::Derived { lateral: false, subquery, .. } => self.resolve_correlated_names(subquery)?,
                TableFactor::NestedJoin { table_with_joins, .. } => self.resolve_derived_tables(table_with_joins)?,
                _ => return unsupported_part(tr!("a kind of table expression in a query inside")),
            }
        }
        Ok(())
    }

    fn resolve_name(&mut self, expr: &mut Expr) -> Outcome<()> {
        match expr {
            // The replacement of a join's USING.
            Expr::Identifier(_) if slot_of(expr).is_some() => {}
            Expr::Identifier(ident) => {
                if let Some(found) = self.resolve_unqualified(ident)? {
                    *expr = found;
                }
            }
            Expr::CompoundIdentifier(parts) => {
                let [.., qualifier, name] = parts.as_slice() else {
                    return unsupported_part(tr!("a name of one part"));
                };
                let found = match self.is_source(qualifier) {
                    true => self.resolve_qualified(qualifier, name)?,
                    false => self.in_column(parts)?,
                };
                if let Some(found) = found {
                    *expr = found;
                }
            }
            Expr::CompoundFieldAccess { access_chain, .. }
                if access_chain.iter().any(|access| matches!(access, AccessExpr::Dot(part) if !is_field(part))) =>
            {
                return unsupported_part(tr!("a field of a value"));
            }
            Expr::Lambda(_) => return unsupported_part(tr!("a function that is given as a value")),
            Expr::QualifiedWildcard(..) => return unsupported_part(tr!("a star inside of an expression")),
            Expr::Function(function) if !self.inner.is_empty() => {
                let aggregate = last_part(&function.name).is_some_and(|name| is_aggregate(&name.value));
                // It may belong to the enclosing query.
                if aggregate && function.over.is_none() && !used_slots(function).is_empty() {
                    return unsupported_part(tr!("an aggregate of a column of the query around"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the replacement of an unqualified name; `None` if it is unchanged.
    fn resolve_unqualified(&mut self, ident: &Ident) -> Outcome<Option<Expr>> {
        let name = &ident.value;
        for scope in self.inner.iter().rev() {
            if scope.from.iter().any(|named| has_column(named, name)) {
                return Ok(None);
            }
            if scope.from.iter().any(|named| named.columns.is_none()) {
                return unsupported_part(format!("whether {name} is a column of a query inside"));
            }
            if scope.aliases.iter().any(|alias| same_name(alias, name)) {
                return match self.frame.find_column(name, self.visible) {
                    NameLookup::Nothing => Ok(None),
                    _ => unsupported_part(format!("whether {name} is a column or an alias")),
                };
            }
        }
        let mut found = self.frame.find_column(name, self.visible);
        let dialect = self.chain.dialect.sql();
        if matches!(found, NameLookup::Nothing) && dialect.join_conditions_see_later_names() {
            found = self.frame.find_column(name, self.frame.sources.len());
        }
        match found {
            NameLookup::Slot(slot) => {
                self.reaches_out |= !self.inner.is_empty();
                return Ok(Some(slot_marker(slot)));
            }
            NameLookup::Several => return unsupported_part(format!("which column {name} is")),
            NameLookup::Nothing => {}
        }
        if self.inner.is_empty()
            && let Some((_, value)) = self.aliases.iter().find(|(alias, _)| same_name(alias, name))
        {
            return Ok(Some(add_parentheses(value)));
        }
        if ident.quote_style == Some('"') && dialect.reads_unresolved_quotes_as_strings() {
            return Ok(Some(Expr::Value(Value::SingleQuotedString(name.clone()).with_empty_span())));
        }
        unsupported_part(format!("the name {name}"))
    }

    fn is_source(&self, name: &Ident) -> bool {
        let inner = self.inner.iter().flat_map(|scope| &scope.from).map(|named| &named.name);
        inner.chain(self.frame.sources.iter().map(|source| &source.name)).any(|source| same_name(source, &name.value))
    }

    /// Returns the replacement of a field of a column: `address.city`, `c.address.city`.
    fn in_column(&mut self, parts: &[Ident]) -> Outcome<Option<Expr>> {
        let (column, fields) = match parts {
            [source, column, fields @ ..] if self.is_source(source) => {
                (self.resolve_qualified(source, column)?, fields)
            }
            [column, fields @ ..] => (self.resolve_unqualified(column)?, fields),
            [] => (None, parts),
        };
        let access_chain = fields.iter().map(field_placeholder).collect();
        Ok(column.map(|root| Expr::CompoundFieldAccess { root: Box::new(root), access_chain }))
    }

    fn resolve_qualified(&mut self, qualifier: &Ident, name: &Ident) -> Outcome<Option<Expr>> {
        for scope in self.inner.iter().rev() {
            if let Some(named) = scope.from.iter().find(|named| same_name(&named.name, &qualifier.value)) {
                let known = named.columns.is_none() || has_column(named, &name.value);
                return if known { Ok(None) } else { unsupported_part(format!("the name {qualifier}.{name}")) };
            }
        }
        let visible = self.frame.find_qualified_column(&qualifier.value, &name.value);
        match visible {
            NameLookup::Slot(slot) => {
                self.reaches_out |= !self.inner.is_empty();
                Ok(Some(slot_marker(slot)))
            }
            _ => unsupported_part(format!("the name {qualifier}.{name}")),
        }
    }
}

/// Converts a field to a placeholder, because an identifier would be taken for a column name.
fn field_placeholder(name: &Ident) -> AccessExpr {
    AccessExpr::Dot(Expr::Value(Value::Placeholder(name.to_string()).with_empty_span()))
}

fn is_field(part: &Expr) -> bool {
    matches!(part, Expr::Value(value) if matches!(value.value, Value::Placeholder(_)))
}

fn has_column(named: &Named, name: &str) -> bool {
    named.columns.iter().flatten().any(|column| same_name(column, name))
}

/// Returns the expression in parentheses if it needs them to replace a name.
pub(crate) fn add_parentheses(expr: &Expr) -> Expr {
    match expr {
        Expr::Identifier(_) | Expr::Value(_) | Expr::Function(_) | Expr::Nested(_) | Expr::Subquery(_) => expr.clone(),
        other => Expr::Nested(Box::new(other.clone())),
    }
}
