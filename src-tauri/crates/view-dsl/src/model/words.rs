//! Values of a spec in words.

use vitrine_domain::views::{Expression, Sign};

/// A value as a reader would write it.
pub(crate) fn written(of: &Expression) -> String {
    match of {
        Expression::Column(name) => name.clone(),
        Expression::Number(number) => number.to_string(),
        Expression::Arithmetic(parts) => {
            let sign = match parts.op {
                Sign::Plus => "+",
                Sign::Minus => "-",
                Sign::Times => "*",
                Sign::Over => "/",
            };
            format!("({} {sign} {})", written(&parts.left), written(&parts.right))
        }
    }
}
