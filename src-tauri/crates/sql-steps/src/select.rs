//! Plans one SELECT.

use crate::arrange::{distribute_conditions, split_conjuncts};
use crate::branch::{Branch, Target};
use crate::chain::Chain;
use crate::from::{Frame, NameLookup};
use crate::group::{Leaves, extract_expressions, is_aggregate_call, made_slot};
use crate::names::{of_item, same_name};
use crate::plan::{Made, Op, Ordering, Out, Plan};
use crate::query::Tail;
use crate::resolve::{Alias, Aliases, resolve_names};
use crate::slots::{Slot, add_used_slots, slot_marker, slot_of};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, NamedWindowDefinition, OrderByExpr, OrderByKind, OrderBySort, Select, SelectFlavor,
    SelectItem, SelectItemQualifiedWildcardKind, Value, ValueWithSpan, Visitor, WildcardAdditionalOptions,
};
use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{each_own_function, has_group_by, last_part, visit_tree};
use vitrine_sql::dialect::{ImplicitNames, UngroupedColumns};
use vitrine_words::tr;

/// The clauses of a SELECT, with slots for names.
struct Clauses {
    /// The conditions of WHERE, joined by AND.
    conditions: Option<Expr>,
    keys: Vec<Expr>,
    aliases: Vec<Alias>,
    // Values computed from rows or groups.
    outputs: Vec<Out>,
    having: Option<Expr>,
    qualify: Option<Expr>,
    windows: Vec<NamedWindowDefinition>,
    order: Ordering,
}

impl Clauses {
    /// Extracts aggregates or windows into separate columns.
    fn extract_columns(&mut self, chain: &mut Chain<'_>, leaves: Leaves, keys: &[Made], made: &mut Vec<Made>) {
        for out in &mut self.outputs {
            extract_expressions(chain, leaves, keys, made, &mut out.value);
        }
        extract_expressions(chain, leaves, keys, made, &mut self.having);
        extract_expressions(chain, leaves, keys, made, &mut self.qualify);
        extract_expressions(chain, leaves, keys, made, &mut self.windows);
        extract_expressions(chain, leaves, keys, made, &mut self.order.keys);
        extract_expressions(chain, leaves, keys, made, &mut self.order.on);
    }

    fn used_slots(&self) -> BTreeSet<Slot> {
        let mut slots = BTreeSet::new();
        self.outputs.iter().for_each(|out| add_used_slots(&out.value, &mut slots));
        add_used_slots(&self.having, &mut slots);
        add_used_slots(&self.qualify, &mut slots);
        add_used_slots(&self.windows, &mut slots);
        add_used_slots(&self.order.keys, &mut slots);
        add_used_slots(&self.order.on, &mut slots);
        slots
    }

    fn have_aggregates(&self, dialect: Dialect) -> bool {
        let exprs = self.outputs.iter().map(|out| &out.value).chain(self.order.keys.iter().map(|key| &key.expr));
        exprs.chain(&self.qualify).any(|expr| has_aggregate(expr, dialect))
    }
}

