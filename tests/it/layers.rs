//! Module structure of the crates, read from their sources: folders in layers, no import cycles, no long files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum lines of code per file, excluding blank lines, comments and tests.
const LINES: usize = 400;

/// Top-level modules of a crate in layers: each may use only itself and earlier ones.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "sql",
        &[
            "column_type",
            "rejection",
            "token",
            "visit",
            "dialect",
            "parse",
            "text",
            "read_only",
            "ast",
            "facts",
            "query",
            "bind",
        ],
    ),
    ("view-dsl", &["model", "check", "write", "compile", "describe", "json_schema"]),
    (
        "catalog",
        &[
            "text", "names", "personal", "profile", "compress", "keys", "render", "overview", "chunk", "cache",
            "suggest",
        ],
    ),
    (
        "agents",
        &[
            "question",
            "candidate",
            "certainty",
            "run",
            "prompt",
            "schema",
            "attempt",
            "choice",
            "stages",
            "methods",
            "prefill",
            "follow_up",
            "best_so_far",
            "driver",
        ],
    ),
    ("eval", &["metrics", "pack", "judge", "run", "report", "calibrate"]),
];

/// Returns the source folders of all crates.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("src-tauri");
    let folders = fs::read_dir(root.join("crates")).expect("the crates are there");
    let mut found: Vec<PathBuf> = folders.map(|entry| entry.expect("it can be read").path().join("src")).collect();
    found.push(root.join("src"));
    found.retain(|folder| folder.is_dir());
    found.sort();
    found
}

/// Returns the name of a crate's folder, given its source folder.
fn name_of(src: &Path) -> String {
    src.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the modules of a crate by path, e.g. `["ast", "grain"]`, with their texts.
fn modules(src: &Path) -> BTreeMap<Vec<String>, (PathBuf, String)> {
    let mut found = BTreeMap::new();
    let mut open = vec![src.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let inside = path.strip_prefix(src).expect("it lies in there").with_extension("");
                if is_test(&inside) {
                    continue;
                }
                let text = fs::read_to_string(&path).expect("sources are text");
                let mut parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                parts.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
                // A binary next to a library exports nothing.
                found.entry(parts).or_insert((path, text));
            }
        }
    }
    found
}

/// Returns true for a file of tests or of a binary, given its path in the source folder without an extension.
fn is_test(inside: &Path) -> bool {
    inside.iter().any(|part| part == "tests" || part == "bin")
}

/// Returns the Rust files of a folder and of all folders in it.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                open.extend((path.file_name().is_some_and(|name| name != "node_modules")).then_some(path));
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the code lines of a file, without tests, comments and blank lines. Inline tests are at its end.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..inside].lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"))
}

