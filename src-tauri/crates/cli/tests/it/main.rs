//! The program as it is typed: what goes to which stream, and with which status it ends.

mod approvals;
mod ask;
mod connections;
mod data;
mod definitions;
mod eval;
mod named;
mod password;
mod stopping;
mod support;