impl Chain<'_> {
    /// Plans one SELECT, with the order and limit of its query.
    pub fn plan_select(&mut self, select: &Select, tail: &Tail<'_>, target: &Target) -> Outcome<Branch> {
        check_select_clauses(select)?;
        let mut frame = self.from(&select.from)?;
        let mut joins = mem::take(&mut frame.joins);
        for join in &mut joins {
            resolve_names(self, &frame, join.right + 1, &[], &mut join.conditions)?;
        }
        frame.joins = joins;
        // An enclosing query could not name constants alone.
        let target = if frame.sources.is_empty() && target.leaves_out() { &Target::Rows } else { target };
        let mut clauses = self.resolve_clauses(select, tail, &frame)?;
        let mut does = Vec::new();
        let rest = distribute_conditions(&mut frame, split_conjuncts(clauses.conditions.as_ref()))?;
        if !rest.is_empty() {
            does.push(Op::Filter(rest));
        }
        if has_group_by(select) || clauses.having.is_some() || clauses.have_aggregates(self.dialect) {
            self.plan_grouping(&frame, &mut clauses, target, &mut does)?;
        }
        let mut windows = Vec::new();
        clauses.extract_columns(self, Leaves::Windows, &[], &mut windows);
        if !windows.is_empty() {
            does.push(Op::Window { made: windows, named: mem::take(&mut clauses.windows) });
        }
        if clauses.qualify.is_some() {
            does.push(Op::Filter(split_conjuncts(clauses.qualify.as_ref())));
        }
        let Clauses { mut outputs, mut order, aliases, .. } = clauses;
        if select.distinct.is_none() && self.dialect.sql().descending_keys_reverse_groups() {
            order_groups(&mut does, &mut order);
        }
        order.distinct = matches!(select.distinct, Some(Distinct::Distinct));
        // A value without further uses can be computed by its reader.
        let inlined = *target == Target::Arm && order.is_empty();
        let made = if inlined { Vec::new() } else { self.plan_projection(&mut outputs, &mut order) };
        if !made.is_empty() {
            does.push(Op::Project(made));
        }
        self.name_by_alias(&outputs, &aliases);
        if !order.is_empty() {
            does.push(Op::Order(order));
        }
        self.write_plan(Plan { frame, does, outputs }, target)
    }

    /// Resolves the clauses of a SELECT.
    fn resolve_clauses(&mut self, select: &Select, tail: &Tail<'_>, frame: &Frame) -> Outcome<Clauses> {
        let all = frame.sources.len();
        let (outputs, aliases) = self.resolve_outputs(select, frame)?;
        let dialect = self.dialect.sql();
        let in_where = if dialect.where_sees_aliases() { aliases.as_slice() } else { &[] };
        let mut conditions = select.selection.clone();
        resolve_names(self, frame, all, in_where, &mut conditions)?;
        let keys = self.group_keys(select, frame, &aliases, &outputs)?;
        let later = if dialect.having_sees_aliases() { aliases.as_slice() } else { &[] };
        let (mut having, mut qualify) = (select.having.clone(), select.qualify.clone());
        if !dialect.having_prefers_columns() {
            check_having_names(&having, frame, &aliases)?;
        }
        resolve_names(self, frame, all, later, &mut having)?;
        resolve_names(self, frame, all, later, &mut qualify)?;
        let mut windows = select.named_window.clone();
        resolve_names(self, frame, all, &[], &mut windows)?;
        let mut order = self.resolve_ordering(tail, frame, later, &outputs)?;
        if let Some(Distinct::On(keys)) = &select.distinct {
            let on = keys.iter().map(|key| self.sort_key(key, frame, later, &outputs));
            order.on = on.collect::<Outcome<_>>()?;
        }
        Ok(Clauses { conditions, keys, aliases, outputs, having, qualify, windows, order })
    }

    /// Groups the rows and filters the groups by HAVING.
    fn plan_grouping(
        &mut self,
        frame: &Frame,
        clauses: &mut Clauses,
        target: &Target,
        does: &mut Vec<Op>,
    ) -> Outcome<()> {
        let mut keys = self.keys_of(mem::take(&mut clauses.keys));
        let mut aggregates = Vec::new();
        clauses.extract_columns(self, Leaves::Aggregates, &keys, &mut aggregates);
        let mut beside = clauses.used_slots();
        beside.retain(|slot| !keys.iter().chain(&aggregates).any(|(known, _)| known == slot));
        self.beside_groups(&beside, frame, &mut keys)?;
        let types_by_expression = self.dialect.sql().set_operations_type_columns_by_expression();
        let computed =
            |out: &Out| keys.iter().any(|(slot, key)| slot_of(&out.value) == Some(*slot) && slot_of(key).is_none());
        if *target == Target::Arm && types_by_expression && clauses.outputs.iter().any(computed) {
            return unsupported_part(tr!("a computed key in a set operation"));
        }
        does.push(Op::Group { keys, aggregates, order: Vec::new() });
        if clauses.having.is_some() {
            does.push(Op::Having(split_conjuncts(clauses.having.as_ref())));
        }
        Ok(())
    }

    /// Returns the columns of the result with expanded stars, and the expressions of aliases.
    fn resolve_outputs(&mut self, select: &Select, frame: &Frame) -> Outcome<(Vec<Out>, Vec<Alias>)> {
        let mut outputs: Vec<Out> = Vec::new();
        let mut aliases: Vec<Alias> = Vec::new();
        let plain = WildcardAdditionalOptions::default();
        let column = |(name, slot): &(String, Slot)| Out::from_column(name, *slot);
        let dialect = self.dialect.sql();
        let named_by_text = dialect.implicit_names() == ImplicitNames::Text;
        for (at, item) in select.projection.iter().enumerate() {
            match item {
                SelectItem::Wildcard(options) if *options == plain => outputs.extend(frame.star.iter().map(column)),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
                    if *options == plain =>
                {
                    let Some(name) = last_part(name) else { return unsupported_part(tr!("a name that is computed")) };
                    let mut called = frame.sources.iter().filter(|source| same_name(&source.name, &name.value));
                    let (Some(source), None) = (called.next(), called.next()) else {
                        return unsupported_part(format!("the columns of {name}"));
                    };
                    outputs.extend(source.columns.iter().map(column));
                }
                SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                    let mut value = expr.clone();
                    let seen: &Aliases = if dialect.select_list_sees_aliases() { &aliases } else { &[] };
                    resolve_names(self, frame, frame.sources.len(), seen, &mut value)?;
                    let name = of_item(item, at, select, &self.texts);
                    let mut out = Out {
                        shown: name.clone(),
                        name,
                        named: true,
                        value: strip_parentheses(value),
                        text: String::new(),
                    };
                    match (item, slot_of(&out.value)) {
                        (SelectItem::ExprWithAlias { alias, .. }, _) => {
                            aliases.push((alias.value.clone(), out.value.clone()));
                        }
                        (_, Some(slot)) => {
                            out.shown.clone_from(&self.columns[slot].name);
                            // An enclosing query may refer to the column by its text here.
                            if !named_by_text {
                                out.name.clone_from(&out.shown);
                            }
                        }
                        (_, None) => {
                            out.named = false;
                            out.text = if named_by_text { out.name.clone() } else { expr.to_string() };
                        }
                    }
                    outputs.push(out);
                }
                _ => return unsupported_part(tr!("a kind of result column that is not known here")),
            }
        }
        if outputs.is_empty() {
            unsupported_part(tr!("a query without result columns"))
        } else {
            Ok((outputs, aliases))
        }
    }

    /// Returns the resolved GROUP BY keys.
    fn group_keys(&mut self, select: &Select, frame: &Frame, aliases: &Aliases, outputs: &[Out]) -> Outcome<Vec<Expr>> {
        let keys = match &select.group_by {
            GroupByExpr::Expressions(keys, modifiers) if modifiers.is_empty() => keys,
            GroupByExpr::All(modifiers) if modifiers.is_empty() => {
                let plain = outputs.iter().filter(|out| !has_aggregate(&out.value, self.dialect));
                return Ok(plain.map(|out| out.value.clone()).collect());
            }
            _ => return unsupported_part(tr!("several groupings at once")),
        };
        let mut resolved = Vec::with_capacity(keys.len());
        for key in keys {
            let mut key = key.clone();
            match column_position(&key) {
                Some(at) => match outputs.get(at.wrapping_sub(1)) {
                    Some(out) => key = out.value.clone(),
                    None => return unsupported_part(tr!("a position that is not there")),
                },
                None => resolve_names(self, frame, frame.sources.len(), aliases, &mut key)?,
            }
            let key = strip_parentheses(key);
            match key {
                Expr::Value(_) => return unsupported_part(tr!("groups by a constant")),
                Expr::GroupingSets(_) | Expr::Cube(_) | Expr::Rollup(_) | Expr::Tuple(_) => {
                    return unsupported_part(tr!("several groupings at once"));
                }
                key if resolved.contains(&key) => {}
                key => resolved.push(key),
            }
        }
        Ok(resolved)
    }

    /// Returns the keys with their slots; a plain column keeps its own.
    fn keys_of(&mut self, keys: Vec<Expr>) -> Vec<Made> {
        let mut made = Vec::new();
        for key in keys {
            match slot_of(&key) {
                Some(slot) => made.push((slot, key)),
                None => _ = made_slot(self, &mut made, &key),
            }
        }
        made
    }

    /// Handles columns that are neither keys nor aggregates. Columns that depend on a key of their table become keys,
    /// because a step has no keys.
    fn beside_groups(&self, left: &BTreeSet<Slot>, frame: &Frame, keys: &mut Vec<Made>) -> Outcome<()> {
        let ungrouped = self.dialect.sql().ungrouped_columns();
        if ungrouped == UngroupedColumns::AnyRow {
            return Ok(());
        }
        for slot in left {
            let source = frame.sources.iter().find(|source| source.columns.iter().any(|(_, own)| own == slot));
            let known = source.is_some_and(|source| {
                !source.key.is_empty() && source.key.iter().all(|part| keys.iter().any(|(key, _)| key == part))
            });
            if ungrouped != UngroupedColumns::DeterminedByKey || !known {
                return unsupported_part(tr!("a column beside groups"));
            }
            keys.push((*slot, slot_marker(*slot)));
        }
        Ok(())
    }

    fn resolve_ordering(
        &mut self,
        tail: &Tail<'_>,
        frame: &Frame,
        aliases: &Aliases,
        outputs: &[Out],
    ) -> Outcome<Ordering> {
        let mut order = tail.constant_limit()?;
        let Some(by) = tail.order_by else { return Ok(order) };
        let OrderByKind::Expressions(keys) = &by.kind else { return unsupported_part(tr!("an order by all columns")) };
        if by.interpolate.is_some() || keys.iter().any(|key| key.with_fill.is_some()) {
            return unsupported_part(tr!("an order that adds rows"));
        }
        for key in keys {
            let expr = self.sort_key(&key.expr, frame, aliases, outputs)?;
            if matches!(expr, Expr::Value(_)) {
                return unsupported_part(tr!("an order by a constant"));
            }
            order.keys.push(OrderByExpr { expr, options: key.options.clone(), with_fill: None });
        }
        Ok(order)
    }

    /// Resolves a sort key: a position in the result, a name in it, or an expression.
    fn sort_key(&mut self, key: &Expr, frame: &Frame, aliases: &Aliases, outputs: &[Out]) -> Outcome<Expr> {
        if let Some(at) = column_position(key) {
            return match outputs.get(at.wrapping_sub(1)) {
                Some(out) => Ok(out.value.clone()),
                None => unsupported_part(tr!("a position that is not there")),
            };
        }
        if let Expr::Identifier(ident) = key {
            let alias = aliases.iter().find(|(alias, _)| same_name(alias, &ident.value)).map(|(_, value)| value);
            let named = outputs.iter().find(|out| same_name(&out.name, &ident.value)).map(|out| &out.value);
            let own = alias.or(named.filter(|_| self.dialect.sql().order_by_sees_implicit_names()));
            if let Some(value) = own {
                return Ok(strip_parentheses(value.clone()));
            }
        }
        let mut key = key.clone();
        resolve_names(self, frame, frame.sources.len(), aliases, &mut key)?;
        Ok(strip_parentheses(key))
    }

    /// Computes everything that is not a plain column; sort keys reuse these values.
    fn plan_projection(&mut self, outputs: &mut [Out], order: &mut Ordering) -> Vec<Made> {
        let mut made = Vec::new();
        for out in outputs {
            if slot_of(&out.value).is_none() && !matches!(out.value, Expr::Value(_)) {
                out.value = slot_marker(made_slot(self, &mut made, &out.value));
            }
        }
        for key in order.keys.iter_mut().map(|key| &mut key.expr).chain(&mut order.on) {
            if let Some((slot, _)) = made.iter().find(|(_, value)| value == key) {
                *key = slot_marker(*slot);
            }
        }
        made
    }

    /// Gives computed columns the names of their aliases.
    fn name_by_alias(&mut self, outputs: &[Out], aliases: &Aliases) {
        for (alias, _) in aliases {
            let computed = outputs.iter().filter(|out| out.name == *alias).find_map(|out| slot_of(&out.value));
            if let Some(slot) = computed.filter(|slot| self.columns[*slot].label.is_empty()) {
                self.columns[slot].name.clone_from(alias);
            }
        }
    }
}

