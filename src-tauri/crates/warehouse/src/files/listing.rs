//! Selects the files of a folder that are read, and the reasons for excluding others.

use super::file::{LOOKED_FOR_ONE, file_size, unreadable_error};
use super::kind::{FileKind, file_name};
use crate::WarehouseError;
use crate::regular::other_kind;
use std::path::{Path, PathBuf};
use vitrine_domain::FileReading;
use vitrine_words::{later, tr, translate_constant};

const LOOKED_FOR: &str = later!("CSV, TSV, Parquet, JSON or Excel files");
/// Maximum number of files that are read from a folder.
const MOST_FILES: usize = 2_000;

/// Files to read, and excluded entries of the folder that look like data files.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub files: Vec<(PathBuf, FileKind)>,
    pub left_out: Vec<FileReading>,
}

impl Listing {
    /// Lists one file that the user names; links are followed.
    ///
    /// # Errors
    /// If it is not a data file, not a regular file, or empty.
    pub fn of_file(path: &Path) -> Result<Self, WarehouseError> {
        let no_file = |detail: String| WarehouseError::NotADatabase {
            path: path.to_path_buf(),
            wanted: translate_constant(LOOKED_FOR_ONE).to_owned(),
            detail,
        };
        let metadata =
            std::fs::metadata(path).map_err(|error| WarehouseError::from_io_error("opening", path, &error))?;
        if let Some(kind) = other_kind(&metadata) {
            return Err(no_file(kind));
        }
        let kind = FileKind::from_path(path).ok_or_else(|| no_file(crate::content::describe_content(path)))?;
        if metadata.len() == 0 {
            return Err(unreadable_error(path, &kind.title(), &tr!("the file is empty (0 bytes)")));
        }
        Ok(Self { files: vec![(path.to_path_buf(), kind)], left_out: Vec::new() })
    }

    /// Lists the readable files of a folder by name. Empty and hidden files are ignored.
    ///
    /// # Errors
    /// If the folder contains no such files.
    pub fn of_folder(folder: &Path) -> Result<Self, WarehouseError> {
        let failed = |error: std::io::Error| WarehouseError::from_io_error("reading", folder, &error);
        let mut listing = Self::default();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '~']));
            if let (false, Some(kind)) = (hidden, FileKind::from_path(&path)) {
                match resolve_entry(folder, &path) {
                    Ok(real) if file_size(&real) > 0 => listing.files.push((real, kind)),
                    Ok(_) => {}
                    Err(why) => listing.leave_out(&path, why),
                }
            }
        }
        listing.files.sort();
        listing.files.dedup();
        if listing.files.len() > MOST_FILES {
            let more = listing.files.split_off(MOST_FILES);
            let why = tr!(
                "The folder has more than {most} data files: {more} are not read, from this one on. Put the files that belong together into a folder of their own.",
                most = MOST_FILES,
                more = more.len()
            );
            listing.leave_out(&more[0].0, why);
        }
        listing.left_out.sort_by(|a, b| a.file.cmp(&b.file));
        match listing.files.is_empty() {
            false => Ok(listing),
            true => Err(listing.no_tables_error(folder)),
        }
    }

    /// Excludes a file with a reason.
    pub fn leave_out(&mut self, path: &Path, why: String) {
        self.left_out.push(FileReading { file: file_name(path), left_out: Some(why), ..FileReading::default() });
    }

    /// Returns the error for a folder without tables: the reason of the first excluded file, or that no files were
    /// found.
    pub fn no_tables_error(&self, folder: &Path) -> WarehouseError {
        match self.left_out.first() {
            Some(FileReading { file, left_out: Some(why), .. }) => {
                unreadable_error(&folder.join(file), translate_constant(LOOKED_FOR_ONE), why)
            }
            _ => WarehouseError::Empty {
                path: folder.to_path_buf(),
                looked_for: translate_constant(LOOKED_FOR).to_owned(),
            },
        }
    }
}

/// Resolves an entry of the folder to its real path.
///
/// # Errors
/// The reason why it is not read, as a sentence.
fn resolve_entry(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let metadata = std::fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    let real = if metadata.is_symlink() {
        let real = path.canonicalize();
        let real = real.map_err(|_| tr!("It is a symbolic link that leads nowhere."))?;
        if !real.starts_with(folder) {
            return Err(tr!(
                "It is a symbolic link that leads out of the folder. To read the file, open it by its own path, or copy it into the folder."
            ));
        }
        real
    } else {
        path.to_path_buf()
    };
    let metadata = std::fs::metadata(&real).map_err(|error| error.to_string())?;
    match other_kind(&metadata) {
        Some(kind) => Err(tr!("It is {kind}.", kind)),
        None if metadata.is_dir() => Err(tr!("It is a folder. Open it separately.")),
        None => Ok(real),
    }
}
