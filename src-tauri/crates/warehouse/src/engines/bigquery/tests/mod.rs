//! Tests of the engine on an emulator, and with exchanges written from Google's documentation.

mod budget;
mod impersonation;
mod oauth;
mod preview;
mod query;
mod tables;
