//! The import arrows of ARCHITECTURE.md, asserted over what Cargo really links.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::BTreeMap;
use std::path::Path;

/// Crates in layers: a crate may use crates of lower layers only, and what is listed for it is all it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("sql", &["domain"]),
    ("ddl", &["domain", "sql"]),
    ("view-dsl", &["domain", "sql"]),
    ("sql-rules", &["domain", "sql"]),
    ("sql-steps", &["domain", "sql"]),
    ("llm", &["domain"]),
    ("warehouse", &["domain", "sql", "ddl"]),
    ("llm-local", &["domain", "llm"]),
    ("python", &["domain"]),
    ("catalog", &["domain", "sql", "warehouse"]),
    ("explain", &["domain", "sql", "sql-steps", "warehouse", "catalog"]),
    ("values", &["domain", "sql", "warehouse"]),
    ("agents", &["domain", "sql", "view-dsl", "sql-rules", "llm", "warehouse", "catalog", "explain", "values"]),
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
    ("sqlparser", &["sql", "ddl", "sql-rules", "sql-steps"]),
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

/// What stands at the top of a crate's sources, in layers: each may use only what is listed before it.
const FOLDERS: &[(&str, &[&str])] = &[
    ("sql", &["parse", "text", "read_only", "column_type", "ast", "facts", "query", "bind"]),
    ("view-dsl", &["model", "check", "write", "compile", "describe", "json_schema"]),
];

/// The source files of a folder and of those in it, by their paths below it, without their tests.
fn sources(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned();
        if path.is_dir() {
            sources(&path, &format!("{below}{name}/"), found);
        } else if let Some(name) = name.strip_suffix(".rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            found.insert(format!("{below}{name}"), code.to_owned());
        }
    }
}

/// The modules that a text names behind a prefix such as `crate::`: one, or several in braces.
fn named(text: &str, prefix: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let behind = text.split(prefix).skip(1);
    let modules = behind.flat_map(|behind| match behind.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or_default().split(',').map(|one| word(one.trim())).collect(),
        None => vec![word(behind)],
    });
    modules.collect()
}

#[test]
fn folders_use_only_what_stands_before_them() {
    for (name, layers) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates").join(name).join("src");
        let mut files = BTreeMap::new();
        sources(&folder, "", &mut files);
        files.remove("lib");
        for (file, text) in &files {
            let own = file.split('/').next().unwrap_or_default();
            let place = layers.iter().position(|layer| *layer == own);
            let place = place.unwrap_or_else(|| panic!("{name}/src/{own} has no place in the architecture"));
            for used in named(text, "crate::") {
                let at = layers.iter().position(|layer| *layer == used);
                assert!(at.is_some_and(|at| at < place), "{name}/src/{file} must not use {used}");
            }
        }
    }
}

#[test]
fn files_of_a_folder_use_each_other_in_no_circle() {
    for (name, _) in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/crates").join(name).join("src");
        let mut files = BTreeMap::new();
        sources(&folder, "", &mut files);
        let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (file, text) in &files {
            let beside = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let used = named(text, "super::").into_iter().map(|used| format!("{beside}/{used}"));
            uses.insert(file.clone(), used.filter(|used| files.contains_key(used)).collect());
        }
        // Files that use none that is left are taken away, until only circles are left.
        let free = |uses: &BTreeMap<String, Vec<String>>| {
            let mut free = uses.iter().filter(|(_, used)| used.iter().all(|file| !uses.contains_key(file)));
            free.next().map(|(file, _)| file.clone())
        };
        while let Some(file) = free(&uses) {
            uses.remove(&file);
        }
        assert!(uses.is_empty(), "files of {name} use each other in a circle: {:?}", uses.keys());
    }
}
