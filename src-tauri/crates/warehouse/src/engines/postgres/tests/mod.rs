//! Tests of the engine on PostgreSQL.

mod family;
mod owner;
mod pooler;
mod server;
mod silent;
mod tls;
