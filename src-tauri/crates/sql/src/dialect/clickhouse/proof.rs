use super::Clickhouse;
use crate::dialect::Proof;

impl Proof for Clickhouse {}
