//! The disk on which models are stored.

use std::path::Path;

/// Returns the free bytes of a folder's disk, if the system reports them.
#[allow(unsafe_code)]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::CString::new(folder.as_os_str().as_bytes()).ok()?;
        let mut stat = std::mem::MaybeUninit::<libc::statvfs>::uninit();
        // SAFETY: the path is zero-terminated, and `stat` is read only after the call filled it.
        let stat = unsafe { (libc::statvfs(path.as_ptr(), stat.as_mut_ptr()) == 0).then(|| stat.assume_init()) }?;
        Some(stat.f_bavail as u64 * stat.f_frsize as u64)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
