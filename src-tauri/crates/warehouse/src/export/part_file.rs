//! A file that appears only when it is whole.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file while it grows; removed when it is dropped before it is finished.
pub(super) struct PartFile {
    pub(super) file: File,
    pub(super) path: PathBuf,
    pub(super) dest: PathBuf,
    pub(super) finished: bool,
}

impl PartFile {
    /// Begins a file beside its place. What a program left that ended in the middle of it is removed.
    pub(super) fn create(dest: &Path) -> io::Result<Self> {
        let name = dest.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
        remove_left_over(dest, &name);
        // The same folder, so that the rename stays on one disk and is atomic.
        for number in 0..100 {
            let path = dest.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
            match vitrine_domain::create_private_new(&path) {
                Ok(file) => {
                    // Held as long as this program writes. Where it cannot be had, the file is only not known as left over.
                    let _ = file.try_lock();
                    return Ok(Self { file, path, dest: dest.to_path_buf(), finished: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> io::Result<()> {
        // Some file systems report a full disk only here.
        self.file.sync_all()?;
        // A file that is replaced was open to whom its owner wanted.
        if let Ok(before) = std::fs::metadata(&self.dest) {
            self.file.set_permissions(before.permissions())?;
        }
        std::fs::rename(&self.path, &self.dest)?;
        self.finished = true;
        Ok(())
    }
}

/// Writes a file at once; it is whole or not there.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(dest: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = PartFile::create(dest)?;
    part.file.write_all(bytes)?;
    part.finish()
}

/// Removes what programs left that ended in the middle of an export to the same file: nobody holds it any more.
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
