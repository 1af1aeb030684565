//! A binary that only runs the engine process, for this crate's tests; applications re-run their own binary instead.
fn main() {
    vitrine_warehouse::run_engine_if_asked();
    vitrine_warehouse::run_engine()
}
