//! The model worker by itself, for tests.
fn main() {
    vitrine_llm_local::run_worker()
}
