//! Embedded engines in a process of their own. A call inside an engine can take for ever, take all memory or crash, and
//! nothing inside the same process can end it: so the application starts its own binary again, lets the engine work
//! there within walls (`walls.rs`), and ends the process where it does not hear in time. The next request starts
//! another one; whoever asked notices nothing but the time that it takes.

mod engine;
mod frames;
mod process;
mod shared;
mod walls;
mod warehouse;

pub(crate) use engine::own_program;
pub use engine::{run_engine, run_engine_if_asked};
pub(crate) use warehouse::CagedWarehouse;
