//! Conditions of a view: looks up the operands and converts constants to the types that they are compared with.

use super::calendar::is_day;
use super::lookup::find_output;
use super::scope::Problems;
use crate::model::hidden::Hidden;
use crate::model::plan::{Fixed, Held, Output};
use crate::model::words::format_expression;
use vitrine_domain::views::{Comparison, Condition, Constant, Expression, Test};
use vitrine_sql::ColumnType;
use vitrine_sql::dialect::date_format::is_iso;

/// Maximum nesting depth of expressions and conditions.
pub(crate) const DEEPEST: usize = 12;

pub(crate) fn held_of_outputs(
    conditions: &[Condition],
    among: &[Output],
    problems: &mut Problems<'_>,
) -> Vec<Held<Output>> {
    let find = |of: &Expression| {
        let Expression::Column(name) = of else {
            return Err(format!(
                "{} is no output of this view: name a dimension, metric or ratio.",
                format_expression(of)
            ));
        };
        let meant = find_output(name, among, "dimension, metric or ratio")?;
        let stored = Output { hidden: None, ..meant.clone() };
        Ok(ConditionOperand {
            stored: (stored.family, stored),
            hidden: meant.hidden.clone(),
            meant: (meant.converted_type(), meant),
        })
    };
    conditions
        .iter()
        .filter_map(|condition| problems.unwrap_or_report("having", resolve_condition(condition, &find, DEEPEST)))
        .collect()
}

/// The operand of a condition, as stored and as its hidden type.
pub(crate) struct ConditionOperand<T> {
    pub stored: (ColumnType, T),
    pub meant: (ColumnType, T),
    pub hidden: Option<Hidden>,
}

impl<T> ConditionOperand<T> {
    /// Returns the operand that a test uses. A constant in the notation of the stored text is compared as text, and so
    /// are searches.
    fn into_compared(self, test: &Test, sorts: bool) -> Result<(ColumnType, T), String> {
        let day = |c: &Constant| matches!(c, Constant::Day(_)) || matches!(c, Constant::Text(t) if is_day(t.trim()));
        let number = |c: &Constant| matches!(c, Constant::Number(_));
        let all = |is: &dyn Fn(&Constant) -> bool| !test.values.is_empty() && test.values.iter().all(is);
        let meant = match &self.hidden {
            _ if matches!(test.op, Comparison::Contains | Comparison::Like) => false,
            Some(Hidden::Number(_)) => sorts && !test.values.is_empty() || all(&number),
            // Text that sorts by time is compared with a prefix as text.
            Some(Hidden::Moment(format)) if is_iso(format) => all(&day),
            Some(Hidden::Moment(_)) => sorts && !test.values.is_empty() || all(&day),
            Some(Hidden::Nothing) if test.values.iter().any(|c| matches!(c, Constant::Day(_))) => {
                let name = format_expression(&test.column);
                return Err(format!("{name} is text, and not every value of it is a date: compare it with a text."));
            }
            Some(Hidden::Nothing) | None => false,
        };
        Ok(if meant { self.meant } else { self.stored })
    }
}

type Find<'f, T> = &'f dyn Fn(&Expression) -> Result<ConditionOperand<T>, String>;

/// Resolves a condition; `find` resolves its operands.
pub(crate) fn resolve_condition<T>(condition: &Condition, find: Find<'_, T>, depth: usize) -> Result<Held<T>, String> {
    let many = |conditions: &[Condition]| -> Result<Vec<Held<T>>, String> {
        if depth == 0 {
            return Err("The conditions are nested too deeply.".to_owned());
        }
        if conditions.is_empty() {
            return Err("A group of conditions is empty.".to_owned());
        }
        conditions.iter().map(|condition| resolve_condition(condition, find, depth - 1)).collect()
    };
    match condition {
        Condition::Test(test) => self::resolve_test(test, find),
        Condition::Any(group) => Ok(Held::Any(many(&group.any)?)),
        Condition::All(group) => Ok(Held::All(many(&group.all)?)),
    }
}

