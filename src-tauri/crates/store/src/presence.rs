//! Which running programs have the workspace open.
//!
//! The window and the command line may use one workspace at a time, so "a run without an end" does not mean that it was
//! cut off: its program may still be working. Every open [`crate::Store`] therefore holds the lock of one numbered file
//! beside the workspace, and its runs carry the number. The system lets go of the lock when the program ends, however
//! it ends; whoever can take the lock knows that the owner is gone.

use crate::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Far more programs than will ever share a workspace.
const MOST: u32 = 1000;

/// A held number; let go when dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    number: u32,
    _lock: File,
}

impl Presence {
    /// Takes the lowest free number.
    pub(crate) fn take(workspace: &Path) -> Result<Self, StoreError> {
        for number in 1..=MOST {
            if let Some(lock) = try_lock(&file(workspace, number))? {
                return Ok(Self { number, _lock: lock });
            }
        }
        Err(StoreError::Locked { path: workspace.to_owned() })
    }

    /// The number that the runs of this store carry.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Whether another program has the workspace open.
    pub(crate) fn has_company(&self, workspace: &Path) -> Result<bool, StoreError> {
        for number in (1..=MOST).filter(|number| *number != self.number) {
            let path = file(workspace, number);
            // Numbers are taken from the lowest on, and their files stay.
            if !path.exists() {
                return Ok(false);
            }
            if try_lock(&path)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Stands in for the holder of a number, if that has ended: nobody takes the number while the lock is held.
    pub(crate) fn stand_in(&self, workspace: &Path, number: u32) -> Result<Option<File>, StoreError> {
        if number == self.number { Ok(None) } else { try_lock(&file(workspace, number)) }
    }
}

/// Lets one program at a time make the workspace or bring it up to date; waits for its turn.
pub(crate) fn door(workspace: &Path) -> Result<File, StoreError> {
    let path = file(workspace, 0);
    let door = open(&path)?;
    door.lock().map_err(|error| StoreError::file(&path, &error))?;
    Ok(door)
}

fn file(workspace: &Path, number: u32) -> PathBuf {
    let mut name = workspace.as_os_str().to_owned();
    name.push(format!("-open-{number}"));
    name.into()
}

fn open(path: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.map_err(|error| StoreError::file(path, &error))
}

fn try_lock(path: &Path) -> Result<Option<File>, StoreError> {
    let lock = open(path)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(StoreError::file(path, &error)),
    }
}
