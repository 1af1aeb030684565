use super::Databricks;
use crate::dialect::Expressions;

impl Expressions for Databricks {}
