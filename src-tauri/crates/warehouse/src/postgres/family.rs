//! Servers that speak as PostgreSQL does and are others: what a transaction is set to, what may be kept, where their tables are
//! listed. Redshift, CockroachDB and MotherDuck by their makers' documents.

use super::search_path::{SERVERS_ONLY, SERVERS_ONLY_SHOWN};
use tokio_postgres::SimpleQueryMessage;

/// Literals are read as the parser above reads them, and text comes out the same from every server.
const SETTINGS: &str = "SET LOCAL standard_conforming_strings = on; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; \
    SET LOCAL IntervalStyle = 'postgres'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; \
    SET LOCAL client_min_messages = 'warning'";

/// What a query may have left in its session, as far as it can be left behind: DISCARD ALL without the prepared statements, which
/// the driver keeps.
///
/// `RESET ALL` brings back the search path that the owner of the database set, so that the one function here is called by its schema,
/// after the path is the server's again, in a transaction that only reads. What stands before BEGIN is part of that transaction, and
/// stays when it is committed.
const CLEAN: &str = "ROLLBACK; CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; DISCARD TEMP; \
    DISCARD SEQUENCES; BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp; \
    SELECT pg_catalog.pg_advisory_unlock_all(); COMMIT";

/// Redshift refuses settings that it does not know, and with them the transaction.
const REDSHIFT_SETTINGS: &str = "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'";

/// Who made a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// PostgreSQL, and services that run it: Neon, Supabase, RDS, Aurora.
    Postgres,
    /// Amazon Redshift.
    Redshift,
    /// CockroachDB.
    Cockroach,
    /// MotherDuck, known by its address: whatever it says of its version, its SQL is DuckDB's.
    Motherduck,
}

/// The views in which a server lists tables and columns by the SQL standard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listing {
    pub(super) tables: &'static str,
    pub(super) columns: &'static str,
    /// The column of both that holds comments; text of SQL.
    pub(super) remarks: &'static str,
}

impl Family {
    /// By what a server says of itself (`version()`).
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

    /// Opens a transaction that can only read, in which the server itself ends a query after that many milliseconds, and a wait for a
    /// lock. The session is set to reading inside of it: that holds where a query ended the transaction, and is gone when it is
    /// rolled back. A pooler between gives the session to others after that, who may write. Of PostgreSQL it also finds no names but
    /// the server's own, which the last statement shows.
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
            // DuckDB has no setting that holds for one transaction, and none for the time of a statement.
            Self::Motherduck => "BEGIN TRANSACTION READ ONLY".to_owned(),
        }
    }

    /// Whether the server's answer to [`Self::begin`] shows the search path that it was told.
    pub(super) fn has_begun(self, answer: &[SimpleQueryMessage]) -> bool {
        self != Self::Postgres || first_column(answer).last().is_some_and(|path| *path == SERVERS_ONLY_SHOWN)
    }

    /// What makes a session like new; where there is nothing, it is closed after each query.
    pub(super) fn reset_statement(self) -> Option<&'static str> {
        match self {
            Self::Postgres => Some(CLEAN),
            // Nothing is set in it, and a read leaves nothing behind.
            Self::Motherduck => Some("ROLLBACK"),
            Self::Redshift | Self::Cockroach => None,
        }
    }

    /// Whether `\` in a text changes what follows it, so that a text may end elsewhere than the parser above thinks.
    pub(super) fn escapes_by_backslash(self) -> bool {
        self == Self::Redshift
    }

    /// Where tables are listed by the standard; `None` where PostgreSQL's own catalogs say more.
    pub(super) fn standard_listing(self) -> Option<Listing> {
        match self {
            Self::Postgres | Self::Motherduck => None,
            // These have external tables, and views that are bound late.
            Self::Redshift => Some(Listing { tables: "svv_tables", columns: "svv_columns", remarks: "remarks" }),
            Self::Cockroach => Some(Listing {
                tables: "information_schema.tables",
                columns: "information_schema.columns",
                remarks: "NULL::text",
            }),
        }
    }
}

/// The first column of all rows of an answer.
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
