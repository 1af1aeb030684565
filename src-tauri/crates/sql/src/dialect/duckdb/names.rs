use super::Duckdb;
use crate::dialect::Names;

impl Names for Duckdb {}
