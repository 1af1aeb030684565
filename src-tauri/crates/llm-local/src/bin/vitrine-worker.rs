//! The model worker as a separate binary, for tests.
fn main() {
    vitrine_llm_local::run_worker()
}