fn resolve_test<T>(test: &Test, find: Find<'_, T>) -> Result<Held<T>, String> {
    let found = find(&test.column)?;
    let name = &format_expression(&test.column);
    if let Some(to) = &test.to {
        return resolve_pair(test, found, (name, &format_expression(to)), find(to)?);
    }
    let count = test.values.len();
    let fits = match test.op {
        Comparison::IsNull | Comparison::IsNotNull => count == 0,
        Comparison::Between => count == 2,
        Comparison::In | Comparison::NotIn => (1..=1000).contains(&count),
        _ => count == 1,
    };
    if !fits {
        let wanted = match test.op {
            Comparison::IsNull | Comparison::IsNotNull => "no value",
            Comparison::Between => "two values",
            Comparison::In | Comparison::NotIn => "between 1 and 1000 values",
            _ => "one value",
        };
        return Err(format!("The comparison of {name} needs {wanted} and has {count}."));
    }
    let sorts = !matches!(test.op, Comparison::Is | Comparison::IsNot | Comparison::In | Comparison::NotIn);
    let pattern = matches!(test.op, Comparison::Contains | Comparison::Like);
    let (family, of) = found.into_compared(test, sorts)?;
    let mut with = Vec::new();
    for constant in &test.values {
        let fixed = if pattern {
            resolve_search_text(name, family, constant, test.op)?
        } else {
            convert_constant(name, family, constant, sorts).map_err(|m| format!("{m}."))?
        };
        with.push(fixed);
    }
    // If one constant is a day, all must be.
    if with.iter().any(|f| matches!(f, Fixed::Day(_))) && !with.iter().all(|f| matches!(f, Fixed::Day(_))) {
        return Err(format!("{name} is compared with a date and with something else."));
    }
    Ok(Held::Test { of, op: test.op, with })
}

/// Resolves a comparison of two operands: numbers with numbers, dates with dates, other types only with the same type.
fn resolve_pair<T>(
    test: &Test,
    left: ConditionOperand<T>,
    names: (&str, &str),
    right: ConditionOperand<T>,
) -> Result<Held<T>, String> {
    let (one, other) = names;
    if !test.values.is_empty() {
        return Err(format!("{one} is compared with {other} and with constants. Write to, or values."));
    }
    let sorts = match test.op {
        Comparison::Is | Comparison::IsNot => false,
        Comparison::Less | Comparison::AtMost | Comparison::More | Comparison::AtLeast => true,
        _ => return Err(format!("{one} and {other} are compared by =, !=, <, <=, > or >=.")),
    };
    let number = |family: ColumnType| family.is_number() && family != ColumnType::Unknown;
    let date = |family: ColumnType| matches!(family, ColumnType::Date | ColumnType::Timestamp);
    let (a, b) = (left.meant.0, right.meant.0);
    let meant = (number(a) && number(b)) || (date(a) && date(b));
    let ((a, left), (b, right)) = if meant { (left.meant, right.meant) } else { (left.stored, right.stored) };
    let alike = meant || a == b || a == ColumnType::Unknown || b == ColumnType::Unknown;
    if !alike || a == ColumnType::Other || b == ColumnType::Other {
        return Err(format!("{one} is {} and {other} is {}: they cannot be compared.", a.noun(), b.noun()));
    }
    if sorts && (a == ColumnType::Boolean || b == ColumnType::Boolean) {
        return Err(format!("{one} is {}, which has no order.", ColumnType::Boolean.noun()));
    }
    let times = a == ColumnType::Timestamp && b == ColumnType::Timestamp;
    Ok(Held::Pair { left, op: test.op, right, days: date(a) && date(b) && !times })
}

