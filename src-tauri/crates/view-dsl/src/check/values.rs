//! Values of a row: looks up the columns in expressions and conditions.

use super::conditions::{self, DEEPEST, Found};
use super::lookup::Look;
use super::scope::Problems;
use crate::model::hidden::Hidden;
use crate::model::plan::{Field, Held, Value};
use vitrine_domain::views::{Condition, Expression};
use vitrine_sql::ColumnType;

/// How a column is read: as it is stored, or as its hidden type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    Stored,
    Meant,
}

/// A value. Parts of it are read as their hidden types: what is computed with is a number.
pub(crate) fn value(
    of: &Expression,
    reading: Reading,
    look: &Look<'_, '_>,
    depth: usize,
) -> Result<Value, String> {
    if depth == 0 {
        return Err("The expression is nested too deeply.".to_owned());
    }
    let inner = |of: &Expression| value(of, Reading::Meant, look, depth - 1);
    match of {
        Expression::Column(name) if reading == Reading::Stored => look.field(name).map(Value::Field),
        Expression::Column(name) => look.meant(name).map(Value::Field),
        Expression::Number(number) => Ok(Value::Number(number.to_string())),
        Expression::Arithmetic(parts) => {
            let side = |of: &Expression| {
                let value = inner(of)?;
                match (&value, value.family().is_number()) {
                    (Value::Field(field), false) => {
                        Err(format!("{} is {}: it cannot be reckoned with.", field.column, noun(field)))
                    }
                    _ => Ok(value),
                }
            };
            Ok(Value::Arithmetic(Box::new(side(&parts.left)?), parts.op, Box::new(side(&parts.right)?)))
        }
    }
}

/// A column's type in a sentence.
pub(crate) fn noun(field: &Field) -> &'static str {
    match field.read {
        Some(Hidden::Nothing) => "text, and not every value of it is a number or a date",
        _ => field.family.noun(),
    }
}

/// Conditions on joined rows.
pub(crate) fn held(
    conditions: &[Condition],
    place: &str,
    look: &Look<'_, '_>,
    problems: &mut Problems<'_>,
) -> Vec<Held<Value>> {
    conditions.iter().filter_map(|condition| problems.keep(place, one(condition, look, DEEPEST))).collect()
}

fn one(condition: &Condition, look: &Look<'_, '_>, depth: usize) -> Result<Held<Value>, String> {
    conditions::one(condition, &|of| operand(of, look, depth), depth)
}

/// The operand of a condition.
fn operand(of: &Expression, look: &Look<'_, '_>, depth: usize) -> Result<Found<Value>, String> {
    if let Expression::Column(name) = of {
        let (stored, hidden) = look.column(name)?;
        let meant = look.meant(name)?;
        return Ok(Found {
            stored: (stored.family, Value::Field(stored)),
            meant: (meant.family, Value::Field(meant)),
            hidden,
        });
    }
    let value = value(of, Reading::Meant, look, depth)?;
    let family = value.family();
    if family == ColumnType::Other {
        return Err(format!("It is {}.", family.noun()));
    }
    Ok(Found { stored: (family, value.clone()), meant: (family, value), hidden: None })
}
