//! What users of this crate rely on, as tables of cases.

mod comparable;
mod fixtures;
mod hidden;
mod page;
mod views;
