//! The embedded model: llama.cpp in a worker process, and the files it needs.
//!
//! The application starts its own binary a second time as the worker, so that a crash, a kill or a lack of memory ends
//! the worker and not the application. [`LocalModel`] is the parent's side, [`run_worker_if_asked`] the child's.

mod local;
mod memory;
mod process;
mod protocol;
mod worker;

pub use local::{DEFAULT_CONTEXT, LocalConfig, LocalModel};
pub use worker::{run_worker, run_worker_if_asked};
