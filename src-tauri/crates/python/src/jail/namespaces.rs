//! The first wall: a world in which other files, processes and networks do not exist.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libc::c_int;
use rustix::process::{chdir, pivot_root};

use super::system::{mount, seal_mount, unmount};

/// What is new for the prisoner.
pub const ALL: c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// The prisoner's user number, inside. Not zero: an interpreter that believes to be root behaves differently.
const USER: u32 = 1000;
/// Where the new root is put together before it becomes the root.
const WORKSHOP: &CStr = c"/tmp";
/// Where the old root hangs for a moment.
const OLD: &CStr = c"old";

/// Says who the prisoner is, inside and outside. Call it in the new namespaces, with the numbers from outside.
pub fn name_user(user: u32, group: u32) -> io::Result<()> {
    // A process must not give up groups that keep it from files.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{USER} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{USER} {group} 1"))
}

/// Replaces the whole file system by one that has only `readable`, read-only, each where it was.
pub fn enter_root_of(readable: &[PathBuf]) -> io::Result<()> {
    // Nothing that is mounted from here on may reach the outside.
    mount(c"", c"/", c"", libc::MS_REC | libc::MS_PRIVATE, c"")?;
    let options = c"size=1m,nr_inodes=4096,mode=755";
    mount(c"none", WORKSHOP, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, options)?;
    chdir(WORKSHOP)?;
    fs::create_dir(name_of_old())?;
    pivot_root(".", OLD)?;
    chdir("/")?;
    // A folder goes before what lies in it.
    let mut paths: Vec<&PathBuf> = readable.iter().collect();
    paths.sort_by_key(|path| path.components().count());
    for path in paths {
        show(path)?;
    }
    unmount(OLD)?;
    fs::remove_dir(name_of_old())?;
    seal_mount(c"/")
}

/// Makes one file or folder of the old root visible at its place.
fn show(path: &Path) -> io::Result<()> {
    let Ok(inner) = path.strip_prefix("/") else { return Ok(()) };
    // Resolved by hand below the old root: links in it would lead into the new one.
    let Ok(source) = resolved(inner, 0) else { return Ok(()) };
    if source.is_dir() {
        if path.is_dir() {
            // Part of a folder that is already shown.
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

/// The path below [`OLD`] without links; fails where nothing is there.
fn resolved(inner: &Path, depth: u32) -> io::Result<PathBuf> {
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
            return resolved(&base.join(rest).join(parts.as_path()), depth + 1);
        }
    }
    fs::symlink_metadata(&at).map(|_| at)
}
