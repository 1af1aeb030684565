//! A disk that is really full: a small file system of the test's own, which only a program of its own can mount.

#![cfg(target_os = "linux")]

use super::{call, event, started};
use std::path::PathBuf;
use vitrine_store::{Store, StoreError};

#[path = "../../../warehouse/src/tests/small_disk.rs"]
mod small_disk;

const PLACE: &str = "VITRINE_TEST_FULL";

/// Not a test by itself: what the program on the full disk does.
#[test]
#[ignore = "started by the test below"]
fn the_program_whose_disk_is_full() {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return };
    let (path, filler) = (place.join("vitrine.db"), place.join("filler"));
    let store = Store::open(&path).unwrap();
    store.append(&event("r", 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    // As much as there is room for.
    std::fs::write(&filler, vec![0; 1 << 20]).unwrap();
    let mut kept = 1;
    let error = loop {
        match store.append(&event("r", kept + 1, call(10))) {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::DiskFull { path: path.clone() });
    let export = store.export_run("r", &place.join("run.json")).unwrap_err();
    assert!(matches!(export, StoreError::DiskFull { .. }), "{export:?}");
    assert!(!place.join("run.json").exists() && !place.join("run.json.part").exists());
    // What was stored can be read while there is no room, and afterwards.
    assert_eq!(store.events("r", 0).unwrap().len() as u32, kept);
    std::fs::remove_file(&filler).unwrap();
    store.append(&event("r", kept + 1, call(10))).unwrap();
    store.export_run("r", &place.join("run.json")).unwrap();
    drop(store);
    // With the event that ends a run which nobody works on any more.
    assert_eq!(Store::open(&path).unwrap().events("r", 0).unwrap().len() as u32, kept + 2);
    println!("\nall was kept: {kept}");
}

#[test]
fn a_full_disk_loses_nothing_that_was_stored_and_room_ends_it() {
    small_disk::on_a_disk_of("2m", "full::the_program_whose_disk_is_full", PLACE, "all was kept");
}
