//! A stack that is deep enough for the trees of other parsers, which are walked by recursion.

/// Room for the deepest tree that an engine's parser gives within the bounds of a statement.
const STACK: usize = 64 << 20;

/// Runs `work` on such a stack. `None` where it panics, or where no thread starts.
pub(crate) fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("proof".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        worker.ok()?.join().ok()
    })
}
