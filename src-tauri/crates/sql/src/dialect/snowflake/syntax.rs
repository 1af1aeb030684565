use super::Snowflake;
use crate::dialect::Syntax;

impl Syntax for Snowflake {}
