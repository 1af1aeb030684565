//! Connections for front ends.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ConnectionTest, Definition, Environment};

pub use vitrine_store::{Connection, ConnectionSettings};

/// Content of a connection for saving it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDraft {
    /// Id of the connection to replace; `None` creates a new one.
    pub id: Option<String>,
    /// Name that the user chose.
    pub name: String,
    /// Address; a password in it is stored like `password`.
    pub address: String,
    /// Environment of the database, such as production.
    pub environment: Option<Environment>,
    /// The schemas that questions may use; empty for all.
    pub schemas: Vec<String>,
    /// Further settings, such as limits and approvals.
    pub settings: ConnectionSettings,
    /// Password that the user entered.
    pub password: Option<String>,
    /// True if the password is also stored in the system's keychain.
    pub remember: bool,
}

/// The place where a password is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PasswordPlace {
    /// No password was given for the connection.
    None,
    /// In the system's keychain, only for the host, port, login and encryption of this address.
    Keychain,
    /// In memory until the program ends.
    Session,
}

/// A saved connection and the place of its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptConnection {
    /// The connection as it was saved.
    pub connection: Connection,
    /// Place where the given password is stored.
    pub password: PasswordPlace,
    /// Reason that the password is not in the keychain although that was requested.
    pub note: Option<String>,
}

/// A Google sign-in that waits for the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSignIn {
    /// Id of the sign-in: `finish_google_sign_in` waits for its end, `cancel_job` cancels it.
    pub job_id: String,
    /// Address of the page, which the user can open manually.
    pub url: String,
    /// True if a browser was started with the page.
    pub opened: bool,
}

/// A completed sign-in to Google.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSignedIn {
    /// Place where the login is stored.
    pub place: PasswordPlace,
    /// Reason that the login is not in the keychain; `None` if it is.
    pub note: Option<String>,
}

/// A running test of a connection. Each event contains the whole state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTestEvent {
    /// Id of the test, which `test_connection` returned.
    pub test_id: String,
    /// Current state of the test.
    pub test: ConnectionTest,
}

/// A query and its approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The exact text that would run.
    pub sql: String,
    /// SHA-256 of the text, 64 hex digits.
    pub sql_sha256: String,
    /// True if the connection runs only approved queries.
    pub required: bool,
    /// True if this text is approved.
    pub approved: bool,
}

/// Definitions that were read from a file or from comments and are not saved yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionImport {
    /// Definitions that are not saved yet.
    pub found: Vec<Definition>,
    /// Number of definitions that are already saved.
    pub known: u32,
    /// Notes on omitted definitions, each with the reason.
    pub notes: Vec<String>,
}
