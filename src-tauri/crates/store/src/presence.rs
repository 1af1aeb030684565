//! Detection of running programs that have the workspace open.
//!
//! The window and the command line may use one workspace at the same time, so an unfinished run is not necessarily
//! interrupted: its program may still be working. Every open [`crate::Store`] therefore locks one numbered file next to
//! the workspace, and its runs carry the number. The system releases the lock when the program ends, however it ends; a
//! lock that can be acquired proves that its owner has ended.

use crate::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Maximum number of programs that share a workspace; far more than realistic.
const MOST: u32 = 1000;

/// A reserved number; released when dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    number: u32,
    _lock: File,
}

impl Presence {
    /// Reserves the lowest free number.
    pub(crate) fn reserve_number(workspace: &Path) -> Result<Self, StoreError> {
        for number in 1..=MOST {
            if let Some(lock) = try_lock(&lock_file_path(workspace, number))? {
                return Ok(Self { number, _lock: lock });
            }
        }
        Err(StoreError::Locked { path: workspace.to_owned() })
    }

    /// Returns the number that the runs of this store carry.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Returns `true` if another program has the workspace open.
    pub(crate) fn has_company(&self, workspace: &Path) -> Result<bool, StoreError> {
        for number in (1..=MOST).filter(|number| *number != self.number) {
            let path = lock_file_path(workspace, number);
            // Numbers are reserved from the lowest upwards, and their files remain.
            if !path.exists() {
                return Ok(false);
            }
            if try_lock(&path)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Locks the number of an ended program so that it stays unused while the lock is held; `None` if its owner is
    /// alive.
    pub(crate) fn stand_in(&self, workspace: &Path, number: u32) -> Result<Option<File>, StoreError> {
        if number == self.number { Ok(None) } else { try_lock(&lock_file_path(workspace, number)) }
    }
}

/// Waits for exclusive access to create or migrate the workspace.
pub(crate) fn lock_workspace(workspace: &Path) -> Result<File, StoreError> {
    let path = lock_file_path(workspace, 0);
    let door = open_lock_file(&path)?;
    door.lock().map_err(|error| StoreError::from_io(&path, &error))?;
    Ok(door)
}

fn lock_file_path(workspace: &Path, number: u32) -> PathBuf {
    let mut name = workspace.as_os_str().to_owned();
    name.push(format!("-open-{number}"));
    name.into()
}

fn open_lock_file(path: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.map_err(|error| StoreError::from_io(path, &error))
}

fn try_lock(path: &Path) -> Result<Option<File>, StoreError> {
    let lock = open_lock_file(path)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(StoreError::from_io(path, &error)),
    }
}
