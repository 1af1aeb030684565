use super::Clickhouse;
use crate::dialect::Expressions;

impl Expressions for Clickhouse {}
