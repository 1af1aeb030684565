//! Describes steps as data.

use crate::chain::Chain;
use crate::plan::{Made, Op, Out};
use crate::slots::Slot;
use crate::steps::{Aggregate, OrderKey, Output, StepKind};
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, OrderByExpr, OrderBySort,
};
use std::collections::HashMap;
use vitrine_sql::ast::last_part;

impl Chain<'_> {
    pub fn order_keys(&self, keys: &[OrderByExpr]) -> Vec<OrderKey> {
        let descending = |key: &OrderByExpr| matches!(key.options.sort, Some(OrderBySort::Desc));
        keys.iter()
            .map(|key| OrderKey { value: self.shown_expression(&key.expr), descending: descending(key) })
            .collect()
    }

    /// Returns the values that an operation computes, with final column names.
    pub fn describe_operation(&self, op: &Op, names: &HashMap<Slot, String>) -> StepKind {
        let output = |(slot, expr): &Made| Output {
            name: names.get(slot).unwrap_or(&self.columns[*slot].name).clone(),
            value: self.shown_expression(expr),
        };
        let all = |made: &[Made]| made.iter().map(output).collect();
        match op {
            Op::Group { keys, aggregates, order } => StepKind::Group {
                keys: all(keys),
                aggregates: aggregates.iter().map(|made| self.describe_aggregate(&made.1, output(made))).collect(),
                order: self.order_keys(order),
            },
            Op::Window { made, .. } => StepKind::Window { outputs: all(made) },
            Op::Project(made) => StepKind::Project { outputs: all(made) },
            _ => StepKind::Distinct,
        }
    }

    pub fn shown_outputs(&self, outputs: &[Out]) -> Vec<Output> {
        outputs.iter().map(|out| Output { name: out.name.clone(), value: self.shown_expression(&out.value) }).collect()
    }

    fn describe_aggregate(&self, expr: &Expr, Output { name, value }: Output) -> Aggregate {
        let Expr::Function(Function { name: function, args, .. }) = expr else {
            return Aggregate { name, function: String::new(), argument: None, distinct: false, value };
        };
        let function = last_part(function).map(|name| name.value.to_lowercase()).unwrap_or_default();
        let (argument, distinct) = match args {
            FunctionArguments::List(list) => {
                let argument = list.args.first().and_then(|arg| match arg {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(self.shown_expression(expr)),
                    _ => None,
                });
                (argument, list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
            }
            _ => (None, false),
        };
        Aggregate { name, function, argument, distinct, value }
    }
}
