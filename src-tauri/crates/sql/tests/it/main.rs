//! What users of this crate rely on, as tables of cases.

mod fixtures;
mod guard;
mod names;
mod property;
mod repair;
mod views;
