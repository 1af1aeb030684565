//! A thread with a large stack for the syntax trees of engines' parsers, which are walked recursively.

/// Stack size in bytes, sufficient for the deepest tree of a statement within its limits.
const STACK: usize = 64 << 20;

/// Runs `work` on such a stack. Returns `None` if it panics or no thread can be started.
pub(crate) fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("proof".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        worker.ok()?.join().ok()
    })
}
