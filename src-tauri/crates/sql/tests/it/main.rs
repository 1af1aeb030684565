//! What users of this crate rely on, as tables of cases.

mod fixtures;
mod guard;
mod hidden;
mod names;
mod nested;
mod property;
mod repair;
mod views;
