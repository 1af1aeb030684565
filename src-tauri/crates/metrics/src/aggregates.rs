//! Aggregates within an expression, such as `SUM(amount) / COUNT(*)`.

use crate::definition::Aggregate;
use crate::expression::{formula_names, with_expression};
use crate::problem::MetricError;
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::parse::visit_exprs_mut;
use vitrine_words::tr;

/// An expression split into aggregates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SplitAggregates {
    /// The expression, with `{prefix}1`, `{prefix}2` and so on in place of the aggregates.
    pub formula: String,
    /// The aggregates with their expressions; `None` counts rows.
    pub aggregates: Vec<(Aggregate, Option<String>)>,
}

/// Splits an expression whose columns are all within aggregates.
///
/// # Errors
/// Fails for columns outside of aggregates and for aggregates that metrics do not have.
pub(crate) fn split_aggregates(text: &str, prefix: &str, dialect: Dialect) -> Result<SplitAggregates, MetricError> {
    let mut aggregates: Vec<(Aggregate, Option<String>)> = Vec::new();
    let formula = with_expression(text, dialect, |mut expr| {
        let done = visit_exprs_mut(&mut expr, |part| {
            let Expr::Function(function) = part else { return ControlFlow::Continue(()) };
            match read_aggregate(function) {
                Ok(None) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
                Ok(Some(found)) => {
                    let known = aggregates.iter().position(|known| *known == found).unwrap_or(aggregates.len());
                    if known == aggregates.len() {
                        aggregates.push(found);
                    }
                    *part = Expr::Identifier(Ident::new(format!("{prefix}{}", known + 1)));
                    ControlFlow::Continue(())
                }
            }
        });
        match done {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(expr.to_string()),
        }
    })?;
    let outside = formula_names(&formula, dialect)?
        .into_iter()
        .find(|name| (1..=aggregates.len()).all(|number| *name != format!("{prefix}{number}")));
    match outside {
        Some(name) => Err(MetricError::new(tr!("'{name}' is used outside of an aggregate", name))),
        None => Ok(SplitAggregates { formula, aggregates }),
    }
}

fn read_aggregate(function: &Function) -> Result<Option<(Aggregate, Option<String>)>, MetricError> {
    let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice() else { return Ok(None) };
    let aggregate = match name.value.to_ascii_lowercase().as_str() {
        "sum" => Aggregate::Sum,
        "count" => Aggregate::Count,
        "avg" => Aggregate::Average,
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "median" => Aggregate::Median,
        _ => return Ok(None),
    };
    let unsupported = || MetricError::new(tr!("the aggregate {call} is not supported", call = function));
    let is_plain = function.over.is_none() && function.filter.is_none() && function.within_group.is_empty();
    let FunctionArguments::List(list) = &function.args else { return Err(unsupported()) };
    let ([FunctionArg::Unnamed(argument)], true, true) = (list.args.as_slice(), is_plain, list.clauses.is_empty())
    else {
        return Err(unsupported());
    };
    let distinct = matches!(list.duplicate_treatment, Some(DuplicateTreatment::Distinct));
    match (argument, aggregate, distinct) {
        (FunctionArgExpr::Wildcard, Aggregate::Count, false) => Ok(Some((aggregate, None))),
        (FunctionArgExpr::Expr(value), Aggregate::Count, true) => {
            Ok(Some((Aggregate::CountDistinct, Some(value.to_string()))))
        }
        (FunctionArgExpr::Expr(value), _, false) => Ok(Some((aggregate, Some(value.to_string())))),
        _ => Err(unsupported()),
    }
}
