//! Evidence for the features of each engine: the strongest that the tests provide.

use crate::WarehouseKind;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::{later, tr, translate_constant};

/// The test environment of a feature, from strongest to weakest evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The engine itself, or a real server.
    Real,
    /// An independent emulator of the engine.
    Emulator,
    /// Responses written from the vendor's public documentation, not recorded.
    Document,
    /// The feature was never tested.
    Never,
}

impl Proof {
    /// Returns the title in English.
    pub fn title(self) -> &'static str {
        match self {
            Self::Real => later!("real engine"),
            Self::Emulator => later!("independent emulator"),
            Self::Document => later!("documented exchange"),
            Self::Never => later!("never tried"),
        }
    }
}

/// A feature of an engine with its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proven {
    /// The kind of the engine.
    pub kind: WarehouseKind,
    /// The description of the feature.
    pub feature: &'static str,
    /// The strongest evidence for it.
    pub proof: Proof,
    /// The product or document of the test.
    pub by: &'static str,
}

const fn proven_feature(kind: WarehouseKind, feature: &'static str, proof: Proof, by: &'static str) -> Proven {
    Proven { kind, feature, proof, by }
}

const LIBRARY: &str = later!("the library that is shipped");
const POSTGRESQL: &str = later!("a PostgreSQL server that the tests start");
const MARIADB: &str = later!("a MariaDB server that the tests start");
const EMULATOR: &str = "local-bigquery 0.4.0";
const FAKESNOW: &str = "fakesnow 0.12.1";
const CHDB: &str = later!("chdb-core 26.9.0 behind a small HTTP server of the tests");
const SPARK: &str = later!("Spark 4.1.4 behind a small server of the tests that speaks the Statement Execution API");
const DATABRICKSES: &str = later!("Databricks' documents, November 2026, and a server of the tests written after them");
const DUCKDB_WHEEL: &str =
    later!("DuckDB 1.5.5 (its wheel) behind a small server of the tests that speaks PostgreSQL's protocol");
const MOTHERDUCKS: &str = later!("MotherDuck's documents, November 2026, and a server of the tests written after them");
const SQLGLOT: &str = later!("sqlglot 30.30.0 over DuckDB 1.5.5, behind Flight SQL's driver 1.13.0");
const CLICKHOUSES: &str = later!("ClickHouse's documents, November 2026");
const SNOWFLAKES: &str = later!("Snowflake's reference, November 2026");
const GOOGLE: &str = later!("Google's reference, revision 20260811");

