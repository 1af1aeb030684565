//! The program as it is typed: what goes to which stream, and with which status it ends.

mod agent;
mod ask;
mod bundle;
mod connections;
mod data;
mod eval;
mod mcp;
mod named;
mod password;
mod saved;
mod stopping;
mod support;
