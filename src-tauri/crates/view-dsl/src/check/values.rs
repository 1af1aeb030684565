//! Resolves the expressions of a row: looks up the columns in expressions and conditions.

use super::conditions::{self, ConditionOperand, DEEPEST, checked_day, convert_free_constant};
use super::lookup::{ColumnLookup, read_as};
use super::problem::join_names;
use super::scope::Problems;
use crate::model::hidden::Hidden;
use crate::model::plan::{Field, Fixed, Held, Value};
use crate::model::relation::ViewColumn;
use crate::model::words::format_expression;
use vitrine_domain::views::{Case, CastType, Condition, Expression, Moment, Nested, Step};
use vitrine_sql::{ColumnType, DialectExt};

/// The form in which a column is used: as stored, or as its hidden type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ColumnForm {
    Stored,
    Meant,
}

/// Resolves an expression. Its parts are read as their hidden types, because computations need numbers.
pub(crate) fn resolve_value(
    of: &Expression,
    reading: ColumnForm,
    look: &ColumnLookup<'_, '_>,
    depth: usize,
) -> Result<Value, String> {
    if depth == 0 {
        return Err("The expression is nested too deeply.".to_owned());
    }
    let inner = |of: &Expression| resolve_value(of, ColumnForm::Meant, look, depth - 1);
    match of {
        Expression::Column(name) => resolve_column_value(name, reading, look),
        Expression::Number(number) => Ok(Value::Number(number.to_string())),
        Expression::Arithmetic(parts) => {
            let side = |of: &Expression| {
                let value = inner(of)?;
                match (&value, value.family().is_number()) {
                    (Value::Field(field), false) => {
                        Err(format!("{} is {}: it cannot be reckoned with.", field.column, type_noun(field)))
                    }
                    _ => Ok(value),
                }
            };
            Ok(Value::Arithmetic(Box::new(side(&parts.left)?), parts.op, Box::new(side(&parts.right)?)))
        }
        Expression::Nested(parts) => resolve_nested(parts, look),
        Expression::Cast(parts) => resolve_cast(inner(&parts.cast)?, parts.to, &format_expression(&parts.cast)),
        Expression::Case(case) => self::resolve_case(case, look, depth - 1),
        Expression::Dates(dates) => {
            let (from, to) = (resolve_moment(&dates.from, look)?, resolve_moment(&dates.to, look)?);
            Ok(Value::Steps { from: Box::new(from), to: Box::new(to), unit: dates.unit })
        }
    }
}

/// Resolves a column; the join column of a full join is taken from either side.
fn resolve_column_value(name: &str, reading: ColumnForm, look: &ColumnLookup<'_, '_>) -> Result<Value, String> {
    if let Some((left, right, hidden)) = look.find_merged_column(name) {
        let read = |field: Field| match reading {
            ColumnForm::Stored => field,
            ColumnForm::Meant => read_as(field, hidden.clone()),
        };
        return Ok(Value::Either(read(left), read(right)));
    }
    match reading {
        ColumnForm::Stored => look.stored_field(name).map(Value::Field),
        ColumnForm::Meant => look.converted_field(name).map(Value::Field),
    }
}

/// Resolves a path into a nested column. Text may contain JSON, except for engines that fail on other text.
fn resolve_nested(of: &Nested, look: &ColumnLookup<'_, '_>) -> Result<Value, String> {
    let field = look.stored_field(&of.column)?;
    let name = &of.column;
    let dialect = look.scope.catalog.dialect;
    match field.family {
        ColumnType::Other => {}
        ColumnType::Text | ColumnType::Unknown if dialect.sql().reads_paths_in_text() => {}
        ColumnType::Text => {
            let dialect = dialect.sql().display_name();
            return Err(format!("{name} is text, and {dialect} has paths into json and arrays only."));
        }
        family => return Err(format!("{name} is {}: nothing is inside it. Name it as it is.", family.noun())),
    }
    let odd = |step: &&Step| matches!(step, Step::Key(key) if key.is_empty() || key.contains(['"', '\\', '\0']));
    if let Some(step) = of.path.iter().find(odd) {
        return Err(format!("{step:?} is no key that a path can have."));
    }
    if of.path.is_empty() || of.path.len() > DEEPEST {
        return Err(format!("A path has between 1 and {DEEPEST} steps."));
    }
    Ok(Value::Nested(field, of.path.clone(), of.kind))
}

/// Resolves a cast, if all dialects convert these types alike.
fn resolve_cast(of: Value, to: CastType, name: &str) -> Result<Value, String> {
    use ColumnType as T;
    let family = of.family();
    let number = family.is_number() && family != T::Unknown;
    let instead = match (to, family) {
        (_, T::Other) => "it can only be counted and compared with NULL",
        (CastType::Whole | CastType::Number, T::Date | T::Timestamp) => "count days from a date with from, to, in",
        (CastType::Text, T::Decimal | T::Float) => "cast it to a whole number first",
        (CastType::Text, T::Timestamp) => "cast it to a date first",
        (CastType::Date, T::Boolean) => "it is no date",
        (CastType::Date, _) if number => "it is no date",
        _ => return Ok(Value::Cast(Box::new(of), to)),
    };
    Err(format!("{name} is {} and cannot be cast so: {instead}.", family.noun()))
}

