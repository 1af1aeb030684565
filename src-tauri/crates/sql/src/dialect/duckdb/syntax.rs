use super::Duckdb;
use crate::dialect::Syntax;

impl Syntax for Duckdb {}
