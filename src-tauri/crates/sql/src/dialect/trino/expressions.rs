use super::Trino;
use crate::dialect::Expressions;

impl Expressions for Trino {}
