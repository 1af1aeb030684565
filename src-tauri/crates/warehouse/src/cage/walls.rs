//! Restrictions of an engine process. Files may come from untrusted sources, so the process has no network, cannot
//! start programs, can read only the database's folder and system files, and has a memory limit.

use crate::OpenOptions;
use crate::walls::Walls;
use std::path::Path;

/// The environment variable with the folder that an engine may write to. SQLite spills sorts there.
pub(super) const SCRATCH: &str = "SQLITE_TMPDIR";

/// Applies the available restrictions to this process permanently and returns the state of each. Must be called while
/// there is only one thread.
#[cfg(target_os = "linux")]
pub(crate) fn shut_in(path: &Path, options: &OpenOptions) -> Walls {
    // In this order, because the last restriction blocks calls that the others need.
    let memory = linux::limit_resources(options).into();
    let files = linux::restrict_files(path, options);
    Walls { memory, files, calls: linux::filter_system_calls().into() }
}

/// Applies the memory limit for a driver. A driver needs the network, may read the user's settings and may start a
/// browser, so its only other restriction is the separate process.
pub(crate) fn around_a_driver(options: &OpenOptions) -> Walls {
    use crate::walls::Wall;
    let missing = || Wall::Missing { why: "a driver speaks to a server by itself".to_owned() };
    #[cfg(target_os = "linux")]
    let memory = linux::limit_resources(options).into();
    #[cfg(not(target_os = "linux"))]
    let (memory, _) = (missing(), options);
    Walls { memory, files: missing(), calls: missing() }
}

