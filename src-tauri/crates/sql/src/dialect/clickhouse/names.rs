use super::Clickhouse;
use crate::dialect::Names;

impl Names for Clickhouse {}
