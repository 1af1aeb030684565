//! What drivers say, sorted into what a person can do about it.

use crate::WarehouseError;
use adbc_core::error::{Error, Status};

/// An error while a statement was prepared or run.
pub(crate) fn in_query(error: &Error) -> WarehouseError {
    let message = message(error);
    match error.status {
        Status::Unauthorized => WarehouseError::NoPermission { message },
        _ => WarehouseError::Query { message },
    }
}

/// An error while a database was opened. `shown` is its address, without anything secret.
pub(crate) fn at_connect(error: &Error, shown: &str, has_password: bool) -> WarehouseError {
    let (server, detail) = (shown.to_owned(), message(error));
    let lower = detail.to_lowercase();
    let unreachable =
        ["dial tcp", "connection refused", "no such host", "i/o timeout", "could not connect", "timeout after"];
    match error.status {
        Status::Unauthenticated => WarehouseError::Password { server, refused: has_password, detail },
        _ if unreachable.iter().any(|word| lower.contains(word)) => WarehouseError::Unreachable { server, detail },
        _ => WarehouseError::NotAdmitted { server, detail },
    }
}

/// The driver's message in one line, without its own name.
pub(crate) fn message(error: &Error) -> String {
    let text = error.message.trim();
    let text = text.strip_prefix("[Snowflake] ").unwrap_or(text);
    // Snowflake's driver says the number of an error twice.
    match text.split_once(": ") {
        Some((number, rest)) if rest.starts_with(&format!("{number}: ")) => rest.to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_said_once_and_without_the_drivers_name() {
        let error = Error::with_message_and_status(
            "[Snowflake] 002003 (42S02): 002003 (42S02): Object 'NOPE' does not exist",
            Status::NotFound,
        );
        assert_eq!(in_query(&error), WarehouseError::query("002003 (42S02): Object 'NOPE' does not exist"));
        let plain = Error::with_message_and_status("no such table: nope", Status::Internal);
        assert_eq!(in_query(&plain), WarehouseError::query("no such table: nope"));
    }
}