fn resolve_case(case: &Case, look: &ColumnLookup<'_, '_>, depth: usize) -> Result<Value, String> {
    if case.case.is_empty() {
        return Err("A case needs a branch.".to_owned());
    }
    let mut branches = Vec::new();
    for branch in &case.case {
        if branch.when.is_empty() {
            return Err("A branch of a case needs a condition in when; what is left goes to else.".to_owned());
        }
        let when = branch
            .when
            .iter()
            .map(|condition| resolve_row_condition(condition, look, depth))
            .collect::<Result<_, _>>()?;
        branches.push((when, convert_free_constant(&branch.then)?));
    }
    let otherwise = case.otherwise.as_ref().map(convert_free_constant).transpose()?;
    let kind = |fixed: &Fixed| if fixed.family().is_number() { ColumnType::Decimal } else { fixed.family() };
    let mut kinds = branches.iter().map(|(_, then)| then).chain(&otherwise).map(kind);
    let first = kinds.next();
    if let Some(other) = kinds.find(|kind| Some(*kind) != first) {
        let first = first.map_or("nothing", ColumnType::noun);
        return Err(format!("The values of a case are of one kind; here one is {first} and another {}.", other.noun()));
    }
    Ok(Value::Case { branches, otherwise })
}

fn resolve_moment(of: &Moment, look: &ColumnLookup<'_, '_>) -> Result<Value, String> {
    match of {
        Moment::Day(day) => Ok(Value::Constant(Fixed::Day(checked_day(&day.date).map_err(|m| format!("{m}."))?))),
        Moment::Column(name) => {
            let value = resolve_column_value(name, ColumnForm::Meant, look)?;
            match value.fields().first() {
                Some(field) if !may_hold_dates(field) => Err(format!(
                    "{name} is {}: only between dates is there a time.{}",
                    type_noun(field),
                    list_date_columns(look)
                )),
                _ => Ok(value),
            }
        }
    }
}

/// Returns true if a column contains dates, as far as is known.
pub(crate) fn may_hold_dates(field: &Field) -> bool {
    field.family.may_be_date() && field.read != Some(Hidden::Nothing)
}

/// Lists columns with dates for a message.
fn list_date_columns(look: &ColumnLookup<'_, '_>) -> String {
    list_columns_where("Dates are", look, |family| matches!(family, ColumnType::Date | ColumnType::Timestamp))
}

/// Lists numeric columns for a message.
pub(crate) fn list_numeric_columns(look: &ColumnLookup<'_, '_>) -> String {
    list_columns_where("Numbers are", look, ColumnType::is_number)
}

fn list_columns_where(what: &str, look: &ColumnLookup<'_, '_>, fits: impl Fn(ColumnType) -> bool) -> String {
    const SHOWN: usize = 6;
    let columns = look.members.iter().flat_map(|m| m.rows.relation.columns.iter().map(move |c| (m, c)));
    let meant = |c: &ViewColumn| c.hidden.as_ref().and_then(Hidden::family).unwrap_or(c.family);
    let fit = columns.filter(|(_, c)| fits(c.family) || fits(meant(c)));
    let shown: Vec<String> = fit.map(|(m, c)| format!("{}.{}", m.alias, c.name)).take(SHOWN).collect();
    if shown.is_empty() { String::new() } else { format!(" {what} {}.", join_names(&shown)) }
}

/// Returns the name of a column's type for a message.
pub(crate) fn type_noun(field: &Field) -> &'static str {
    match field.read {
        Some(Hidden::Nothing) => "text, and not every value of it is a number or a date",
        _ => field.family.noun(),
    }
}

/// Resolves conditions on joined rows. A condition on an anti-joined source restricts its matching rows and cannot name
/// another source.
pub(crate) fn resolve_conditions(
    conditions: &[Condition],
    place: &str,
    look: &ColumnLookup<'_, '_>,
    problems: &mut Problems<'_>,
) -> Vec<Held<Value>> {
    let held = |condition: &Condition| {
        let held = resolve_row_condition(condition, look, DEEPEST)?;
        let mut sources: Vec<usize> = held.fields().into_iter().map(|field| field.source).collect();
        sources.sort_unstable();
        sources.dedup();
        match sources.iter().find(|&&source| look.sources[source].is_absent()) {
            Some(&absent) if sources.len() > 1 => {
                let alias = &look.sources[absent].alias;
                Err(format!("{alias} has an anti join: a condition on it names no other source. Write several."))
            }
            _ => Ok(held),
        }
    };
    conditions.iter().filter_map(|condition| problems.unwrap_or_report(place, held(condition))).collect()
}

fn resolve_row_condition(
    condition: &Condition,
    look: &ColumnLookup<'_, '_>,
    depth: usize,
) -> Result<Held<Value>, String> {
    conditions::resolve_condition(condition, &|of| resolve_operand(of, look, depth), depth)
}

/// Resolves the operand of a condition.
fn resolve_operand(
    of: &Expression,
    look: &ColumnLookup<'_, '_>,
    depth: usize,
) -> Result<ConditionOperand<Value>, String> {
    if let Expression::Column(name) = of {
        let hidden = match look.find_merged_column(name) {
            Some((.., hidden)) => hidden,
            None => look.resolve_column(name)?.1,
        };
        let (stored, meant) = (
            resolve_column_value(name, ColumnForm::Stored, look)?,
            resolve_column_value(name, ColumnForm::Meant, look)?,
        );
        return Ok(ConditionOperand { stored: (stored.family(), stored), meant: (meant.family(), meant), hidden });
    }
    let value = resolve_value(of, ColumnForm::Meant, look, depth)?;
    let family = value.family();
    if family == ColumnType::Other {
        return Err(format!("It is {}.", family.noun()));
    }
    Ok(ConditionOperand { stored: (family, value.clone()), meant: (family, value), hidden: None })
}
