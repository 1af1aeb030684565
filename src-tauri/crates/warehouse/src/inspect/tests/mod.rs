//! Tests of testing a connection.

mod mysql;
mod postgres;
