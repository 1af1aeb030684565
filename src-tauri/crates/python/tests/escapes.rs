//! Attempts of code to break out, and the errors it then receives: networks, files, processes, system calls.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{kinds, limits, printed_in, raised_in, raises, run_in};
use vitrine_python::{PythonError, SandboxKind};

#[tokio::test]
async fn the_strongest_kind_is_taken_and_says_what_it_is() {
    let best = support::sandbox().check_available().await.unwrap();
    assert_eq!(best, kinds().await[0]);
    assert!(best.to_string().contains("filter of system calls"), "{best}");
}

#[tokio::test]
async fn without_a_warden_nothing_runs() {
    let none = vitrine_python::Sandbox::new("/no/such/program");
    let why = none.check_available().await.unwrap_err();
    assert!(why.contains("could not be started from /no/such/program"), "{why}");
}

#[tokio::test]
async fn no_socket_of_any_family_can_be_opened() {
    for family in ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"] {
        let code = format!("import socket\nsocket.socket(socket.{family}, socket.SOCK_DGRAM)");
        raises(&code, "PermissionError", "[Errno 1]").await;
    }
    raises("import socket\nsocket.socketpair()", "PermissionError", "[Errno 1]").await;
    raises("import urllib.request as u\nu.urlopen('http://127.0.0.1:1')", "URLError", "not permitted").await;
}

#[tokio::test]
async fn no_file_of_the_person_or_the_system_can_be_read() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&secret, "secret").unwrap();
    let home = std::env::var("HOME").unwrap();
    for kind in kinds().await {
        let secret = secret.path().to_str().unwrap();
        for path in ["/etc/passwd", "/etc/hostname", secret, concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let raised = raised_in(kind, &format!("open({path:?}).read()")).await;
            assert!(["PermissionError", "FileNotFoundError"].contains(&&*raised.class), "{kind}: {path}: {raised}");
        }
        for folder in ["/", "/etc", "/tmp", "/dev", &home, env!("CARGO_MANIFEST_DIR")] {
            let code = format!("import os\ntry: print('saw', os.listdir({folder:?}))\nexcept OSError as e: print(e)");
            let seen = printed_in(kind, &code).await;
            let only_the_shown = folder == "/" || home.contains(folder) || folder == "/etc" || folder == home;
            let private = ["passwd", "Cargo.toml", ".ssh", ".bashrc", "proc", "'tmp'"].iter().any(|n| seen.contains(n));
            assert!(!seen.contains("saw") || (only_the_shown && !private), "{kind}: {folder}: {seen}");
        }
    }
}

#[tokio::test]
async fn nothing_is_known_of_other_processes_or_of_the_environment() {
    for kind in kinds().await {
        for path in ["/proc/self/environ", "/proc/1/environ", "/proc/self/mem", "/proc/self/maps", "/sys/kernel/notes"]
        {
            let raised = raised_in(kind, &format!("open({path:?}, 'rb').read()")).await;
            assert!(["PermissionError", "FileNotFoundError"].contains(&&*raised.class), "{kind}: {path}: {raised}");
        }
        let names = printed_in(kind, "import os\nprint(sorted(os.environ))").await;
        for foreign in ["HOME", "PATH", "USER", "CARGO", "TOKEN", "PROXY", "LD_"] {
            assert!(!names.contains(foreign), "{names}");
        }
        // Standard files, the verdict and the result; the order has been read and closed.
        let open = "import os\ndef there(n):\n  try: return bool(os.fstat(n)) or True\n  except OSError: return False\n\
                    print([n for n in range(300) if there(n)])";
        // Would be inherited by every child that does not close it.
        let loose = leave_a_file_open();
        assert_eq!(printed_in(kind, open).await.trim(), "[0, 1, 2, 3, 4]", "{kind}");
        drop(loose);
    }
}

#[allow(unsafe_code)]
fn leave_a_file_open() -> impl Drop {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    let file = std::fs::File::open("/etc/passwd").unwrap();
    // SAFETY: the returned value is the only owner of the new descriptor.
    unsafe { OwnedFd::from_raw_fd(libc_dup(file.as_raw_fd())) }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    #[link_name = "dup"]
    safe fn libc_dup(fd: i32) -> i32;
}

