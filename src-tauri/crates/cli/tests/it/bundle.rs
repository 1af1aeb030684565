//! Evidence in one file: written, checked, replayed without a model, and run again.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::Value;
use std::io::{Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

fn asked(desk: &Desk) {
    let model = recorded(desk);
    let said = desk.run(&["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", &model, QUESTION]);
    assert_eq!(said.status, 0, "{}", said.err);
}

fn parts(desk: &Desk, file: &str) -> Vec<(String, String)> {
    let mut zip = ZipArchive::new(std::fs::File::open(desk.path(file)).unwrap()).unwrap();
    let read = |at| {
        let mut part = zip.by_index(at).unwrap();
        let mut text = String::new();
        part.read_to_string(&mut text).unwrap();
        (part.name().unwrap().into_owned(), text)
    };
    (0..ZipArchive::new(std::fs::File::open(desk.path(file)).unwrap()).unwrap().len()).map(read).collect()
}

fn rewritten(desk: &Desk, file: &str, parts: &[(String, String)]) {
    let mut zip = ZipWriter::new(std::fs::File::create(desk.path(file)).unwrap());
    for (name, text) in parts {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn a_bundle_is_checked_replayed_and_run_again_elsewhere() {
    let desk = Desk::new();
    asked(&desk);
    assert_eq!(desk.run(&["egress", &desk.shop(), "--mask-personal", "no"]).status, 0);
    let written = desk.run(&["runs", "bundle", "last", "--out", "proof.zip"]);
    assert_eq!(written.status, 0, "{}", written.err);
    let names: Vec<String> = parts(&desk, "proof.zip").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["manifest.json", "question.txt", "answer.sql", "result.csv", "events.json"]);
    // Another user, with only the file and the data.
    let other = Desk::new();
    std::fs::copy(desk.path("proof.zip"), other.path("proof.zip")).unwrap();
    let checked = other.run(&["bundle", "check", "proof.zip", "--replay", "--warehouse", &other.shop(), "--json"]);
    assert_eq!(checked.status, 0, "{}", checked.err);
    let check: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!(
        (&check["replayed"], &check["rerun"], &check["question"]),
        (&true.into(), &true.into(), &QUESTION.into())
    );
    assert_eq!(check["manifest"]["left_out"], Value::Null);
    let told = other.run(&["bundle", "check", "proof.zip"]).out;
    assert!(told.contains("hashes      as it was") && told.contains("replay      not looked at"), "{told}");
    // The data has changed in the meantime.
    rusqlite::Connection::open(other.path("shop.db")).unwrap().execute_batch("DELETE FROM customers").unwrap();
    let changed = other.run(&["bundle", "check", "proof.zip", "--warehouse", &other.shop()]);
    assert!(changed.status == 3 && changed.err.contains("other rows now"), "{}", changed.err);
}

#[test]
fn a_part_that_was_changed_added_or_taken_out_is_found() {
    let desk = Desk::new();
    asked(&desk);
    assert_eq!(desk.run(&["egress", &desk.shop(), "--mask-personal", "no"]).status, 0);
    assert_eq!(desk.run(&["runs", "bundle", "last", "--out", "proof.zip"]).status, 0);
    let whole = parts(&desk, "proof.zip");
    let check = |parts: Vec<(String, String)>, said: &str| {
        rewritten(&desk, "other.zip", &parts);
        let found = desk.run(&["bundle", "check", "other.zip", "--replay"]);
        assert!(found.status == 3 && found.err.contains(said), "{said}: {} {}", found.status, found.err);
    };
    let with = |name: &str, from: &str, to: &str| {
        let change = |(own, text): &(String, String)| match own == name {
            true => (own.clone(), text.replace(from, to)),
            false => (own.clone(), text.clone()),
        };
        whole.iter().map(change).collect::<Vec<_>>()
    };
    check(with("result.csv", "1", "2"), "result.csv was changed");
    check(with("answer.sql", "US", "UK"), "answer.sql was changed");
    check(whole.iter().filter(|(name, _)| name != "question.txt").cloned().collect(), "question.txt is missing");
    let mut more = whole.clone();
    more.push(("extra.txt".into(), "x".into()));
    check(more, "extra.txt was added");
    // If the hashes are recomputed as well, the events still reveal the change.
    let result = with("result.csv", "1", "2");
    let hash = |parts: &[(String, String)]| {
        let text = &parts.iter().find(|(name, _)| name == "result.csv").unwrap().1;
        vitrine_store::sha256_hex(text)
    };
    let (before, after) = (hash(&whole), hash(&result));
    let result = result.into_iter().map(|(name, text)| (name, text.replace(&before, &after))).collect();
    check(result, "the events end with another result");
    std::fs::write(desk.path("no.zip"), "no archive").unwrap();
    assert_eq!(desk.run(&["bundle", "check", "no.zip"]).status, 2);
}

#[test]
fn what_the_policy_keeps_here_is_not_in_a_bundle_unless_the_user_says_so() {
    let desk = Desk::new();
    asked(&desk);
    let everywhere = |file: &str| parts(&desk, file).into_iter().map(|(_, text)| text).collect::<String>();
    // A value in prompts, of a column that no part of the answer needs.
    assert_eq!(desk.run(&["egress", &desk.shop(), "--mask", "customers.name"]).status, 0);
    let masked = desk.run(&["runs", "bundle", "last", "--out", "masked.zip"]);
    assert!(masked.status == 0 && masked.err.contains("Left out"), "{}", masked.err);
    assert!(!everywhere("masked.zip").contains("Grace") && everywhere("masked.zip").contains("\"resultReady\""));
    let replayed = desk.run(&["bundle", "check", "masked.zip", "--replay", "--warehouse", &desk.shop()]);
    assert_eq!(replayed.status, 0, "{}", replayed.err);

    assert_eq!(desk.run(&["egress", &desk.shop(), "--level", "profile"]).status, 0);
    assert_eq!(desk.run(&["runs", "bundle", "last", "--out", "held.zip"]).status, 0);
    let held = parts(&desk, "held.zip").into_iter().find(|(name, _)| name == "result.csv").unwrap().1;
    assert_eq!(held, "customers\r\n");
    assert_eq!(desk.run(&["bundle", "check", "held.zip", "--replay", "--warehouse", &desk.shop()]).status, 0);

    assert_eq!(desk.run(&["runs", "bundle", "last", "--out", "all.zip", "--everything"]).status, 0);
    assert!(everywhere("all.zip").contains("Grace"), "the test would see it");
    assert_eq!(desk.run(&["bundle", "check", "all.zip", "--replay"]).status, 0);
}
