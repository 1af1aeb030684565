//! What drivers say, sorted into what a person can do about it.

use crate::WarehouseError;
use adbc_core::error::{Error, Status};

/// Numbers of Snowflake's errors that say that a login or a session does not hold, or no longer.
pub(crate) const LOGIN: [&str; 8] = ["390100", "390111", "390112", "390114", "390144", "390195", "394304", "394400"];

/// What a driver written in Go says to everything, once it has panicked.
const BROKEN: &str = "driver is in unknown state";

/// An error while a statement was prepared or run. `shown` is the address, without anything secret.
pub(crate) fn in_query(error: &Error, shown: &str) -> WarehouseError {
    let message = message(error);
    let is_login = LOGIN.iter().any(|number| message.starts_with(number) || error.vendor_code.to_string() == *number);
    match error.status {
        _ if message.contains(BROKEN) => WarehouseError::Interrupted { detail: message },
        _ if is_login => WarehouseError::SignInAgain { server: shown.to_owned(), detail: message },
        Status::Unauthenticated => WarehouseError::SignInAgain { server: shown.to_owned(), detail: message },
        Status::Unauthorized => WarehouseError::NoPermission { message },
        _ => WarehouseError::Query { message },
    }
}

/// An error while a database was opened. `shown` is its address, without anything secret.
pub(crate) fn at_connect(error: &Error, shown: &str, has_password: bool) -> WarehouseError {
    let (server, detail) = (shown.to_owned(), message(error));
    match error.status {
        Status::Unauthenticated => WarehouseError::Password { server, refused: has_password, detail },
        _ if says_unreachable(&detail) => WarehouseError::Unreachable { server, detail },
        _ => WarehouseError::NotAdmitted { server, detail },
    }
}

fn says_unreachable(detail: &str) -> bool {
    let lower = detail.to_lowercase();
    ["dial tcp", "connection refused", "no such host", "i/o timeout", "could not connect", "timeout after"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a connection that has given this error is of no use any more.
pub(crate) fn says_lost(error: &WarehouseError) -> bool {
    match error {
        WarehouseError::SignInAgain { .. } => true,
        WarehouseError::Query { message } => says_unreachable(message),
        _ => false,
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
        assert_eq!(in_query(&error, "a"), WarehouseError::query("002003 (42S02): Object 'NOPE' does not exist"));
        let plain = Error::with_message_and_status("no such table: nope", Status::Internal);
        assert_eq!(in_query(&plain, "a"), WarehouseError::query("no such table: nope"));
    }

    #[test]
    fn a_driver_that_has_panicked_is_no_fault_of_the_query() {
        let of = |text: &str| in_query(&Error::with_message_and_status(text, Status::Internal), "snowflake://a/d");
        let said = of("[Snowflake] Go panicked, driver is in unknown state");
        assert!(matches!(said, WarehouseError::Interrupted { .. }), "{said:?}");
        assert!(matches!(of("the driver's state is unknown to 'x'"), WarehouseError::Query { .. }));
    }

    #[test]
    fn a_session_that_has_expired_is_no_fault_of_the_query() {
        let of = |text: &str| in_query(&Error::with_message_and_status(text, Status::Internal), "snowflake://a/d");
        for number in ["390112 (08001)", "[Snowflake] 390114 (08001)"] {
            let said = of(&format!("{number}: Authentication token has expired."));
            assert!(
                matches!(&said, WarehouseError::SignInAgain { server, .. } if server == "snowflake://a/d"),
                "{said:?}"
            );
        }
        assert!(matches!(of("001003 (42000): unexpected '390114'"), WarehouseError::Query { .. }));
    }
}
