use super::Databricks;
use crate::dialect::Names;

impl Names for Databricks {}
