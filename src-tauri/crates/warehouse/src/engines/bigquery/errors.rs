//! Google's errors, classified by their reasons into what the user can do about them.

use crate::WarehouseError;
use serde_json::Value;

/// An error response of BigQuery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    pub status: u16,
    /// Google's code for the reason, e.g. `accessDenied`.
    pub reason: String,
    pub message: String,
}

impl ApiError {
    /// Parses a response; `None` if it is a result.
    pub fn from_answer(status: u16, body: &Value) -> Option<Self> {
        let error = body.get("error");
        if (200..300).contains(&status) && error.is_none() {
            return None;
        }
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let first = error.and_then(|error| error.get("errors")?.get(0));
        // An emulator may return an error with status 200.
        let code = error.and_then(|error| error.get("code")?.as_u64()).and_then(|code| code.try_into().ok());
        let message = text(error.and_then(|error| error.get("message")));
        Some(Self {
            status: code.unwrap_or(status),
            reason: text(first.and_then(|first| first.get("reason"))),
            message: if message.is_empty() { format!("HTTP status {status}") } else { message },
        })
    }

    /// Returns true if the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        match self.reason.as_str() {
            "rateLimitExceeded" | "backendError" | "jobBackendError" => true,
            "internalError" | "jobInternalError" | "quotaExceeded" => false,
            _ => matches!(self.status, 429 | 502 | 503 | 504),
        }
    }

    /// Converts an error of preparing or running a query. `limit` is the maximum of billed bytes.
    pub fn in_query(self, shown: &str, limit: Option<u64>) -> WarehouseError {
        match (self.status, self.reason.as_str()) {
            (_, "bytesBilledLimitExceeded") => WarehouseError::OverBudget {
                limit: limit.unwrap_or_default(),
                bytes: parse_required_bytes(&self.message),
            },
            (401, _) => WarehouseError::SignInAgain { server: shown.to_owned(), detail: self.message },
            (_, "accessDenied") => WarehouseError::NoPermission { message: self.message },
            (403, "" | "forbidden") => WarehouseError::NoPermission { message: self.message },
            _ => WarehouseError::Query { message: self.message },
        }
    }

    /// Converts an error of opening the project or reading its catalog.
    pub fn at_connect(self, shown: &str) -> WarehouseError {
        match self.status {
            401 => WarehouseError::SignInAgain { server: shown.to_owned(), detail: self.message },
            429 | 500.. => WarehouseError::Unreachable { server: shown.to_owned(), detail: self.message },
            _ => WarehouseError::NotAdmitted { server: shown.to_owned(), detail: self.message },
        }
    }
}

/// Parses the required bytes from `Query exceeded limit for bytes billed: 1000000. 10485760 or higher required.`
fn parse_required_bytes(message: &str) -> Option<u64> {
    let before = message.split(" or higher").next().filter(|before| before.len() < message.len())?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn make_error(status: u16, reason: &str, message: &str) -> ApiError {
        let body = json!({"error": {"code": status, "message": message, "errors": [{"reason": reason}]}});
        ApiError::from_answer(status, &body).unwrap()
    }

    #[test]
    fn reasons_say_what_can_be_done() {
        let shown = "bigquery://p/d";
        let over = make_error(
            400,
            "bytesBilledLimitExceeded",
            "Query exceeded limit for bytes billed: 1000000. 10485760 or higher required.",
        );
        assert_eq!(
            over.in_query(shown, Some(1_000_000)),
            WarehouseError::OverBudget { limit: 1_000_000, bytes: Some(10_485_760) }
        );
        assert!(matches!(
            make_error(403, "accessDenied", "no").in_query(shown, None),
            WarehouseError::NoPermission { .. }
        ));
        assert!(matches!(make_error(401, "authError", "no").in_query(shown, None), WarehouseError::SignInAgain { .. }));
        assert!(matches!(make_error(404, "notFound", "no").in_query(shown, None), WarehouseError::Query { .. }));
        assert!(matches!(make_error(404, "notFound", "no").at_connect(shown), WarehouseError::NotAdmitted { .. }));
        assert!(matches!(make_error(403, "quotaExceeded", "no").in_query(shown, None), WarehouseError::Query { .. }));
        assert!(
            make_error(403, "rateLimitExceeded", "").is_transient()
                && make_error(503, "backendError", "").is_transient()
        );
        assert!(
            !make_error(403, "quotaExceeded", "").is_transient() && !make_error(400, "invalidQuery", "").is_transient()
        );
    }

    #[test]
    fn an_error_under_a_good_status_is_an_error() {
        let body = json!({"error": {"code": 400, "message": "Syntax error", "errors": [{"reason": "invalidQuery"}]}});
        assert_eq!(ApiError::from_answer(200, &body).unwrap().status, 400);
        assert_eq!(ApiError::from_answer(200, &json!({"kind": "bigquery#queryResponse"})), None);
        assert_eq!(ApiError::from_answer(502, &Value::Null).unwrap().message, "HTTP status 502");
    }
}
