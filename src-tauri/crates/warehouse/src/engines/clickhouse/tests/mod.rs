//! Tests of the engine on ClickHouse, and with exchanges written from its documentation.

mod budget;
mod exchanges;
mod server;
