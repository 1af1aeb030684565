//! Adapts the number of compute threads to the load of other programs.
//!
//! llama.cpp's threads synchronize many hundred times per token by spinning. If one of them shares its core, all of
//! them stall: with two busy processes on two cores, two threads are ten times slower than one. So the number of
//! threads is limited to the number of free cores.

use std::time::{Duration, Instant};

/// Processor time so far, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// The time of all programs on all cores.
    pub all: f64,
    /// The time of this process.
    pub own: f64,
}

/// Minimum time between decisions: the system measures in hundredths of a second.
const SPAN: Duration = Duration::from_millis(300);
/// The fraction of a core that others may use before it is considered busy.
const TOLERANCE: f64 = 0.35;

/// Chooses the number of threads from the load since the last decision.
#[derive(Debug)]
pub(crate) struct Pace {
    fixed: bool,
    most: u32,
    cores: f64,
    threads: u32,
    last: Option<(Instant, Usage)>,
    /// Number of consecutive decisions at which more cores seemed free.
    hopeful: u32,
}

impl Pace {
    /// Creates a pace with at most `most` threads on a machine with `cores` cores.
    pub fn new(most: u32, cores: u32) -> Self {
        Self { fixed: most < 2, most, cores: f64::from(cores), threads: most, last: None, hopeful: 0 }
    }

    /// Creates a pace with a constant number of threads.
    pub fn with_fixed_threads(threads: u32) -> Self {
        Self { fixed: true, ..Self::new(threads, threads) }
    }

    /// Returns the maximum number of threads.
    pub fn max_threads(&self) -> u32 {
        self.most
    }

    /// Returns the number of threads for the next batch.
    pub fn choose_threads(&mut self, now: Instant, usage: impl FnOnce() -> Option<Usage>) -> u32 {
        if self.fixed || self.last.is_some_and(|(then, _)| now - then < SPAN) {
            return self.threads;
        }
        let Some(usage) = usage() else { return self.threads };
        if let Some((then, before)) = self.last.replace((now, usage)) {
            let span = (now - then).as_secs_f64();
            let others = ((usage.all - before.all) - (usage.own - before.own)).max(0.0) / span;
            self.adjust_threads(self.cores - others);
        }
        self.threads
    }

    fn adjust_threads(&mut self, free: f64) {
        let fitting = ((free + TOLERANCE).floor().max(1.0) as u32).min(self.most);
        if fitting <= self.threads {
            self.threads = fitting;
            self.hopeful = 0;
        } else {
            // Another process may only have paused for a moment.
            self.hopeful += 1;
            if self.hopeful >= 2 {
                self.threads = fitting;
                self.hopeful = 0;
            }
        }
    }
}

/// Returns the processor time so far, or `None` if the system does not report it.
#[allow(unsafe_code)]
pub(crate) fn read_usage() -> Option<Usage> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: a query without arguments that matter.
        let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let all = all_ticks(&std::fs::read_to_string("/proc/stat").ok()?)?;
        let mut own = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: `own` is read only after the call filled it.
        let own = unsafe { (libc::getrusage(libc::RUSAGE_SELF, own.as_mut_ptr()) == 0).then(|| own.assume_init()) }?;
        let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
        Some(Usage { all: all / ticks as f64, own: seconds(own.ru_utime) + seconds(own.ru_stime) })
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the busy time of all cores from the first line of /proc/stat, without low-priority programs (`nice`).
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn all_ticks(stat: &str) -> Option<f64> {
    let fields: Vec<f64> =
        stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().map_while(|f| f.parse().ok()).collect();
    // Fields: user nice system idle iowait irq softirq steal.
    Some([0, 2, 5, 6, 7].iter().filter_map(|i| fields.get(*i)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates four cores. `others` is the seconds used by other programs in each half second; returns the number of
    /// threads chosen after each.
    fn simulate_load(others: &[f64]) -> Vec<u32> {
        let start = Instant::now();
        let mut pace = Pace::new(4, 4);
        let (mut all, mut own) = (0.0, 0.0);
        pace.choose_threads(start, || Some(Usage { all, own }));
        (1..)
            .zip(others)
            .map(|(i, used)| {
                own += 1.0;
                all += used + 1.0;
                pace.choose_threads(start + Duration::from_millis(500) * i, || Some(Usage { all, own }))
            })
            .collect()
    }

    #[test]
    fn alone_all_cores_are_used() {
        assert_eq!(simulate_load(&[0.0, 0.05, 0.1, 0.0]), [4, 4, 4, 4]);
    }

    #[test]
    fn busy_cores_are_left_to_others_and_taken_back_later() {
        assert_eq!(simulate_load(&[0.5, 1.5, 0.0, 0.0, 0.0]), [3, 1, 1, 4, 4]);
        assert_eq!(simulate_load(&[9.0]), [1], "one thread always computes");
    }

    #[test]
    fn a_short_pause_of_others_changes_nothing() {
        assert_eq!(simulate_load(&[1.0, 0.0, 1.0, 0.0, 1.0]), [2, 2, 2, 2, 2]);
    }

    #[test]
    fn where_the_system_tells_nothing_all_cores_are_used() {
        let mut pace = Pace::new(4, 4);
        let now = Instant::now();
        assert_eq!(pace.choose_threads(now, || None), 4);
        assert_eq!(pace.choose_threads(now + SPAN * 2, || None), 4);
    }

    #[test]
    fn niced_and_idle_time_is_not_use() {
        assert_eq!(all_ticks("cpu  10 500 20 9000 70 1 2 3 0 0\ncpu0 1"), Some(36.0));
    }
}
