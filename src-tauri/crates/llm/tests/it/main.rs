//! Tests of the crate's public behaviour, in one binary.

mod anthropic;
mod cassette;
mod complete;
mod gemini;
mod openai;
mod openai_strict;
mod openai_wire;
mod real_server;
mod responses;
mod served;
mod strict;
mod structured;
