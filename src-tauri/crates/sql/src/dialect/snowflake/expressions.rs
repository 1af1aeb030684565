use super::Snowflake;
use crate::dialect::Expressions;

impl Expressions for Snowflake {}
