use super::Duckdb;
use crate::dialect::Proof;

impl Proof for Duckdb {}
