//! Extracts aggregates, keys and windows from expressions, which then use their columns.

use crate::chain::Chain;
use crate::names::computed_column_name;
use crate::plan::Made;
use crate::slots::{slot_marker, slot_of};
use sqlparser::ast::{Expr, Function, FunctionArguments, Query, VisitMut, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{is_aggregate, last_part, visit_mut};
use vitrine_sql::fold_identifier;

/// Returns true if a function aggregates the rows of a group.
pub(crate) fn is_aggregate_call(function: &Function, dialect: Dialect) -> bool {
    let Some(name) = last_part(&function.name) else { return false };
    let arguments = match &function.args {
        FunctionArguments::List(list) => list.args.len(),
        _ => 0,
    };
    let of_values = dialect.sql().min_and_max_compare_arguments()
        && arguments > 1
        && ["min", "max"].iter().any(|f| name.value.eq_ignore_ascii_case(f));
    let says_so = function.filter.is_some() || !function.within_group.is_empty();
    function.over.is_none() && !of_values && (is_aggregate(&name.value) || says_so)
}

/// The kind of expressions to extract.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Leaves {
    Aggregates,
    Windows,
}

/// Replaces the extracted expressions of `part` by slots; `made` contains those extracted before, `keys` the GROUP BY
/// keys.
pub(crate) fn extract_expressions(
    chain: &mut Chain<'_>,
    leaves: Leaves,
    keys: &[Made],
    made: &mut Vec<Made>,
    part: &mut impl VisitMut,
) {
    let _ = visit_mut(part, &mut Extracts { chain, leaves, keys, made, queries: 0 });
}

struct Extracts<'e, 'a> {
    chain: &'e mut Chain<'a>,
    leaves: Leaves,
    keys: &'e [Made],
    made: &'e mut Vec<Made>,
    queries: usize,
}

impl VisitorMut for Extracts<'_, '_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Some((slot, _)) = self.keys.iter().find(|(_, key)| key == expr && slot_of(key).is_none()) {
            *expr = slot_marker(*slot);
            return ControlFlow::Continue(());
        }
        let Expr::Function(function) = &*expr else { return ControlFlow::Continue(()) };
        let leaves = match self.leaves {
            Leaves::Aggregates => is_aggregate_call(function, self.chain.dialect),
            Leaves::Windows => function.over.is_some(),
        };
        if leaves && self.queries == 0 {
            *expr = slot_marker(made_slot(self.chain, self.made, expr));
        }
        ControlFlow::Continue(())
    }
}

/// Returns the slot of a computed expression; a new one if it has none yet.
pub(crate) fn made_slot(chain: &mut Chain<'_>, made: &mut Vec<Made>, expr: &Expr) -> usize {
    if let Some((slot, _)) = made.iter().find(|(_, known)| known == expr) {
        return *slot;
    }
    let name = computed_column_name(expr, &|expr| slot_of(expr).map(|slot| chain.columns[slot].name.clone()));
    let name = fold_identifier(&name, chain.dialect);
    let slot = chain.add_computed_column(name, expr);
    made.push((slot, expr.clone()));
    slot
}
