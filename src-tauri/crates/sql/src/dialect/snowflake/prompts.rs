use super::Snowflake;
use crate::dialect::Prompts;

impl Prompts for Snowflake {}
