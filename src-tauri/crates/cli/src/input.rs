//! Reads standard input.

use std::io::Read;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Returns the text of standard input.
pub(crate) fn stdin_text() -> Result<String, AppError> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("Standard input cannot be read as text")).with_detail(error)
    })?;
    Ok(text.trim_end().to_owned())
}
