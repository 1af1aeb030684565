//! Files that only the user may read, also while they are written.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a new file that no other user may read. A file or link that is left at its place is removed, never written through.
///
/// # Errors
/// When it cannot be made.
pub fn create_private(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private_new(path)
}

/// The same where nothing may be at its place.
///
/// # Errors
/// When something is there, or the file cannot be made.
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
