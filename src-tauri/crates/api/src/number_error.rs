//! The error for numbers that readers of some languages understand differently than SQL.

use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Returns the error for a number whose point may group digits in the user's language.
pub(crate) fn ambiguous_number_error(what: &str, value: &str) -> AppError {
    let (whole, fraction) = (value.replace('.', ""), format!("{value}0"));
    let hint = tr!("The point may group digits. Write {whole} or, for the fraction, {fraction}", whole, fraction);
    AppError::new(ErrorCode::Usage, what).with_hint(hint)
}
