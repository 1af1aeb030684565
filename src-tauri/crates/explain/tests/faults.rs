//! Tests checks with planted faults and with similar correct queries over small databases: faults that are found and
//! queries that are reported wrongly. `faults/` and `clean/` contain the queries, `data/` the databases.

use std::fmt::Write as _;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{ProfileOptions, profile_database};
use vitrine_domain::{Catalog, Explanation, ExplanationCheck, Profile};
use vitrine_explain::{Bounds, Explainer, Known};
use vitrine_sql::AllowedFunctions;
use vitrine_warehouse::{Warehouse, WarehouseUri};

const NUMBERS: &str = include_str!("data/numbers.sql");

/// A database script with its queries.
struct Pack {
    name: &'static str,
    data: &'static str,
    faults: &'static str,
    clean: &'static str,
}

macro_rules! packs {
    ($($name:literal),*) => {
        [$(Pack {
            name: $name,
            data: include_str!(concat!("data/", $name, ".sql")),
            faults: include_str!(concat!("faults/", $name, ".sql")),
            clean: include_str!(concat!("clean/", $name, ".sql")),
        }),*]
    };
}

const PACKS: [Pack; 6] = packs!["shop", "finance", "hospital", "flights", "school", "staff"];

#[derive(Clone, Copy, PartialEq)]
enum Engine {
    Sqlite,
    Duckdb,
}

struct Database {
    _folder: tempfile::TempDir,
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

impl Database {
    async fn open(data: &str, engine: Engine) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = format!("{NUMBERS}{data}DROP TABLE number;");
        let uri = match engine {
            Engine::Sqlite => {
                let path = folder.path().join("data.sqlite");
                rusqlite::Connection::open(&path).expect("a database").execute_batch(&script).expect("rows");
                format!("sqlite:{}", path.display())
            }
            Engine::Duckdb => {
                let path = folder.path().join("data.duckdb");
                duckdb::Connection::open(&path).expect("a database").execute_batch(&script).expect("rows");
                format!("duckdb:{}", path.display())
            }
        };
        let warehouse =
            vitrine_warehouse::open_warehouse(&WarehouseUri::parse(&uri).expect("an address")).await.expect("open");
        let catalog = warehouse.load_catalog().await.expect("catalog");
        let options = ProfileOptions::default();
        let profile =
            profile_database(Arc::clone(&warehouse), &catalog, options, |_, _, _| (), CancellationToken::new()).await;
        Self { _folder: folder, warehouse, catalog, profile: profile.expect("a profile") }
    }

    /// Explains a query; `None` if the engine cannot execute it.
    async fn explain(&self, sql: &str) -> Option<Explanation> {
        let proven = vitrine_warehouse::prove_read_only(sql, &self.catalog).unwrap_or_else(|e| panic!("{sql}\n{e}"));
        let explainer = Explainer {
            warehouse: self.warehouse.as_ref(),
            catalog: &self.catalog,
            profile: &self.profile,
            allowed: &AllowedFunctions::default(),
            bounds: Bounds::default(),
        };
        let told = explainer.explain(&proven, Known::default(), &CancellationToken::new()).await;
        told.steps.iter().all(|step| step.rows.is_some()).then_some(told)
    }
}

/// A query with its comment.
struct Query {
    says: String,
    sql: String,
}

/// Parses queries, each after a comment and separated by empty lines.
fn queries(text: &str) -> Vec<Query> {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| block.lines().any(|line| !line.starts_with("--")));
    let query = |block: &str| {
        let (comments, lines): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with("--"));
        let says = comments.last().expect("a comment").trim_start_matches("--").trim().to_owned();
        Query { says, sql: lines.join("\n").trim_end_matches(';').to_owned() }
    };
    blocks.map(query).collect()
}

impl Query {
    /// Returns the code of the expected check, and true if it changes the answer.
    fn expected(&self) -> (&str, bool) {
        let (code, _) = self.says.split_once(':').expect("a code and why");
        code.strip_prefix("step ").map_or((code, true), |code| (code, false))
    }
}

fn told(checks: &[ExplanationCheck]) -> String {
    let line = |check: &ExplanationCheck| {
        format!("  {} {}: {}\n", if check.may_change { "?" } else { "-" }, check.code, check.text)
    };
    checks.iter().map(line).collect()
}

/// Numbers of executed queries, and the queries that the checks judge wrongly.
#[derive(Default)]
struct Judged {
    faults: usize,
    missed: Vec<String>,
    clean: usize,
    accused: Vec<String>,
    told: String,
}

async fn judge(engine: Engine) -> Judged {
    let mut judged = Judged::default();
    for pack in &PACKS {
        let database = Database::open(pack.data, engine).await;
        for query in queries(pack.faults) {
            let Some(explanation) = database.explain(&query.sql).await else { continue };
            judged.faults += 1;
            let (code, may_change) = query.expected();
            let said = told(&explanation.checks);
            if !explanation.checks.iter().any(|check| check.code == code && check.may_change == may_change) {
                judged.missed.push(format!("{}: {}\n{}\n{said}", pack.name, query.says, query.sql));
            }
            let _ = writeln!(judged.told, "{}: {}\n{}\n{said}", pack.name, query.says, query.sql);
        }
        for query in queries(pack.clean) {
            let Some(explanation) = database.explain(&query.sql).await else { continue };
            judged.clean += 1;
            let said = told(&explanation.checks);
            if explanation.checks.iter().any(|check| check.may_change) {
                judged.accused.push(format!("{}: {}\n{}\n{said}", pack.name, query.says, query.sql));
            }
            let _ = writeln!(judged.told, "{}: right: {}\n{}\n{said}", pack.name, query.says, query.sql);
        }
    }
    judged
}

fn assert_goals(judged: &Judged) {
    let Judged { faults, missed, clean, accused, .. } = judged;
    assert!(*faults >= 40 && *clean >= 40, "{faults} faults, {clean} right queries");
    let summary = format!(
        "Missed {} of {faults}:\n\n{}\n\nAccused {} of {clean}:\n\n{}",
        missed.len(),
        missed.join("\n"),
        accused.len(),
        accused.join("\n")
    );
    println!("{summary}");
    assert!(missed.len() * 10 <= *faults && accused.len() * 20 <= *clean, "{summary}");
}

#[tokio::test]
async fn planted_faults_are_found_and_right_queries_left_alone_on_sqlite() {
    let judged = judge(Engine::Sqlite).await;
    assert_goals(&judged);
    insta::assert_snapshot!("what_is_told_of_the_pack", judged.told);
}

#[tokio::test]
async fn planted_faults_are_found_and_right_queries_left_alone_on_duckdb() {
    assert_goals(&judge(Engine::Duckdb).await);
}
