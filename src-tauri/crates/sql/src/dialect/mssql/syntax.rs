use super::Mssql;
use crate::dialect::Syntax;

impl Syntax for Mssql {}
