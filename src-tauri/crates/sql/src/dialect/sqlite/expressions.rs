use super::Sqlite;
use crate::dialect::Expressions;

impl Expressions for Sqlite {}
