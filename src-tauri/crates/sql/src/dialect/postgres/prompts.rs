use super::Postgres;
use crate::dialect::Prompts;

impl Prompts for Postgres {}
