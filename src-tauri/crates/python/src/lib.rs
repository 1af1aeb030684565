//! Analysis in Python: an environment that the program installs, and an operating-system sandbox in which code written
//! by a model processes tables that were read before.
//!
//! [`Environment`] is a Python with pandas, polars, pyarrow and numpy in a folder of the caller; see
//! [`Environment::install`]. [`Sandbox`] runs a [`Script`] over Parquet files ([`Input`]) and writes its table to
//! another. The application starts its own binary a second time as the warden of one run: see [`run_jail_if_asked`].
//!
//! The code cannot reach a network, start a process, see files other than the interpreter and its packages, write
//! anything but its result, use more time, memory or threads than [`Limits`] permits, or outlive its parent. Three
//! isolation layers are combined: separate namespaces (other files, processes and networks do not exist there),
//! Landlock (only listed files may be opened) and a filter of system calls. One of the first two may be missing; the
//! filter is mandatory. If neither of the two is available, nothing runs and [`Sandbox::available`] returns the reason.

mod environment;
mod error;
mod install;
mod interpreter;
mod jail;
mod protocol;
mod sandbox;
mod script;
mod uv;

pub use environment::{Environment, INSTALLED_BYTES};
pub use error::{PythonError, Raised};
pub use install::{Progress, Step};
pub use interpreter::Interpreter;
pub use jail::{run_jail, run_jail_if_asked};
pub use protocol::SandboxKind;
pub use sandbox::{Job, Outcome, Sandbox};
pub use script::{Input, Limits, Script};
