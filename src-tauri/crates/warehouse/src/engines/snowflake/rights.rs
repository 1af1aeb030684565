//! The identity and the permissions of a Snowflake login, read from Snowflake's responses; no write is attempted.

use super::address::Account;
use super::introspect::quote_identifier;
use crate::engines::adbc::{Pool, Row, query_rows};
use crate::server::ServerEndpoint;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// Privileges that do not permit changes.
const READS: [&str; 6] = ["USAGE", "SELECT", "REFERENCES", "MONITOR", "IMPORTED PRIVILEGES", "READ"];

/// Returns the privileges of a role beyond reading, with their objects; `None` if a grant does not name its privilege.
pub(super) fn more_than_reading(grants: &[Row]) -> Option<Vec<String>> {
    let mut more = Vec::new();
    for row in grants {
        let privilege = row.column_text("privilege")?.to_uppercase();
        // The privileges of granted roles are not included.
        if !READS.contains(&privilege.as_str()) {
            let on = row.column_text("granted_on").unwrap_or_default().to_lowercase().replace('_', " ");
            let object = format!("{on} {}", row.column_text("name").unwrap_or_default());
            more.push(tr!("{privilege} on {object}", privilege, object));
        }
    }
    Some(more)
}

/// Returns the protections that keep the database from being changed.
pub(super) fn build_safety_layers(pool: &Pool, account: &Account) -> Vec<SafetyLayer> {
    let engine = SafetyLayer::new(
        SafetyKind::Engine,
        SafetyState::Partly,
        tr!(
            "Snowflake has no read-only sessions. The session has one role and no secondary ones, accepts one statement at a time, and ends a statement whose client has disconnected."
        ),
        tr!("The session was begun so; Snowflake refuses a session that cannot be."),
    );
    let role = query_rows(pool, "SELECT CURRENT_ROLE() AS role")
        .ok()
        .and_then(|rows| Some(rows.first()?.column_text("role")?.to_owned()));
    let grants = role
        .as_deref()
        .and_then(|role| query_rows(pool, &format!("SHOW GRANTS TO ROLE {}", quote_identifier(role))).ok());
    let role = role.unwrap_or_default();
    let (state, says) = match grants.as_deref().and_then(more_than_reading) {
        None => (SafetyState::Unknown, tr!("Snowflake did not say what the role {role} may do.", role)),
        Some(more) if more.is_empty() => {
            (SafetyState::Holds, tr!("The role {role} can only read, according to its own grants.", role))
        }
        Some(more) => (
            SafetyState::Missing,
            tr!(
                "The role {role} may do more than read: {more}. Use a role that may only read.",
                role,
                more = more.join("; ")
            ),
        ),
    };
    let local = account.endpoint.as_ref().is_some_and(ServerEndpoint::is_local);
    let way = if local {
        tr!("The emulator is on this computer.")
    } else {
        tr!("The driver encrypts (TLS) and checks the certificate of the account.")
    };
    vec![
        engine,
        SafetyLayer::new(
            SafetyKind::Rights,
            state,
            says,
            tr!("Snowflake was asked with SHOW GRANTS TO ROLE; nothing was tried."),
        ),
        SafetyLayer::new(
            SafetyKind::Connection,
            SafetyState::Holds,
            way,
            tr!("According to the driver's connection settings."),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns are those in the documentation of SHOW GRANTS TO ROLE.
    #[test]
    fn documented_grants_that_are_more_than_reading_are_told() {
        let row = |privilege: &str, on: &str, name: &str| {
            let cell = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
            Row(vec![cell("privilege", privilege), cell("granted_on", on), cell("name", name)])
        };
        let reads =
            [row("USAGE", "WAREHOUSE", "WH"), row("SELECT", "TABLE", "SHOP.PUBLIC.ITEM"), row("USAGE", "ROLE", "R")];
        assert_eq!(more_than_reading(&reads), Some(Vec::new()));
        let more = [row("OWNERSHIP", "TABLE", "SHOP.PUBLIC.ITEM"), row("CREATE_TABLE", "SCHEMA", "S")];
        assert_eq!(
            more_than_reading(&more).unwrap(),
            ["OWNERSHIP on table SHOP.PUBLIC.ITEM", "CREATE_TABLE on schema S"]
        );
        let untold = [row("SELECT", "TABLE", "T"), Row(vec![("granted_on".to_owned(), Some("TABLE".to_owned()))])];
        assert_eq!(more_than_reading(&untold), None, "who does not say it may grant anything");
    }
}
