//! Tests of the engine on MariaDB.

mod server;
mod silent;
#[cfg(unix)]
mod tls;
