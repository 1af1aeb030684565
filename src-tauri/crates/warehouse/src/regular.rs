//! Opens only regular files: reading a pipe may block, and a device may be endless.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use vitrine_words::tr;

/// Opens a regular file for reading.
///
/// # Errors
/// Any error of opening, or that it is not a regular file.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    open_with(path, 0)
}

/// Opens a regular file whose path was resolved before; a symbolic link that replaced it is an error.
pub(crate) fn open_found(path: &Path) -> Result<File> {
    #[cfg(unix)]
    let flags = libc::O_NOFOLLOW;
    #[cfg(not(unix))]
    let flags = 0;
    open_with(path, flags)
}

/// Opens a file without blocking. The file type is checked again after opening, because the path may have been replaced
/// between check and opening.
fn open_with(path: &Path, flags: i32) -> Result<File> {
    let kind = |metadata: &Metadata| other_kind(metadata).map(|kind| Error::new(ErrorKind::InvalidInput, kind));
    // Opening a socket fails, so the type is also checked before.
    if let Some(error) = std::fs::metadata(path).ok().as_ref().and_then(kind) {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags | libc::O_NONBLOCK);
    #[cfg(not(unix))]
    let _ = flags;
    let file = options.open(path)?;
    match kind(&file.metadata()?) {
        Some(error) => Err(error),
        None => Ok(file),
    }
}

/// Describes an object that is neither a file nor a folder.
pub(crate) fn other_kind(metadata: &Metadata) -> Option<String> {
    if metadata.is_file() || metadata.is_dir() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some(tr!("a pipe and no file"));
        } else if kind.is_socket() {
            return Some(tr!("a socket and no file"));
        }
    }
    Some(tr!("a device and no file"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_a_socket_and_a_device_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, socket, file) = (folder.path().join("p"), folder.path().join("s"), folder.path().join("f"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::fs::write(&file, "x").unwrap();
        for (path, kind) in [(pipe.as_path(), "pipe"), (&socket, "socket"), (Path::new("/dev/zero"), "device")] {
            let error = open_file(path).unwrap_err().to_string();
            assert!(error.contains(kind), "{error}");
        }
        let link = folder.path().join("l");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(open_file(&file).is_ok() && open_found(&file).is_ok() && open_file(&link).is_ok());
        assert!(open_found(&link).is_err());
    }
}
