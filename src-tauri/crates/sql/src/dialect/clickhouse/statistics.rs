use super::Clickhouse;
use crate::dialect::Statistics;

impl Statistics for Clickhouse {}
