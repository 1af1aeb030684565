//! What was proven of each engine, feature by feature, and by what: the strongest proof that the tests have.

use crate::WarehouseKind;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};

/// What a feature was tried on, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The engine itself, or a server of it.
    Real,
    /// Somebody else's emulator of it.
    Emulator,
    /// Answers written after the vendor's public documents, not recorded.
    Document,
    /// Nothing.
    Never,
}

impl Proof {
    /// How it is said.
    pub fn title(self) -> &'static str {
        match self {
            Self::Real => "real engine",
            Self::Emulator => "independent emulator",
            Self::Document => "documented exchange",
            Self::Never => "never tried",
        }
    }
}

/// A feature of an engine and its proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proven {
    /// The engine.
    pub kind: WarehouseKind,
    /// What works.
    pub feature: &'static str,
    /// What it was tried on.
    pub proof: Proof,
    /// Which one.
    pub by: &'static str,
}

const fn proven(kind: WarehouseKind, feature: &'static str, proof: Proof, by: &'static str) -> Proven {
    Proven { kind, feature, proof, by }
}

const LIBRARY: &str = "the library that is shipped";
const POSTGRESQL: &str = "a PostgreSQL server that the tests start";
const MARIADB: &str = "a MariaDB server that the tests start";
const EMULATOR: &str = "local-bigquery 0.4.0";
const FAKESNOW: &str = "fakesnow 0.12.1";
const CHDB: &str = "chdb-core 26.9.0 behind a small HTTP server of the tests";
const SPARK: &str = "Spark 4.1.4 behind a small server of the tests that speaks the Statement Execution API";
const DATABRICKSES: &str = "Databricks' documents, November 2026, and a server of the tests written after them";
const DUCKDB_WHEEL: &str =
    "DuckDB 1.5.5 (its wheel) behind a small server of the tests that speaks PostgreSQL's protocol";
const MOTHERDUCKS: &str = "MotherDuck's documents, November 2026, and a server of the tests written after them";
const CLICKHOUSES: &str = "ClickHouse's documents, November 2026";
const SNOWFLAKES: &str = "Snowflake's reference, November 2026";
const GOOGLE: &str = "Google's reference, revision 20260811";

