//! The first isolation layer: namespaces in which other files, processes and networks do not exist.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libc::c_int;
use rustix::process::{chdir, pivot_root};

use super::system::{mount, seal_mount, unmount};

/// The namespaces that are created for the prisoner.
pub const ALL: c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The prisoner's user id inside its namespace. Not zero, because an interpreter behaves differently as root.
const USER: u32 = 1000;
/// The folder in which the new root is assembled.
const WORKSHOP: &CStr = c"/tmp";
/// The temporary mount point of the old root.
const OLD: &CStr = c"old";

/// Maps the prisoner's user and group ids. Must be called in the new namespaces, with the ids from outside.
pub fn name_user(user: u32, group: u32) -> io::Result<()> {
    // Required by the kernel before `gid_map`: a process must not drop groups that deny it access to files.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{USER} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{USER} {group} 1"))
}

/// Replaces the file system by one that contains only `readable`, read-only, at the same paths.
pub fn enter_root_of(readable: &[PathBuf]) -> io::Result<()> {
    // Later mounts must not propagate to the outside.
    mount(c"", c"/", c"", libc::MS_REC | libc::MS_PRIVATE, c"")?;
    let options = c"size=1m,nr_inodes=4096,mode=755";
    mount(c"none", WORKSHOP, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, options)?;
    chdir(WORKSHOP)?;
    fs::create_dir(name_of_old())?;
    pivot_root(".", OLD)?;
    chdir("/")?;
    // Folders are mounted before their contents.
    let mut paths: Vec<&PathBuf> = readable.iter().collect();
    paths.sort_by_key(|path| path.components().count());
    for path in paths {
        expose_path(path)?;
    }
    unmount(OLD)?;
    fs::remove_dir(name_of_old())?;
    seal_mount(c"/")
}

/// Makes a file or folder of the old root visible at the same path.
fn expose_path(path: &Path) -> io::Result<()> {
    let Ok(inner) = path.strip_prefix("/") else { return Ok(()) };
    // Links are resolved manually below the old root, because they would lead into the new one.
    let Ok(source) = resolve_links(inner, 0) else { return Ok(()) };
    if source.is_dir() {
        if path.is_dir() {
            // The path is within a folder that is already visible.
            return Ok(());
        }
        fs::create_dir_all(path)?;
    } else if source.is_file() {
        if path.exists() {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::File::create(path)?;
    } else {
        return Ok(());
    }
    let (source, path) = (c_path(&source)?, c_path(path)?);
    mount(&source, &path, c"", libc::MS_BIND | libc::MS_REC, c"")?;
    seal_mount(&path)
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

fn name_of_old() -> &'static Path {
    Path::new(OsStr::from_bytes(OLD.to_bytes()))
}

/// Resolves all links of a path below [`OLD`]; fails if the path does not exist.
fn resolve_links(inner: &Path, depth: u32) -> io::Result<PathBuf> {
    if depth > 40 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let root = Path::new("/").join(name_of_old());
    let mut at = root.clone();
    let mut parts = inner.components();
    while let Some(part) = parts.next() {
        match part {
            std::path::Component::ParentDir if at != root => drop(at.pop()),
            std::path::Component::Normal(name) => at.push(name),
            _ => continue,
        }
        if let Ok(target) = fs::read_link(&at) {
            at.pop();
            let base =
                if target.is_absolute() { Path::new("") } else { at.strip_prefix(&root).unwrap_or(Path::new("")) };
            let rest = target.strip_prefix("/").unwrap_or(&target);
            return resolve_links(&base.join(rest).join(parts.as_path()), depth + 1);
        }
    }
    fs::symlink_metadata(&at).map(|_| at)
}
