//! Tests of the engine on Spark, and with replies that have faults.

mod replies;
mod server;
