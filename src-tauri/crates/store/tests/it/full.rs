//! Tests of a full disk: uses a small file system that only a separate program can mount.

#![cfg(target_os = "linux")]

use super::{call, event, started};
use std::path::PathBuf;
use vitrine_store::{Store, StoreError};
use vitrine_test_servers::small_disk;

const PLACE: &str = "VITRINE_TEST_FULL";

/// The program on the full disk, not a test.
#[test]
#[ignore = "started by the test below"]
fn the_program_whose_disk_is_full() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let (path, filler) = (place.join("vitrine.db"), place.join("filler"));
    let store = Store::open(&path).unwrap();
    store.append_event(&event("r", 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    // Fills the remaining space.
    std::fs::write(&filler, vec![0; 1 << 20]).unwrap();
    let mut kept = 1;
    let error = loop {
        match store.append_event(&event("r", kept + 1, call(10))) {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::DiskFull { path: path.clone() });
    let export = store.export_run("r", &place.join("run.json")).unwrap_err();
    assert!(matches!(export, StoreError::DiskFull { .. }), "{export:?}");
    assert!(!place.join("run.json").exists() && !place.join("run.json.part").exists());
    // Stored events can be read both while the disk is full and afterwards.
    assert_eq!(store.events("r", 0).unwrap().len() as u32, kept);
    std::fs::remove_file(&filler).unwrap();
    store.append_event(&event("r", kept + 1, call(10))).unwrap();
    store.export_run("r", &place.join("run.json")).unwrap();
    drop(store);
    // Includes the final event of the interrupted run.
    assert_eq!(Store::open(&path).unwrap().events("r", 0).unwrap().len() as u32, kept + 2);
    println!("\nall was kept: {kept}");
}

#[test]
fn a_full_disk_loses_nothing_that_was_stored_and_room_ends_it() {
    small_disk::on_a_disk_of("2m", "full::the_program_whose_disk_is_full", PLACE, "all was kept");
}
