//! Monitors a prisoner: collects its output up to a limit, and kills it when it exceeds its time, memory or threads, or
//! when the application ends.

use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, waitpid};

use crate::protocol::{End, Order};

/// The interval at which memory and threads are checked, in milliseconds.
const TICK: u64 = 20;
/// The maximum size of the verdict in bytes.
const VERDICT: usize = 64 << 10;

/// A running prisoner and its output streams.
pub struct Watched {
    pub pid: i32,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
    pub verdict: OwnedFd,
    pub started: Instant,
}

/// The result of monitoring a prisoner.
pub struct Seen {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub verdict: String,
    pub wall: Duration,
}

/// The beginning of one output stream.
struct Stream {
    file: Option<fs::File>,
    kept: Vec<u8>,
    most: usize,
    dropped: bool,
}

impl Stream {
    fn new(file: OwnedFd, most: usize) -> Self {
        Self { file: Some(file.into()), kept: Vec::new(), most, dropped: false }
    }

    /// Reads available data. Must be called when there is data or the stream has ended.
    fn read_available(&mut self) {
        let mut buffer = [0; 64 << 10];
        let Some(file) = &mut self.file else { return };
        match file.read(&mut buffer) {
            Ok(0) => self.file = None,
            Ok(count) => {
                let room = self.most - self.kept.len();
                self.kept.extend_from_slice(&buffer[..count.min(room)]);
                self.dropped |= count > room;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.file = None,
        }
    }

    fn into_text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.kept).into_owned();
        if self.dropped {
            text.push_str("\n[the rest was dropped]");
        }
        text
    }
}

/// Monitors the prisoner until it has ended.
pub fn watch_prisoner(watched: Watched, order: &Order) -> io::Result<Seen> {
    let deadline = watched.started + Duration::from_millis(order.time_ms);
    let pid = Pid::from_raw(watched.pid).ok_or(io::ErrorKind::InvalidInput)?;
    let ended = pidfd_open(pid, PidfdFlags::empty())?;
    let tick = Timespec { tv_sec: 0, tv_nsec: TICK as i64 * 1_000_000 };
    let parent = io::stdin();
    let mut streams = [
        Stream::new(watched.stdout, order.text),
        Stream::new(watched.stderr, order.text),
        Stream::new(watched.verdict, VERDICT),
    ];
    let mut killed_for = None;
    let mut looked = Instant::now();
    loop {
        let open: Vec<usize> = (0..streams.len()).filter(|i| streams[*i].file.is_some()).collect();
        let (over, gone, ready) = {
            let mut polled = vec![PollFd::new(&ended, PollFlags::IN), PollFd::new(&parent, PollFlags::IN)];
            let pipes = open.iter().filter_map(|i| streams[*i].file.as_ref());
            polled.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            poll(&mut polled, Some(&tick))?;
            let ready: Vec<bool> = polled.iter().map(|one| !one.revents().is_empty()).collect();
            // The parent sends nothing more, so any event is the end of its stream.
            (ready[0], ready[1], ready)
        };
        for (stream, _) in open.iter().zip(&ready[2..]).filter(|(_, ready)| **ready) {
            streams[*stream].read_available();
        }
        if over {
            break;
        }
        if killed_for.is_some() {
            continue;
        }
        if gone {
            killed_for = Some(End::Stopped);
        } else if Instant::now() >= deadline {
            killed_for = Some(End::TooLong);
        } else if looked.elapsed() >= Duration::from_millis(TICK) {
            looked = Instant::now();
            killed_for = find_excess(watched.pid, order);
        }
        if killed_for.is_some() {
            // In a namespace it is the first process, whose end kills all others; elsewhere it cannot start any.
            kill_process(pid, Signal::KILL)?;
        }
    }
    let wall = watched.started.elapsed();
    let status = waitpid(Some(pid), WaitOptions::NOHANG)?.map(|(_, status)| status);
    let end = killed_for.unwrap_or_else(|| match status.and_then(|s| s.terminating_signal()) {
        Some(number) => End::Signal { number },
        None => End::Exited { status: status.and_then(|s| s.exit_status()).unwrap_or(-1) },
    });
    // All other write ends are closed now, so the remaining data is read without blocking.
    for stream in &mut streams {
        while stream.file.is_some() {
            stream.read_available();
        }
    }
    let [stdout, stderr, verdict] = streams.map(Stream::into_text);
    Ok(Seen { end, stdout, stderr, verdict, wall })
}

/// Checks for excess memory or threads.
fn find_excess(pid: i32, order: &Order) -> Option<End> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let number = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_ascii_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
    };
    // Pages of files on disk can be evicted at any time and are not counted.
    let memory = ["RssAnon:", "RssShmem:", "VmSwap:"].iter().map(|name| number(name)).sum::<u64>() * 1024;
    if memory > order.memory {
        return Some(End::TooMuchMemory);
    }
    (number("Threads:") > order.threads.into()).then_some(End::TooManyThreads)
}