/// Returns the text or pattern of a search.
fn resolve_search_text(name: &str, family: ColumnType, constant: &Constant, op: Comparison) -> Result<Fixed, String> {
    if !matches!(family, ColumnType::Text | ColumnType::Unknown) {
        return Err(format!("{name} is {}: only text contains something.", family.noun()));
    }
    let text = match constant {
        Constant::Text(text) => text.clone(),
        Constant::Number(number) => number.to_string(),
        _ => return Err(format!("{name} is text: give a text.")),
    };
    if text.is_empty() {
        return Err(format!("The text that {name} is to contain is empty."));
    }
    if op == Comparison::Like && text.contains('\\') {
        return Err("A pattern knows % and _ only. Use contains for a text with a backslash.".to_owned());
    }
    reject_nul(&text).map(Fixed::Text)
}

/// Converts a constant to the type of its column. `sorts` is true if the comparison uses the order of values.
fn convert_constant(name: &str, family: ColumnType, constant: &Constant, sorts: bool) -> Result<Fixed, String> {
    let differs = |what: &str| Err(format!("{name} is {}, not {what}", family.noun()));
    match (constant, family) {
        (_, ColumnType::Other) => Err(format!("{name} is {}: it can only be compared with NULL", family.noun())),
        (Constant::Boolean(_), ColumnType::Boolean | ColumnType::Unknown) if sorts => {
            differs("something with an order")
        }
        (Constant::Boolean(value), ColumnType::Boolean | ColumnType::Unknown) => Ok(Fixed::Boolean(*value)),
        (Constant::Boolean(value), ColumnType::Whole) => Ok(Fixed::Number(u8::from(*value).to_string())),
        (Constant::Boolean(_), _) => differs("true or false"),
        (
            Constant::Number(number),
            ColumnType::Whole | ColumnType::Decimal | ColumnType::Float | ColumnType::Unknown,
        ) => Ok(Fixed::Number(number.to_string())),
        (Constant::Number(number), ColumnType::Boolean) if !sorts && matches!(number.as_u64(), Some(0 | 1)) => {
            Ok(Fixed::Boolean(number.as_u64() == Some(1)))
        }
        (Constant::Number(number), ColumnType::Text) if !sorts => Ok(Fixed::Text(number.to_string())),
        (Constant::Number(_), _) => differs("a number"),
        (Constant::Day(day), _) if family.may_be_date() => checked_day(&day.date).map(Fixed::Day),
        (Constant::Day(_), _) => differs("a date"),
        (Constant::Text(text), ColumnType::Date | ColumnType::Timestamp) => checked_day(text).map(Fixed::Day),
        (Constant::Text(text), ColumnType::Text | ColumnType::Unknown) => reject_nul(text).map(Fixed::Text),
        (Constant::Text(text), ColumnType::Whole | ColumnType::Decimal | ColumnType::Float) => {
            match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() && !text.trim().starts_with('+') => {
                    Ok(Fixed::Number(text.trim().to_owned()))
                }
                _ => differs("text"),
            }
        }
        (Constant::Text(text), ColumnType::Boolean) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "t" | "y" if !sorts => Ok(Fixed::Boolean(true)),
            "false" | "no" | "f" | "n" if !sorts => Ok(Fixed::Boolean(false)),
            _ => differs("text"),
        },
    }
}

/// Converts a constant that is not compared with a column.
pub(crate) fn convert_free_constant(constant: &Constant) -> Result<Fixed, String> {
    match constant {
        Constant::Boolean(value) => Ok(Fixed::Boolean(*value)),
        Constant::Number(number) => Ok(Fixed::Number(number.to_string())),
        Constant::Day(day) => checked_day(&day.date).map(Fixed::Day).map_err(|message| format!("{message}.")),
        Constant::Text(text) => reject_nul(text).map(Fixed::Text),
    }
}

pub(crate) fn checked_day(text: &str) -> Result<String, String> {
    let text = text.trim();
    if is_day(text) { Ok(text.to_owned()) } else { Err(format!("'{text}' is no day: write it as 2024-01-31")) }
}

fn reject_nul(text: &str) -> Result<String, String> {
    if text.contains('\0') { Err("A text holds a NUL character".to_owned()) } else { Ok(text.to_owned()) }
}
