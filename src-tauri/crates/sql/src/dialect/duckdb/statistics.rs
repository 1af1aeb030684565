use super::Duckdb;
use crate::dialect::Statistics;

impl Statistics for Duckdb {}
