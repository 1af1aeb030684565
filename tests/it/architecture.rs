//! The import arrows of ARCHITECTURE.md, asserted over what Cargo really links, and inside a crate over its `use` lines.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Crates in layers: a crate may use crates of lower layers only, and what is listed for it is all it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("sql", &["domain"]),
    ("sql-rules", &["domain", "sql"]),
    ("sql-steps", &["domain", "sql"]),
    ("llm", &["domain"]),
    ("warehouse", &["domain", "sql"]),
    ("llm-local", &["domain", "llm"]),
    ("python", &["domain"]),
    ("catalog", &["domain", "sql", "warehouse"]),
    ("explain", &["domain", "sql", "sql-steps", "warehouse", "catalog"]),
    ("values", &["domain", "sql", "warehouse"]),
    ("agents", &["domain", "sql", "sql-rules", "llm", "warehouse", "catalog", "explain", "values"]),
    ("eval", &["domain", "sql", "llm", "warehouse", "catalog", "values", "agents"]),
    ("store", &["domain"]),
    (
        "api",
        &[
            "domain",
            "sql",
            "sql-rules",
            "explain",
            "llm",
            "warehouse",
            "llm-local",
            "python",
            "catalog",
            "values",
            "agents",
            "eval",
            "store",
        ],
    ),
    ("devhost", &["domain", "api"]),
    ("cli", &["domain", "api", "devhost"]),
    ("desktop", &["domain", "api"]),
];

/// Libraries that only one crate may name, so that their types cannot leave it.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("tauri", &["desktop"]),
    ("sqlparser", &["sql", "sql-rules", "sql-steps"]),
    ("duckdb", &["warehouse"]),
    ("tokio-postgres", &["warehouse"]),
    ("pg_query", &["warehouse"]),
    ("llama-cpp-2", &["llm-local"]),
    ("landlock", &["python"]),
    ("seccompiler", &["python"]),
    ("keyring", &["store"]),
    ("candle-core", &["values"]),
    ("minijinja", &["agents"]),
    ("axum", &["devhost"]),
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

/// Modules of `agents` in layers: each may use itself and those before it.
const AGENTS: &[&str] = &[
    "question",
    "candidate",
    "run",
    "prompt",
    "schema",
    "attempt",
    "choice",
    "stages",
    "methods",
    "prefill",
    "budget_fallback",
    "driver",
];

#[test]
fn modules_of_agents_use_only_those_below() {
    let uses = modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates/agents/src"));
    let layer = |module: &str| {
        let first = module.split("::").next().unwrap_or_default();
        AGENTS.iter().position(|known| *known == first).unwrap_or_else(|| panic!("{module} has no layer"))
    };
    assert!(uses.len() > AGENTS.len());
    for (module, used) in &uses {
        for other in used {
            assert!(layer(other) <= layer(module), "{module} must not use {other}");
            let stage = |module: &str| module.split("::").nth(1).unwrap_or_default().to_owned();
            let both_stages = module.starts_with("stages::") && other.starts_with("stages::");
            assert!(!both_stages || stage(module) == stage(other), "stage {module} must not use stage {other}");
        }
    }
    // What uses only what is gone goes, too; a circle stays.
    let mut left = uses;
    while let Some(free) = left.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        left.remove(&free);
        left.values_mut().for_each(|used| {
            used.remove(&free);
        });
    }
    assert!(left.is_empty(), "these modules use each other in a circle, or what does: {left:?}");
}

/// The modules of a crate by path, without `crate::`, and which others each uses. Unit tests may use what they like.
fn modules(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![src.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("source folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let module = path.strip_prefix(src).expect("below").with_extension("");
            let module = module.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "::");
            if path.extension().is_some_and(|e| e == "rs") && module != "lib" && !module.ends_with("tests") {
                let text = std::fs::read_to_string(&path).expect("source file");
                let text = text.split("mod tests {").next().unwrap_or_default().to_owned();
                texts.insert(module.trim_end_matches("::mod").to_owned(), text);
            }
        }
    }
    let known: BTreeSet<&String> = texts.keys().collect();
    let home = |path: &str| {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        ends.map(|at| path[..at].to_owned()).filter(|prefix| known.contains(prefix)).last()
    };
    let of = |(module, text): (&String, &String)| {
        assert!(!text.contains("use super::"), "{module}: say `crate::`, so that layers can be read off");
        let mut used: BTreeSet<String> = crate_paths(text).iter().filter_map(|path| home(path)).collect();
        used.remove(module);
        (module.clone(), used)
    };
    texts.iter().map(of).collect()
}

/// What a text names by `crate::`, one path for each name in braces.
fn crate_paths(text: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut paths = Vec::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let (path, after) = rest.split_at(rest.find(|c| !is_path(c)).unwrap_or(rest.len()));
        match after.strip_prefix('{').and_then(|list| list.split_once('}')) {
            Some((names, _)) => paths.extend(names.split(',').map(|name| format!("{path}{}", name.trim()))),
            None => paths.push(path.to_owned()),
        }
    }
    paths
}
