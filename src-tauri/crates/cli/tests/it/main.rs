//! The program from the command line: the output streams and exit statuses.

mod agent;
mod approvals;
mod ask;
mod bundle;
mod conformance;
mod connections;
mod data;
mod definitions;
mod drivers;
mod eval;
mod mcp;
mod metrics;
mod named;
mod password;
mod readings;
mod report;
mod rerun;
mod saved;
mod scripted_server;
mod sources;
mod spider2;
mod stopping;
mod support;
mod watch;
mod workspace;
