//! The sandbox's process as a separate binary, for tests.
fn main() {
    vitrine_python::run_jail()
}
