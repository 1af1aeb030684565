//! Standing conditions: what the user wants to hold for every question that reads a table ("cancelled orders never count").
//! They are put into each query by its tree, whoever wrote it, so that no model has to heed them.

mod apply;
mod aside;
mod merged;
mod missing;
mod place;
#[cfg(test)]
mod tests;

pub(crate) use apply::apply_conditions;
pub use aside::left_aside;
pub(crate) use merged::apply_rule as apply_merges;
pub(crate) use missing::apply_rule as apply_where_missing;
pub(crate) use place::ConditionPlace;

use crate::merging::ValueMerge;
use crate::values::mentions_value;
use sqlparser::ast::{BinaryOperator, Expr, SetExpr, Value};
use vitrine_domain::{Catalog, Definition, Dialect, TableName};
use vitrine_sql::ast::{
    ColumnReferences, collect_aggregate_names, collect_constants, each_own_expr, has_queries, is_column, table_factor,
    visit_tree,
};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_words::tr;

/// The standing conditions that a question meets.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Those that hold.
    pub(crate) holding: Vec<StandingCondition>,
    /// Those whose rows the question asks for itself.
    pub(crate) asked_for: Vec<StandingCondition>,
    /// Values that count as one.
    pub(crate) merges: Vec<ValueMerge>,
    /// The terms of those that cannot be put into a query, and why.
    pub unfit: Vec<(String, String)>,
}

impl Standing {
    /// None at all.
    pub fn none() -> &'static Self {
        static NONE: Standing =
            Standing { holding: Vec::new(), asked_for: Vec::new(), merges: Vec::new(), unfit: Vec::new() };
        &NONE
    }

    /// The tables and the conditions of those that hold.
    pub fn conditions(&self) -> impl Iterator<Item = (String, String)> {
        self.holding.iter().map(|holding| (holding.table.to_string(), holding.condition.to_string()))
    }

    /// The values that count as one.
    pub fn merges(&self) -> &[ValueMerge] {
        &self.merges
    }

    /// Those among the definitions of a database, for one question.
    pub fn from_definitions(definitions: &[Definition], catalog: &Catalog, question: &str) -> Self {
        let mut standing = Self::default();
        for definition in definitions.iter().filter(|definition| definition.always) {
            if ValueMerge::is_defined_by(definition) {
                match ValueMerge::from_definition(definition, catalog) {
                    Ok(merge) => standing.merges.push(merge),
                    Err(problem) => standing.unfit.push((definition.term.clone(), problem)),
                }
                continue;
            }
            match StandingCondition::from_definition(definition, catalog) {
                Ok(condition) if condition.is_asked_for(question) => standing.asked_for.push(condition),
                Ok(condition) => standing.holding.push(condition),
                Err(problem) => standing.unfit.push((definition.term.clone(), problem)),
            }
        }
        standing
    }
}

/// Checks that what a definition says always can be put into queries.
///
/// # Errors
/// Why it cannot, as a sentence.
pub fn check_standing(definition: &Definition, catalog: &Catalog) -> Result<(), String> {
    match ValueMerge::is_defined_by(definition) {
        true => ValueMerge::from_definition(definition, catalog).map(|_| ()),
        false => StandingCondition::from_definition(definition, catalog).map(|_| ()),
    }
}

/// A condition on the rows of one table that holds for every question.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingCondition {
    table: TableName,
    /// Over columns of the table, without qualifiers.
    condition: Expr,
    form: Form,
    columns: Vec<String>,
    /// Why it holds, in the user's words; may be empty.
    reason: String,
}

/// What a condition asks of its columns, as far as it matters for queries that look at them, too.
#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// The column has none of these values.
    Without(Vec<String>),
    /// The column has one of these values.
    Only(Vec<String>),
    /// No value stands in it: `deleted_at IS NULL`, `NOT is_test`.
    State,
    /// Anything else. It can stand beside any other condition.
    Range,
}

