use super::Clickhouse;
use crate::dialect::Syntax;

impl Syntax for Clickhouse {}
