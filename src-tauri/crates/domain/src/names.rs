//! Names that come from outside and become names of files and folders.

use std::path::{Component, Path, PathBuf};

/// Whether a text is the id of a run: a UUID, as this program writes them. What came in a file may be anything.
pub fn is_run_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// What lies right below a folder under one name; `None` for a name that is a path of its own, such as `../other`.
pub fn child_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        // `a/` and `a/.` have one part, too.
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
