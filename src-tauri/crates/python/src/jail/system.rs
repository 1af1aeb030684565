//! The few system calls that no safe wrapper offers.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use libc::{c_int, c_long, c_ulong, pid_t};

fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A child process in new namespaces (`CLONE_NEW...`, or none). Zero in the child.
///
/// Call it only while this process has a single thread: the child then owns a whole and consistent memory.
pub fn fork_into(namespaces: c_int) -> io::Result<pid_t> {
    let flags = c_ulong::from((namespaces | libc::SIGCHLD).cast_unsigned());
    // SAFETY: without a stack of its own the child goes on with a copy of this one, as after fork.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0usize, 0usize, 0usize, 0usize) };
    Ok(check(pid)? as pid_t)
}

/// Gives the open files these numbers, in order from 0, and `kept` the next one, to be closed on exec. Every other open
/// file of the process is closed, so the callers' own handles are dead afterwards.
pub fn arrange(files: &[&OwnedFd], kept: OwnedFd) -> io::Result<OwnedFd> {
    // First out of the way of the numbers that are to be given.
    let above = 100 + files.len() as c_int;
    let away = |fd: RawFd| {
        // SAFETY: numbers in and out.
        check(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, above) }.into()).map(|fd| fd as RawFd)
    };
    let moved: Vec<RawFd> = files.iter().map(|file| away(file.as_raw_fd())).collect::<io::Result<_>>()?;
    let kept_away = away(kept.as_raw_fd())?;
    let last = files.len() as RawFd;
    for (number, from) in moved.iter().enumerate() {
        // SAFETY: as above; dup2 lets the new number survive exec.
        check(unsafe { libc::dup2(*from, number as RawFd) }.into())?;
    }
    // SAFETY: as above. What Rust still believes to own is forgotten by the caller, who never returns.
    unsafe {
        check(libc::dup3(kept_away, last, libc::O_CLOEXEC).into())?;
        check(libc::syscall(libc::SYS_close_range, (last + 1) as libc::c_uint, libc::c_uint::MAX, 0))?;
        std::mem::forget(kept);
        Ok(OwnedFd::from_raw_fd(last))
    }
}

/// Closes everything but the three standard files.
pub fn close_inherited() {
    // SAFETY: called before anything was opened. It fails before Linux 5.9, where no sandbox is to be had anyway.
    unsafe { libc::syscall(libc::SYS_close_range, 3 as libc::c_uint, libc::c_uint::MAX, 0) };
}

/// Mounts; an empty text stands for what does not matter.
pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: c_ulong, options: &CStr) -> io::Result<()> {
    // SAFETY: C strings and flags.
    let result =
        unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast()) };
    check(result.into()).map(drop)
}

/// Takes a mount away, at once from here and in the end for good.
pub fn unmount(target: &CStr) -> io::Result<()> {
    // SAFETY: a C string and a flag.
    check(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) }.into()).map(drop)
}

/// The version of Landlock, or the kernel's reason to have none.
pub fn landlock_version() -> io::Result<c_long> {
    const VERSION: u32 = 1;
    // SAFETY: without a structure and with this flag it only answers.
    check(unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) })
}

/// Makes a mount and all below it read-only, without devices and without set-user-id programs.
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
    check(result).map(drop)
}

/// Gives every capability up, for this process and whatever it turns into, even where it is root; no program that it
/// starts can bring one back.
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
    /// The third version of the interface: 64 bits in two halves.
    const VERSION_3: u32 = 0x2008_0522;
    /// Root is nobody special from here on, and that cannot be taken back: SECBIT_NOROOT and SECBIT_NO_SETUID_FIXUP,
    /// both with their locks.
    const NO_ROOT: c_ulong = 0b1111;
    let header = Header { version: VERSION_3, pid: 0 };
    let none = [Data::default(); 2];
    // SAFETY: numbers, and pointers to structures of the kernel's own shape that outlive the calls.
    unsafe {
        for capability in 0..64 as c_ulong {
            // Without the right to do so, or beyond the last capability, this fails: then there is nothing to lose.
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0);
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as c_ulong, 0, 0, 0);
        check(libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()))?;
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
    }
    Ok(())
}

/// Tries what no prisoner may do: start a process, and open a socket. The names of what succeeded.
pub fn tempt() -> Vec<&'static str> {
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

/// Ends this process without running anything that was left for its end.
pub fn leave(status: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(status) }
}
