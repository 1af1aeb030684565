//! The identity and the permissions of a MySQL login, read from the server's responses; no write is attempted.

use super::grants::more_than_reading;
use super::pool::Session;
use super::roles::{self, Idle};
use crate::ServerAddress;
use mysql_async::Error;
use mysql_async::prelude::Queryable;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// The properties of a login that the server reports.
pub(super) struct LoginRights {
    pub(super) user: String,
    pub(super) version: String,
    /// True if the session is read-only.
    session_reads: bool,
    /// Each privilege beyond reading with its object.
    pub(super) more: Vec<String>,
    /// Roles that are granted and not active.
    pub(super) idle: Vec<Idle>,
    cipher: String,
}

pub(super) async fn read_login_rights(session: &mut Session) -> Result<LoginRights, Error> {
    let conn = &mut session.conn;
    let (user, version): (String, String) =
        conn.query_first("SELECT CURRENT_USER(), VERSION()").await?.unwrap_or_default();
    // MySQL and MariaDB each support one of the two names.
    let reads: Option<(String, String)> = conn
        .query_first("SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_read_only', 'transaction_read_only')")
        .await?;
    let grants: Vec<String> = conn.query("SHOW GRANTS").await?;
    let cipher: Option<(String, String)> = conn.query_first("SHOW SESSION STATUS LIKE 'Ssl_cipher'").await?;
    let idle = roles::find_inactive_roles(session, &grants).await?;
    Ok(LoginRights {
        user,
        version,
        session_reads: reads.is_some_and(|(_, value)| value.eq_ignore_ascii_case("ON") || value == "1"),
        more: grants.iter().filter_map(|grant| more_than_reading(grant)).collect(),
        idle,
        cipher: cipher.map(|(_, cipher)| cipher).unwrap_or_default(),
    })
}

/// Returns the protections that keep the database from being changed.
pub(super) async fn read_safety_layers(
    session: &mut Session,
    server: &ServerAddress,
) -> Result<Vec<SafetyLayer>, Error> {
    let found = read_login_rights(session).await?;
    let mode = match found.session_reads {
        true => (
            SafetyState::Holds,
            tr!(
                "Every query runs in a transaction that the server holds to reading and that is rolled back. That keeps tables from being \
                 changed; files, locks and settings are kept by the proof alone."
            ),
        ),
        false => (SafetyState::Missing, tr!("The server does not hold the session to reading.")),
    };
    let not_proven = tr!(
        "Not proven is what views and the functions in them do: a view with SQL SECURITY INVOKER acts with your rights, any other with \
         those of its owner."
    );
    let (state, mut says) = match (found.more.is_empty(), found.idle.iter().all(Idle::only_reads)) {
        (true, true) => (SafetyState::Holds, vec![tr!("{user} may only read.", user = found.user)]),
        (true, false) => (
            SafetyState::Partly,
            vec![tr!(
                "{user} may only read as it signs in. No query of Vitrine runs with these roles; another program can set them:",
                user = found.user
            )],
        ),
        (false, _) => (
            SafetyState::Missing,
            vec![tr!(
                "{user} may do more than read: {more}. Use a login that may only read.",
                user = found.user,
                more = found.more.join("; ")
            )],
        ),
    };
    says.extend(found.idle.iter().map(Idle::describe_role));
    let is_local = server.hosts().is_ok_and(|hosts| hosts.iter().all(crate::server::ServerEndpoint::is_local));
    let (way, way_says) = match (found.cipher.is_empty(), is_local, server.ssh_host()) {
        (false, ..) => (SafetyState::Holds, tr!("The connection is encrypted ({cipher}).", cipher = found.cipher)),
        (true, true, None) => (SafetyState::Holds, tr!("The server is on this computer.")),
        (true, true, Some(ssh)) => (SafetyState::Holds, tr!("Encrypted by SSH to {ssh}, where the server is.", ssh)),
        (true, false, None) => (SafetyState::Missing, tr!("The connection is not encrypted.")),
        (true, false, Some(ssh)) => {
            (SafetyState::Partly, tr!("Encrypted by SSH as far as {ssh}, and not from there to the server.", ssh))
        }
    };
    Ok(vec![
        SafetyLayer::new(
            SafetyKind::Engine,
            mode.0,
            format!("{} {not_proven}", mode.1),
            tr!("The server was asked for the mode of the session."),
        ),
        SafetyLayer::new(
            SafetyKind::Rights,
            state,
            says.join(" "),
            tr!("The server was asked with SHOW GRANTS; nothing was tried."),
        ),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, tr!("The server was asked for the session's cipher.")),
    ])
}