/// Expands a `use` tree: `a::{b, c::{d as e}}` is `a::b` and `a::c::d`.
fn paths(tree: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let mut depth = 0_i32;
    let mut start = 0;
    for (at, letter) in tree.char_indices().chain([(tree.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let one = tree[start..at].trim();
                let (path, group) =
                    one.split_once('{').map_or((one, None), |(path, rest)| (path, rest.rsplit_once('}')));
                let name = path.split(" as ").next().unwrap_or_default();
                let segments = name.split("::").map(str::trim).filter(|part| !part.is_empty());
                let all: Vec<String> = before.iter().cloned().chain(segments.map(str::to_owned)).collect();
                match group {
                    Some((inside, _)) => paths(inside, &all, found),
                    None if all.len() > before.len() => found.push(all),
                    None => {}
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths that a file imports, and the paths that it re-exports.
type ImportPaths = (Vec<Vec<String>>, Vec<Vec<String>>);

fn imports(text: &str) -> ImportPaths {
    let all: String = code(text).collect::<Vec<_>>().join(" ");
    let (mut own, mut handed) = (Vec::new(), Vec::new());
    for statement in all.split(';') {
        let Some((before, tree)) = statement.rsplit_once("use ") else { continue };
        let is_statement = before.is_empty() || before.ends_with([' ', '}', '{']);
        let is_prose = tree.contains(' ') && !tree.contains("::");
        if !is_statement || is_prose {
            continue;
        }
        let is_door = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
        paths(tree, &[], if is_door { &mut handed } else { &mut own });
    }
    // Paths within code: `crate::rows::read(...)`.
    let children = all.split(';').filter_map(|statement| statement.trim().rsplit_once("mod ").map(|(_, name)| name));
    let children: Vec<String> =
        children.filter(|name| !name.contains([' ', '{'])).map(|name| format!("{name}::")).collect();
    for root in ["crate::", "super::"].into_iter().chain(children.iter().map(String::as_str)) {
        for (at, _) in all.match_indices(root) {
            let is_whole =
                !all[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':');
            let end = all[at..].find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'));
            let path = &all[at..at + end.unwrap_or(all.len() - at)];
            let segments: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            let inside_use = all[..at].rfind("use ").is_some_and(|start| !all[start..at].contains(';'));
            if is_whole && !inside_use {
                own.push(segments);
            }
        }
    }
    (own, handed)
}

type Modules = BTreeMap<Vec<String>, (PathBuf, String)>;

/// Returns the module that a path refers to, following re-exports.
fn resolve(
    path: &[String],
    from: &[String],
    modules: &Modules,
    doors: &BTreeMap<Vec<String>, Vec<Vec<String>>>,
) -> Option<Vec<String>> {
    let mut at: Vec<String> = Vec::new();
    let mut rest = path;
    match path.first().map(String::as_str) {
        Some("crate") => rest = &path[1..],
        Some("self") => (at, rest) = (from.to_vec(), &path[1..]),
        Some("super") => {
            at = from.to_vec();
            while rest.first().is_some_and(|part| part == "super") {
                at.pop()?;
                rest = &rest[1..];
            }
        }
        // A child module of the file.
        Some(first) if modules.contains_key(&[from, &[first.to_owned()]].concat()) => at = from.to_vec(),
        _ => return None,
    }
    while let Some((next, others)) = rest.split_first() {
        let inner = [at.as_slice(), std::slice::from_ref(next)].concat();
        if modules.contains_key(&inner) {
            (at, rest) = (inner, others);
            continue;
        }
        let door = doors.get(&at).into_iter().flatten().find(|door| door.last() == Some(next));
        return match door {
            Some(door) => resolve(door, &at, modules, doors).filter(|to| *to != at).or(Some(at)),
            None => Some(at),
        };
    }
    Some(at)
}

/// Returns the imports between modules.
fn arrows(modules: &Modules) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let read: BTreeMap<_, _> = modules.iter().map(|(path, (_, text))| (path.clone(), imports(text))).collect();
    let doors = read.iter().map(|(path, (_, handed))| (path.clone(), handed.clone())).collect();
    let to = |(from, (own, _)): (&Vec<String>, &ImportPaths)| {
        let to = own.iter().filter_map(|path| resolve(path, from, modules, &doors)).filter(|to| to != from);
        (from.clone(), to.collect())
    };
    read.iter().map(to).collect()
}

/// Returns an import cycle, if there is one.
fn circle(arrows: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Option<Vec<Vec<String>>> {
    let mut done: BTreeSet<&Vec<String>> = BTreeSet::new();
    fn walk<'a>(
        at: &'a Vec<String>,
        way: &mut Vec<&'a Vec<String>>,
        done: &mut BTreeSet<&'a Vec<String>>,
        arrows: &'a BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
    ) -> Option<Vec<Vec<String>>> {
        if let Some(start) = way.iter().position(|before| *before == at) {
            return Some(way[start..].iter().map(|module| (*module).clone()).chain([at.clone()]).collect());
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        let found = arrows.get(at).into_iter().flatten().find_map(|to| walk(to, way, done, arrows));
        way.pop();
        found
    }
    arrows.keys().find_map(|start| walk(start, &mut Vec::new(), &mut done, arrows))
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for src in crates() {
        let found = circle(&arrows(&modules(&src))).unwrap_or_default();
        let way: Vec<String> = found.iter().map(|module| module.join("::")).collect();
        assert!(way.is_empty(), "{}: {}", name_of(&src), way.join(" -> "));
    }
}

#[test]
fn folders_use_only_what_stands_before_them() {
    for src in crates() {
        let name = name_of(&src);
        let Some((_, layers)) = LAYERS.iter().find(|(known, _)| *known == name) else { continue };
        let layer = |module: &[String]| {
            let top = module.first()?;
            let at = layers.iter().position(|layer| layer == top);
            Some(at.unwrap_or_else(|| panic!("{name}/src/{top} has no place in the architecture")))
        };
        for (module, used) in arrows(&modules(&src)) {
            for other in &used {
                let (from, to) = (module.join("::"), other.join("::"));
                assert!(layer(&module).is_none() || layer(other) <= layer(&module), "{name}: {from} must not use {to}");
                // Stages are nodes of a graph that only methods combine.
                let both = module[..].starts_with(&["stages".to_owned()]) && other.len() > 1 && module.len() > 1;
                let apart = both && other[0] == "stages" && module[1] != other[1];
                assert!(!apart, "stage {from} must not use stage {to}");
            }
        }
    }
}

/// Folders whose code may compare or name particular dialects. An engine names the dialect of its database.
const DIALECT_FOLDERS: [&str; 4] =
    ["domain/src/dialect.rs", "sql/src/dialect/", "warehouse/src/engines/", "warehouse/src/conformance/"];

#[test]
fn dialects_are_named_only_in_their_folders() {
    let mut found = Vec::new();
    for src in crates() {
        for (path, text) in modules(&src).into_values() {
            let place = path.display().to_string();
            if DIALECT_FOLDERS.iter().any(|folder| place.contains(folder)) {
                continue;
            }
            let names_one = |line: &&str| {
                line.match_indices("Dialect::").any(|(at, name)| {
                    line[at + name.len()..].starts_with(|letter: char| letter.is_ascii_uppercase())
                        && !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == ':')
                })
            };
            // Inline tests are at the end of a file.
            let tests = text.match_indices("\n#[cfg(test)]\n").find(|(at, attribute)| {
                let item = text[at + attribute.len()..].lines().next().unwrap_or_default();
                item.contains("mod ") && item.ends_with('{')
            });
            let own = &text[..tests.map_or(text.len(), |(at, _)| at)];
            found.extend(code(own).filter(names_one).map(|line| format!("{place}: {line}")));
        }
    }
    assert!(found.is_empty(), "ask `dialect.sql()` instead:\n{}", found.join("\n"));
}

#[test]
fn no_file_is_long() {
    let mut long = Vec::new();
    for src in crates() {
        for (path, text) in modules(&src).into_values() {
            let lines = code(&text).count();
            if lines > LINES {
                long.push(format!("{}: {lines}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "more than {LINES} lines of code:\n{}", long.join("\n"));
}

/// Unit tests lie beside their code, and shared test code is in `test-servers`, so no module needs a path.
#[test]
fn every_module_is_where_its_name_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let files = [rust_files(&root.join("src-tauri")), rust_files(&root.join("tests"))].concat();
    assert!(files.len() > 1_000, "only {} files", files.len());
    let attribute = concat!("#[", "path");
    for file in files {
        let text = fs::read_to_string(&file).expect("sources are text");
        assert!(!text.contains(attribute), "{} names the file of a module", file.display());
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        assert!(!name.ends_with("_tests"), "{} belongs in a folder as `tests.rs`", file.display());
    }
}

#[test]
fn circles_are_seen() {
    let module = |path: &[&str], text: &str| {
        (path.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>(), (PathBuf::new(), text.to_owned()))
    };
    let one = |b: &str| {
        Modules::from([
            module(&[], "mod a;\nmod b;\npub use b::{inner::Thing, other};"),
            module(&["a"], "#[cfg(test)]\nmod tests;\nuse crate::{b::{self}, c};\nfn f() { crate::Thing::new() }"),
            module(&["b"], "pub mod inner;\npub use inner::Other;"),
            module(&["b", "inner"], b),
            module(&["c"], "use std::fmt;\n#[cfg(test)]\nmod tests { use crate::a; }"),
        ])
    };
    assert_eq!(circle(&arrows(&one("use super::super::c;"))), None);
    let found = circle(&arrows(&one("use super::super::a::f;"))).expect("a names b::inner, which names a");
    assert_eq!(found.len(), 3, "{found:?}");
}