#[tokio::test]
async fn no_process_can_be_started() {
    for code in [
        "import os\nos.fork()",
        "import os\nos.posix_spawn('/bin/sh', ['sh'], {})",
        "import subprocess\nsubprocess.run(['/bin/sh', '-c', 'id'])",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', '1'])",
        // A daemon: it never reaches the second fork.
        "import os\nif os.fork() == 0:\n  os.setsid()\n  os.fork()",
    ] {
        raises(code, "PermissionError", "").await;
    }
    for kind in kinds().await {
        for code in ["import os\nos.execv('/bin/sh', ['sh', '-c', 'echo out'])", "import os\nos.forkpty()"] {
            let raised = raised_in(kind, code).await;
            assert!(["PermissionError", "FileNotFoundError"].contains(&&*raised.class), "{kind}: {raised}");
        }
    }
}

#[tokio::test]
async fn a_fork_bomb_goes_nowhere() {
    let bomb = "import os\nn = 0\nfor _ in range(100000):\n  try:\n    os.fork()\n    n += 1\n  except OSError: pass\nprint(n)";
    for kind in kinds().await {
        assert_eq!(printed_in(kind, bomb).await.trim(), "0", "{kind}");
    }
}

#[tokio::test]
async fn system_calls_by_number_are_refused() {
    // The numbers apply to x86-64; the filter for 64-bit Arm is generated from the same names.
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let calls = [
        ("socket", 41),
        ("socketpair", 53),
        ("connect", 42),
        ("ptrace", 101),
        ("mount", 165),
        ("umount2", 166),
        ("pivot_root", 155),
        ("chroot", 161),
        ("unshare", 272),
        ("setns", 308),
        ("keyctl", 250),
        ("add_key", 248),
        ("bpf", 321),
        ("io_uring_setup", 425),
        ("userfaultfd", 323),
        ("perf_event_open", 298),
        ("memfd_create", 319),
        ("memfd_secret", 447),
        ("process_vm_readv", 310),
        ("process_vm_writev", 311),
        ("pidfd_open", 434),
        ("pidfd_getfd", 438),
        ("kexec_load", 246),
        ("init_module", 175),
        ("finit_module", 313),
        ("reboot", 169),
        ("swapon", 167),
        ("settimeofday", 164),
        ("sethostname", 170),
        ("iopl", 172),
        ("quotactl", 179),
        ("vfork", 58),
        ("fork", 57),
        ("execveat", 322),
        ("open_by_handle_at", 304),
        ("name_to_handle_at", 303),
        ("fanotify_init", 300),
        ("inotify_init1", 294),
        ("personality", 135),
        ("seccomp", 317),
        ("landlock_restrict_self", 446),
        ("setuid", 105),
        ("setgroups", 116),
        ("capset", 126),
        ("prctl, PR_SET_PDEATHSIG", 157),
        ("shmget", 29),
        ("msgget", 68),
        ("semget", 64),
        ("mq_open", 240),
        ("move_pages", 279),
        ("mbind", 237),
        ("mlockall", 151),
        ("syslog", 103),
        ("acct", 163),
        ("fsopen", 430),
        ("open_tree", 428),
        ("mount_setattr", 442),
        ("rt_sigqueueinfo", 129),
        ("tkill", 200),
        ("truncate", 76),
        ("rename", 82),
        ("mkdir", 83),
        ("unlink", 87),
        ("symlink", 88),
        ("link", 86),
        ("chmod", 90),
        ("chown", 92),
        ("mknod", 133),
        ("utimensat", 280),
        ("setxattr", 188),
        ("chdir", 80),
        ("socket of the x32 interface", 0x4000_0029),
        ("no such call", 9999),
    ];
    let numbers = calls.map(|(_, number)| number.to_string()).join(",");
    let code = format!(
        "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nfor n in [{numbers}]:\n  ctypes.set_errno(0)\n  \
         r = c.syscall(ctypes.c_long(n), ctypes.c_long(1), ctypes.c_long(1), 0, 0, 0, 0)\n  print(n, r, ctypes.get_errno())"
    );
    // Only threads of this process are allowed in `clone`; glibc works without `clone3`.
    let clones = "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nfor n, a in [(435, 0), (56, 17), (56, 0x10010f00), \
                  (56, 0x4111), (56, 0x20000011)]:\n  ctypes.set_errno(0)\n  r = c.syscall(n, a, 0, 0, 0, 0)\n  \
                  print(r, ctypes.get_errno())";
    for kind in kinds().await {
        let printed = printed_in(kind, &code).await;
        for (line, (name, number)) in printed.lines().zip(calls) {
            assert_eq!(line, format!("{number} -1 1"), "{kind}: {name}");
        }
        assert_eq!(printed.lines().count(), calls.len());
        assert_eq!(printed_in(kind, clones).await.trim(), "-1 38\n-1 1\n-1 1\n-1 1\n-1 1", "{kind}");
    }
}

