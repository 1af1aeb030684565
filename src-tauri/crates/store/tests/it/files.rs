//! Tests of files that are not, or no longer, a workspace.

use super::Desk;
use rusqlite::Connection;
use vitrine_domain::AppError;
use vitrine_store::{Store, StoreError};

#[test]
fn a_workspace_is_made_with_its_folders() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b/vitrine.db");
    Store::open(&path).unwrap().set_setting("x", &1).unwrap();
    assert_eq!(Store::open(&path).unwrap().setting("x").unwrap(), Some(1));
}

#[test]
fn a_file_of_somebody_elses_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("notes.txt");
    std::fs::write(
        &text,
        "These are my notes, and they are long enough to be looked into as a database header would be.",
    )
    .unwrap();
    let foreign = dir.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
    for path in [text, foreign] {
        let before = std::fs::read(&path).unwrap();
        assert_eq!(Store::open(&path).err(), Some(StoreError::NotAWorkspace { path: path.clone() }));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_truncated_or_overwritten_workspace_is_called_damaged() {
    let desk = Desk::new();
    for number in 0..200 {
        desk.run(&number.to_string(), "How many?", "2026-01-01T00:00:00Z");
    }
    let path = desk.store.path().to_owned();
    drop(desk.store);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 3]).unwrap();
    let error = Store::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    let shown = AppError::from(error);
    assert!(shown.message.contains("vitrine.db") && shown.hint.is_some(), "{shown}");

    // A damaged page in the middle is detected only when it is read.
    let mut broken = whole.clone();
    let length = broken.len();
    broken[4096..length].fill(0xA5);
    std::fs::write(&path, &broken).unwrap();
    let error = Store::open(&path).and_then(|store| store.find_runs("", 10, 0)).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(Store::open(&path).unwrap().find_runs("", 1000, 0).unwrap().len(), 200);
}

#[test]
fn a_workspace_locked_by_another_program_is_called_locked() {
    let desk = Desk::new();
    let other = Connection::open(desk.store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = desk.store.set_setting("x", &1).unwrap_err();
    assert_eq!(error, StoreError::Locked { path: desk.store.path().to_owned() });
    other.execute_batch("COMMIT").unwrap();
    desk.store.set_setting("x", &1).unwrap();
}

#[test]
fn a_folder_in_place_of_the_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vitrine.db");
    std::fs::create_dir(&path).unwrap();
    let error = Store::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::File { .. }), "{error:?}");
    std::fs::write(dir.path().join("file"), "").unwrap();
    assert!(matches!(Store::open(&dir.path().join("file/vitrine.db")).err(), Some(StoreError::File { .. })));
}
