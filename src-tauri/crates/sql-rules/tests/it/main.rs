//! What users of this crate rely on, as tables of cases.

mod languages;
mod nested;
