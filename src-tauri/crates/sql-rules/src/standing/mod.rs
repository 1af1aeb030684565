//! Standing conditions: the user's conditions for every question that reads a table ("cancelled orders never count").
//! They are added to the syntax tree of each query, independent of its origin, so that no model has to follow them.

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

/// The standing conditions for one question.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The conditions that apply to the question.
    pub(crate) holding: Vec<StandingCondition>,
    /// Conditions whose excluded rows the question asks for.
    pub(crate) asked_for: Vec<StandingCondition>,
    /// Groups of values to be merged.
    pub(crate) merges: Vec<ValueMerge>,
    /// Terms of definitions that cannot be applied to a query, each with the reason.
    pub unfit: Vec<(String, String)>,
}

impl Standing {
    /// Returns an empty set of conditions.
    pub fn none() -> &'static Self {
        static NONE: Standing =
            Standing { holding: Vec::new(), asked_for: Vec::new(), merges: Vec::new(), unfit: Vec::new() };
        &NONE
    }

    /// Returns the tables and texts of the applied conditions.
    pub fn conditions(&self) -> impl Iterator<Item = (String, String)> {
        self.holding.iter().map(|holding| (holding.table.to_string(), holding.condition.to_string()))
    }

    /// Returns the values to be merged.
    pub fn merges(&self) -> &[ValueMerge] {
        &self.merges
    }

    /// Collects the standing conditions of a database's definitions for one question.
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

/// Checks that a standing definition can be applied to queries.
///
/// # Errors
/// A sentence with the reason why it cannot.
pub fn check_standing(definition: &Definition, catalog: &Catalog) -> Result<(), String> {
    match ValueMerge::is_defined_by(definition) {
        true => ValueMerge::from_definition(definition, catalog).map(|_| ()),
        false => StandingCondition::from_definition(definition, catalog).map(|_| ()),
    }
}

/// A condition on the rows of one table that applies to every question.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingCondition {
    table: TableName,
    /// Condition over columns of the table, without qualifiers.
    condition: Expr,
    form: Form,
    columns: Vec<String>,
    /// Reason in the user's words; may be empty.
    reason: String,
}

/// The form of a condition, as relevant for queries that test the same columns.
#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// The column has none of these values.
    Without(Vec<String>),
    /// The column has one of these values.
    Only(Vec<String>),
    /// A NULL test or a Boolean column: `deleted_at IS NULL`, `NOT is_test`.
    State,
    /// Any other form. It can be combined with any other condition.
    Range,
}

impl StandingCondition {
    /// Parses a standing definition.
    ///
    /// # Errors
    /// A sentence with the reason why it cannot be applied to a query.
    pub fn from_definition(definition: &Definition, catalog: &Catalog) -> Result<Self, String> {
        let subject = definition.subject.as_deref().unwrap_or_default();
        let of_column = || catalog.find_table(subject.rsplit_once('.')?.0);
        let Some(table) = catalog.find_table(subject).or_else(of_column) else {
            return Err(match subject.is_empty() {
                true => tr!("It names no table whose rows it is about"),
                false => tr!("Table {subject} not found", subject),
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

    /// Returns true if a question asks for the excluded rows by their stored value.
    fn is_asked_for(&self, question: &str) -> bool {
        matches!(&self.form, Form::Without(values) if values.iter().any(|value| mentions_value(question, value)))
    }

    fn is_column(&self, name: &str) -> bool {
        self.columns.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Parses a condition, and a query of the table's rows with only this condition.
fn parse_condition(text: &str, table: &TableName, dialect: Dialect) -> Result<(Expr, ReadOnlySql), String> {
    let over = format!("SELECT 1 FROM {} WHERE (", table_factor(table, dialect));
    let sql = ReadOnlySql::parse(&format!("{over}{text})"), dialect).map_err(|rejection| rejection.to_string())?;
    let condition = sql.with_query(|query| {
        let whole = query.to_string();
        let SetExpr::Select(select) = *query.body else { return None };
        let Some(Expr::Nested(condition)) = select.selection else { return None };
        // The text must be a single condition, without unbalanced parentheses or an ORDER BY.
        (whole == format!("{over}{condition})")).then_some(*condition)
    });
    let condition = condition.flatten().ok_or_else(|| tr!("“{text}” is not one condition", text))?;
    if has_queries(&condition) || !collect_aggregate_names(&condition).is_empty() {
        return Err(tr!("“{text}” looks at more than one row: a condition on columns of the table is needed", text));
    }
    Ok((condition, sql))
}

/// Returns the columns that a condition refers to.
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
        // A NULL value is not among the named values.
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

    /// Returns true if the condition excludes a value.
    fn leaves_out(&self, value: &str) -> bool {
        let is_in = |values: &[String]| values.iter().any(|own| own.to_lowercase() == value.to_lowercase());
        match self {
            Self::Without(values) => is_in(values),
            Self::Only(values) => !is_in(values),
            Self::State | Self::Range => false,
        }
    }

    /// Returns true if the condition may exclude a value that contains `part`. For `Only`, the excluded values are
    /// unknown.
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

/// Removes the qualifiers from an expression.
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
