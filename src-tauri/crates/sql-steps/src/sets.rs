//! Splits set operations: one step for each, in the order of evaluation.

use crate::branch::{Branch, BranchColumn, Read, Target};
use crate::chain::Chain;
use crate::from::Frame;
use crate::names::same_name;
use crate::plan::{Op, Out, Plan};
use crate::query::{Tail, final_names};
use crate::steps::{SetKind, StepColumn, StepKind};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{
    Expr, OrderByExpr, OrderByKind, SelectItem, SetExpr, SetOperator, SetQuantifier, Value, ValueWithSpan,
};
use vitrine_domain::Dialect;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{own_name, query_of};
use vitrine_words::tr;

impl Chain<'_> {
    /// Applies order and limit to a set operation's result.
    pub fn sort_set_result(
        &mut self,
        branch: Branch,
        body: &SetExpr,
        tail: &Tail<'_>,
        target: &Target,
    ) -> Outcome<Branch> {
        let shown: Vec<String> = branch.outputs.iter().map(|column| column.shown.clone()).collect();
        let source = self.branch_source(String::new(), branch);
        let columns = source.columns.iter().zip(shown);
        let outputs: Vec<Out> =
            columns.map(|((name, slot), shown)| Out { shown, ..Out::from_column(name, *slot) }).collect();
        let mut order = tail.constant_limit()?;
        let keys = match tail.order_by.map(|by| (&by.kind, &by.interpolate)) {
            None => &[][..],
            Some((OrderByKind::Expressions(keys), None)) => keys,
            Some(_) => return unsupported_part(tr!("an order by all columns")),
        };
        for key in keys {
            let Some(at) = sort_key_column(&key.expr, &outputs, body) else {
                return unsupported_part(tr!("what a set operation is sorted by"));
            };
            let Some(out) = outputs.get(at) else { return unsupported_part(tr!("a position that is not there")) };
            order.keys.push(OrderByExpr { expr: out.value.clone(), options: key.options.clone(), with_fill: None });
        }
        self.write_plan(Plan { frame: Frame::from_source(source), does: vec![Op::Order(order)], outputs }, target)
    }

    pub fn set_operation(&mut self, body: &SetExpr, target: &Target) -> Outcome<Branch> {
        let mut operands = Vec::new();
        collect_operands(body, self.dialect, &mut operands);
        let mut done: Option<Branch> = None;
        let count = operands.len();
        for (at, (operation, operand)) in operands.into_iter().enumerate() {
            let right = self.plan_operand(operand)?;
            done = Some(match (done, operation) {
                (Some(left), Some((operator, quantifier))) => {
                    let target = if at + 1 == count { target } else { &Target::Rows };
                    self.combine_operands(left, right, operator, quantifier, target)?
                }
                _ => right,
            });
        }
        done.map_or_else(|| unsupported_part(tr!("a set operation of nothing")), Ok)
    }

    fn plan_operand(&mut self, body: &SetExpr) -> Outcome<Branch> {
        match body {
            // As a step, a constant would no longer get its type from the other operand.
            SetExpr::Select(select)
                if select.from.is_empty() && self.dialect.sql().set_operations_convert_constants() =>
            {
                unsupported_part(tr!("a constant in a set operation"))
            }
            SetExpr::Query(query) => self.build_branch(query, Target::Arm),
            SetExpr::SetOperation { .. } => self.set_operation(body, &Target::Rows),
            body => self.build_branch(&query_of(body.clone()), Target::Arm),
        }
    }

    fn combine_operands(
        &mut self,
        left: Branch,
        right: Branch,
        operator: SetOperator,
        quantifier: SetQuantifier,
        target: &Target,
    ) -> Outcome<Branch> {
        let operation = match operator {
            SetOperator::Union => SetKind::Union,
            SetOperator::Intersect => SetKind::Intersect,
            SetOperator::Except | SetOperator::Minus => SetKind::Except,
        };
        let all = match quantifier {
            SetQuantifier::All => true,
            SetQuantifier::None | SetQuantifier::Distinct => false,
            _ => return unsupported_part(tr!("a set operation by names")),
        };
        if left.outputs.len() != right.outputs.len() {
            return unsupported_part(tr!("a set operation of results that do not fit"));
        }
        let nice = |c: &BranchColumn| match (&c.value, &c.said) {
            (None, _) => c.column.clone(),
            (Some(_), Some(said)) => said.name.clone(),
            (Some(_), None) => c.name.clone(),
        };
        let nice: Vec<String> = left.outputs.iter().map(nice).collect();
        let declared = left.outputs.iter().zip(&nice).map(|(own, nice)| {
            (if *target == Target::Result { own.shown.as_str() } else { own.name.as_str() }, nice.as_str())
        });
        let names = final_names(target, &declared.collect::<Vec<_>>());
        let origins = left
            .outputs
            .iter()
            .zip(&right.outputs)
            .map(|(one, other)| one.origin.clone().filter(|origin| other.origin.as_ref() == Some(origin)));
        let columns: Vec<StepColumn> =
            names.iter().zip(origins).map(|(name, origin)| StepColumn { name: name.clone(), origin }).collect();
        let sql = format!(
            "{}\n{operator}{}\n{}",
            left.to_select_sql(Some(&names), self.dialect),
            if all { " ALL" } else { "" },
            right.to_select_sql(None, self.dialect)
        );
        let computed = left.outputs.iter().chain(&right.outputs).filter_map(|column| column.said.clone()).collect();
        let (first, second) = (left.read.name(), right.read.name());
        let kind = StepKind::SetOperation { operation, all, left: first, right: second, computed };
        let what = operator.to_string().to_lowercase();
        let values: Vec<&Expr> =
            left.outputs.iter().chain(&right.outputs).filter_map(|column| column.value.as_ref()).collect();
        let mut read = vec![left.read.name()];
        for name in
            std::iter::once(right.read.name()).chain(values.iter().flat_map(|value| self.named_relations(*value)))
        {
            if !read.contains(&name) {
                read.push(name);
            }
        }
        let step = self.target_name(target, &what);
        self.push_step(step.clone(), kind, sql, read, columns.clone());
        let outputs = left.outputs.into_iter().zip(columns);
        let outputs = outputs.map(|(own, column)| BranchColumn {
            name: own.name,
            shown: own.shown,
            column: column.name,
            value: None,
            said: None,
            origin: column.origin,
        });
        Ok(Branch { read: Read::Step(step), outputs: outputs.collect() })
    }
}

