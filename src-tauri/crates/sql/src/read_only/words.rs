//! Keywords that the parser represents as function calls. Their arguments are still checked.

use crate::dialect::{DialectExt, KeywordCall};
use crate::parse::last_part;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Join, JoinOperator, Select, TableFactor,
    TableVersion,
};
use std::collections::HashSet;
use std::ptr::from_ref;
use vitrine_domain::Dialect;

/// Addresses of the calls in one tree that are keywords, recorded before the walk reaches them.
#[derive(Default)]
pub(super) struct KeywordCalls {
    calls: HashSet<*const Function>,
    members: HashSet<*const TableFactor>,
}

impl KeywordCalls {
    /// Records keyword calls in an expression: the list of `LIKE ALL ('a%', 'b%')`.
    pub fn in_expr(&mut self, expr: &Expr, dialect: Dialect) {
        if let Expr::Like { pattern, .. } | Expr::ILike { pattern, .. } = expr
            && let Expr::Function(list) = &**pattern
            && dialect.sql().keyword_calls().contains(&KeywordCall::LikeAll)
            && is_plainly(list, &["all"])
        {
            self.calls.insert(from_ref(list));
        }
    }

    /// Records keyword calls in a table: the time of `orders AT (OFFSET => -60)`.
    pub fn in_table(&mut self, table: &TableFactor, dialect: Dialect) {
        if let TableFactor::Table { version: Some(TableVersion::Function(Expr::Function(moment))), .. } = table
            && dialect.sql().keyword_calls().contains(&KeywordCall::TimeTravel)
            && is_plainly(moment, &["at", "before"])
            && call_arguments(moment).iter().all(is_moment)
        {
            self.calls.insert(from_ref(moment));
        }
    }

    /// Records value lists in a SELECT: the list of `ARRAY JOIN arrayEnumerate(tags) AS n` is a value and not a table.
    pub fn in_select(&mut self, select: &Select) {
        use JoinOperator as J;
        let is_list = |join: &&Join| matches!(join.join_operator, J::ArrayJoin | J::LeftArrayJoin | J::InnerArrayJoin);
        let lists = select.from.iter().flat_map(|from| &from.joins).filter(is_list).map(|join| &join.relation);
        // The list continues after a comma.
        let begun = select.from.iter().skip_while(|from| !from.joins.iter().any(|join| is_list(&join))).skip(1);
        self.members.extend(lists.chain(begun.map(|from| &from.relation)).map(from_ref));
    }

    /// Returns true if a call is a keyword, or the date part `WEEK(MONDAY)`.
    pub fn contains_call(&self, call: &Function, dialect: Dialect) -> bool {
        self.calls.contains(&from_ref(call))
            || dialect.sql().keyword_calls().contains(&KeywordCall::WeekDay)
                && is_plainly(call, &["week"])
                && matches!(call_arguments(call), [day] if is_day(day))
    }

    /// Returns true if an apparent table function is a scalar function.
    pub fn has_members(&self, table: &TableFactor) -> bool {
        self.members.contains(&from_ref(table))
    }
}

/// Returns true if a call consists only of one of these names without quotes and a list of arguments.
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
