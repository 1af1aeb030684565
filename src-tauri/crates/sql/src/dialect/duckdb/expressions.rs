use super::Duckdb;
use crate::dialect::Expressions;

impl Expressions for Duckdb {}
