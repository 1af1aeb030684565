//! What a MySQL login is and may do, read from the server's own answers; nothing is tried.

use super::pool::Session;
use crate::ServerAddress;
use mysql_async::Error;
use mysql_async::prelude::Queryable;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};

/// Privileges that change nothing: the words of SHOW GRANTS before ON.
const READS: &[&str] = &[
    "USAGE",
    "SELECT",
    "SHOW VIEW",
    "SHOW DATABASES",
    "PROCESS",
    "REPLICATION CLIENT",
    "BINLOG MONITOR",
    "SLAVE MONITOR",
];
/// What the server tells of a login.
pub(super) struct Found {
    pub(super) user: String,
    pub(super) version: String,
    /// Whether the session is held to reading.
    session_reads: bool,
    /// Each privilege that is more than reading, with what it is for.
    pub(super) more: Vec<String>,
    cipher: String,
}

pub(super) async fn read(session: &mut Session) -> Result<Found, Error> {
    let conn = &mut session.conn;
    let (user, version): (String, String) =
        conn.query_first("SELECT CURRENT_USER(), VERSION()").await?.unwrap_or_default();
    // Either server knows one of the two names.
    let reads: Option<(String, String)> = conn
        .query_first("SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_read_only', 'transaction_read_only')")
        .await?;
    let grants: Vec<String> = conn.query("SHOW GRANTS").await?;
    let cipher: Option<(String, String)> = conn.query_first("SHOW SESSION STATUS LIKE 'Ssl_cipher'").await?;
    Ok(Found {
        user,
        version,
        session_reads: reads.is_some_and(|(_, value)| value.eq_ignore_ascii_case("ON") || value == "1"),
        more: grants.iter().filter_map(|grant| more_than_reading(grant)).collect(),
        cipher: cipher.map(|(_, cipher)| cipher).unwrap_or_default(),
    })
}

/// The privileges of one line that are more than reading, with what they are for.
fn more_than_reading(grant: &str) -> Option<String> {
    let rest = grant.strip_prefix("GRANT ")?;
    // A role is granted without ON: what it may do stands in lines of its own.
    let (privileges, on) = rest.split_once(" ON ")?;
    let object = on.split(" TO ").next().unwrap_or_default();
    let mut depth = 0;
    // The columns of a privilege stand in brackets, with commas of their own.
    let parts = privileges.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let name = |part: &str| part.split('(').next().unwrap_or_default().trim().to_uppercase();
    let more: Vec<String> = parts.map(name).filter(|part| !READS.contains(&part.as_str())).collect();
    (!more.is_empty()).then(|| format!("{} on {object}", more.join(", ")))
}

/// What keeps the database from being changed.
pub(super) async fn layers(session: &mut Session, server: &ServerAddress) -> Result<Vec<SafetyLayer>, Error> {
    let found = read(session).await?;
    let mode = match found.session_reads {
        true => (
            SafetyState::Holds,
            "Every query runs in a transaction that the server holds to reading and that is rolled back. That keeps tables from being \
             changed; files, locks and settings are kept by the proof alone.",
        ),
        false => (SafetyState::Missing, "The server does not hold the session to reading."),
    };
    let (state, says) = match found.more.is_empty() {
        true => (SafetyState::Holds, format!("{} may only read.", found.user)),
        false => (
            SafetyState::Missing,
            format!("{} may do more than read: {}. Use a login that may only read.", found.user, found.more.join("; ")),
        ),
    };
    let is_local = server.hosts().is_ok_and(|hosts| hosts.iter().all(crate::server::Place::is_local));
    let (way, way_says) = match (found.cipher.is_empty(), is_local, server.ssh()) {
        (false, ..) => (SafetyState::Holds, format!("The connection is encrypted ({}).", found.cipher)),
        (true, true, None) => (SafetyState::Holds, "The server is on this machine.".to_owned()),
        (true, true, Some(ssh)) => (SafetyState::Holds, format!("Encrypted by SSH to {ssh}, where the server is.")),
        (true, false, None) => (SafetyState::Missing, "The connection is not encrypted.".to_owned()),
        (true, false, Some(ssh)) => {
            (SafetyState::Partly, format!("Encrypted by SSH as far as {ssh}, and not from there to the server."))
        }
    };
    Ok(vec![
        SafetyLayer::new(SafetyKind::Engine, mode.0, mode.1, "The server was asked for the mode of the session."),
        SafetyLayer::new(SafetyKind::Rights, state, says, "The server was asked with SHOW GRANTS; nothing was tried."),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, "The server was asked for the session's cipher."),
    ])
}

#[cfg(test)]
mod tests {
    use super::more_than_reading;

    #[test]
    fn what_is_more_than_reading_is_told_from_reading() {
        for (grant, more) in [
            ("GRANT USAGE ON *.* TO `ann`@`%` IDENTIFIED BY PASSWORD '*1'", None),
            ("GRANT SELECT, SHOW VIEW ON `shop`.* TO `ann`@`%`", None),
            ("GRANT SELECT (`a`, `b`) ON `shop`.`t` TO `ann`@`%`", None),
            ("GRANT `reader` TO `ann`@`%`", None),
            (
                "GRANT SELECT, INSERT (`a`, `b`), UPDATE ON `shop`.`t` TO `ann`@`%`",
                Some("INSERT, UPDATE on `shop`.`t`"),
            ),
            ("GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION", Some("ALL PRIVILEGES on *.*")),
            ("GRANT FILE ON *.* TO `ann`@`%`", Some("FILE on *.*")),
        ] {
            assert_eq!(more_than_reading(grant).as_deref(), more, "{grant}");
        }
    }
}
