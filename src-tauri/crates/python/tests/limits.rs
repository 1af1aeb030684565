//! Resource limits of the code, and the removal of all its processes at the end of a run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use crate::support;

use std::process::Command;
use std::time::{Duration, Instant};

use support::{bare, children, is_alive, kinds, limits, printed_in, raised_in, run_in, sandbox, soon};
use tokio_util::sync::CancellationToken;
use vitrine_python::{Job, Limits, PythonError, Script};

fn short() -> Limits {
    Limits { time: Duration::from_millis(700), memory: 200 << 20, ..Limits::default() }
}

/// Maximum time to stop on a busy machine; code that is not stopped runs for days.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn endless_code_is_stopped() {
    for code in [
        "while True: pass",
        "import time\ntime.sleep(1e6)",
        "import signal, time\nfor n in (1, 2, 3, 13, 15, 24): signal.signal(n, signal.SIG_IGN)\ntime.sleep(1e6)",
        "while True:\n  try: raise KeyError\n  except BaseException: pass",
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        "import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nresult = 1\nwhile True: pass",
    ] {
        for kind in kinds().await {
            let started = Instant::now();
            let error = run_in(kind, code, &short()).await.unwrap_err();
            assert!(matches!(error, PythonError::TooLong { .. }), "{kind}: {code}: {error:?}");
            assert_eq!(error.to_string(), "the code took longer than 0.7 s and was stopped");
            assert!(started.elapsed() < PATIENCE, "{kind}: {:?}", started.elapsed());
        }
    }
}

#[tokio::test]
async fn a_thread_that_is_left_running_does_not_hold_the_run_up() {
    let code = "import threading, time, atexit\natexit.register(lambda: time.sleep(100))\n\
                threading.Thread(target=time.sleep, args=(100,)).start()\nprint('done')";
    for kind in kinds().await {
        let started = Instant::now();
        assert_eq!(printed_in(kind, code).await.trim(), "done");
        assert!(started.elapsed() < PATIENCE);
    }
}

#[tokio::test]
async fn memory_is_bounded() {
    for (code, line) in [
        ("x = []\nwhile True: x.append(bytearray(10_000_000))", Some(2)),
        ("x = 'a'\nx = x * 10**12", Some(2)),
        ("x = b'x'\nwhile True: x += x", Some(2)),
        // Shared memory belongs to no process's data segment: the warden detects it.
        ("import mmap\nm = mmap.mmap(-1, 1 << 30)\nfor i in range(0, 1 << 30, 4096): m[i] = 1", None),
    ] {
        for kind in kinds().await {
            let error = run_in(kind, code, &Limits { memory: 200 << 20, ..limits() }).await.unwrap_err();
            let PythonError::TooMuchMemory { line: told, .. } = &error else { panic!("{kind}: {code}: {error:?}") };
            assert_eq!(*told, line, "{kind}: {code}");
            assert!(error.to_string().contains("needs more than 209 MB of memory"), "{error}");
        }
    }
}

#[tokio::test]
async fn threads_are_bounded() {
    let code = "import threading, time\nn = 0\ntry:\n  for _ in range(5000):\n    \
                threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\n    n += 1\n    time.sleep(0.001)\n\
                except RuntimeError: pass\nraise ValueError(n)";
    for kind in kinds().await {
        match run_in(kind, code, &Limits { threads: 16, ..limits() }).await.unwrap_err() {
            PythonError::TooManyThreads { limit: 16 } => {}
            // The kernel's own limit was reached first; it does not apply to root.
            PythonError::Raised(raised) => assert!(raised.message.parse::<u32>().unwrap() <= 17, "{kind}: {raised}"),
            error => panic!("{kind}: {error:?}"),
        }
    }
}

#[tokio::test]
async fn open_files_are_bounded() {
    for kind in kinds().await {
        let raised = raised_in(kind, "import os\nfor _ in range(100000): os.dup(0)").await;
        assert!(raised.message.contains("Too many open files"), "{kind}: {raised}");
        let raised = raised_in(kind, "import resource as r\nr.setrlimit(r.RLIMIT_NOFILE, (4096, 4096))").await;
        assert_eq!(raised.class, "ValueError", "{kind}: {raised}");
    }
}

#[tokio::test]
async fn what_is_printed_is_cut() {
    let code = "import sys\nfor _ in range(20000): sys.stdout.write('x' * 10000)\nsys.stderr.write('y' * 1000000)";
    for kind in kinds().await {
        let Err(PythonError::NoResult { stdout }) = run_in(kind, code, &limits()).await else { panic!("{kind}") };
        assert_eq!(stdout.len(), (64 << 10) + "\n[the rest was dropped]".len());
        let text = printed_in(kind, "import os\nos.write(1, b'\\xff\\xfe ok\\x00')\nprint('\\ud800')").await;
        assert_eq!(text, "\u{fffd}\u{fffd} ok\0\\ud800\n");
    }
}

#[tokio::test]
async fn the_result_is_bounded_and_the_only_thing_written() {
    let little = Limits { output: 1 << 20, ..limits() };
    for kind in kinds().await {
        for code in
            ["import os\nos.write(4, b'x' * (1 << 20))\nos.write(4, b'x')", "import os\nos.ftruncate(4, 1 << 40)"]
        {
            let Err(PythonError::Raised(raised)) = run_in(kind, code, &little).await else { panic!("{kind}: {code}") };
            assert!(raised.message.contains("[Errno 27] File too large"), "{kind}: {raised}");
        }
        // Space that is reserved without being written.
        let raised = raised_in(kind, "import os\nos.posix_fallocate(4, 0, 1 << 40)").await;
        assert!(raised.message.contains("[Errno"), "{kind}: {raised}");
    }
}

