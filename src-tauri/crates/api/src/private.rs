//! Private folders: they contain questions, answers and company data, so that only their owner may read them.

use crate::folders::Folders;
use std::io;
use std::path::Path;

impl Folders {
    /// Creates both folders and restricts them to their owner. An existing root folder with a user-defined name may contain other files and
    /// is not changed; only Vitrine's folders in it are restricted.
    pub(crate) fn make_private(&self) -> io::Result<()> {
        for root in [&self.data, &self.cache] {
            let is_ours = !root.exists() || root.file_name().is_some_and(|name| name == "vitrine");
            create_private_folder(root)?;
            if is_ours {
                restrict_access(root)?;
            }
        }
        let holds = [
            self.profiles(),
            self.data.join("values"),
            self.data.join("calibrations"),
            self.evaluations(),
            self.all_views(),
            self.results(),
            self.prompt_prefixes(),
        ];
        for folder in holds {
            let is_open = folder.parent().is_some_and(is_open);
            if is_open {
                create_private_folder(&folder)?;
            }
            if folder.is_dir() {
                restrict_access(&folder)?;
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Returns true if other users may access the folder.
#[cfg(unix)]
fn is_open(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    folder.metadata().is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

#[cfg(unix)]
fn restrict_access(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if is_open(folder) {
        // A folder of another user cannot be restricted; that does not prevent the start.
        let closed = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
        if let Err(error) = closed {
            tracing::warn!(folder = %folder.display(), %error, "other users of this computer can look into this folder");
        }
    }
    Ok(())
}

/// On other systems, a user's application folder is already private.
#[cfg(not(unix))]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(not(unix))]
fn is_open(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
fn restrict_access(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn permission_mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    fn create_open_folder(path: &Path) {
        std::fs::create_dir_all(path).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn new_folders_are_closed_and_those_of_an_earlier_version_are_closed_too() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { data: root.path().join("a/vitrine"), cache: root.path().join("b/vitrine") };
        create_open_folder(&folders.all_views());
        create_open_folder(&folders.data);
        folders.make_private().unwrap();
        for folder in [&folders.data, &folders.cache, &folders.all_views()] {
            assert_eq!(permission_mode(folder), 0o700, "{}", folder.display());
        }
    }

    #[test]
    fn a_folder_of_the_users_own_choice_stays_as_it_is_and_what_is_kept_in_it_is_closed() {
        let root = tempfile::tempdir().unwrap();
        create_open_folder(root.path());
        let folders = Folders { data: root.path().to_owned(), cache: root.path().to_owned() };
        folders.make_private().unwrap();
        assert_eq!(permission_mode(root.path()), 0o755);
        assert_eq!((permission_mode(&folders.results()), permission_mode(&folders.evaluations())), (0o700, 0o700));
    }
}
