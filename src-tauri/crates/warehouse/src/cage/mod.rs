//! Embedded engines in separate processes. A call inside an engine can block, exhaust memory or crash, and code in the
//! same process cannot stop it. The application therefore starts its own binary again, runs the engine there within
//! restrictions (`walls.rs`), and kills the process if it does not respond in time. The next request starts a new
//! process; callers notice only the delay.

mod engine;
mod frames;
mod process;
mod serve;
mod shared;
mod walls;
mod warehouse;

pub(crate) use engine::own_program;
pub use engine::{run_engine, run_engine_if_asked};
pub(crate) use frames::Login;
pub(crate) use serve::EngineProcess;
pub(crate) use warehouse::{CagedKind, CagedWarehouse};
