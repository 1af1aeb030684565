use super::Postgres;
use crate::dialect::Expressions;

impl Expressions for Postgres {}
