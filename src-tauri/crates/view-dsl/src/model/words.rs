//! Formats expressions and conditions of a spec in words.

use vitrine_domain::views::{Branch, CastType, Comparison, Condition, Constant, Expression, Moment, Sign, Step, Test};

/// Formats an expression in words.
pub(crate) fn format_expression(of: &Expression) -> String {
    match of {
        Expression::Column(name) => name.clone(),
        Expression::Number(number) => number.to_string(),
        Expression::Cast(cast) => {
            let to = match cast.to {
                CastType::Whole => "a whole number",
                CastType::Number => "a number",
                CastType::Text => "text",
                CastType::Date => "a date",
            };
            format!("{} as {to}", format_expression(&cast.cast))
        }
        Expression::Nested(nested) => {
            let step = |step: &Step| match step {
                Step::Key(key) => format!(".{key}"),
                Step::Element(at) => format!("[{at}]"),
            };
            format!("{}{}", nested.column, nested.path.iter().map(step).collect::<String>())
        }
        Expression::Case(case) => {
            let branch = |b: &Branch| format!("{} where {}", format_constant(&b.then), all_of(&b.when));
            let mut parts: Vec<String> = case.case.iter().map(branch).collect();
            parts.extend(case.otherwise.iter().map(|other| format!("else {}", format_constant(other))));
            parts.join(", ")
        }
        Expression::Dates(dates) => {
            format!("{}s from {} to {}", dates.unit.name(), format_moment(&dates.from), format_moment(&dates.to))
        }
        Expression::Arithmetic(parts) => {
            let sign = match parts.op {
                Sign::Plus => "+",
                Sign::Minus => "-",
                Sign::Times => "*",
                Sign::Over => "/",
            };
            format!("({} {sign} {})", format_expression(&parts.left), format_expression(&parts.right))
        }
    }
}

fn format_moment(of: &Moment) -> String {
    match of {
        Moment::Day(day) => day.date.clone(),
        Moment::Column(name) => name.clone(),
    }
}

/// Formats conditions joined by "and".
pub(crate) fn all_of(conditions: &[Condition]) -> String {
    conditions.iter().map(format_condition).collect::<Vec<_>>().join(" and ")
}

fn format_condition(of: &Condition) -> String {
    let group = |all: &[Condition], word: &str| {
        let all: Vec<String> = all.iter().map(format_condition).collect();
        if all.len() == 1 { all.concat() } else { format!("({})", all.join(word)) }
    };
    match of {
        Condition::Any(any) => group(&any.any, " or "),
        Condition::All(all) => group(&all.all, " and "),
        Condition::Test(test) => format_test(test),
    }
}

fn format_test(test: &Test) -> String {
    let values: Vec<String> = match &test.to {
        Some(to) => vec![format_expression(to)],
        None => test.values.iter().map(format_constant).collect(),
    };
    let op = operator_symbol(test.op);
    let with = match test.op {
        Comparison::IsNull | Comparison::IsNotNull => String::new(),
        Comparison::Between => format!(" {}", values.join(" and ")),
        Comparison::In | Comparison::NotIn => format!(" ({})", values.join(", ")),
        _ => format!(" {}", values.join(", ")),
    };
    format!("{} {op}{with}", format_expression(&test.column))
}

fn operator_symbol(op: Comparison) -> &'static str {
    match op {
        Comparison::Is => "=",
        Comparison::IsNot => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
        Comparison::In => "in",
        Comparison::NotIn => "not in",
        Comparison::Between => "between",
        Comparison::Contains => "contains",
        Comparison::Like => "like",
        Comparison::IsNull => "is null",
        Comparison::IsNotNull => "is not null",
    }
}

fn format_constant(of: &Constant) -> String {
    match of {
        Constant::Boolean(truth) => truth.to_string(),
        Constant::Number(number) => number.to_string(),
        Constant::Day(day) => day.date.clone(),
        Constant::Text(text) => format!("'{text}'"),
    }
}
