use super::Sqlite;
use crate::dialect::Syntax;

impl Syntax for Sqlite {}