/// Sorts groups where they are created if the engine would read them from last to first: with as many sort keys as group
/// keys and a descending order. Which of equal groups comes first depends on it.
fn order_groups(does: &mut [Op], order: &mut Ordering) {
    let down = |key: &OrderByExpr| matches!(key.options.sort, Some(OrderBySort::Desc));
    if does.iter().any(|op| matches!(op, Op::Window { .. })) || !order.keys.iter().any(down) {
        return;
    }
    for op in does {
        if let Op::Group { keys, order: own, .. } = op {
            let total = keys.iter().all(|(slot, _)| order.keys.iter().any(|key| slot_of(&key.expr) == Some(*slot)));
            if keys.len() == order.keys.len() && !total {
                *own = mem::take(&mut order.keys);
            }
        }
    }
}

/// Rejects clauses of a SELECT that are not supported.
fn check_select_clauses(select: &Select) -> Outcome<()> {
    let known = select.top.is_none()
        && select.exclude.is_none()
        && select.into.is_none()
        && select.lateral_views.is_empty()
        && select.prewhere.is_none()
        && select.connect_by.is_empty()
        && select.cluster_by.is_empty()
        && select.distribute_by.is_empty()
        && select.sort_by.is_empty()
        && select.value_table_mode.is_none()
        && select.select_modifiers.is_none()
        && select.optimizer_hints.is_empty()
        && select.flavor == SelectFlavor::Standard;
    if known { Ok(()) } else { unsupported_part(tr!("a clause that is not known here")) }
}

