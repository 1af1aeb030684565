use super::Snowflake;
use crate::dialect::Proof;

impl Proof for Snowflake {}