/// All engines with their features.
pub const PROVEN: &[Proven] = {
    use Proof::{Document, Emulator, Never, Real};
    use WarehouseKind::{
        Adbc, Bigquery, Clickhouse, Databricks, Ddl, Duckdb, File, Motherduck, Mysql, Postgres, Snowflake, Sqlite,
    };
    &[
        proven_feature(Sqlite, later!("catalog, types, limits, cancelling, hostile statements"), Real, LIBRARY),
        proven_feature(Duckdb, later!("catalog, types, limits, cancelling, hostile statements"), Real, LIBRARY),
        proven_feature(File, later!("CSV, JSON, Parquet, Excel; limits, cancelling"), Real, LIBRARY),
        proven_feature(Ddl, later!("CREATE TABLE scripts"), Real, later!("scripts of five dialects")),
        proven_feature(
            Postgres,
            later!("catalog, types, limits, cancelling, read-only sessions, hostile statements"),
            Real,
            POSTGRESQL,
        ),
        proven_feature(Postgres, later!("TLS, certificates, passwords"), Real, POSTGRESQL),
        proven_feature(Postgres, later!("staged test, rights of a role"), Real, POSTGRESQL),
        proven_feature(
            Postgres,
            later!("a pooler in transaction mode"),
            Real,
            later!("PgBouncer before a PostgreSQL server that the tests start"),
        ),
        proven_feature(
            Postgres,
            later!("SSH tunnels under Linux"),
            Real,
            later!("OpenSSH before a PostgreSQL server that the tests start"),
        ),
        proven_feature(
            Postgres,
            later!("Redshift, CockroachDB: settings, tables, what is refused"),
            Document,
            later!("their makers' documents; a PostgreSQL server that answers so"),
        ),
        proven_feature(
            Postgres,
            later!("Redshift, CockroachDB, Neon, Supabase, RDS, Aurora"),
            Never,
            later!("no server of them"),
        ),
        proven_feature(
            Mysql,
            later!("catalog, types, limits, cancelling, read-only sessions, hostile statements"),
            Real,
            MARIADB,
        ),
        proven_feature(Mysql, later!("TLS, certificates, passwords"), Real, MARIADB),
        proven_feature(Mysql, later!("staged test, rights, roles that are not active"), Real, MARIADB),
        proven_feature(
            Mysql,
            later!("SSH tunnels under Linux"),
            Real,
            later!("OpenSSH before a MariaDB server that the tests start"),
        ),
        proven_feature(Mysql, later!("roles of MySQL 8"), Never, later!("no server of it")),
        proven_feature(Mysql, later!("MySQL by Oracle"), Never, later!("no server of it")),
        proven_feature(
            Bigquery,
            later!("catalog, types, nested values, paging, scope, time limit, cancelling"),
            Emulator,
            EMULATOR,
        ),
        proven_feature(Bigquery, later!("hostile statements"), Emulator, EMULATOR),
        proven_feature(Bigquery, later!("views without SQL"), Emulator, SQLGLOT),
        proven_feature(
            Bigquery,
            later!("free previews: rows without a job, nested values, whole projects"),
            Emulator,
            EMULATOR,
        ),
        proven_feature(
            Bigquery,
            later!("free previews: external tables, missing rights, short pages"),
            Document,
            GOOGLE,
        ),
        proven_feature(
            Bigquery,
            later!("sign-in with a key file or gcloud, two tokens, rates, 401 and 403"),
            Document,
            GOOGLE,
        ),
        proven_feature(
            Bigquery,
            later!("sign-in in the browser: consent, PKCE, state, refusals, an expired sign-in"),
            Document,
            later!("Google's document for desktop apps; RFC 6749, 7636 and 8252"),
        ),
        proven_feature(
            Bigquery,
            later!("acting as a service account"),
            Document,
            later!("Google's reference of IAM Service Account Credentials"),
        ),
        proven_feature(
            Bigquery,
            later!("tables of each day as one; filters that a partitioned table wants"),
            Emulator,
            EMULATOR,
        ),
        proven_feature(Bigquery, later!("bytes billed, limits of query, question and month"), Document, GOOGLE),
        proven_feature(Bigquery, later!("a project of Google's"), Never, later!("no account")),
        proven_feature(
            Snowflake,
            later!("tables, types, JSON, limits, cancelling, the driver's end"),
            Emulator,
            FAKESNOW,
        ),
        proven_feature(Snowflake, later!("hostile statements"), Emulator, FAKESNOW),
        proven_feature(Snowflake, later!("reading ahead within its limits"), Emulator, FAKESNOW),
        proven_feature(Snowflake, later!("views without SQL"), Emulator, SQLGLOT),
        proven_feature(
            Snowflake,
            later!("views, foreign keys, grants, a refused login, an expired session, one tab of the browser"),
            Document,
            SNOWFLAKES,
        ),
        proven_feature(Snowflake, later!("bytes before a query by EXPLAIN"), Document, SNOWFLAKES),
        proven_feature(
            Snowflake,
            later!("an account; keys, browser, OAuth; roles and warehouses"),
            Never,
            later!("no account"),
        ),
        proven_feature(
            Clickhouse,
            later!(
                "Preview: catalog, types, row, time and memory limits, stopping by KILL QUERY, hostile statements, `readonly = 1`, streamed rows, an error among them"
            ),
            Real,
            CHDB,
        ),
        proven_feature(
            Clickhouse,
            later!("Preview: bytes estimated, counted, and held to limits by the engine"),
            Real,
            CHDB,
        ),
        proven_feature(Clickhouse, later!("Preview: views without SQL"), Real, CHDB),
        proven_feature(Clickhouse, later!("Preview: reading ahead within its limits"), Real, CHDB),
        proven_feature(
            Clickhouse,
            later!(
                "Preview: the HTTP interface: passwords, settings with each request, statuses, exceptions behind rows, grants, the summary of what was read"
            ),
            Document,
            CLICKHOUSES,
        ),
        proven_feature(
            Clickhouse,
            later!("Preview: a server of ClickHouse or its cloud; clusters"),
            Never,
            later!("no server of it"),
        ),
        proven_feature(
            Databricks,
            later!(
                "Preview: types, row and time limits, stopping, hostile statements, preparing without running, nested values"
            ),
            Real,
            SPARK,
        ),
        proven_feature(Databricks, later!("Preview: views without SQL"), Real, SPARK),
        proven_feature(
            Databricks,
            later!(
                "Preview: tables, keys and comments of information_schema, privileges, tokens, states, chunks, errors"
            ),
            Document,
            DATABRICKSES,
        ),
        proven_feature(
            Databricks,
            later!("Preview: a workspace of Databricks; results of more than 25 MiB; hive_metastore"),
            Never,
            later!("no account"),
        ),
        proven_feature(
            Motherduck,
            later!(
                "Preview: catalog, types, row and time limits, stopping, transactions that only read, macros in the place of functions, hostile statements"
            ),
            Real,
            DUCKDB_WHEEL,
        ),
        proven_feature(Motherduck, later!("Preview: reading ahead within its limits"), Real, DUCKDB_WHEEL),
        proven_feature(
            Motherduck,
            later!("Preview: the endpoint: tokens, databases, codes of errors, orders to stop"),
            Document,
            MOTHERDUCKS,
        ),
        proven_feature(
            Motherduck,
            later!(
                "Preview: MotherDuck itself: its TLS, read scaling tokens, shares, whatever it takes of PostgreSQL's protocol"
            ),
            Never,
            later!("no account"),
        ),
        proven_feature(
            Adbc,
            later!("Preview: catalog, keys and queries with SQLite's driver"),
            Real,
            "adbc-driver-sqlite 1.13.0",
        ),
        proven_feature(
            Adbc,
            later!("Preview: Trino's SQL: nested values, limits, cancelling, hostile statements"),
            Emulator,
            SQLGLOT,
        ),
        proven_feature(Adbc, later!("Preview: Trino's SQL: views without SQL"), Emulator, SQLGLOT),
        proven_feature(Adbc, later!("Preview: a server of Trino, and its drivers"), Never, later!("no server of it")),
        proven_feature(
            Adbc,
            later!("Preview: SQL Server's T-SQL: JSON, limits, cancelling, hostile statements, views without SQL"),
            Emulator,
            SQLGLOT,
        ),
        proven_feature(Adbc, later!("Preview: a SQL Server, and its drivers"), Never, later!("no server of it")),
        proven_feature(Adbc, later!("Preview: signing in by a password, with Flight SQL's driver"), Emulator, SQLGLOT),
        proven_feature(Adbc, later!("Preview: any other driver"), Never, later!("the user's own")),
    ]
};

