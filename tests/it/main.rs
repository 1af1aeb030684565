//! One binary for all integration tests: it links once.

mod architecture;
mod bench;
mod dependencies;
mod described;
mod events;
mod every_method;
mod everyday;
mod gold;
mod layers;
mod main_job;
mod methods;
mod nested;
mod pipeline;
mod python;
mod recorded;
