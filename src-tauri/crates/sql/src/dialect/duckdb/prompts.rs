use super::Duckdb;
use crate::dialect::Prompts;

impl Prompts for Duckdb {}
