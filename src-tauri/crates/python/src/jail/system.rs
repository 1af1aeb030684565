//! The few system calls that no safe wrapper offers.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use libc::{c_int, c_long, c_ulong, pid_t};

fn check_result(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Forks a child process into new namespaces (`CLONE_NEW...`, or none). Returns zero in the child.
///
/// Must be called while this process has a single thread, so that the child's memory is complete and consistent.
pub fn fork_into(namespaces: c_int) -> io::Result<pid_t> {
    let flags = c_ulong::from((namespaces | libc::SIGCHLD).cast_unsigned());
    // SAFETY: without its own stack the child continues on a copy of this one, as after fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0usize, 0usize, 0usize, 0usize) };
    Ok(check_result(pid)? as pid_t)
}

/// Assigns the files the descriptors 0, 1, 2 and so on, and the next one to `kept`, which is closed on exec. Closes all
/// other descriptors of the process, so that the callers' handles become invalid.
pub fn assign_descriptors(files: &[&OwnedFd], kept: OwnedFd) -> io::Result<OwnedFd> {
    // Moves the files away from the target descriptors first.
    let above = 100 + files.len() as c_int;
    let away = |fd: RawFd| {
        // SAFETY: numbers in and out.
        check_result(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, above) }.into()).map(|fd| fd as RawFd)
    };
    let moved: Vec<RawFd> = files.iter().map(|file| away(file.as_raw_fd())).collect::<io::Result<_>>()?;
    let kept_away = away(kept.as_raw_fd())?;
    let last = files.len() as RawFd;
    for (number, from) in moved.iter().enumerate() {
        // SAFETY: as above; dup2 lets the new number survive exec.
        check_result(unsafe { libc::dup2(*from, number as RawFd) }.into())?;
    }
    // SAFETY: as above. What Rust still believes to own is forgotten by the caller, who never returns.
    unsafe {
        check_result(libc::dup3(kept_away, last, libc::O_CLOEXEC).into())?;
        check_result(libc::syscall(libc::SYS_close_range, (last + 1) as libc::c_uint, libc::c_uint::MAX, 0))?;
        std::mem::forget(kept);
        Ok(OwnedFd::from_raw_fd(last))
    }
}

/// Closes all files except the three standard ones.
pub fn close_inherited() {
    // SAFETY: called before anything was opened. It fails before Linux 5.9, where no sandbox is available anyway.
    unsafe { libc::syscall(libc::SYS_close_range, 3 as libc::c_uint, libc::c_uint::MAX, 0) };
}

/// Mounts a file system; an empty string is passed for unused arguments.
pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: c_ulong, options: &CStr) -> io::Result<()> {
    // SAFETY: C strings and flags.
    let result =
        unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) };
    check_result(result.into()).map(drop)
}

/// Detaches a mount immediately; the kernel removes it after its last use.
pub fn unmount(target: &CStr) -> io::Result<()> {
    // SAFETY: a C string and a flag.
    check_result(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) }.into()).map(drop)
}

/// Returns the version of Landlock, or the kernel's error if it is unavailable.
pub fn landlock_version() -> io::Result<c_long> {
    const VERSION: u32 = 1;
    // SAFETY: without a structure and with this flag it only answers.
    check_result(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) })
}

/// Makes a mount and all mounts below it read-only, without devices and set-user-id programs.
pub fn seal_mount(path: &CStr) -> io::Result<()> {
    let sealed = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path is a C string, and the structure's true size goes with it.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const sealed,
            size_of::<libc::mount_attr>(),
        )
    };
    check_result(result).map(drop)
}

/// Drops every capability of this process and of programs that it executes, even for root; none can be regained.
pub fn drop_capabilities() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: c_int,
    }
    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct Data {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    /// Version 3 of the interface: 64 bits in two halves.
    const VERSION_3: u32 = 0x2008_0522;
    /// Irrevocably removes the special treatment of root: SECBIT_NOROOT and SECBIT_NO_SETUID_FIXUP, both locked.
    const NO_ROOT: c_ulong = 0b1111;
    let header = Header { version: VERSION_3, pid: 0 };
    let none = [Data::default(); 2];
    // SAFETY: numbers, and pointers to structures of the kernel's own shape that outlive the calls.
    unsafe {
        for capability in 0..64 as c_ulong {
            // Fails without the right to do so, or beyond the last capability: then there is nothing to drop.
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0);
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong, 0, 0, 0);
        check_result(libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()))?;
        check_result(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
    }
    Ok(())
}

/// Attempts forbidden operations: starting a process and opening a socket. Returns the names of successful ones.
pub fn attempt_escapes() -> Vec<&'static str> {
    let mut won = Vec::new();
    // SAFETY: numbers in and out. A child, if there were one, ends at once.
    unsafe {
        for family in [libc::AF_INET, libc::AF_UNIX, libc::AF_NETLINK] {
            if libc::socket(family, libc::SOCK_DGRAM, 0) >= 0 {
                won.push("open a socket");
            }
        }
        match libc::fork() {
            0 => libc::_exit(0),
            pid if pid > 0 => won.push("start a process"),
            _ => {}
        }
    }
    won
}

/// Ends this process without running exit handlers.
pub fn exit_process(status: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}
