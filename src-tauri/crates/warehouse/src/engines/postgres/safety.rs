//! The protections that keep a PostgreSQL database from being changed: the transaction's mode, the role's permissions
//! and the encryption. All of it is read from the server's system catalogs; no write is attempted.

use super::family::Family;
use super::rights::{POWERS, TABLES_OF_USERS};
use crate::ServerAddress;
use crate::server::{Protection, ServerEndpoint};
use tokio_postgres::{Client, Error};
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::{plural, tr};

/// Builds the query for the facts about the session; `$1` are the predefined roles with permissions beyond tables.
fn build_safety_query() -> String {
    format!(
        "SELECT current_setting('transaction_read_only') = 'on', current_setting('default_transaction_read_only') = 'on',
                current_user::text, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
                (SELECT count(*) {TABLES_OF_USERS} AND has_table_privilege(c.oid, 'SELECT')),
                (SELECT count(*) {TABLES_OF_USERS} AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')),
                (SELECT count(*) FROM pg_namespace n WHERE n.nspname !~ '^pg_' AND has_schema_privilege(n.oid, 'CREATE')),
                (SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles
                  WHERE rolname::text = ANY($1) AND pg_has_role(current_user, oid, 'MEMBER')),
                (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()),
                (SELECT concat_ws(', ', version, cipher) FROM pg_stat_ssl WHERE pid = pg_backend_pid())"
    )
}

/// The facts about a session that the server reports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SessionFacts {
    transaction_reads: bool,
    session_reads: bool,
    role: String,
    is_superuser: bool,
    tables: i64,
    tables_to_change: i64,
    schemas_to_add_to: i64,
    powers: Option<String>,
    is_encrypted: bool,
    cipher: String,
}

pub(super) async fn read_session_facts(client: &Client) -> Result<SessionFacts, Error> {
    let powers: Vec<&str> = POWERS.iter().map(|(role, _)| *role).collect();
    let row = client.query_one(&build_safety_query(), &[&powers]).await?;
    Ok(SessionFacts {
        transaction_reads: row.try_get(0)?,
        session_reads: row.try_get(1)?,
        role: row.try_get(2)?,
        is_superuser: row.try_get::<_, Option<bool>>(3)?.unwrap_or_default(),
        tables: row.try_get(4)?,
        tables_to_change: row.try_get(5)?,
        schemas_to_add_to: row.try_get(6)?,
        powers: row.try_get(7)?,
        is_encrypted: row.try_get::<_, Option<bool>>(8)?.unwrap_or_default(),
        cipher: row.try_get::<_, Option<String>>(9)?.unwrap_or_default(),
    })
}

pub(super) fn build_safety_layers(found: &SessionFacts, server: &ServerAddress) -> Vec<SafetyLayer> {
    vec![mode_layer(found), rights_layer(found), connection_layer(found, server)]
}

/// Returns the protections of a server that is not PostgreSQL.
pub(super) fn of_other(family: Family) -> Vec<SafetyLayer> {
    let name = family.display_name();
    let layer = |kind, says: String| {
        let how = tr!("{name} was not asked: by its maker's documents, and never tried on one.", name);
        SafetyLayer::new(kind, SafetyState::Unknown, says, how)
    };
    vec![
        layer(
            SafetyKind::Engine,
            tr!(
                "Every query runs in a transaction that {name} is asked to make read-only and that is rolled back.",
                name
            ),
        ),
        layer(SafetyKind::Rights, tr!("Use a read-only role; the rights of the current one are unknown.")),
        layer(
            SafetyKind::Connection,
            tr!("With sslmode=verify-full in the address it is encrypted, and the server's certificate is verified."),
        ),
    ]
}

fn mode_layer(found: &SessionFacts) -> SafetyLayer {
    let (state, held) = match (found.transaction_reads, found.session_reads) {
        (true, true) => (
            SafetyState::Holds,
            tr!(
                "Every query runs in a read-only transaction, which the server enforces and which is rolled back; the session is read-only, too."
            ),
        ),
        (true, false) => (SafetyState::Partly, tr!("The transaction is read-only, and the session is not.")),
        _ => (SafetyState::Missing, tr!("The server does not enforce a read-only transaction.")),
    };
    let names = tr!(
        "Before each query the server is asked what its names mean: a query that would run a function of the database's own is refused \
         unless you allowed the function by name, also where an operator, a cast, a domain, a view, a row policy or an index runs it. \
         Not proven are functions that you allowed (those with SECURITY DEFINER act with the rights of their owner), what foreign \
         tables send to their servers, and an owner who changes definitions while a query begins."
    );
    let says = format!("{held} {names}");
    let how =
        tr!("The server was asked within such a transaction: transaction_read_only and default_transaction_read_only.");
    SafetyLayer::new(SafetyKind::Engine, state, says, how)
}

