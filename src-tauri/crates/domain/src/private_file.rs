//! Files that only the user may read, even while they are written.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a file that other users may not read. An existing file or link is deleted, never written through.
///
/// # Errors
/// Fails if the existing file cannot be deleted or the new one cannot be created.
pub fn create_private(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private_new(path)
}

/// Creates a file that other users may not read, at a path where nothing exists.
///
/// # Errors
/// Fails if something exists at the path or the file cannot be created.
pub fn create_private_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_private_file_is_the_users_alone_and_no_link_is_written_through() {
        let folder = std::env::temp_dir().join(format!("vitrine-private-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (other, draft) = (folder.join("other"), folder.join("out.csv.part"));
        std::fs::write(&other, "mine").unwrap();
        std::os::unix::fs::symlink(&other, &draft).unwrap();
        assert!(create_private_new(&draft).is_err());
        create_private(&draft).unwrap().write_all(b"rows").unwrap();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
        assert_eq!(std::fs::metadata(&draft).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
