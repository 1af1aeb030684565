use super::Clickhouse;
use crate::dialect::Prompts;

impl Prompts for Clickhouse {}
