//! The identity and the permissions of a login, read from the catalog's `information_schema`; no write is attempted.

use super::errors::Failure;
use super::http::Http;
use super::introspect::DIALECT;
use crate::server::ServerEndpoint;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_sql::quote_identifier;
use vitrine_words::tr;

/// Privileges that change nothing, with spaces in place of the underscores of `information_schema`.
const READS: &[&str] = &["SELECT", "USE CATALOG", "USE SCHEMA", "USAGE", "BROWSE", "EXECUTE", "READ VOLUME"];

/// Privileges of the login and of its groups, and the tables that they own.
const PRIVILEGES: &str = "
    SELECT privilege_type, catalog_name FROM {catalog}.information_schema.catalog_privileges WHERE {own}
    UNION SELECT privilege_type, concat(catalog_name, '.', schema_name) FROM {catalog}.information_schema.schema_privileges WHERE {own}
    UNION SELECT privilege_type, concat(table_schema, '.', table_name) FROM {catalog}.information_schema.table_privileges WHERE {own}
    UNION SELECT 'OWNER', concat(table_schema, '.', table_name) FROM {catalog}.information_schema.tables
           WHERE table_owner = current_user() OR is_account_group_member(table_owner)
    ORDER BY 1, 2 LIMIT 200";
const OWN: &str = "(grantee = current_user() OR is_account_group_member(grantee))";

/// The properties of a login that the workspace reports.
pub(super) struct LoginRights {
    pub user: String,
    /// Each privilege beyond reading with its object; `None` if the catalog does not report them.
    pub more: Option<Vec<String>>,
}

pub(super) async fn read_rights(http: &Http) -> Result<LoginRights, Failure> {
    let user =
        http.query_rows("SELECT current_user()").await?.into_iter().flatten().next().flatten().unwrap_or_default();
    let catalog = quote_identifier(&http.warehouse.catalog, DIALECT);
    let question = PRIVILEGES.replace("{catalog}", &catalog).replace("{own}", OWN);
    let more = match http.query_rows(&question).await {
        Ok(rows) => Some(rows.into_iter().filter_map(more_than_reading).collect()),
        Err(Failure::Answer(_)) => None,
        Err(failure) => return Err(failure),
    };
    Ok(LoginRights { user, more })
}

fn more_than_reading(row: Vec<Option<String>>) -> Option<String> {
    let mut cells = row.into_iter().map(Option::unwrap_or_default);
    let (privilege, object) = (cells.next()?.replace('_', " ").to_uppercase(), cells.next()?);
    (!READS.contains(&privilege.as_str())).then(|| tr!("{privilege} on {object}", privilege, object))
}

/// Returns the protections that keep the database from being changed.
pub(super) async fn read_safety_layers(http: &Http) -> Result<Vec<SafetyLayer>, Failure> {
    let found = read_rights(http).await?;
    let (state, says) = match &found.more {
        None => (SafetyState::Unknown, tr!("The catalog does not tell what {user} may do.", user = found.user)),
        Some(more) if more.is_empty() => {
            (SafetyState::Holds, tr!("{user} and its groups may only read this catalog.", user = found.user))
        }
        Some(more) => {
            let mut shown: Vec<String> = more.iter().take(8).cloned().collect();
            if let Some(rest @ 1..) = more.len().checked_sub(shown.len()) {
                shown.push(tr!("and {more} more", more = rest));
            }
            let says = tr!(
                "{user} may do more than read: {more}. Use a login that may only read.",
                user = found.user,
                more = shown.join("; ")
            );
            (SafetyState::Missing, says)
        }
    };
    let is_local = http.server.hosts().is_ok_and(|hosts| hosts.iter().all(ServerEndpoint::is_local));
    let (way, way_says) = match (http.is_encrypted(), is_local) {
        (true, _) => {
            (SafetyState::Holds, tr!("The connection is encrypted, and the host shows a certificate for its name."))
        }
        (false, true) => (SafetyState::Holds, tr!("The server is on this computer.")),
        (false, false) => (SafetyState::Missing, tr!("The connection is not encrypted.")),
    };
    let engine = tr!(
        "A SQL warehouse has no read-only sessions. The data is protected by the proof of each statement and by the grants of the login."
    );
    Ok(vec![
        SafetyLayer::new(SafetyKind::Engine, SafetyState::Missing, engine, tr!("By Databricks' documents.")),
        SafetyLayer::new(
            SafetyKind::Rights,
            state,
            says,
            tr!("The catalog's information_schema was asked for privileges and owners; nothing was tried."),
        ),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, tr!("By the address of the connection.")),
    ])
}
