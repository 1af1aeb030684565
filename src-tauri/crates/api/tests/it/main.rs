//! The program as front ends use it: real databases, real workspace, a model that follows a script.

mod asking;
mod evaluations;
mod bad_input;
mod keeping;
mod results;
mod support;
mod warehouses;
