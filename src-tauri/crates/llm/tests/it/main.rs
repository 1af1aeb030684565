//! What users of the crate notice, in one test binary.

mod anthropic;
mod cassette;
mod complete;
mod gemini;
mod openai;
mod openai_wire;
mod real_server;
mod responses;
mod strict;
mod structured;
