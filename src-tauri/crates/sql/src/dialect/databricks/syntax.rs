use super::Databricks;
use crate::dialect::Syntax;

impl Syntax for Databricks {}
