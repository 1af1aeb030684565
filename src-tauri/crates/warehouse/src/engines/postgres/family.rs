//! Servers that speak PostgreSQL's protocol: the settings of a transaction, the reset of a session and the listing of
//! tables for each. Redshift, CockroachDB and MotherDuck are implemented according to their documentation.

use super::search_path::{SERVERS_ONLY, SERVERS_ONLY_SHOWN};
use tokio_postgres::SimpleQueryMessage;

/// Literals are parsed as by the read-only proof, and text is the same from every server.
const SETTINGS: &str = "SET LOCAL standard_conforming_strings = on; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; \
    SET LOCAL IntervalStyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; \
    SET LOCAL client_min_messages = 'warning'";

/// Resets a session as far as possible after a query: DISCARD ALL without the prepared statements, which the driver
/// keeps.
///
/// `RESET ALL` restores the search path that the owner of the database set. Therefore the only function here is called
/// with its schema, after the path is set to the server's own again, in a read-only transaction. Statements before
/// BEGIN are part of that transaction, and their effects remain when it is committed.
const CLEAN: &str = "ROLLBACK; CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; DISCARD TEMP; \
    DISCARD SEQUENCES; BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp; \
    SELECT pg_catalog.pg_advisory_unlock_all(); COMMIT";

/// Redshift rejects unknown settings, which would abort the transaction.
const REDSHIFT_SETTINGS: &str = "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'";

/// The product that a server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// PostgreSQL, and services that run it: Neon, Supabase, RDS, Aurora.
    Postgres,
    Redshift,
    Cockroach,
    /// MotherDuck, identified by its address and not by its version text. Its SQL is DuckDB's.
    Motherduck,
}

/// The views in which a server lists tables and columns according to the SQL standard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listing {
    pub(super) tables: &'static str,
    pub(super) columns: &'static str,
    /// The SQL expression for the comment in both views.
    pub(super) remarks: &'static str,
}

impl Family {
    /// Identifies the product by the text of `version()`.
    pub(super) fn from_version(version: &str) -> Self {
        if version.starts_with("CockroachDB") {
            Self::Cockroach
        } else if version.contains("Redshift") {
            Self::Redshift
        } else {
            Self::Postgres
        }
    }

    pub(super) fn display_name(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Redshift => "Amazon Redshift",
            Self::Cockroach => "CockroachDB",
            Self::Motherduck => "MotherDuck",
        }
    }

    /// Returns the statements that begin a read-only transaction. `statement_ms` and `lock_ms` are the server's
    /// timeouts in milliseconds for a query and for a lock. The session is set to read-only inside the transaction:
    /// this remains in force if a query ends the transaction, and a rollback removes it, so that a pooler can then give
    /// the session to other clients that write. With PostgreSQL, unqualified names resolve to the server's own objects
    /// only; the last statement returns the search path to verify it.
    pub(super) fn begin_statement(self, statement_ms: u128, lock_ms: u128) -> String {
        match self {
            Self::Postgres => format!(
                "BEGIN READ ONLY; {SERVERS_ONLY}; SET default_transaction_read_only = on; {SETTINGS}; SET LOCAL transform_null_equals = off; SET LOCAL statement_timeout = {statement_ms}; SET LOCAL lock_timeout = {lock_ms}; SHOW search_path"
            ),
            Self::Cockroach => format!(
                "BEGIN READ ONLY; SET default_transaction_read_only = on; {SETTINGS}; SET LOCAL statement_timeout = {statement_ms}; SET LOCAL lock_timeout = {lock_ms}"
            ),
            Self::Redshift => {
                format!("BEGIN READ ONLY; {REDSHIFT_SETTINGS}; SET LOCAL statement_timeout = {statement_ms}")
            }
            // DuckDB has no settings per transaction, and no statement timeout.
            Self::Motherduck => "BEGIN TRANSACTION READ ONLY".to_owned(),
        }
    }

    /// Returns true if the server's response to [`Self::begin_statement`] contains the requested search path.
    pub(super) fn has_begun(self, answer: &[SimpleQueryMessage]) -> bool {
        self != Self::Postgres || first_column(answer).last().is_some_and(|path| *path == SERVERS_ONLY_SHOWN)
    }

    /// Returns the statements that reset a session. With `None`, the connection is closed after each query.
    pub(super) fn reset_statement(self) -> Option<&'static str> {
        match self {
            Self::Postgres => Some(CLEAN),
            // No settings were changed, and reading leaves nothing behind.
            Self::Motherduck => Some("ROLLBACK"),
            Self::Redshift | Self::Cockroach => None,
        }
    }

    /// Returns true if `\` in a literal escapes the next character, so that a literal may end at another place than in
    /// the read-only proof.
    pub(super) fn escapes_by_backslash(self) -> bool {
        self == Self::Redshift
    }

    /// Returns the standard views that list tables; `None` if PostgreSQL's catalogs contain more.
    pub(super) fn standard_listing(self) -> Option<Listing> {
        match self {
            Self::Postgres | Self::Motherduck => None,
            // These views include external tables and late-binding views.
            Self::Redshift => Some(Listing { tables: "svv_tables", columns: "svv_columns", remarks: "remarks" }),
            Self::Cockroach => Some(Listing {
                tables: "information_schema.tables",
                columns: "information_schema.columns",
                remarks: "NULL::text",
            }),
        }
    }
}

/// Returns the first column of all rows of a response.
pub(super) fn first_column(answer: &[SimpleQueryMessage]) -> Vec<&str> {
    let rows = answer.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn a_server_is_known_by_what_it_says() {
        for (version, family) in [
            ("PostgreSQL 15.8 (Debian 15.8-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc", Family::Postgres),
            ("PostgreSQL 17.5 (6bc9ef8) on aarch64-unknown-linux-gnu", Family::Postgres),
            (
                "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017, Redshift 1.0.48004",
                Family::Redshift,
            ),
            ("CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)", Family::Cockroach),
        ] {
            assert_eq!(Family::from_version(version), family, "{version}");
        }
    }
}
