//! Words of the grammar that the parser has as calls of functions: what stands in their brackets is looked at all the same.

use crate::parse::last_part;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Join, JoinOperator, Select, TableFactor,
    TableVersion,
};
use std::collections::HashSet;
use std::ptr::from_ref;
use vitrine_domain::Dialect;

/// Places in one tree of calls that are words, known before the walk comes to them.
#[derive(Default)]
pub(super) struct KeywordCalls {
    calls: HashSet<*const Function>,
    members: HashSet<*const TableFactor>,
}

impl KeywordCalls {
    /// Learns what the parts of an expression are: the list of `LIKE ALL ('a%', 'b%')`.
    pub fn in_expr(&mut self, expr: &Expr, dialect: Dialect) {
        if let Expr::Like { pattern, .. } | Expr::ILike { pattern, .. } = expr
            && let Expr::Function(list) = &**pattern
            && matches!(dialect, Dialect::Snowflake | Dialect::Databricks)
            && is_plainly(list, &["all"])
        {
            self.calls.insert(from_ref(list));
        }
    }

    /// The same of a table: the time of `orders AT (OFFSET => -60)`.
    pub fn in_table(&mut self, table: &TableFactor, dialect: Dialect) {
        if let TableFactor::Table { version: Some(TableVersion::Function(Expr::Function(moment))), .. } = table
            && dialect == Dialect::Snowflake
            && is_plainly(moment, &["at", "before"])
            && call_arguments(moment).iter().all(is_moment)
        {
            self.calls.insert(from_ref(moment));
        }
    }

    /// The same of a SELECT: the list of `ARRAY JOIN arrayEnumerate(tags) AS n` is a value and no table.
    pub fn in_select(&mut self, select: &Select) {
        use JoinOperator as J;
        let is_list = |join: &&Join| matches!(join.join_operator, J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin);
        let lists = select.from.iter().flat_map(|from| &from.joins).filter(is_list).map(|join| &join.relation);
        // Behind its comma goes the list on.
        let begun = select.from.iter().skip_while(|from| !from.joins.iter().any(|join| is_list(&join))).skip(1);
        self.members.extend(lists.chain(begun.map(|from| &from.relation)).map(from_ref));
    }

    /// Whether a call is no call: a word, or `WEEK(MONDAY)`, a part of a date in BigQuery.
    pub fn contains_call(&self, call: &Function, dialect: Dialect) -> bool {
        self.calls.contains(&from_ref(call))
            || dialect == Dialect::Bigquery
                && is_plainly(call, &["week"])
                && matches!(call_arguments(call), [day] if is_day(day))
    }

    /// Whether what looks like a table's function is one of values.
    pub fn has_members(&self, table: &TableFactor) -> bool {
        self.members.contains(&from_ref(table))
    }
}

/// Whether a call is no more than one of these names without quotes, and a list of arguments.
fn is_plainly(call: &Function, names: &[&str]) -> bool {
    let is_named = last_part(&call.name).is_some_and(|last| {
        last.quote_style.is_none() && names.iter().any(|name| last.value.eq_ignore_ascii_case(name))
    });
    let is_list = match &call.args {
        FunctionArguments::List(list) => list.clauses.is_empty() && list.duplicate_treatment.is_none(),
        _ => false,
    };
    is_named
        && is_list
        && call.name.0.len() == 1
        && call.parameters == FunctionArguments::None
        && call.filter.is_none()
        && call.over.is_none()
        && call.null_treatment.is_none()
        && call.within_group.is_empty()
}

fn call_arguments(call: &Function) -> &[FunctionArg] {
    match &call.args {
        FunctionArguments::List(list) => &list.args,
        _ => &[],
    }
}

fn is_moment(argument: &FunctionArg) -> bool {
    let name = match argument {
        FunctionArg::Named { name, .. } | FunctionArg::ExprNamed { name: Expr::Identifier(name), .. } => name,
        _ => return false,
    };
    ["timestamp", "offset", "statement"].iter().any(|known| name.value.eq_ignore_ascii_case(known))
}

fn is_day(argument: &FunctionArg) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(day))) = argument else { return false };
    day.quote_style.is_none() && DAYS.iter().any(|known| day.value.eq_ignore_ascii_case(known))
}
