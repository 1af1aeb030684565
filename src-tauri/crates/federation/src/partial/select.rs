//! Groups one table of a SELECT at its source.

use super::aggregates::{AggregatePart, AggregateParts, Call, Grouped, classify_call};
use super::changed::Changed;
use super::keys::find_keys;
use super::names::needed_alias;
use crate::catalog::FoundTable;
use crate::condition::{Filter, read_filter, write_filter};
use crate::from::{FromClause, Item};
use crate::part::{PartColumn, PartQuery, TablePart};
use crate::reduce::choose_reductions;
use crate::source::Source;
use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, Ident, JoinConstraint, JoinOperator, ObjectName, Select, SelectItem, TableAlias,
    TableFactor, Value,
};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{build_and, collect_conjuncts, has_group_by, has_queries, visit_exprs_mut};

/// Lets the source of one table group its rows, if the SELECT and the keys of its ORDER BY only aggregate them. Returns the
/// table of groups.
pub(super) fn group_select(
    select: &mut Select,
    order: &mut [&mut Expr],
    sources: &[Source],
    number: usize,
) -> Option<TablePart> {
    if !is_plain_aggregate(select) || order.iter().any(|key| has_queries(&**key)) {
        return None;
    }
    let whole = select.clone();
    let from = FromClause::from_select(&whole, sources);
    if from.is_opaque || from.has_natural || !from.only_simple {
        return None;
    }
    let mut candidates: Vec<usize> =
        (0..from.items.len()).filter(|at| !from.items[*at].opaque && from.items[*at].table.is_some()).collect();
    // The largest table first; one of unknown size may be large.
    let rows = |at: &usize| {
        let table = from.items[*at].table.as_ref().map(|found| found.table(sources));
        table.and_then(|table| table.row_count).unwrap_or(u64::MAX)
    };
    candidates.sort_by_key(|at| std::cmp::Reverse(rows(at)));
    candidates.into_iter().find_map(|at| {
        let mut changed = Changed { select: select.clone(), order: order.iter().map(|key| (**key).clone()).collect() };
        let part = changed.group_item(&from, at, sources, number)?;
        *select = changed.select;
        for (key, changed) in order.iter_mut().zip(changed.order) {
            **key = changed;
        }
        Some(part)
    })
}

fn is_plain_aggregate(select: &Select) -> bool {
    let grouped = match &select.group_by {
        GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers) => modifiers.is_empty(),
    };
    let expression = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => !has_queries(expr),
        _ => false,
    };
    grouped
        && matches!(select.distinct, None | Some(Distinct::Distinct))
        && select.named_window.is_empty()
        && select.qualify.is_none()
        && select.top.is_none()
        && select.into.is_none()
        && !select.projection.is_empty()
        && select.projection.iter().all(expression)
        && !select.selection.as_ref().is_some_and(has_queries)
        && !select.having.as_ref().is_some_and(has_queries)
        && !has_queries(&select.group_by)
}

impl Changed {
    fn group_item(&mut self, from: &FromClause<'_>, at: usize, sources: &[Source], number: usize) -> Option<TablePart> {
        let item = &from.items[at];
        let found = item.table.as_ref()?;
        let (source, table) = (&sources[found.source], found.table(sources));
        let binding = item.binding.as_deref()?;
        if from.items.iter().filter(|other| other.is_named(&[binding])).count() != 1 {
            return None;
        }
        let column = |expr: &Expr| from.column_of(expr, at, sources);
        let mut names = Vec::new();
        for item in &self.select.projection {
            names.push(if let SelectItem::UnnamedExpr(expr) = item { needed_alias(expr)? } else { None });
        }
        self.remove_exact_conditions(from, at, (source, table), &column);
        let mut parts = AggregateParts::for_table(table);
        // The join computes a merged column, so its aggregates stay there.
        let summed = |expr: &Expr| column(expr).filter(|_| !from.is_merged(expr));
        self.combine_aggregates(&Grouped { source, table, binding }, &summed, &mut parts)?;
        let keys = find_keys(self, from, at, sources, &parts.prefix)?;
        self.rename(at, number, source, (binding, names))?;
        build_part(sources, item, (keys, parts), number)
    }

    /// Removes the conditions that the source evaluates exactly: their columns need not be keys.
    fn remove_exact_conditions(
        &mut self,
        from: &FromClause<'_>,
        at: usize,
        (source, table): (&Source, &Table),
        column: &dyn Fn(&Expr) -> Option<usize>,
    ) {
        let aliases = from.aliases.clone();
        let is_exact = |condition: &Expr| {
            let own = |expr: &Expr| match expr {
                Expr::Identifier(name) if aliases.contains(&name.value.to_lowercase()) => None,
                // Its value may have another type than the column.
                expr if from.is_merged(expr) => None,
                expr => column(expr),
            };
            let filter = read_filter(condition, &own);
            filter.and_then(|filter| write_filter(&filter, source, table)).is_some_and(|written| written.exact)
        };
        if !from.items[at].nullable {
            self.select.selection = self.select.selection.take().and_then(|all| without(&all, &is_exact));
        }
        let mut place = 0;
        for tables in &mut self.select.from {
            place += 1;
            for join in &mut tables.joins {
                use JoinOperator as J;
                if place == at
                    && let J::Join(constraint) | J::Inner(constraint) | J::Left(constraint) | J::LeftOuter(constraint) =
                        &mut join.join_operator
                    && let JoinConstraint::On(condition) = constraint
                {
                    *condition = without(condition, &is_exact).unwrap_or_else(|| Expr::value(Value::Boolean(true)));
                }
                place += 1;
            }
        }
    }

