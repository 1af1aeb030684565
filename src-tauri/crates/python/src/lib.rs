//! Analysis in Python: an environment that the program sets up itself, and a sandbox of the operating system in which
//! code that a model wrote runs over tables that were read before.
//!
//! [`Environment`] is a Python with pandas, polars, pyarrow and numpy in a folder of the caller; see
//! [`Environment::install`]. [`Sandbox`] runs a [`Script`] over Parquet files ([`Input`]) and gives its table as another.
//! The application starts its own binary a second time, as the warden of one run: see [`run_jail_if_asked`].
//!
//! What the code cannot do: reach a network, start a process, see a file besides the interpreter and its packages, write
//! anything but its result, use more time, memory or threads than the [`Limits`] say, or outlive its parent. Three walls
//! stand one behind the other: namespaces of its own (no other files, processes or networks exist there), Landlock (no
//! file may be opened besides the listed ones) and a filter of system calls. Either of the first two may be missing; the
//! filter may not. Where neither can be had, nothing runs and [`Sandbox::available`] says why.

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
