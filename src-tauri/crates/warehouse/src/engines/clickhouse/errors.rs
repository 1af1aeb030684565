//! The server's errors, classified by their codes into what the user can do about them.

use crate::WarehouseError;

/// An exception of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exception {
    /// The server's error code; 0 if there is none.
    pub code: u32,
    pub message: String,
}

const READONLY: [u32; 2] = [164, 392];
const UNKNOWN_DATABASE: u32 = 81;
const UNKNOWN_USER: u32 = 192;
const WRONG_PASSWORD: u32 = 193;
const REQUIRED_PASSWORD: u32 = 194;
const AUTHENTICATION_FAILED: u32 = 516;
const ACCESS_DENIED: u32 = 497;
const TIMEOUT: [u32; 2] = [159, 160];
const MEMORY: u32 = 241;
const CANCELLED: u32 = 394;
/// A query exceeded a limit of bytes that it may read or return.
pub(super) const TOO_MANY_BYTES: u32 = 307;
/// Limits of the login or of the server: rows, bytes, concurrent queries, quotas.
const LIMITS: [u32; 6] = [158, 201, 202, 290, 307, 396];

impl Exception {
    /// Parses `Code: 60. DB::Exception: Unknown table ... (UNKNOWN_TABLE) (version 25.8.1.1 (official build))` at any
    /// position of a text; `None` if the text contains no exception.
    pub fn find_in_text(text: &str) -> Option<Self> {
        let at = text.find("Code: ").filter(|at| text[*at..].contains("Exception: "))?;
        let rest = &text[at + "Code: ".len()..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0)?;
        let code = rest[..digits].parse().ok()?;
        let message = rest.split_once("Exception: ").map_or(rest, |(_, message)| message);
        // A nested exception repeats the message of the inner one.
        let message = message
            .rsplit_once("DB::Exception: ")
            .filter(|_| message.starts_with("Code: "))
            .map_or(message, |(_, inner)| inner);
        let message = message.split(" (version ").next().unwrap_or(message).trim();
        Some(Self { code, message: without_name(message).to_owned() })
    }

    /// Parses an error response of the server.
    pub fn of_answer(status: u16, code: Option<u32>, body: &str) -> Self {
        let said = Self::find_in_text(body);
        let plain = || {
            let first = body.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('<'));
            let first = first.map(|line| format!(": {}", line.chars().take(300).collect::<String>()));
            format!("HTTP status {status}{}", first.unwrap_or_default())
        };
        let code = code.or(said.as_ref().map(|said| said.code)).unwrap_or_default();
        // A proxy in the path may also require a password.
        let code = if code == 0 && status == 401 { AUTHENTICATION_FAILED } else { code };
        Self { code, message: said.map_or_else(plain, |said| said.message) }
    }

    fn is_login(&self) -> bool {
        [UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED].contains(&self.code)
    }

    /// Converts an error of preparing or running a query with a timeout of `seconds`.
    pub fn in_query(self, shown: &str, seconds: u64) -> WarehouseError {
        let server = || shown.to_owned();
        match self.code {
            _ if self.is_login() => WarehouseError::SignInAgain { server: server(), detail: self.message },
            ACCESS_DENIED => WarehouseError::NoPermission { message: self.message },
            MEMORY => WarehouseError::Memory { megabytes: 0 },
            CANCELLED => WarehouseError::Interrupted { detail: self.message },
            code if READONLY.contains(&code) => WarehouseError::Refused { message: self.message },
            code if TIMEOUT.contains(&code) => WarehouseError::Timeout { seconds },
            code if LIMITS.contains(&code) => WarehouseError::Query {
                message: format!("A limit of this login or of the server was reached: {}", self.message),
            },
            _ => WarehouseError::Query { message: self.message },
        }
    }

    /// Converts an error of opening the database.
    pub fn at_connect(self, shown: &str, has_password: bool) -> WarehouseError {
        let (server, detail) = (shown.to_owned(), self.message.clone());
        match self.code {
            _ if self.is_login() => WarehouseError::Password { server, refused: has_password, detail },
            ACCESS_DENIED | UNKNOWN_DATABASE => WarehouseError::NotAdmitted { server, detail },
            // Not an exception of ClickHouse: another service responds at this address.
            0 => WarehouseError::Unreachable { server, detail },
            _ => self.in_query(shown, 0),
        }
    }
}

/// Returns a message without the name of its error code at the end.
fn without_name(message: &str) -> &str {
    let name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    match message.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((rest, last)) if name(last) => rest,
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_what_can_be_done() {
        let error = |code: u32| {
            let text = format!(
                "Code: {code}. DB::Exception: default: It went (wrong). (SOME_NAME) (version 25.8.1.1 (official build))\n"
            );
            Exception::find_in_text(&text).unwrap()
        };
        assert_eq!(error(60), Exception { code: 60, message: "default: It went (wrong).".to_owned() });
        let shown = "clickhouse://ann@db/shop";
        let query = |code: u32| error(code).in_query(shown, 5);
        assert!(matches!(query(60), WarehouseError::Query { .. }));
        assert!(matches!(query(164), WarehouseError::Refused { .. }));
        assert!(matches!(query(497), WarehouseError::NoPermission { .. }));
        assert_eq!(query(159), WarehouseError::Timeout { seconds: 5 });
        assert!(matches!(query(241), WarehouseError::Memory { .. }));
        assert!(matches!(query(394), WarehouseError::Interrupted { .. }));
        assert!(matches!(query(516), WarehouseError::SignInAgain { .. }));
        assert!(query(396).to_string().starts_with("A limit of this login"));
        let connect = |code: u32, password| error(code).at_connect(shown, password);
        assert!(matches!(connect(516, false), WarehouseError::Password { refused: false, .. }));
        assert!(matches!(connect(516, true), WarehouseError::Password { refused: true, .. }));
        assert!(matches!(connect(81, true), WarehouseError::NotAdmitted { .. }));
    }

    #[test]
    fn an_answer_of_something_else_is_told_by_its_status() {
        let answer = Exception::of_answer(502, None, "<html>\nBad gateway\n</html>");
        assert_eq!(answer, Exception { code: 0, message: "HTTP status 502: Bad gateway".to_owned() });
        assert!(matches!(answer.at_connect("x", false), WarehouseError::Unreachable { .. }));
        assert_eq!(Exception::of_answer(401, None, "").code, AUTHENTICATION_FAILED);
        assert_eq!(Exception::find_in_text("[1, \"Code: red\"]"), None);
    }
}