/// Returns no restrictions: on this system there is only the separate process.
#[cfg(not(target_os = "linux"))]
pub(crate) fn shut_in(_: &Path, _: &OpenOptions) -> Walls {
    use crate::walls::Wall;
    let missing = || Wall::Missing { why: format!("none is made for {} yet", std::env::consts::OS) };
    Walls { memory: missing(), files: missing(), calls: missing() }
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::OpenOptions;
    use crate::walls::Wall;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus,
    };
    use rustix::process::{Resource, Rlimit, setrlimit};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
    use std::path::{Path, PathBuf};

    /// Memory in addition to the engine's own limit: code, stacks, batches in transit, tables loaded from files. In
    /// bytes.
    const BESIDES: u64 = 1 << 30;

    /// Maximum size of a spilled file in bytes.
    const SPILLED: u64 = 8 << 30;

    /// Files that the engine and the C library read besides the database.
    const READABLE: [&str; 8] =
        ["/proc", "/sys/fs/cgroup", "/sys/devices/system", "/etc", "/usr", "/lib", "/lib64", "/dev"];

    /// Limits memory and the size of written files, and disables core dumps.
    pub(super) fn limit_resources(options: &OpenOptions) -> Result<(), String> {
        #[allow(unsafe_code)]
        // SAFETY: there is only one thread. A file beyond the limit causes a write error, as on a full disk, instead of
        // a signal that ends the process.
        unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
        let bound = |resource, limit| setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
        bound(Resource::Data, options.memory_bytes.saturating_add(BESIDES + options.load_bytes))
            .and_then(|()| bound(Resource::Fsize, SPILLED))
            .and_then(|()| bound(Resource::Core, 0))
            .map_err(|error| format!("limits: {error}"))
    }

    /// Allows reading only the database's folder and system files, and writing only to the spill folder.
    pub(super) fn restrict_files(path: &Path, options: &OpenOptions) -> Wall {
        let restrict = || -> Result<RulesetStatus, RulesetError> {
            let mut ruleset = Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_all(ABI::V5))?
                .handle_access(AccessNet::from_all(ABI::V4))?
                .create()?;
            // Symbolic links are resolved, since rules apply to real paths. The folder is included because a database's
            // log lies beside it.
            let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let path = real.as_path();
            let own = if path.is_dir() { path.to_path_buf() } else { path.parent().unwrap_or(path).to_path_buf() };
            let readable = READABLE.iter().map(PathBuf::from).chain([own, path.to_path_buf()]);
            // The program itself may be outside /usr.
            let program = std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf));
            for path in readable.chain(program) {
                let Ok(open) = PathFd::new(&path) else { continue };
                let rights =
                    if path.is_dir() { AccessFs::ReadFile | AccessFs::ReadDir } else { AccessFs::ReadFile.into() };
                ruleset = ruleset.add_rule(PathBeneath::new(open, rights))?;
            }
            let scratch = std::env::var_os(super::SCRATCH).map(PathBuf::from);
            for open in
                [scratch, options.temp_folder.clone()].into_iter().flatten().filter_map(|path| PathFd::new(path).ok())
            {
                ruleset = ruleset.add_rule(PathBeneath::new(open, AccessFs::from_all(ABI::V5) & !AccessFs::Execute))?;
            }
            ruleset.restrict_self().map(|restricted| restricted.ruleset)
        };
        // Older kernels apply the rules that they support, possibly none, without an error.
        match restrict() {
            Ok(RulesetStatus::FullyEnforced) => Wall::Stands,
            Ok(RulesetStatus::PartiallyEnforced) => {
                Wall::Partly { why: "this kernel knows a part of Landlock's rules".into() }
            }
            Ok(RulesetStatus::NotEnforced) => Wall::Missing { why: "this kernel has no Landlock".into() },
            Err(error) => Wall::Missing { why: format!("Landlock: {error}") },
        }
    }

    /// System calls that reach other processes or systems: sockets, programs, other processes, and calls that bypass
    /// these restrictions.
    #[rustfmt::skip]
    const REFUSED: &[libc::c_long] = &[
        libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept,
        libc::SYS_accept4, libc::SYS_sendto, libc::SYS_sendmsg, libc::SYS_sendmmsg, libc::SYS_io_uring_setup,
        libc::SYS_execve, libc::SYS_execveat, libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd, libc::SYS_kcmp, libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_keyctl, libc::SYS_add_key,
        libc::SYS_request_key, libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_setns,
        libc::SYS_unshare, libc::SYS_userfaultfd, libc::SYS_memfd_create, libc::SYS_shmget, libc::SYS_msgget,
    ];

    pub(super) fn filter_system_calls() -> Result<(), String> {
        let architecture = match std::env::consts::ARCH {
            "x86_64" => TargetArch::x86_64,
            "aarch64" => TargetArch::aarch64,
            other => return Err(format!("no filter of system calls is made for {other}")),
        };
        let refused = REFUSED.iter().map(|call| (*call, vec![])).collect();
        let errno = SeccompAction::Errno(libc::EPERM as u32);
        let put_on = || -> Result<(), Box<dyn std::error::Error>> {
            let program: BpfProgram =
                SeccompFilter::new(refused, SeccompAction::Allow, errno, architecture)?.try_into()?;
            Ok(apply_filter(&program)?)
        };
        put_on().map_err(|error| format!("the filter of system calls: {error}"))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::net::{TcpListener, UdpSocket};
    use std::path::PathBuf;
    use std::process::Command;

    /// The variable that marks the test process inside the sandbox: the folder that it may read.
    const INSIDE: &str = "VITRINE_TEST_INSIDE";

    #[test]
    fn nothing_reaches_out_of_the_walls() {
        let Some(folder) = std::env::var_os(INSIDE).map(std::path::PathBuf::from) else {
            let folder = tempfile::tempdir().expect("a folder");
            let (own, other) = (folder.path().join("own"), folder.path().join("other"));
            for folder in [&own, &other] {
                std::fs::create_dir(folder).expect("a folder");
                std::fs::write(folder.join("shop.db"), "x").expect("a file");
            }
            std::fs::create_dir(other.join("scratch")).expect("a folder");
            let test = std::env::current_exe().expect("this test");
            let inside = Command::new(test)
                .args(["--exact", "cage::walls::tests::nothing_reaches_out_of_the_walls", "--nocapture"])
                .env(INSIDE, &own)
                .env(SCRATCH, other.join("scratch"))
                .output()
                .expect("a process");
            let said = String::from_utf8_lossy(&inside.stdout).into_owned() + &String::from_utf8_lossy(&inside.stderr);
            assert!(inside.status.success() && said.contains("inside: []"), "{said}");
            return;
        };
        assert_eq!(shut_in(&folder.join("shop.db"), &OpenOptions::default()).describe_gaps(), None, "the walls stand");
        let mut won = Vec::new();
        let mut tempt = |what: &'static str, worked: bool| won.extend(worked.then_some(what));
        tempt("listen", TcpListener::bind("127.0.0.1:0").is_ok());
        tempt("send", UdpSocket::bind("127.0.0.1:0").is_ok());
        tempt("start a program", Command::new("/bin/true").status().is_ok());
        tempt("read another file", std::fs::read(folder.join("../other/shop.db")).is_ok());
        tempt("write beside the database", std::fs::write(folder.join("new"), "x").is_ok());
        tempt("write the database", std::fs::OpenOptions::new().append(true).open(folder.join("shop.db")).is_ok());
        tempt("remove it", std::fs::remove_file(folder.join("shop.db")).is_ok());
        tempt("take all memory", Vec::<u8>::new().try_reserve_exact(4 << 30).is_ok());
        let scratch = PathBuf::from(std::env::var_os(SCRATCH).expect("a folder"));
        let spilled = std::fs::File::create(scratch.join("sort")).expect("it may spill there");
        // The limit must cause an error instead of ending the process.
        tempt("spill without end", spilled.set_len(9 << 30).is_ok());
        println!("inside: {won:?}");
        assert!(won.is_empty(), "{won:?}");
        assert!(std::fs::read(folder.join("shop.db")).is_ok(), "its own file is read");
    }
}
