//! MySQL's errors, classified by their codes into what the user can do about them.

use super::packets::LONGEST_PACKET;
use crate::{ServerAddress, WarehouseError};
use mysql_async::{DriverError, Error};
use std::time::Duration;

const DATABASE_DENIED: u16 = 1044;
/// A missing privilege on a database, table or column, for any operation, or on a routine.
const NOT_ALLOWED: [u16; 5] = [DATABASE_DENIED, 1142, 1143, 1227, 1370];
const LOGIN_DENIED: [u16; 2] = [1045, 1698];
const UNKNOWN_DATABASE: u16 = 1049;
/// The server shuts down or has closed the connection.
const ENDED: [u16; 4] = [1053, 1152, 1927, 4031];
const INTERRUPTED: u16 = 1317;
/// The time limit of MySQL and that of MariaDB.
const TOO_LATE: [u16; 2] = [3024, 1969];
const READ_ONLY: [u16; 2] = [1290, 1792];
const OUT_OF_MEMORY: [u16; 3] = [1037, 1038, 1041];

/// Converts an error of connecting.
pub(super) fn at_connect(server: &ServerAddress, error: &Error) -> WarehouseError {
    let shown = server.to_string();
    match error {
        Error::Server(answer) if LOGIN_DENIED.contains(&answer.code) => {
            let refused = server.password().is_some_and(|password| !password.is_empty());
            let detail = if refused { answer.message.clone() } else { String::new() };
            WarehouseError::Password { server: shown, refused, detail }
        }
        Error::Server(answer) if [DATABASE_DENIED, UNKNOWN_DATABASE].contains(&answer.code) => {
            WarehouseError::NotAdmitted { server: shown, detail: answer.message.clone() }
        }
        Error::Server(answer) => WarehouseError::NotAdmitted { server: shown, detail: answer.message.clone() },
        Error::Driver(DriverError::CleartextPluginDisabled) => {
            WarehouseError::Unprotected { server: shown, cleartext: true }
        }
        Error::Driver(DriverError::UnknownAuthPlugin { name }) => WarehouseError::NotAdmitted {
            server: shown,
            detail: format!("the server asks to sign in by {name}, which is not known here"),
        },
        other => WarehouseError::Unreachable { server: shown, detail: other.to_string() },
    }
}

/// Converts an error of preparing or running a statement with this timeout.
pub(super) fn in_query(server: &ServerAddress, error: &Error, timeout: Duration) -> WarehouseError {
    let late = || WarehouseError::Timeout { seconds: timeout.as_secs_f64().ceil() as u64 };
    match error {
        // Only Vitrine itself interrupts its queries.
        Error::Server(answer) if answer.code == INTERRUPTED || TOO_LATE.contains(&answer.code) => late(),
        Error::Server(answer) if READ_ONLY.contains(&answer.code) => {
            WarehouseError::Refused { message: answer.message.clone() }
        }
        Error::Server(answer) if NOT_ALLOWED.contains(&answer.code) => {
            WarehouseError::NoPermission { message: answer.message.clone() }
        }
        Error::Server(answer) if OUT_OF_MEMORY.contains(&answer.code) => WarehouseError::Memory { megabytes: 0 },
        Error::Server(answer) if ENDED.contains(&answer.code) => {
            WarehouseError::Unreachable { server: server.to_string(), detail: answer.message.clone() }
        }
        Error::Server(answer) => WarehouseError::Query { message: answer.message.clone() },
        // The driver's own error, which has no variant.
        Error::Io(cause) if cause.to_string().contains("max_allowed_packet") => {
            WarehouseError::query(format!("a row is longer than the {} MB that one may have", LONGEST_PACKET >> 20))
        }
        Error::Io(_) | Error::Driver(DriverError::ConnectionClosed) => {
            WarehouseError::Unreachable { server: server.to_string(), detail: error.to_string() }
        }
        other => WarehouseError::query(other.to_string()),
    }
}
