//! One run: the question, what all stages share, where its events go.

pub mod ask;
pub mod clarifier;
pub mod context;
pub mod events;
pub mod nodes;
pub mod sandbox;
