use super::Snowflake;
use crate::dialect::Statistics;

impl Statistics for Snowflake {}
