use super::Postgres;
use crate::dialect::Syntax;

impl Syntax for Postgres {}
