//! Checks of external names that become names of files and folders.

use std::path::{Component, Path, PathBuf};

/// Returns true if a text is a run id: a UUID in Vitrine's notation. Ids in imported files may be arbitrary text.
pub fn is_run_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// Returns the path of a direct child of a folder; `None` if the name is a path, such as `../other`.
pub fn child_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        // `a/` and `a/.` also have a single component.
        (Some(Component::Normal(only)), None) if only == name => Some(folder.join(only)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_id_is_a_uuid_in_one_writing() {
        let id = "0190a5f2-7c1e-7f00-8a3b-1234567890ab";
        assert!(is_run_id(id));
        let braced = format!("{{{id}}}");
        for other in
            ["", "r", "..", "../../home", &id.to_uppercase(), &id.replace('-', ""), &braced, &id.replace('a', "/")]
        {
            assert!(!is_run_id(other), "{other}");
        }
    }

    #[test]
    fn a_name_stays_within_its_folder() {
        let folder = Path::new("/data/views");
        assert_eq!(child_of(folder, "a b.c"), Some("/data/views/a b.c".into()));
        for path in ["", ".", "..", "/", "/etc", "a/b", "a/", "a/.", "../views/a"] {
            assert_eq!(child_of(folder, path), None, "{path}");
        }
    }
}
