//! Behaviour that other crates depend on, as tables of cases.

mod date_pattern;
mod everyday;
mod languages;
mod nested;
mod shop;
mod untyped_day;
