//! Checks the dependencies between crates in ARCHITECTURE.md against Cargo's metadata. For modules see `layers.rs`.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::BTreeMap;

/// Crates in layers: each lists all crates that it may use, which are in lower layers.
const MAY_USE: &[(&str, &[&str])] = &[
    ("test-servers", &[]),
    ("words", &[]),
    ("domain", &["words"]),
    ("sql", &["words", "domain"]),
    ("glossary", &["words", "domain"]),
    ("ddl", &["domain", "sql"]),
    ("view-dsl", &["domain", "sql"]),
    ("metrics", &["words", "domain", "sql"]),
    ("metric-questions", &["words", "domain", "sql", "metrics"]),
    ("metric-change", &["words", "domain", "sql", "metrics"]),
    ("sql-rules", &["words", "domain", "sql"]),
    ("sql-steps", &["words", "domain", "sql"]),
    ("templates", &["sql", "sql-rules"]),
    ("llm", &["words", "domain"]),
    ("warehouse", &["words", "domain", "sql", "ddl"]),
    ("federation", &["words", "domain", "sql", "warehouse"]),
    ("models", &["words", "domain"]),
    ("llm-local", &["domain", "llm", "models"]),
    ("python", &["words", "domain"]),
    ("catalog", &["words", "domain", "sql", "warehouse"]),
    ("explain", &["words", "domain", "sql", "sql-steps", "warehouse", "catalog"]),
    ("values", &["words", "domain", "sql", "warehouse"]),
    (
        "agents",
        &[
            "words",
            "domain",
            "sql",
            "view-dsl",
            "metrics",
            "metric-questions",
            "sql-rules",
            "llm",
            "warehouse",
            "catalog",
            "explain",
            "values",
        ],
    ),
    ("eval", &["words", "domain", "sql", "metrics", "llm", "warehouse", "catalog", "values", "agents"]),
    ("arrange", &["words", "domain"]),
    ("report", &["words", "domain"]),
    ("store", &["words", "domain"]),
    (
        "api",
        &[
            "words",
            "domain",
            "sql",
            "glossary",
            "metrics",
            "metric-change",
            "sql-rules",
            "templates",
            "explain",
            "llm",
            "warehouse",
            "federation",
            "models",
            "llm-local",
            "python",
            "catalog",
            "values",
            "agents",
            "eval",
            "arrange",
            "report",
            "store",
        ],
    ),
    ("devhost", &["domain", "api"]),
    ("mcp", &["domain", "api"]),
    ("cli", &["words", "domain", "api", "mcp"]),
    ("desktop", &["domain", "api"]),
];

/// Libraries that only the listed crates may use, so that their types do not leak.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("tauri", &["desktop"]),
    ("sqlparser", &["sql", "ddl", "metrics", "sql-rules", "sql-steps", "federation"]),
    ("duckdb", &["warehouse"]),
    ("tokio-postgres", &["warehouse", "test-servers"]),
    ("pg_query", &["warehouse"]),
    ("adbc_driver_manager", &["warehouse"]),
    ("llama-cpp-2", &["llm-local"]),
    ("landlock", &["python", "warehouse"]),
    ("seccompiler", &["python", "warehouse"]),
    ("keyring", &["store"]),
    ("serde-saphyr", &["glossary", "metrics"]),
    ("candle-core", &["values"]),
    ("minijinja", &["agents", "eval", "report"]),
    ("jiff", &["api"]),
    ("notify-rust", &["cli"]),
    ("axum", &["devhost"]),
    ("rmcp", &["mcp"]),
];

fn dependencies() -> BTreeMap<String, Vec<String>> {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata");
    metadata
        .packages
        .iter()
        .filter_map(|package| {
            let name = package.name.strip_prefix("vitrine-")?.to_owned();
            let uses = package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
            Some((name, uses.map(|d| d.name.clone()).collect()))
        })
        .collect()
}

#[test]
fn imports_only_go_up_the_list() {
    let uses = dependencies();
    for (name, allowed) in MAY_USE {
        let found = uses.get(*name).unwrap_or_else(|| panic!("crate vitrine-{name} is gone"));
        for dependency in found.iter().filter_map(|d| d.strip_prefix("vitrine-")).filter(|d| *d != "features") {
            assert!(allowed.contains(&dependency), "vitrine-{name} must not use vitrine-{dependency}");
        }
    }
    for name in uses.keys().filter(|n| !["tests", "features"].contains(&n.as_str())) {
        assert!(MAY_USE.iter().any(|(known, _)| known == name), "vitrine-{name} has no place in the architecture");
    }
}

#[test]
fn a_library_stays_in_the_crate_that_hides_it() {
    for (name, found) in dependencies().iter().filter(|(n, _)| !["tests", "features"].contains(&n.as_str())) {
        for (library, homes) in ONLY_IN {
            let named = found.iter().any(|d| d == library);
            assert!(!named || homes.contains(&name.as_str()), "vitrine-{name} must not name {library}");
        }
    }
}

/// The development host listens on a port, so it must not be shipped.
#[test]
fn what_is_shipped_holds_no_development_host() {
    let uses = dependencies();
    let mut reached = vec!["cli".to_owned(), "desktop".to_owned()];
    let mut at = 0;
    while at < reached.len() {
        let found = uses[&reached[at]].iter().filter_map(|name| name.strip_prefix("vitrine-"));
        let new: Vec<String> =
            found.filter(|name| !reached.iter().any(|seen| seen == name)).map(str::to_owned).collect();
        reached.extend(new);
        at += 1;
    }
    assert!(reached.iter().any(|name| name == "warehouse"), "{reached:?}");
    assert!(!reached.iter().any(|name| name == "devhost"), "{reached:?}");
}