impl StandingCondition {
    /// Reads a definition that holds always.
    ///
    /// # Errors
    /// Why it cannot be put into a query, as a sentence.
    pub fn from_definition(definition: &Definition, catalog: &Catalog) -> Result<Self, String> {
        let subject = definition.subject.as_deref().unwrap_or_default();
        let of_column = || catalog.find_table(subject.rsplit_once('.')?.0);
        let Some(table) = catalog.find_table(subject).or_else(of_column) else {
            return Err(match subject.is_empty() {
                true => tr!("It names no table whose rows it is about"),
                false => tr!("There is no table {subject}", subject),
            });
        };
        let text = definition.condition.as_deref().unwrap_or_default();
        if text.is_empty() {
            return Err(tr!("It has no condition in SQL"));
        }
        let (condition, sql) = parse_condition(text, &table.name, catalog.dialect)?;
        if let Some(problem) = bind_names(&sql, catalog).problems.first() {
            return Err(problem.to_string());
        }
        let columns = condition_columns(&condition);
        if columns.is_empty() {
            return Err(tr!("It is about no column of {table}", table = table.name));
        }
        let form = Form::classify_condition(&condition, &columns);
        Ok(Self {
            table: table.name.clone(),
            condition: strip_qualifiers(&condition),
            form,
            columns,
            reason: definition.meaning.clone(),
        })
    }

    /// Whether a question asks for the rows that it leaves out, by their stored value.
    fn is_asked_for(&self, question: &str) -> bool {
        matches!(&self.form, Form::Without(values) if values.iter().any(|value| mentions_value(question, value)))
    }

    fn is_column(&self, name: &str) -> bool {
        self.columns.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The condition, and a query of the table's rows by it alone.
fn parse_condition(text: &str, table: &TableName, dialect: Dialect) -> Result<(Expr, ReadOnlySql), String> {
    let over = format!("SELECT 1 FROM {} WHERE (", table_factor(table, dialect));
    let sql = ReadOnlySql::parse(&format!("{over}{text})"), dialect).map_err(|rejection| rejection.to_string())?;
    let condition = sql.with_query(|query| {
        let whole = query.to_string();
        let SetExpr::Select(select) = *query.body else { return None };
        let Some(Expr::Nested(condition)) = select.selection else { return None };
        // Nothing but the condition: no second one in brackets, no ORDER BY.
        (whole == format!("{over}{condition})")).then_some(*condition)
    });
    let condition = condition.flatten().ok_or_else(|| tr!("“{text}” is not one condition", text))?;
    if has_queries(&condition) || !collect_aggregate_names(&condition).is_empty() {
        return Err(tr!("“{text}” looks at more than one row: a condition on columns of the table is needed", text));
    }
    Ok((condition, sql))
}

/// The columns that a condition names.
fn condition_columns(condition: &Expr) -> Vec<String> {
    let mut names = ColumnReferences::default();
    let _ = visit_tree(condition, &mut names);
    names.bare.into_iter().chain(names.columns.into_iter().map(|(_, name)| name)).collect()
}

impl Form {
    fn classify_condition(condition: &Expr, columns: &[String]) -> Self {
        let values = collect_constants(condition);
        if values.is_empty() {
            return Self::State;
        }
        // A column without a value is none of those named.
        let compared = match condition {
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } if matches!(right.as_ref(), Expr::IsNull(_)) => left,
            other => other,
        };
        match compared {
            _ if columns.iter().any(|column| column != &columns[0]) => Self::Range,
            Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } if is_value(left, right) => Self::Without(values),
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_value(left, right) => Self::Only(values),
            Expr::InList { expr, negated, .. } if is_column(expr) => {
                if *negated {
                    Self::Without(values)
                } else {
                    Self::Only(values)
                }
            }
            _ => Self::Range,
        }
    }

    /// Whether a value is one that the condition leaves out.
    fn leaves_out(&self, value: &str) -> bool {
        let is_in = |values: &[String]| values.iter().any(|own| own.to_lowercase() == value.to_lowercase());
        match self {
            Self::Without(values) => is_in(values),
            Self::Only(values) => !is_in(values),
            Self::State | Self::Range => false,
        }
    }

    /// The same for a part of a value; of what is not among the only values nobody knows.
    fn leaves_out_like(&self, part: &str) -> bool {
        match self {
            Self::Without(values) => values.iter().any(|own| own.to_lowercase().contains(&part.to_lowercase())),
            Self::Only(_) => true,
            Self::State | Self::Range => false,
        }
    }
}

fn is_value(left: &Expr, right: &Expr) -> bool {
    let is = |expr: &Expr| matches!(expr, Expr::Value(value) if !matches!(value.value, Value::Null));
    is_column(left) && is(right) || is_column(right) && is(left)
}

/// An expression without qualifiers.
pub(crate) fn strip_qualifiers(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    each_own_expr(&mut expr, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let Some(last) = parts.pop()
        {
            *expr = Expr::Identifier(last);
        }
    });
    expr
}
