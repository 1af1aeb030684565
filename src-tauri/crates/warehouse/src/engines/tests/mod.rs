pub(crate) mod made_up;

use super::*;
use crate::WarehouseUri;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

#[test]
fn every_kind_has_one_engine_and_every_scheme_too() {
    let kinds: HashSet<_> = engines().map(|engine| engine.kind).collect();
    assert_eq!(kinds.len(), engines().count());
    let schemes: Vec<_> = engines().flat_map(|engine| engine.schemes).collect();
    assert_eq!(schemes.iter().collect::<HashSet<_>>().len(), schemes.len());
    let declared = include_str!("../../kind.rs").lines().filter(|line| line.starts_with("    ") && line.ends_with(','));
    assert_eq!(declared.count(), kinds.len(), "the list lacks a kind");
}

#[test]
fn an_address_that_cannot_be_reached_is_one_of_the_engine() {
    for engine in engines() {
        let Some(unreachable) = engine.unreachable else { continue };
        assert_eq!(WarehouseUri::parse(unreachable).unwrap().kind(), engine.kind, "{unreachable}");
    }
}

/// Returns the Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_the_folders_of_engines_name_kinds() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let sources = entry.unwrap().path().join("src");
        if sources.is_dir() {
            rust_files(&sources, &mut files);
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    let is_allowed = |path: &Path| {
        let inside = path.strip_prefix(crates).unwrap().to_string_lossy().replace('\\', "/");
        inside.starts_with("warehouse/src/engines/") || inside.contains("/tests/") || inside.ends_with("tests.rs")
    };
    for path in files.iter().filter(|path| !is_allowed(path)) {
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
        let named = code.match_indices("WarehouseKind::").map(|(at, name)| &code[at + name.len()..]);
        let kind = named.filter(|rest| rest.starts_with(char::is_uppercase)).count();
        assert_eq!(kind, 0, "{} names a kind of warehouse", path.display());
    }
}