/// Returns the safety layer with the engine's evidence.
pub fn proof_layer(kind: WarehouseKind) -> SafetyLayer {
    let rows = || PROVEN.iter().filter(move |row| row.kind == kind);
    let said = |proof: Proof| {
        let features: Vec<String> = rows()
            .filter(|row| row.proof == proof)
            .map(|row| format!("{} ({})", translate_constant(row.feature), translate_constant(row.by)))
            .collect();
        (!features.is_empty()).then(|| {
            format!("{}: {}", vitrine_domain::capitalize_first(translate_constant(proof.title())), features.join("; "))
        })
    };
    let lines: Vec<String> =
        [Proof::Real, Proof::Emulator, Proof::Document, Proof::Never].into_iter().filter_map(said).collect();
    let state = match rows().map(|row| row.proof).max() {
        Some(Proof::Real) => SafetyState::Holds,
        Some(_) => SafetyState::Partly,
        None => SafetyState::Unknown,
    };
    let how = tr!("By the tests of this program; docs/connections.md has the same table.");
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
        let bigquery = proof_layer(WarehouseKind::Bigquery);
        assert_eq!(bigquery.state, SafetyState::Partly);
        assert!(bigquery.says.contains("Never tried: a project of Google's"), "{}", bigquery.says);
        assert_eq!(proof_layer(WarehouseKind::Sqlite).state, SafetyState::Holds);
    }
}
