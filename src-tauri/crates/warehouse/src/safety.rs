//! Protections of a database as layers: the engine's own restrictions, the rights to its files, its process.

use crate::{Wall, Walls};
use std::path::Path;
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// Returns the layer for the engine's own restrictions.
pub(crate) fn lock_layer(engine: &str, locks: &[(String, bool)], how: String) -> SafetyLayer {
    let list = |holds: bool| {
        let named: Vec<&str> = locks.iter().filter(|(_, lock)| *lock == holds).map(|(name, _)| name.as_str()).collect();
        named.join(", ")
    };
    let (holds, open) = (list(true), list(false));
    let (state, says) = match (holds.is_empty(), open.is_empty()) {
        (_, true) => (SafetyState::Holds, tr!("In {engine} {holds}.", engine, holds)),
        (false, false) => (SafetyState::Partly, tr!("In {engine} {holds}. Not in force: {open}.", engine, holds, open)),
        (true, false) => (SafetyState::Missing, tr!("In {engine} it is not so that {open}.", engine, open)),
    };
    SafetyLayer::new(SafetyKind::Engine, state, says, how)
}

/// Returns the layer for an engine in the application's process.
pub(crate) fn in_this_process() -> SafetyLayer {
    SafetyLayer::new(
        SafetyKind::Process,
        SafetyState::Missing,
        tr!("The engine runs inside the application, without a sandbox of the operating system."),
        tr!("This program was not built to start engines."),
    )
}

/// Returns the layer for an engine in a separate process.
pub(crate) fn in_a_cage(walls: Option<&Walls>) -> SafetyLayer {
    let layer = |state, says: String| {
        let how = tr!("The engine's process was asked which restrictions the kernel enforced when it started.");
        SafetyLayer::new(SafetyKind::Process, state, says, how)
    };
    let Some(walls) = walls else {
        return layer(
            SafetyState::Unknown,
            tr!("The engine runs in its own process, and did not report its restrictions."),
        );
    };
    let found = [
        (tr!("no network and no other programs"), &walls.calls),
        (tr!("no files but the database's own folder and the system's"), &walls.files),
        (tr!("bounded memory"), &walls.memory),
    ];
    let stands: Vec<&str> =
        found.iter().filter(|(_, wall)| matches!(wall, Wall::Stands)).map(|(name, _)| name.as_str()).collect();
    let stands = if stands.is_empty() { tr!("a process of its own alone") } else { stands.join(", ") };
    match walls.describe_gaps() {
        None => layer(SafetyState::Holds, tr!("The engine has {stands}.", stands)),
        Some(gaps) => {
            layer(SafetyState::Partly, tr!("The engine has {stands}. Not in force here: {gaps}.", stands, gaps))
        }
    }
}

/// Returns the layer for the file system: reads the user's write permission on a file or folder without writing.
pub(crate) fn of_file(path: &Path) -> SafetyLayer {
    let how = tr!("The rights of {path} were looked up.", path = path.display());
    if may_write(path) {
        let says = tr!("You may change this file, and Vitrine runs as you: the other layers keep it from that.");
        SafetyLayer::new(SafetyKind::Rights, SafetyState::Missing, says, how)
    } else {
        let says = tr!("You have no right to change this file, and so Vitrine has none.");
        SafetyLayer::new(SafetyKind::Rights, SafetyState::Holds, says, how)
    }
}

#[cfg(target_os = "linux")]
fn may_write(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn may_write(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.permissions().readonly())
}