/// Builds the layer of the role's permissions. A read-only transaction does not keep a powerful role from the files of
/// the server.
fn rights_layer(found: &SessionFacts) -> SafetyLayer {
    let how = tr!(
        "Read from the server's own tables: attributes and memberships of the role, privileges on every table and schema."
    );
    let role = &found.role;
    if found.is_superuser {
        let says = tr!(
            "{role} is a superuser and can do everything on this server. Use a read-only role; until then the other layers protect the data.",
            role
        );
        return SafetyLayer::new(SafetyKind::Rights, SafetyState::Missing, says, how);
    }
    let mut may = Vec::new();
    if found.tables_to_change > 0 {
        may.push(tr!(
            "{role} may change {count} of the {of} tables that it reads.",
            role,
            count = found.tables_to_change,
            of = found.tables
        ));
    }
    if found.schemas_to_add_to > 0 {
        may.push(plural!(
            found.schemas_to_add_to,
            "{role} may add tables to {n} schema.",
            "{role} may add tables to {n} schemas.",
            role
        ));
    }
    if let Some(powers) = &found.powers {
        may.push(tr!("{role} may do what members of {powers} may.", role, powers));
    }
    if may.is_empty() {
        let says = plural!(
            found.tables,
            "{role} may read {n} table and change nothing.",
            "{role} may read {n} tables and change nothing.",
            role
        );
        return SafetyLayer::new(SafetyKind::Rights, SafetyState::Holds, says, how);
    }
    may.push(tr!("A role that may only read would be safer."));
    let says = may.join(" ");
    SafetyLayer::new(SafetyKind::Rights, SafetyState::Partly, says, how)
}

fn connection_layer(found: &SessionFacts, server: &ServerAddress) -> SafetyLayer {
    let is_local = server.hosts().is_ok_and(|hosts| hosts.iter().all(ServerEndpoint::is_local));
    let is_verified = server.protection() == Ok(Protection::Verify);
    let cipher = &found.cipher;
    let (state, says) = match (found.is_encrypted, is_verified, is_local, server.ssh_host()) {
        (true, true, ..) => {
            (SafetyState::Holds, tr!("Encrypted ({cipher}), and the server's certificate was verified.", cipher))
        }
        (.., true, Some(ssh)) => (
            SafetyState::Holds,
            tr!("Encrypted by SSH to {ssh}, whose key is known here and where the server is.", ssh),
        ),
        (false, .., Some(ssh)) => {
            (SafetyState::Partly, tr!("Encrypted by SSH as far as {ssh}, and not from there to the server.", ssh))
        }
        (.., true, None) => (SafetyState::Holds, tr!("The server is on this computer: nothing goes over a network.")),
        (true, false, ..) => (
            SafetyState::Partly,
            tr!("Encrypted ({cipher}), without asking who answers. Add sslmode=verify-full to the address.", cipher),
        ),
        (false, ..) => (
            SafetyState::Missing,
            tr!("Not encrypted: anyone on the network path can read it. Add sslmode=verify-full to the address."),
        ),
    };
    let how = tr!("The server was asked for this session (pg_stat_ssl); the address says what was verified.");
    SafetyLayer::new(SafetyKind::Connection, state, says, how)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_server_address(text: &str) -> ServerAddress {
        ServerAddress::parse(text).unwrap()
    }

    #[test]
    fn a_role_is_judged_by_what_it_could_change() {
        let reader = SessionFacts { role: "ann".to_owned(), tables: 3, ..SessionFacts::default() };
        assert_eq!(rights_layer(&reader).state, SafetyState::Holds);
        for more in [
            SessionFacts { tables_to_change: 1, ..SessionFacts::default() },
            SessionFacts { schemas_to_add_to: 1, ..SessionFacts::default() },
            SessionFacts { powers: Some("pg_write_all_data".to_owned()), ..SessionFacts::default() },
        ] {
            assert_eq!(rights_layer(&more).state, SafetyState::Partly, "{more:?}");
        }
        let owner = SessionFacts { is_superuser: true, ..reader };
        assert_eq!(rights_layer(&owner).state, SafetyState::Missing);
    }

    #[test]
    fn a_connection_is_judged_by_who_could_listen() {
        let state = |is_encrypted, address: &str| {
            connection_layer(&SessionFacts { is_encrypted, ..SessionFacts::default() }, &parse_server_address(address))
                .state
        };
        assert_eq!(state(true, "postgresql://db/d?sslmode=verify-full"), SafetyState::Holds);
        assert_eq!(state(false, "postgresql://localhost/d"), SafetyState::Holds);
        assert_eq!(state(true, "postgresql://db/d?sslmode=require"), SafetyState::Partly);
        assert_eq!(state(false, "postgresql://db/d"), SafetyState::Missing);
        assert_eq!(state(false, "postgresql://localhost/d?ssh=bastion"), SafetyState::Holds);
        assert_eq!(state(false, "postgresql://db/d?ssh=bastion"), SafetyState::Partly);
        assert_eq!(state(true, "postgresql://db/d?ssh=bastion&sslmode=verify-full"), SafetyState::Holds);
    }
}
