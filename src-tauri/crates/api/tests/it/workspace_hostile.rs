//! Invalid or malicious files: nothing of them is imported, and the error contains a hint.

use crate::support::Desk;
use crate::workspace::{ALL, at_work, export, import};
use proptest::prelude::*;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use vitrine_domain::ErrorCode;
use vitrine_llm::Line;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

type Parts = Vec<(String, String)>;

fn parts(path: &Path) -> Parts {
    let mut zip = ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let read = |at| {
        let mut part = zip.by_index(at).unwrap();
        let mut text = String::new();
        part.read_to_string(&mut text).unwrap();
        (part.name().unwrap().into_owned(), text)
    };
    (0..ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap().len()).map(read).collect()
}

fn packed(desk: &Desk, parts: &Parts) -> PathBuf {
    let path = desk.path("changed.zip");
    let mut zip = ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, text) in parts {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn with(parts: &Parts, name: &str, from: &str, to: &str) -> Parts {
    let mut parts = parts.clone();
    let part = parts.iter_mut().find(|(own, _)| own == name).unwrap();
    assert!(part.1.contains(from), "{name} has no {from}: {}", part.1);
    part.1 = part.1.replace(from, to);
    parts
}

/// Returns true if nothing was imported.
async fn is_empty(desk: &Desk) -> bool {
    desk.app.history(String::new(), None, 1, 0).await.unwrap().is_empty()
        && desk.app.saved(String::new()).await.unwrap().is_empty()
        && desk.app.connections().await.unwrap().is_empty()
        && desk.app.remote_models().await.unwrap().is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_whole_file_of_this_version_is_refused_with_what_to_do() {
    let (desk, _) = at_work().await;
    let file = export(&desk, true).await;
    let whole = parts(&file);
    let other = Desk::new(Vec::<Line>::new()).await;
    let newer = packed(&other, &with(&whole, "manifest.json", "\"version\": 1", "\"version\": 9"));
    let error = import(&other, &newer, ALL).await.unwrap_err();
    assert!(error.message.contains("newer version") && error.hint.unwrap().contains("later"), "{}", error.message);
    let bundle = packed(&other, &with(&whole, "manifest.json", "vitrine-workspace", "vitrine-bundle"));
    let error = import(&other, &bundle, ALL).await.unwrap_err();
    assert!(error.message.contains("vitrine-bundle") && error.hint.is_some(), "{}", error.message);
    let fewer = packed(&other, &with(&whole, "manifest.json", "\"runs.jsonl\": 1", "\"runs.jsonl\": 2"));
    let error = import(&other, &fewer, ALL).await.unwrap_err();
    assert!(error.message.contains("not a complete") && error.detail.unwrap().contains("1 of 2"), "{}", error.message);
    let missing: Parts = whole.iter().filter(|(name, _)| name != "saved.jsonl").cloned().collect();
    assert_eq!(import(&other, &packed(&other, &missing), ALL).await.unwrap_err().code, ErrorCode::Usage);
    let bytes = std::fs::read(&file).unwrap();
    for part in 0..20 {
        let cut = other.path("cut.zip");
        std::fs::write(&cut, &bytes[..bytes.len() * part / 20]).unwrap();
        let error = import(&other, &cut, ALL).await.unwrap_err();
        assert!(error.code == ErrorCode::Usage && error.hint.is_some(), "{error}");
    }
    assert!(is_empty(&other).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_cannot_be_kept_is_told_and_the_others_come_in() {
    let (desk, _) = at_work().await;
    let whole = parts(&export(&desk, true).await);
    for (name, from, to, said) in [
        ("saved.jsonl", "Sales/Monthly", "../../etc", "cannot be the name of a folder"),
        ("saved.jsonl", "{\"question\":{\"id\":\"", "{\"question\":{\"id\":\"../../x", "not a UUID"),
        ("runs.jsonl", "\"seq\":2", "\"seq\":7", "one whole run"),
        ("runs.jsonl", "{\"title\"", "{]\"title\"", "line 1 of runs.jsonl"),
        ("databases.jsonl", "\"name\":\"Shop\"", "\"name\":\"http://x\"", "not a valid connection name"),
        ("models.jsonl", "http://127.0.0.1:9", "http://ann:pw@127.0.0.1:9", "cannot be used"),
    ] {
        let other = Desk::new(Vec::<Line>::new()).await;
        let done = import(&other, &packed(&other, &with(&whole, name, from, to)), ALL).await.unwrap();
        assert_eq!(done.refused.len(), 1, "{name}: {:?}", done.refused);
        assert!(done.refused[0].contains(said), "{said}: {:?}", done.refused);
        assert!(!is_empty(&other).await, "the others came in");
        let left: Vec<_> = std::fs::read_dir(other.folder.path().parent().unwrap()).unwrap().flatten().collect();
        assert!(!left.iter().any(|entry| entry.file_name() == "etc"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_would_change_data_comes_in_as_text_and_never_runs() {
    let (desk, _) = at_work().await;
    let whole = parts(&export(&desk, true).await);
    let other = Desk::new(Vec::<Line>::new()).await;
    let changed = with(&whole, "saved.jsonl", "SELECT name FROM customers ORDER BY id", "DELETE FROM customers");
    let mine = with(&changed, "saved.jsonl", &desk.shop, &other.shop);
    let done = import(&other, &packed(&other, &mine), ALL).await.unwrap();
    let kept = other.app.saved(String::new()).await.unwrap().remove(0);
    assert_eq!(kept.sql, "DELETE FROM customers");
    // The query differs from the one that Ann has verified.
    assert_eq!(kept.status, vitrine_api::SavedStatus::Draft);
    assert!(done.notes.iter().any(|note| note.contains("draft")), "{:?}", done.notes);
    let error = other.app.run_saved(kept.id, Default::default()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotReadOnly, "{error}");
    let rows = rusqlite::Connection::open(other.path("shop.db")).unwrap();
    assert_eq!(rows.query_row("SELECT count(*) FROM customers", [], |row| row.get::<_, u32>(0)).unwrap(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_unpacks_to_far_more_than_it_is_takes_no_memory() {
    let (desk, _) = at_work().await;
    let mut parts = parts(&export(&desk, true).await);
    // Thousands of invalid lines, and one line of 300 MB, in a file of less than one megabyte.
    let nothing = "[]\n".repeat(1 << 16);
    parts.iter_mut().find(|(name, _)| name == "runs.jsonl").unwrap().1 = nothing + &"x".repeat(300 << 20);
    let other = Desk::new(Vec::<Line>::new()).await;
    let file = packed(&other, &parts);
    assert!(file.metadata().unwrap().len() < 1 << 20);
    let done = import(&other, &file, ALL).await.unwrap();
    assert!(
        done.refused.len() == 51 && done.refused[50].contains("65,487"),
        "what is told is bounded: {:?}",
        done.refused.last()
    );
    assert!(other.app.history(String::new(), None, 1, 0).await.unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_change_of_bytes_is_told_or_harmless(changes in prop::collection::vec((0usize..100_000, any::<u8>()), 1..4)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            static FILE: tokio::sync::OnceCell<Vec<u8>> = tokio::sync::OnceCell::const_new();
            let whole = FILE.get_or_init(|| async {
                let (desk, _) = at_work().await;
                std::fs::read(export(&desk, true).await).unwrap()
            });
            let mut bytes = whole.await.clone();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] ^= byte;
            }
            let other = Desk::new(Vec::<Line>::new()).await;
            let file = other.path("changed.zip");
            std::fs::write(&file, bytes).unwrap();
            if let Err(error) = import(&other, &file, ALL).await {
                assert!(error.code == ErrorCode::Usage && error.hint.is_some(), "{error}");
                assert!(is_empty(&other).await, "{error}");
            }
        });
    }
}
