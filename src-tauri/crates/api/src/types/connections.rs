//! Connections as front ends see them.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ConnectionTest, Definition, Environment};

pub use vitrine_store::{Connection, ConnectionSettings};

/// A connection to keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDraft {
    /// That of the connection that it replaces; `None` makes one.
    pub id: Option<String>,
    /// What the user calls it.
    pub name: String,
    /// Its address; a password in it is kept like `password`.
    pub address: String,
    /// What it is for.
    pub environment: Option<Environment>,
    /// The schemas that questions may use; all where there is none.
    pub schemas: Vec<String>,
    /// What else is chosen.
    pub settings: ConnectionSettings,
    /// A password that was typed for it.
    pub password: Option<String>,
    /// Whether the password goes into the system's keychain, too.
    pub remember: bool,
}

/// Where a password is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PasswordPlace {
    /// None was given.
    None,
    /// In the system's keychain, for the host, port, login and protection of this address alone.
    Keychain,
    /// In this program until it ends.
    Session,
}

/// A connection as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptConnection {
    /// The connection.
    pub connection: Connection,
    /// Where the password is that was given.
    pub password: PasswordPlace,
    /// Why it is not in the keychain, where it should be.
    pub note: Option<String>,
}

/// A sign-in with Google that waits for the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSignIn {
    /// What ends it: `finish_google_sign_in` waits for it, `cancel_job` gives it up.
    pub job_id: String,
    /// The page, to be opened by hand where no browser was.
    pub url: String,
    /// Whether a browser was started with it.
    pub opened: bool,
}

/// A sign-in with Google that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSignedIn {
    /// Where the login is kept.
    pub place: PasswordPlace,
    /// Why it is not in the keychain, where it is not.
    pub note: Option<String>,
}

/// A test of a connection on its way. Each event is the whole of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTestEvent {
    /// The test, as `test_connection` named it.
    pub test_id: String,
    /// How far it is.
    pub test: ConnectionTest,
}

/// A query and its approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The text byte for byte as it would run.
    pub sql: String,
    /// Its SHA-256, 64 hex digits.
    pub sql_sha256: String,
    /// Whether the connection runs only what was approved.
    pub required: bool,
    /// Whether this text was.
    pub approved: bool,
}

/// Definitions read from somewhere, before they are taken over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionImport {
    /// The definitions that are not there yet.
    pub found: Vec<Definition>,
    /// Those that are there already.
    pub known: u32,
    /// What was left out, and why.
    pub notes: Vec<String>,
}
