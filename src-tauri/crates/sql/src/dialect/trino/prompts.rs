use super::Trino;
use crate::dialect::Prompts;

impl Prompts for Trino {}