/// Collects the operands of a set operation, each with the operation that joins it to those before.
fn collect_operands<'q>(
    body: &'q SetExpr,
    dialect: Dialect,
    operands: &mut Vec<(Option<(SetOperator, SetQuantifier)>, &'q SetExpr)>,
) {
    match body {
        SetExpr::SetOperation { op, set_quantifier, left, right } => {
            collect_operands(left, dialect, operands);
            let first = operands.len();
            if dialect.sql().set_operations_have_equal_precedence() {
                collect_operands(right, dialect, operands);
            } else {
                operands.push((None, right));
            }
            if let Some((operation, _)) = operands.get_mut(first) {
                *operation = Some((*op, *set_quantifier));
            }
        }
        other => operands.push((None, other)),
    }
}

/// Returns the column of a set operation that a sort key refers to.
fn sort_key_column(key: &Expr, outputs: &[Out], body: &SetExpr) -> Option<usize> {
    match key {
        Expr::Value(ValueWithSpan { value: Value::Number(digits, _), .. }) => {
            digits.parse::<usize>().ok()?.checked_sub(1)
        }
        Expr::Identifier(ident) if outputs.iter().any(|out| same_name(&out.name, &ident.value)) => {
            outputs.iter().position(|out| same_name(&out.name, &ident.value))
        }
        key => written_in(key, body),
    }
}

/// Returns the index in a select list of an expression, or of a column with its name.
fn written_in(key: &Expr, body: &SetExpr) -> Option<usize> {
    match body {
        SetExpr::Select(select) => select.projection.iter().position(|item| match item {
            SelectItem::UnnamedExpr(expr) => {
                let names = (own_name(expr), own_name(key));
                expr == key || matches!(names, (Some(own), Some(wanted)) if same_name(own, wanted))
            }
            SelectItem::ExprWithAlias { expr, alias } => {
                expr == key || matches!(key, Expr::Identifier(ident) if same_name(&ident.value, &alias.value))
            }
            _ => false,
        }),
        SetExpr::Query(query) => written_in(key, &query.body),
        SetExpr::SetOperation { left, right, .. } => written_in(key, left).or_else(|| written_in(key, right)),
        _ => None,
    }
}