/// Returns the column position that a whole number represents.
fn column_position(key: &Expr) -> Option<usize> {
    match key {
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => digits.parse().ok(),
        _ => None,
    }
}

/// Removes enclosing parentheses from an expression.
fn strip_parentheses(expr: Expr) -> Expr {
    match expr {
        Expr::Nested(inner) => strip_parentheses(*inner),
        other => other,
    }
}

/// Rejects names in HAVING that are both column and alias, since engines differ in which they look up first.
fn check_having_names(having: &Option<Expr>, frame: &Frame, aliases: &Aliases) -> Outcome<()> {
    struct Finds<'f>(&'f Frame, &'f Aliases);
    impl Visitor for Finds<'_> {
        type Break = String;
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<String> {
            let Expr::Identifier(ident) = expr else { return ControlFlow::Continue(()) };
            let alias = self.1.iter().find(|(alias, _)| same_name(alias, &ident.value));
            match (alias, self.0.find_column(&ident.value, self.0.sources.len())) {
                (Some((_, value)), NameLookup::Slot(slot)) if slot_of(value) != Some(slot) => {
                    ControlFlow::Break(ident.value.clone())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    match visit_tree(having, &mut Finds(frame, aliases)) {
        ControlFlow::Break(name) => unsupported_part(format!("whether {name} is a column or an alias")),
        ControlFlow::Continue(()) => Ok(()),
    }
}

fn has_aggregate(expr: &Expr, dialect: Dialect) -> bool {
    let mut found = false;
    each_own_function(expr, |function| found |= is_aggregate_call(function, dialect));
    found
}
