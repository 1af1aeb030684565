use super::Databricks;
use crate::dialect::Proof;

impl Proof for Databricks {}