#[tokio::test]
async fn a_forged_end_spoils_only_the_own_answer() {
    for kind in kinds().await {
        let run = async |code: &str| run_in(kind, code, &limits()).await.unwrap_err();
        let error = run("import os\nos.write(4, b'PAR1 no')\nos.write(3, b'{\"kind\": \"done\"}')\nos._exit(0)").await;
        assert!(error.to_string().contains("not a Parquet file"), "{kind}: {error:?}");
        let error = run("import os\nos.write(3, b'{\"kind\"')\nos._exit(0)").await;
        assert!(error.to_string().contains("ended before the code did"), "{kind}: {error:?}");
        let error = run("import os\nos.write(3, b'x' * 1000000)\nos._exit(0)").await;
        assert!(matches!(error, PythonError::Crashed { .. }), "{kind}: {error:?}");
        let error = run("import os\nos._exit(3)").await;
        assert_eq!(error.to_string(), "the interpreter ended with status 3", "{kind}");
        let error = run("import ctypes\nctypes.string_at(1)").await;
        assert_eq!(error.to_string(), "the interpreter crashed (signal 11)", "{kind}");
        let error = run("def f(n): return f(n + 1)\nf(0)").await;
        assert!(error.to_string().starts_with("line 1: RecursionError: maximum recursion"), "{kind}: {error}");
        let error = run(&format!("x = {}", "(".repeat(100_000))).await;
        assert!(error.is_the_codes_fault(), "{kind}: {error:?}");
    }
}

#[tokio::test]
async fn what_is_there_already_is_not_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("precious"), folder.path().join("result"));
    std::fs::write(&target, "precious").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let script = Script::new("result = 1").unwrap();
    for output in [&link, &target] {
        let job = Job { script: &script, inputs: &[], output };
        let error = sandbox().run(&bare().await, job, &limits(), &CancellationToken::new()).await.unwrap_err();
        assert!(matches!(error, PythonError::Folder { .. }), "{error:?}");
        assert_eq!(std::fs::read_to_string(output).unwrap(), "precious");
    }
}

/// Starts an endless run, and returns the process ids of its warden and its prisoner.
async fn endless(cancel: &CancellationToken) -> (tokio::task::JoinHandle<PythonError>, u32, u32) {
    let cancel = cancel.clone();
    let task = tokio::spawn(async move {
        let folder = tempfile::tempdir().unwrap();
        let script = Script::new("import time\ntime.sleep(1e6)").unwrap();
        let job = Job { script: &script, inputs: &[], output: &folder.path().join("r") };
        let limits = Limits { time: Duration::from_secs(60), ..limits() };
        sandbox().run(&bare().await, job, &limits, &cancel).await.unwrap_err()
    });
    let (warden, prisoner) = wait_for_prisoner(std::process::id()).await;
    (task, warden, prisoner)
}

async fn wait_for_prisoner(application: u32) -> (u32, u32) {
    let find = || {
        children(application).into_iter().find_map(|warden| {
            let prisoner = children(warden).first().copied()?;
            let name = std::fs::read_to_string(format!("/proc/{prisoner}/comm")).ok()?;
            name.starts_with("python").then_some((warden, prisoner))
        })
    };
    soon("a prisoner", || find().is_some()).await;
    find().unwrap()
}

#[tokio::test]
async fn a_run_can_be_stopped() {
    let cancel = CancellationToken::new();
    let (task, warden, prisoner) = endless(&cancel).await;
    cancel.cancel();
    let error = tokio::time::timeout(Duration::from_secs(2), task).await.unwrap().unwrap();
    assert!(matches!(error, PythonError::Cancelled), "{error:?}");
    assert!(!is_alive(warden) && !is_alive(prisoner));
}

#[tokio::test]
async fn a_run_that_nobody_waits_for_ends() {
    let (task, warden, prisoner) = endless(&CancellationToken::new()).await;
    task.abort();
    soon("both are gone", || !is_alive(warden) && !is_alive(prisoner)).await;
}

#[tokio::test]
async fn when_the_warden_is_killed_the_prisoner_dies() {
    let (task, warden, prisoner) = endless(&CancellationToken::new()).await;
    assert!(Command::new("kill").args(["-9", &warden.to_string()]).status().unwrap().success());
    let error = task.await.unwrap();
    assert!(error.to_string().contains("ended without a report"), "{error:?}");
    soon("the prisoner is gone", || !is_alive(prisoner)).await;
}

#[tokio::test]
async fn when_the_application_is_killed_all_die() {
    let mut application = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "limits::an_application_that_will_be_killed", "--ignored"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (warden, prisoner) = wait_for_prisoner(application.id()).await;
    application.kill().unwrap();
    application.wait().unwrap();
    soon("both are gone", || !is_alive(warden) && !is_alive(prisoner)).await;
}

#[tokio::test]
#[ignore = "started by the test before it, in a process of its own"]
async fn an_application_that_will_be_killed() {
    let (task, ..) = endless(&CancellationToken::new()).await;
    let _ = task.await;
}
