//! The value index over real SQLite databases.

mod building;
mod common;
mod meaning;
mod postgres;
mod search;