#[tokio::test]
async fn the_other_interface_of_the_processor_ends_the_run() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    // mov eax, 359 (socket, 32 bits); int 0x80; ret
    let code = "import ctypes, mmap\nm = mmap.mmap(-1, 4096, prot=7)\nm.write(b'\\xb8\\x67\\x01\\x00\\x00\\xcd\\x80\\xc3')\n\
                a = ctypes.addressof(ctypes.c_char.from_buffer(m))\nprint(ctypes.CFUNCTYPE(ctypes.c_int)(a)())";
    for kind in kinds().await {
        let error = run_in(kind, code, &limits()).await.unwrap_err();
        assert!(matches!(error, PythonError::Crashed { .. }), "{kind}: {error:?}");
    }
}

#[tokio::test]
async fn no_other_process_can_be_signalled() {
    let mine = std::process::id();
    for target in
        [mine.to_string(), "os.getppid()".into(), "1 if os.getpid() != 1 else 2".into(), "-1".into(), "0".into()]
    {
        raises(&format!("import os\nos.kill({target}, 9)"), "PermissionError", "").await;
    }
}

#[tokio::test]
async fn nothing_can_be_written_changed_or_linked() {
    for (code, class) in [
        ("open('/tmp/vitrine-escape', 'w')", ""),
        ("open('here', 'w')", ""),
        ("import os\nopen(os.__file__, 'a')", ""),
        ("import os\nopen('/dev/shm/x', 'w')", ""),
        ("import os\nos.symlink('/etc/passwd', '/tmp/vitrine-escape')", "PermissionError"),
        ("import os\nos.mkfifo('/tmp/vitrine-escape')", "PermissionError"),
        ("import os\nos.mknod('vitrine-escape', 0o20666, os.makedev(1, 1))", "PermissionError"),
        ("import os\nos.unlink(os.__file__)", "PermissionError"),
        ("import os\nos.chmod(os.__file__, 0)", "PermissionError"),
        ("import os\nos.truncate(os.__file__, 0)", "PermissionError"),
        ("import os\nos.rename(os.__file__, 'x')", "PermissionError"),
        ("import os\nos.utime(os.__file__)", "PermissionError"),
        ("import os\nos.setxattr(os.__file__, 'user.x', b'')", "PermissionError"),
        ("import tempfile\ntempfile.TemporaryFile()", "FileNotFoundError"),
    ] {
        for kind in kinds().await {
            let raised = raised_in(kind, code).await;
            let refused = ["PermissionError", "FileNotFoundError", "OSError"].contains(&&*raised.class);
            assert!(if class.is_empty() { refused } else { raised.class == class }, "{kind}: {code}: {raised}");
        }
    }
    assert!(!std::path::Path::new("/tmp/vitrine-escape").exists());
}

#[tokio::test]
async fn with_namespaces_even_names_of_files_are_unknown() {
    let code = "import os\nprint(os.path.exists('/etc/passwd'), os.getuid() == 0, os.getppid(), os.uname().nodename)";
    for kind in kinds().await.into_iter().filter(|kind| *kind != SandboxKind::Landlock) {
        let printed = printed_in(kind, code).await;
        assert!(printed.starts_with("False False 0 "), "{kind}: {printed}");
    }
}
