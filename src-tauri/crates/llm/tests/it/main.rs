//! What users of the crate notice, in one test binary.

mod cassette;
mod complete;
mod openai;
mod openai_wire;
mod real_server;
mod structured;
