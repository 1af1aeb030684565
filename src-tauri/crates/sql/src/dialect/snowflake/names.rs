use super::Snowflake;
use crate::dialect::Names;

impl Names for Snowflake {}