    /// Replaces the aggregates by combinations of the parts of groups. `None` if one cannot be combined, or if the number
    /// of rows matters otherwise.
    fn combine_aggregates(
        &mut self,
        grouped: &Grouped<'_>,
        column: &dyn Fn(&Expr) -> Option<usize>,
        parts: &mut AggregateParts,
    ) -> Option<()> {
        let mut found = false;
        let mut replace = |expr: &mut Expr| -> ControlFlow<()> {
            let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
            let combined = match classify_call(function) {
                Call::Scalar => return ControlFlow::Continue(()),
                Call::IgnoresRepeats => {
                    found = true;
                    return ControlFlow::Continue(());
                }
                Call::CountRows => grouped.count_rows(parts),
                Call::Of(kind, argument) => match grouped.combine(kind, argument, column, parts) {
                    // Repeated rows do not change the smallest and the greatest value.
                    None if kind.ignores_repeats() => {
                        found = true;
                        return ControlFlow::Continue(());
                    }
                    combined => combined,
                },
                Call::Other => None,
            };
            let Some(combined) = combined else { return ControlFlow::Break(()) };
            found = true;
            *expr = combined;
            ControlFlow::Continue(())
        };
        for expr in self.output_exprs_mut() {
            if visit_exprs_mut(expr, &mut replace).is_break() {
                return None;
            }
        }
        // Repeated rows do not change the groups, nor the distinct rows of the result.
        let ignores_repeats = has_group_by(&self.select) || self.select.distinct.is_some();
        (found || ignores_repeats).then_some(())
    }

    /// Returns the expressions that may contain aggregates.
    fn output_exprs_mut(&mut self) -> Vec<&mut Expr> {
        let mut all: Vec<&mut Expr> = Vec::new();
        for item in &mut self.select.projection {
            if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = item {
                all.push(expr);
            }
        }
        all.extend(&mut self.select.having);
        all.extend(&mut self.order);
        if let GroupByExpr::Expressions(keys, _) = &mut self.select.group_by {
            all.extend(keys);
        }
        all
    }

    /// Names the table of groups in the place of the table, and gives computed columns the names that they had.
    fn rename(
        &mut self,
        at: usize,
        number: usize,
        source: &Source,
        (binding, names): (&str, Vec<Option<String>>),
    ) -> Option<()> {
        let mut factors = self.select.from.iter_mut().flat_map(|tables| {
            std::iter::once(&mut tables.relation).chain(tables.joins.iter_mut().map(|join| &mut join.relation))
        });
        let factor = factors.nth(at)?;
        let TableFactor::Table { name, alias, .. } = factor else { return None };
        *name = ObjectName::from(vec![Ident::new(&source.name), Ident::new(group_name(source, number))]);
        if alias.is_none() {
            let name = Ident::with_quote('"', binding);
            *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        }
        for (item, name) in self.select.projection.iter_mut().zip(names) {
            if let (SelectItem::UnnamedExpr(expr), Some(name)) = (&*item, name) {
                *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', name) };
            }
        }
        Some(())
    }
}

/// Returns the conjuncts that do not match; `None` if all match.
fn without(condition: &Expr, matches: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let mut parts = Vec::new();
    collect_conjuncts(condition, &mut parts);
    parts.into_iter().filter(|part| !matches(part)).cloned().reduce(build_and)
}

/// Returns the name of a table of groups, which no table of the source has.
fn group_name(source: &Source, number: usize) -> String {
    let mut name = format!("groups_{}", number + 1);
    while source.catalog.tables.iter().any(|table| table.name.name.eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    name
}

fn build_part(
    sources: &[Source],
    item: &Item,
    (keys, parts): (Vec<usize>, AggregateParts),
    number: usize,
) -> Option<TablePart> {
    let found = item.table.as_ref()?;
    let table = found.table(sources);
    let key = |at: &usize| {
        let column = &table.columns[*at];
        PartColumn { name: column.name.clone(), data_type: column.data_type.clone() }
    };
    let part = |part: &AggregatePart| PartColumn { name: part.name.clone(), data_type: part.data_type.clone() };
    let columns = keys.iter().map(key).chain(parts.list.iter().map(part)).collect();
    let aggregates = parts.list.into_iter().map(|part| (part.expression, part.name)).collect();
    let filter = (!item.filters.is_empty()).then(|| Filter::All(item.filters.clone()));
    let part = TablePart {
        table: FoundTable { schema: None, ..found.clone() },
        name: group_name(&sources[found.source], number),
        query: PartQuery::Groups { keys, aggregates, filter },
        columns,
        reductions: choose_reductions(found, &item.links, sources),
    };
    // The source may be unable to group by a column.
    part.write(sources, &[]).is_some().then_some(part)
}
