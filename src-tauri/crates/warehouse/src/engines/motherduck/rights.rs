//! The identity and the permissions of a token, read from the engine's responses; no write is attempted.

use super::ask::query_rows;
use crate::ServerAddress;
use crate::engines::duck::listing::cell_reader;
use crate::engines::postgres::Session;
use crate::server::Protection;
use tokio_postgres::Error;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// The properties of a token that the engine reports.
pub(super) struct TokenRights {
    pub user: String,
    pub version: String,
    /// True if the database is open for reading only; `None` if the engine does not report it.
    pub reads_only: Option<bool>,
}

pub(super) async fn read_rights(session: &Session, database: &str) -> Result<TokenRights, Error> {
    let row = query_rows(session, "SELECT current_user AS login, version() AS version").await?.into_iter().next();
    let mut next = cell_reader(row.unwrap_or_default());
    let (user, version) = (next().unwrap_or_default(), next().unwrap_or_default());
    // Qualified with the system schema, and the name is compared here: no macro of the database can change the result.
    let open = query_rows(session, "SELECT database_name, readonly FROM system.main.duckdb_databases()").await?;
    let reads_only = open.into_iter().find_map(|row| {
        let mut next = cell_reader(row);
        let is_it = next().is_some_and(|name| name.eq_ignore_ascii_case(database));
        next().filter(|_| is_it)?.parse().ok()
    });
    Ok(TokenRights { user, version, reads_only })
}

/// Returns the permissions of a token beyond reading; `None` if the engine does not report them.
pub(super) fn extra_rights(found: &TokenRights) -> Option<Vec<String>> {
    let line =
        || tr!("The database is open to this token for writing: a read scaling token opens it for reading alone.");
    found.reads_only.map(|reads| if reads { Vec::new() } else { vec![line()] })
}

/// Returns the protections that keep the database from being changed.
pub(super) fn build_safety_layers(found: &TokenRights, server: &ServerAddress) -> Vec<SafetyLayer> {
    let (state, says) = match found.reads_only {
        Some(true) => (
            SafetyState::Holds,
            tr!(
                "The database is open to the token of {user} for reading alone: the engine refuses what writes.",
                user = found.user
            ),
        ),
        Some(false) => (
            SafetyState::Missing,
            tr!(
                "The database is open to the token of {user} for writing, too. Use a read scaling token, or a share.",
                user = found.user
            ),
        ),
        None => {
            let says = tr!("MotherDuck does not tell what the token of {user} may do.", user = found.user);
            (SafetyState::Unknown, says)
        }
    };
    let (way, way_says) = match server.protection() {
        Ok(Protection::Verify) => {
            (SafetyState::Holds, tr!("The connection is encrypted, and the host shows a certificate for its name."))
        }
        _ => (SafetyState::Holds, tr!("The server is on this computer.")),
    };
    let engine = tr!(
        "Every query runs in a transaction that the engine has begun to only read, and that is rolled back: DuckDB refuses what writes in it. Functions that read files or addresses are kept by the proof alone."
    );
    vec![
        SafetyLayer::new(
            SafetyKind::Engine,
            SafetyState::Partly,
            engine,
            tr!(
                "The engine has taken BEGIN TRANSACTION READ ONLY for this question, as for each; it does not tell whether it holds to it."
            ),
        ),
        SafetyLayer::new(
            SafetyKind::Rights,
            state,
            says,
            tr!("The engine was asked how the database is open (duckdb_databases); nothing was tried."),
        ),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, tr!("By the address of the connection.")),
    ]
}
