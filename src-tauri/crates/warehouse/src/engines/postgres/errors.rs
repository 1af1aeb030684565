//! PostgreSQL's errors, classified by their codes into what the user can do about them.

use super::gate::Refusal;
use crate::engines::duck;
use crate::{ServerAddress, WarehouseError, WarehouseKind};
use std::error::Error as _;
use std::time::Duration;
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, ErrorPosition, SqlState};

/// Converts an error of connecting.
pub(super) fn at_connect(server: &ServerAddress, error: &Error) -> WarehouseError {
    let shown = server.to_string();
    if let Some(answer) = error.as_db_error() {
        let detail = answer.message().to_owned();
        return if *answer.code() == SqlState::INVALID_PASSWORD || is_of_token(server, answer) {
            WarehouseError::Password { server: shown, refused: true, detail }
        } else {
            WarehouseError::NotAdmitted { server: shown, detail }
        };
    }
    let cause =
        error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>()).and_then(|cause| cause.get_ref());
    if let Some(refusal) = cause.and_then(|cause| cause.downcast_ref::<Refusal>()) {
        return WarehouseError::Unprotected { server: shown, cleartext: *refusal == Refusal::Cleartext };
    }
    let detail = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    if detail == "password missing" {
        return WarehouseError::Password { server: shown, refused: false, detail: String::new() };
    }
    WarehouseError::Unreachable { server: shown, detail }
}

/// Converts an error of preparing or running a statement with this timeout.
pub(super) fn in_query(server: &ServerAddress, error: &Error, timeout: Duration) -> WarehouseError {
    let Some(answer) = error.as_db_error() else {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        return if error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()) {
            WarehouseError::Unreachable { server: server.to_string(), detail: cause }
        } else {
            WarehouseError::query(cause)
        };
    };
    let code = answer.code();
    if *code == SqlState::QUERY_CANCELED {
        // Timeouts and cancellations share a code, and the text may be in any language; as only Vitrine cancels its
        // queries, this is a timeout.
        WarehouseError::Timeout { seconds: timeout.as_secs_f64().ceil() as u64 }
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        WarehouseError::Refused { message: answer.message().to_owned() }
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        WarehouseError::NoPermission { message: format_message(answer) }
    } else if *code == SqlState::OUT_OF_MEMORY {
        WarehouseError::Memory { megabytes: 0 }
    } else if *code == SqlState::ADMIN_SHUTDOWN || *code == SqlState::CRASH_SHUTDOWN {
        WarehouseError::Unreachable { server: server.to_string(), detail: answer.message().to_owned() }
    } else if server.kind() == WarehouseKind::Motherduck {
        // MotherDuck's codes are not documented; the messages are DuckDB's.
        duck::error_from_message(format_message(answer))
    } else {
        WarehouseError::Query { message: format_message(answer) }
    }
}

/// Returns true if MotherDuck rejected the token. The code for it is not documented.
fn is_of_token(server: &ServerAddress, answer: &DbError) -> bool {
    server.kind() == WarehouseKind::Motherduck
        && (*answer.code() == SqlState::INVALID_AUTHORIZATION_SPECIFICATION
            || answer.message().to_ascii_lowercase().contains("token"))
}

/// Returns the server's message with its detail, hint and position.
fn format_message(answer: &DbError) -> String {
    let mut text = answer.message().to_owned();
    for more in [answer.detail(), answer.hint()].into_iter().flatten() {
        text.push_str(". ");
        text.push_str(more.trim_end_matches('.'));
    }
    if let Some(ErrorPosition::Original(place)) = answer.position() {
        text.push_str(&format!(" (at character {place})"));
    }
    text
}
