//! A file that becomes visible only when it is complete.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The temporary file during writing; removed on drop unless it is finished.
pub(super) struct PartFile {
    pub(super) file: File,
    pub(super) path: PathBuf,
    pub(super) dest: PathBuf,
    pub(super) finished: bool,
}

impl PartFile {
    /// Creates the temporary file beside its destination. Remains of interrupted exports are removed.
    pub(super) fn create(dest: &Path) -> io::Result<Self> {
        let name = dest.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
        remove_left_over(dest, &name);
        // The same folder keeps the rename on one file system and therefore atomic.
        for number in 0..100 {
            let path = dest.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
            match vitrine_domain::create_private_new(&path) {
                Ok(file) => {
                    // The lock marks the file as in use. Without it, the file is only not recognized as abandoned.
                    let _ = file.try_lock();
                    return Ok(Self { file, path, dest: dest.to_path_buf(), finished: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Moves the file to its destination.
    pub(super) fn finish(mut self) -> io::Result<()> {
        // Some file systems report a full disk only here.
        self.file.sync_all()?;
        // Keeps the permissions that the owner of the replaced file has set.
        if let Ok(before) = std::fs::metadata(&self.dest) {
            self.file.set_permissions(before.permissions())?;
        }
        std::fs::rename(&self.path, &self.dest)?;
        self.finished = true;
        Ok(())
    }
}

/// Writes a complete file; on an error no file remains.
///
/// # Errors
/// If the file cannot be written.
pub fn write_file(dest: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = PartFile::create(dest)?;
    part.file.write_all(bytes)?;
    part.finish()
}

/// Removes temporary files of interrupted exports to the same destination; an unlocked file is not in use.
fn remove_left_over(dest: &Path, name: &str) {
    let beginning = format!(".{name}.");
    let folder = dest.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let numbers = file_name.to_str().and_then(|name| name.strip_prefix(&beginning)?.strip_suffix(".part"));
        let is_part = numbers.and_then(|numbers| numbers.split_once('-')).is_some_and(|(process, number)| {
            [process, number].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if is_part && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.finished {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
