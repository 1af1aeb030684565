use super::Databricks;
use crate::dialect::Prompts;

impl Prompts for Databricks {}
