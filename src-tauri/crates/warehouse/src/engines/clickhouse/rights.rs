//! The identity and the permissions of a login, read from the server's responses; no write is attempted.

use super::http::{Failure, Http};
use super::settings::Settings;
use crate::grants::more_than;
use crate::server::ServerEndpoint;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// Privileges that change nothing, as SHOW GRANTS writes them before ON.
const READS: &[&str] = &[
    "SELECT",
    "SHOW",
    "SHOW DATABASES",
    "SHOW TABLES",
    "SHOW COLUMNS",
    "SHOW DICTIONARIES",
    "SHOW USERS",
    "SHOW ROLES",
    "SHOW ROW POLICIES",
    "SHOW QUOTAS",
    "SHOW SETTINGS PROFILES",
    "SHOW ACCESS",
    "SHOW NAMED COLLECTIONS",
    "SHOW FUNCTIONS",
    "DICTGET",
    "CHECK",
];

/// The properties of a login that the server reports.
pub(super) struct LoginRights {
    pub user: String,
    pub version: String,
    /// The value of the setting `readonly` during queries.
    pub held: String,
    /// Each privilege beyond reading with its object; `None` if the server does not report the grants.
    pub more: Option<Vec<String>>,
}

pub(super) async fn read_rights(http: &Http, settings: (&Settings, u64)) -> Result<LoginRights, Failure> {
    let question = "SELECT currentUser(), version(), toString(getSetting('readonly'))";
    let rows = http.query_rows(question, Some(settings)).await?;
    let mut cells = rows.into_iter().next().unwrap_or_default().into_iter().map(Option::unwrap_or_default);
    let mut next = || cells.next().unwrap_or_default();
    let (user, version, held) = (next(), next(), next());
    let grants = match http.query_rows("SHOW GRANTS", Some(settings)).await {
        Ok(rows) => Some(rows),
        Err(Failure::Server(_)) => None,
        Err(failure) => return Err(failure),
    };
    let more = grants.map(|rows| {
        let lines = rows.into_iter().filter_map(|row| row.into_iter().next()?);
        lines.filter_map(|line| more_than(READS, &line)).collect()
    });
    Ok(LoginRights { user, version, held, more })
}

/// Returns the protections that keep the database from being changed.
pub(super) async fn read_safety_layers(http: &Http, settings: (&Settings, u64)) -> Result<Vec<SafetyLayer>, Failure> {
    let found = read_rights(http, settings).await?;
    let mode = match found.held.as_str() {
        "0" => (SafetyState::Missing, tr!("The server does not enforce read-only queries.")),
        "1" => (
            SafetyState::Holds,
            tr!(
                "The server runs every query with readonly = 1: it refuses writes, settings, and table functions that access other systems. Functions that read files or wait are excluded by the proof alone."
            ),
        ),
        held => (
            SafetyState::Holds,
            tr!(
                "The server runs every query with readonly = {held}: it refuses writes. Table functions that access other systems are excluded by the proof, and by the rights of a login without SOURCES; functions that read files or wait by the proof alone.",
                held
            ),
        ),
    };
    let (state, says) = match &found.more {
        None => (SafetyState::Unknown, tr!("The server does not tell what {user} may do.", user = found.user)),
        Some(more) if more.is_empty() => (SafetyState::Holds, tr!("{user} may only read.", user = found.user)),
        Some(more) => (
            SafetyState::Missing,
            tr!(
                "{user} may do more than read: {more}. Use a login that may only read.",
                user = found.user,
                more = more.join("; ")
            ),
        ),
    };
    let is_local = http.server.hosts().is_ok_and(|hosts| hosts.iter().all(ServerEndpoint::is_local));
    let (way, way_says) = match (http.is_encrypted(), is_local) {
        (true, _) => (SafetyState::Holds, tr!("The connection is encrypted.")),
        (false, true) => (SafetyState::Holds, tr!("The server is on this computer.")),
        (false, false) => (SafetyState::Missing, tr!("The connection is not encrypted.")),
    };
    Ok(vec![
        SafetyLayer::new(
            SafetyKind::Engine,
            mode.0,
            mode.1,
            tr!("The server was asked for the setting as queries have it."),
        ),
        SafetyLayer::new(
            SafetyKind::Rights,
            state,
            says,
            tr!("The server was asked with SHOW GRANTS; nothing was tried."),
        ),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, tr!("By the address of the connection.")),
    ])
}

#[cfg(test)]
mod tests {
    use super::READS;
    use crate::grants::more_than;

    #[test]
    fn what_is_more_than_reading_is_told_from_reading() {
        for (grant, more) in [
            ("GRANT SELECT ON shop.* TO ann", None),
            ("GRANT SHOW TABLES, SELECT(a, b), dictGet ON shop.t TO ann", None),
            ("GRANT reader TO ann", None),
            ("GRANT SELECT, INSERT(a, b), ALTER UPDATE ON shop.t TO ann", Some("INSERT, ALTER UPDATE on shop.t")),
            ("GRANT ALL ON *.* TO default WITH GRANT OPTION", Some("ALL on *.*")),
            ("GRANT READ, WRITE ON URL TO ann", Some("READ, WRITE on URL")),
        ] {
            assert_eq!(more_than(READS, grant).as_deref(), more, "{grant}");
        }
    }
}