/// Every engine and feature.
pub const PROVEN: &[Proven] = {
    use Proof::{Document, Emulator, Never, Real};
    use WarehouseKind::{
        Adbc, Bigquery, Clickhouse, Databricks, Ddl, Duckdb, File, Motherduck, Mysql, Postgres, Snowflake, Sqlite,
    };
    &[
        proven(Sqlite, "catalog, types, limits, cancelling, hostile statements", Real, LIBRARY),
        proven(Duckdb, "catalog, types, limits, cancelling, hostile statements", Real, LIBRARY),
        proven(File, "CSV, JSON, Parquet, Excel; limits, cancelling", Real, LIBRARY),
        proven(Ddl, "CREATE TABLE scripts", Real, "scripts of five dialects"),
        proven(
            Postgres,
            "catalog, types, limits, cancelling, read-only sessions, hostile statements",
            Real,
            POSTGRESQL,
        ),
        proven(Postgres, "TLS, certificates, passwords", Real, POSTGRESQL),
        proven(Postgres, "staged test, rights of a role", Real, POSTGRESQL),
        proven(
            Postgres,
            "a pooler in transaction mode",
            Real,
            "PgBouncer before a PostgreSQL server that the tests start",
        ),
        proven(Postgres, "SSH tunnels under Linux", Real, "OpenSSH before a PostgreSQL server that the tests start"),
        proven(
            Postgres,
            "Redshift, CockroachDB: settings, tables, what is refused",
            Document,
            "their makers' documents; a PostgreSQL server that answers so",
        ),
        proven(Postgres, "Redshift, CockroachDB, Neon, Supabase, RDS, Aurora", Never, "no server of them"),
        proven(Mysql, "catalog, types, limits, cancelling, read-only sessions, hostile statements", Real, MARIADB),
        proven(Mysql, "TLS, certificates, passwords", Real, MARIADB),
        proven(Mysql, "staged test, rights, roles that are not active", Real, MARIADB),
        proven(Mysql, "SSH tunnels under Linux", Real, "OpenSSH before a MariaDB server that the tests start"),
        proven(Mysql, "roles of MySQL 8", Never, "no server of it"),
        proven(Mysql, "MySQL by Oracle", Never, "no server of it"),
        proven(Bigquery, "catalog, types, nested values, paging, scope, time limit, cancelling", Emulator, EMULATOR),
        proven(Bigquery, "hostile statements", Emulator, EMULATOR),
        proven(Bigquery, "free previews: rows without a job, nested values, whole projects", Emulator, EMULATOR),
        proven(Bigquery, "free previews: external tables, missing rights, short pages", Document, GOOGLE),
        proven(Bigquery, "sign-in with a key file or gcloud, two tokens, rates, 401 and 403", Document, GOOGLE),
        proven(
            Bigquery,
            "sign-in in the browser: consent, PKCE, state, refusals, an expired sign-in",
            Document,
            "Google's document for desktop apps; RFC 6749, 7636 and 8252",
        ),
        proven(
            Bigquery,
            "acting as a service account",
            Document,
            "Google's reference of IAM Service Account Credentials",
        ),
        proven(Bigquery, "tables of each day as one; filters that a partitioned table wants", Emulator, EMULATOR),
        proven(Bigquery, "bytes billed, limits of query, question and month", Document, GOOGLE),
        proven(Bigquery, "a project of Google's", Never, "no account"),
        proven(Snowflake, "tables, types, JSON, limits, cancelling, the driver's end", Emulator, FAKESNOW),
        proven(Snowflake, "hostile statements", Emulator, FAKESNOW),
        proven(Snowflake, "views, foreign keys, grants, a refused login", Document, SNOWFLAKES),
        proven(Snowflake, "an account; keys, browser, OAuth; roles and warehouses", Never, "no account"),
        proven(
            Clickhouse,
            "Preview: catalog, types, row, time and memory limits, stopping by KILL QUERY, hostile statements, `readonly = 1`, streamed rows, an error among them",
            Real,
            CHDB,
        ),
        proven(Clickhouse, "Preview: views without SQL", Real, CHDB),
        proven(
            Clickhouse,
            "Preview: the HTTP interface: passwords, settings with each request, statuses, exceptions behind rows, grants",
            Document,
            CLICKHOUSES,
        ),
        proven(Clickhouse, "Preview: a server of ClickHouse or its cloud; clusters", Never, "no server of it"),
        proven(
            Databricks,
            "Preview: types, row and time limits, stopping, hostile statements, preparing without running, nested values",
            Real,
            SPARK,
        ),
        proven(Databricks, "Preview: views without SQL", Real, SPARK),
        proven(
            Databricks,
            "Preview: tables, keys and comments of information_schema, privileges, tokens, states, chunks, errors",
            Document,
            DATABRICKSES,
        ),
        proven(
            Databricks,
            "Preview: a workspace of Databricks; results of more than 25 MiB; hive_metastore",
            Never,
            "no account",
        ),
        proven(
            Motherduck,
            "Preview: catalog, types, row and time limits, stopping, transactions that only read, macros in the place of functions, hostile statements",
            Real,
            DUCKDB_WHEEL,
        ),
        proven(
            Motherduck,
            "Preview: the endpoint: tokens, databases, codes of errors, orders to stop",
            Document,
            MOTHERDUCKS,
        ),
        proven(
            Motherduck,
            "Preview: MotherDuck itself: its TLS, read scaling tokens, shares, whatever it takes of PostgreSQL's protocol",
            Never,
            "no account",
        ),
        proven(Adbc, "Preview: catalog, keys and queries with SQLite's driver", Real, "adbc-driver-sqlite 1.13.0"),
        proven(Adbc, "Preview: any other driver", Never, "the user's own"),
    ]
};

/// The layer that says how far an engine was tried.
pub fn tried(kind: WarehouseKind) -> SafetyLayer {
    let rows = || PROVEN.iter().filter(move |row| row.kind == kind);
    let said = |proof: Proof| {
        let features: Vec<String> =
            rows().filter(|row| row.proof == proof).map(|row| format!("{} ({})", row.feature, row.by)).collect();
        (!features.is_empty()).then(|| format!("{}: {}", vitrine_domain::capital(proof.title()), features.join("; ")))
    };
    let lines: Vec<String> =
        [Proof::Real, Proof::Emulator, Proof::Document, Proof::Never].into_iter().filter_map(said).collect();
    let state = match rows().map(|row| row.proof).max() {
        Some(Proof::Real) => SafetyState::Holds,
        Some(_) => SafetyState::Partly,
        None => SafetyState::Unknown,
    };
    let how = "By the tests of this program; docs/connections.md has the same table.";
    SafetyLayer::new(SafetyKind::Tried, state, format!("{}.", lines.join(". ")), how)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_the_same_table() {
        let document = include_str!("../../../../docs/connections.md");
        for row in PROVEN {
            let line = format!("| {} | {} | {} | {} |", row.kind.scheme(), row.feature, row.proof.title(), row.by);
            assert!(document.contains(&line), "docs/connections.md lacks: {line}");
        }
        let rows = document.lines().filter(|line| line.ends_with(" |") && line.matches(" | ").count() == 3);
        let listed =
            rows.filter(|line| PROVEN.iter().any(|row| line.starts_with(&format!("| {} |", row.kind.scheme()))));
        assert_eq!(listed.count(), PROVEN.len(), "nothing stands there that is not in code");
    }

    #[test]
    fn an_engine_that_no_server_was_had_of_is_not_called_proven() {
        let bigquery = tried(WarehouseKind::Bigquery);
        assert_eq!(bigquery.state, SafetyState::Partly);
        assert!(bigquery.says.contains("Never tried: a project of Google's"), "{}", bigquery.says);
        assert_eq!(tried(WarehouseKind::Sqlite).state, SafetyState::Holds);
    }
}
