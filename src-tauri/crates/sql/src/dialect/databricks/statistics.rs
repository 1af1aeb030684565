use super::Databricks;
use crate::dialect::Statistics;

impl Statistics for Databricks {}
