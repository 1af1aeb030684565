//! Checks that linked packages come from public registries and have licences that permit use and redistribution.

use cargo_metadata::{Metadata, MetadataCommand, Source};
use std::collections::BTreeMap;

/// Licences that require attribution only.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "OFL-1.1",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    // Requires publishing the source of its own files only if these are modified, which they are not.
    "MPL-2.0",
];

/// Checks that a licence expression (SPDX, or the older `A/B`) can be satisfied.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<String> = Vec::new();
    for word in spaced.split_whitespace() {
        match words.last_mut() {
            Some(last) if word == "WITH" || last.ends_with(" WITH") => *last = format!("{last} {word}"),
            _ => words.push(word.to_owned()),
        }
    }
    let mut words = words.into_iter().peekable();
    let met = any(&mut words);
    met && words.next().is_none()
}

type Words = std::iter::Peekable<std::vec::IntoIter<String>>;

fn any(words: &mut Words) -> bool {
    let mut met = all(words);
    while words.next_if(|word| word == "OR").is_some() {
        met |= all(words);
    }
    met
}

fn all(words: &mut Words) -> bool {
    let mut met = one(words);
    while words.next_if(|word| word == "AND").is_some() {
        met &= one(words);
    }
    met
}

fn one(words: &mut Words) -> bool {
    match words.next() {
        Some(word) if word == "(" => any(words) && words.next().is_some_and(|word| word == ")"),
        Some(word) => ALLOWED.contains(&word.as_str()),
        None => false,
    }
}

fn crates() -> Metadata {
    let locked = MetadataCommand::new().other_options(vec!["--locked".to_owned()]).exec();
    locked.expect("Cargo.lock says what Cargo.toml asks for")
}

/// Packages that only extract UI texts into catalogs and are not shipped: names with declared licences. The third
/// declares none, but its readme states MIT.
const TOOLS: &[(&str, &str)] = &[
    ("node_modules/argparse", "Python-2.0"),
    ("node_modules/caniuse-lite", "CC-BY-4.0"),
    ("node_modules/cli-table", ""),
];

#[test]
fn licences_can_be_met() {
    let licence = |package: &cargo_metadata::Package| package.license.clone().unwrap_or_default();
    let mut refused: Vec<String> = crates()
        .packages
        .iter()
        .filter(|package| !is_allowed(&licence(package)))
        .map(|package| format!("{} {}: {}", package.name, package.version, licence(package)))
        .collect();
    for (name, package) in npm() {
        let licence = package["license"].as_str().unwrap_or_default();
        let is_tool = package["dev"] == true || package["devOptional"] == true;
        let is_allowed_tool = is_tool && TOOLS.contains(&(name.as_str(), licence));
        if !is_allowed_tool && !is_allowed(licence) {
            refused.push(format!("{name}: {licence}"));
        }
    }
    assert!(refused.is_empty(), "packages whose licence is not among those allowed:\n{}", refused.join("\n"));
}

#[test]
fn packages_come_from_the_public_registries_with_checksums() {
    for package in &crates().packages {
        let is_ours = package.source.is_none();
        assert!(
            is_ours || package.source.as_ref().is_some_and(Source::is_crates_io),
            "{} comes from elsewhere",
            package.name
        );
    }
    for (name, package) in npm() {
        // A bundled package is covered by the checksum of the outer package.
        let is_inside = package["inBundle"] == true;
        assert!(is_inside || package["integrity"].is_string(), "{name} has no checksum in package-lock.json");
    }
}

/// Returns the packages of package-lock.json.
fn npm() -> BTreeMap<String, serde_json::Value> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../package-lock.json"));
    let lock: serde_json::Value = serde_json::from_str(&text.expect("package-lock.json is there")).expect("it is JSON");
    let packages = lock["packages"].as_object().expect("it names packages").clone();
    packages.into_iter().filter(|(name, _)| !name.is_empty()).collect()
}

#[test]
fn licences_are_read_as_they_are_meant() {
    for met in ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(MIT OR GPL-3.0) AND ISC", "Apache-2.0 WITH LLVM-exception"] {
        assert!(is_allowed(met), "{met}");
    }
    for unmet in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT AND GPL-3.0) OR LGPL-2.1", "GPL-3.0 WITH Classpath-exception-2.0"]
    {
        assert!(!is_allowed(unmet), "{unmet}");
    }
}
