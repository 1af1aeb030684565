//! The third isolation layer, which is always active: a filter that permits only the system calls that an interpreter
//! and its packages need for computing. All others fail with EPERM, which Python reports as a PermissionError. The
//! filter permits no sockets, no new processes, no access to another process's memory, to kernel keys or mounts, and no
//! change of a file's name, owner or mode.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// An error message for the user, from building or installing the filter.
type Failure = String;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: Option<TargetArch> = Some(TargetArch::x86_64);
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: Option<TargetArch> = Some(TargetArch::aarch64);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: Option<TargetArch> = None;

/// System calls that are harmless with any arguments: they affect only this process, its open files, or visible files.
#[rustfmt::skip]
const ALLOWED: &[libc::c_long] = &[
    // Open files, and opening visible files for reading.
    libc::SYS_read, libc::SYS_write, libc::SYS_readv, libc::SYS_writev, libc::SYS_pread64, libc::SYS_pwrite64,
    libc::SYS_preadv, libc::SYS_pwritev, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_close, libc::SYS_close_range,
    libc::SYS_lseek, libc::SYS_openat, libc::SYS_fstat, libc::SYS_newfstatat, libc::SYS_statx, libc::SYS_statfs,
    libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlinkat, libc::SYS_getdents64,
    libc::SYS_getcwd, libc::SYS_dup, libc::SYS_dup3, libc::SYS_ftruncate, libc::SYS_fsync, libc::SYS_fdatasync,
    libc::SYS_fadvise64, libc::SYS_pipe2, libc::SYS_eventfd2, libc::SYS_epoll_create1, libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait, libc::SYS_epoll_pwait2, libc::SYS_ppoll, libc::SYS_pselect6,
    // Memory of this process.
    libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_madvise, libc::SYS_brk,
    libc::SYS_msync, libc::SYS_mincore, libc::SYS_membarrier,
    // Threads of this process.
    libc::SYS_futex, libc::SYS_futex_waitv, libc::SYS_set_robust_list, libc::SYS_get_robust_list,
    libc::SYS_set_tid_address, libc::SYS_rseq, libc::SYS_sched_yield, libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam, libc::SYS_sched_getscheduler, libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min, libc::SYS_getcpu,
    // Clocks, timers and sleeping.
    libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres,
    libc::SYS_gettimeofday, libc::SYS_times, libc::SYS_getitimer, libc::SYS_setitimer,
    // Identity of this process and information about the system.
    libc::SYS_getpid, libc::SYS_getppid, libc::SYS_gettid, libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid,
    libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid, libc::SYS_getgroups, libc::SYS_getrusage,
    libc::SYS_uname, libc::SYS_sysinfo, libc::SYS_getrandom, libc::SYS_capget,
    // Own signal handlers and masks, and the end of the process.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait, libc::SYS_rt_sigsuspend, libc::SYS_sigaltstack, libc::SYS_restart_syscall,
    libc::SYS_exit, libc::SYS_exit_group,
    // Starts the interpreter. A second `execve` gains nothing: all layers and limits are inherited.
    libc::SYS_execve,
    // Permitted here because the other filter, for `NOT_THERE`, rejects it.
    libc::SYS_clone3,
];

/// Older system calls of this architecture with the same functions.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const ALLOWED_HERE: &[libc::c_long] = &[
    libc::SYS_open, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink, libc::SYS_dup2,
    libc::SYS_pipe, libc::SYS_poll, libc::SYS_select, libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_eventfd,
    libc::SYS_getdents, libc::SYS_time, libc::SYS_alarm, libc::SYS_getrlimit, libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[libc::c_long] = &[];

/// System calls that fail with ENOSYS: the C library tries them first and then falls back to older ones.
const NOT_THERE: &[libc::c_long] = &[libc::SYS_clone3];

/// The flags of `clone` that are checked: only threads of this process may be created.
const CLONE_LOOKED_AT: libc::c_int = libc::CLONE_THREAD
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PTRACE;

/// Commands of `fcntl` that affect only the descriptor; others could send signals to processes outside.
const FCNTL: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_GETPIPE_SZ,
];

/// Commands of `ioctl`: terminal queries, the number of readable bytes, and descriptor flags.
const IOCTL: &[u64] = &[libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIOCLEX, libc::FIONCLEX];

/// Operations of `prctl`: names of threads and memory regions, and a query of the dumpable flag.
const PRCTL: &[libc::c_int] = &[libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA, libc::PR_GET_DUMPABLE];

/// Installs the filter permanently. `own` is the process id in its own namespace.
pub fn put_on(own: u32) -> Result<(), Failure> {
    let architecture = ARCHITECTURE.ok_or("the filter of system calls is not made for this processor")?;
    let absent = NOT_THERE.iter().map(|call| (*call, vec![])).collect();
    let denied = SeccompAction::Errno(libc::ENOSYS as u32);
    install_filter(SeccompFilter::new(absent, SeccompAction::Allow, denied, architecture))?;
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    install_filter(SeccompFilter::new(
        build_rules(own).map_err(describe_error)?,
        refused,
        SeccompAction::Allow,
        architecture,
    ))
}

fn install_filter(filter: Result<SeccompFilter, seccompiler::BackendError>) -> Result<(), Failure> {
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(describe_error)?;
    apply_filter(&program).map_err(describe_error)
}

fn describe_error(error: impl std::fmt::Display) -> Failure {
    format!("the filter of system calls: {error}")
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn build_rules(own: u32) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = ALLOWED.iter().chain(ALLOWED_HERE).map(|call| (*call, vec![])).collect();
    let mut when = |call: libc::c_long, argument: u8, is: Is, values: &[u64]| {
        let one = |value: &u64| {
            SeccompCondition::new(argument, Width::Dword, is.clone(), *value).and_then(|c| SeccompRule::new(vec![c]))
        };
        values.iter().map(one).collect::<Result<Vec<_>, _>>().map(|list| drop(rules.insert(call, list)))
    };
    let thread = Is::MaskedEq(CLONE_LOOKED_AT.cast_unsigned().into());
    when(libc::SYS_clone, 0, thread, &[libc::CLONE_THREAD.cast_unsigned().into()])?;
    when(libc::SYS_kill, 0, Is::Eq, &[own.into()])?;
    when(libc::SYS_tgkill, 0, Is::Eq, &[own.into()])?;
    when(libc::SYS_prlimit64, 0, Is::Eq, &[0, own.into()])?;
    when(libc::SYS_fcntl, 1, Is::Eq, &FCNTL.map_u64())?;
    when(libc::SYS_ioctl, 1, Is::Eq, IOCTL)?;
    when(libc::SYS_prctl, 0, Is::Eq, &PRCTL.map_u64())?;
    Ok(rules)
}

trait MapU64 {
    fn map_u64(&self) -> Vec<u64>;
}

impl MapU64 for [libc::c_int] {
    fn map_u64(&self) -> Vec<u64> {
        self.iter().map(|value| u64::from(value.cast_unsigned())).collect()
    }
}
