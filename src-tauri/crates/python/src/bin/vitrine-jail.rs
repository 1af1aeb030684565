//! The sandbox's own process by itself, for tests.
fn main() {
    vitrine_python::run_jail()
}
