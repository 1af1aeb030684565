//! Error messages of drivers, classified by what the user can do about them.

use crate::WarehouseError;
use adbc_core::error::{Error, Status};
use url::{Url, form_urlencoded};

/// Codes of Snowflake's errors for a login or session that is invalid or has expired.
pub(crate) const LOGIN: [&str; 8] = ["390100", "390111", "390112", "390114", "390144", "390195", "394304", "394400"];

/// The message that a driver written in Go returns for every call after a panic.
const BROKEN: &str = "driver is in unknown state";

/// A password in all forms in which a driver may repeat it.
pub(crate) struct Hidden(Vec<String>);

impl Hidden {
    /// The text that replaces the password.
    const INSTEAD: &str = "***";
    /// Shorter passwords also occur inside other words, so they are replaced only between `:` and `@` of a URL.
    const SHORT: usize = 4;

    /// Hides a password, including its URL-encoded forms.
    pub(crate) fn from_password(password: Option<&str>) -> Self {
        let Some(word) = password.filter(|word| !word.is_empty()) else { return Self(Vec::new()) };
        let mut url = Url::parse("of://a@b").expect("a URL");
        let _ = url.set_password(Some(word));
        let in_url = url.password().unwrap_or(word).to_owned();
        let in_query = form_urlencoded::byte_serialize(word.as_bytes()).collect();
        let mut forms = vec![word.to_owned(), in_url, in_query, word.escape_default().to_string()];
        if word.chars().count() < Self::SHORT {
            forms.iter_mut().for_each(|form| *form = format!(":{form}@"));
        }
        // Longer forms first: replacing a form that is part of a longer one would leave the rest of it visible.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self(forms)
    }

    /// Returns the error with the password replaced.
    pub(crate) fn out_of(&self, error: &Error) -> Error {
        let mut error = error.clone();
        for form in &self.0 {
            error.message = error.message.replace(form, Self::INSTEAD);
        }
        error
    }
}

/// Converts an error of preparing or running a statement. `shown` is the address without secrets.
pub(crate) fn in_query(error: &Error, shown: &str) -> WarehouseError {
    let message = format_message(error);
    let is_login = LOGIN.iter().any(|number| message.starts_with(number) || error.vendor_code.to_string() == *number);
    match error.status {
        _ if message.contains(BROKEN) => WarehouseError::Interrupted { detail: message },
        _ if is_login => WarehouseError::SignInAgain { server: shown.to_owned(), detail: message },
        Status::Unauthenticated => WarehouseError::SignInAgain { server: shown.to_owned(), detail: message },
        Status::Unauthorized => WarehouseError::NoPermission { message },
        _ => WarehouseError::Query { message },
    }
}

/// Converts an error of opening a database. `shown` is its address without secrets.
pub(crate) fn at_connect(error: &Error, shown: &str, has_password: bool) -> WarehouseError {
    let (server, detail) = (shown.to_owned(), format_message(error));
    match error.status {
        _ if refuses_login(error) => WarehouseError::Password { server, refused: has_password, detail },
        _ if says_unreachable(&detail) => WarehouseError::Unreachable { server, detail },
        _ => WarehouseError::NotAdmitted { server, detail },
    }
}

/// Returns true if the login was refused, according to ADBC's status, the SQLSTATE class 28 or SQL Server's error
/// number.
fn refuses_login(error: &Error) -> bool {
    const CLASS: [u8; 2] = *b"28";
    const SQL_SERVER: i32 = 18_456;
    let class = error.sqlstate.into_iter().take(2).map(i32::from);
    error.status == Status::Unauthenticated || class.eq(CLASS.map(i32::from)) || error.vendor_code == SQL_SERVER
}

fn says_unreachable(detail: &str) -> bool {
    let lower = detail.to_lowercase();
    ["dial tcp", "connection refused", "no such host", "i/o timeout", "could not connect", "timeout after"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Returns true if a connection with this error cannot be used again.
pub(crate) fn says_lost(error: &WarehouseError) -> bool {
    match error {
        WarehouseError::SignInAgain { .. } => true,
        WarehouseError::Query { message } => says_unreachable(message),
        _ => false,
    }
}

/// Returns the driver's message in one line, without the driver's name.
pub(crate) fn format_message(error: &Error) -> String {
    let text = error.message.trim();
    let text = text.strip_prefix("[Snowflake] ").unwrap_or(text);
    // Snowflake's driver repeats the error number.
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
    fn a_password_is_in_no_message_in_any_form() {
        let said = |password: &str, text: &str| {
            Hidden::from_password(Some(password)).out_of(&Error::with_message_and_status(text, Status::IO)).message
        };
        for text in ["parse \"x://ann:s@fe 1@db\": no", "x://ann:s%40fe%201@db: no", "?pwd=s%40fe+1: no", "'s@fe 1'"] {
            let said = said("s@fe 1", text);
            assert!(said.contains("***") && !said.contains("fe"), "{text}: {said}");
        }
        assert_eq!(said("db", "dial ann:db@db: no such host db"), "dial ann***db: no such host db", "a short one");
        assert_eq!(said("", "dial db: refused"), "dial db: refused");
    }

    #[test]
    fn a_refused_login_is_told_by_status_state_or_number() {
        let of =
            |error: Error| matches!(at_connect(&error, "a", false), WarehouseError::Password { refused: false, .. });
        let error = |status| Error::with_message_and_status("Login failed for user 'ann'", status);
        assert!(of(error(Status::Unauthenticated)));
        assert!(of(Error { sqlstate: b"28000".map(|letter| letter.try_into().unwrap()), ..error(Status::IO) }));
        assert!(of(Error { vendor_code: 18_456, ..error(Status::Unknown) }));
        assert!(!of(Error { vendor_code: 4060, ..error(Status::IO) }));
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
