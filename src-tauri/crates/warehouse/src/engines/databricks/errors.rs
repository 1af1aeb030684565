//! Errors of Databricks, classified by what the user can do about them.

use crate::WarehouseError;
use serde_json::Value;

/// Maximum number of characters of a message that are displayed.
const LONGEST: usize = 2_000;

/// An error that Databricks reports.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ApiError {
    /// The HTTP status; 200 if an accepted statement failed.
    pub status: u16,
    pub code: String,
    pub message: String,
    /// The SQLSTATE of a failed statement.
    pub sql_state: String,
}

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// An error that Databricks reports.
    Answer(ApiError),
    /// An error of the connection.
    Connection(WarehouseError),
}

impl ApiError {
    /// Parses an error response, or the error of a failed statement.
    pub fn from_answer(status: u16, value: &Value) -> Self {
        let text = |name: &str| match value.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let message = [text("message"), text("error_description")].into_iter().find(|text| !text.is_empty());
        let code = [text("error_code"), text("error")].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        let plain = if code.is_empty() { format!("HTTP status {status}") } else { code.clone() };
        let message = message.map_or(plain, |message| shorten_message(&message));
        Self { status, code, message, sql_state: text("sql_state") }
    }

    /// Returns the error for a server that is not Databricks.
    pub fn not_databricks() -> Self {
        Self { status: 404, message: "what answers there is no Databricks".to_owned(), ..Self::default() }
    }

    /// Returns true if a retry may succeed. The request has started nothing in these cases.
    pub fn is_transient(&self) -> bool {
        matches!(self.status, 429 | 503)
    }

    /// Returns true if the token was rejected. Databricks responds to an invalid or expired token with 403 or 401.
    fn is_login(&self) -> bool {
        self.status == 401
            || self.code == "invalid_client"
            || (self.status == 403 && (self.code == "403" || self.message.contains("access token")))
    }

    /// Returns true if the result exceeds the size of an inline result.
    pub fn is_too_large(&self) -> bool {
        self.message.contains("Inline byte limit")
    }

    fn is_permission(&self) -> bool {
        self.status == 403
            || self.code == "PERMISSION_DENIED"
            || self.sql_state == "42501"
            || ["[INSUFFICIENT_PERMISSIONS", "[PERMISSION_DENIED", "PERMISSION_DENIED"]
                .iter()
                .any(|beginning| self.message.starts_with(beginning))
    }

    fn is_missing(&self) -> bool {
        ["[SCHEMA_NOT_FOUND", "[NO_SUCH_CATALOG", "[CATALOG_NOT_FOUND", "[NO_SUCH_SCHEMA"]
            .iter()
            .any(|beginning| self.message.starts_with(beginning))
    }
}

impl Failure {
    /// Converts an error of preparing or running a query.
    pub fn in_query(self, shown: &str) -> WarehouseError {
        let error = match self {
            Self::Connection(error) => return error,
            Self::Answer(error) => error,
        };
        let server = shown.to_owned();
        match &error {
            _ if error.is_login() => WarehouseError::SignInAgain { server, detail: error.message },
            _ if error.is_permission() => WarehouseError::NoPermission { message: error.message },
            _ if error.is_too_large() => WarehouseError::query(
                "the result has more than 25 MiB, the most that Databricks hands over here: ask for fewer rows or columns",
            ),
            ApiError { status: 500.., .. } => WarehouseError::Unreachable { server, detail: error.message },
            _ => WarehouseError::Query { message: error.message },
        }
    }

    /// Converts an error of opening the database.
    pub fn at_connect(self, shown: &str) -> WarehouseError {
        let error = match self {
            Self::Connection(error) => return error,
            Self::Answer(error) => error,
        };
        let (server, detail) = (shown.to_owned(), error.message.clone());
        match &error {
            _ if error.is_login() => WarehouseError::Password { server, refused: true, detail },
            _ if error.is_permission() || error.is_missing() => WarehouseError::NotAdmitted { server, detail },
            // The warehouse or the workspace does not exist.
            ApiError { status: 400, .. } => WarehouseError::NotAdmitted { server, detail },
            ApiError { status: 200, .. } => Self::Answer(error).in_query(shown),
            _ => WarehouseError::Unreachable { server, detail },
        }
    }
}

/// Returns a message without the query plan and the position that Spark appends.
fn shorten_message(message: &str) -> String {
    let end = message.find(" SQLSTATE: ").unwrap_or(message.len());
    message[..end].trim().chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_says_what_can_be_done() {
        let of = |status, value| Failure::Answer(ApiError::from_answer(status, &value));
        let (shown, token) = ("databricks://h/w/c", json!({"error_code": "403", "message": "Invalid access token."}));
        assert!(matches!(of(403, token.clone()).at_connect(shown), WarehouseError::Password { refused: true, .. }));
        assert!(matches!(of(403, token).in_query(shown), WarehouseError::SignInAgain { .. }));
        let denied = json!({"error_code": "PERMISSION_DENIED", "message": "You do not have permission to use the SQL Warehouse."});
        assert!(matches!(of(403, denied).at_connect(shown), WarehouseError::NotAdmitted { .. }));
        let wrong = json!({"error_code": "INVALID_PARAMETER_VALUE", "message": "x is not a valid endpoint id."});
        assert!(matches!(of(400, wrong).at_connect(shown), WarehouseError::NotAdmitted { .. }));
        let table = json!({"error_code": "BAD_REQUEST", "message": "[INSUFFICIENT_PERMISSIONS] User does not have permission SELECT on table x. SQLSTATE: 42501"});
        assert!(matches!(of(200, table).in_query(shown), WarehouseError::NoPermission { .. }));
        let unknown = json!({"error_code": "BAD_REQUEST", "message": "[X] It is not there. SQLSTATE: 42703; line 1 pos 7;\n'Project"});
        assert_eq!(
            of(200, unknown).in_query(shown),
            WarehouseError::Query { message: "[X] It is not there.".to_owned() }
        );
        assert!(matches!(of(404, Value::Null).at_connect(shown), WarehouseError::Unreachable { .. }));
        assert!(
            ApiError::from_answer(429, &Value::Null).is_transient()
                && !ApiError::from_answer(500, &Value::Null).is_transient()
        );
    }
}
