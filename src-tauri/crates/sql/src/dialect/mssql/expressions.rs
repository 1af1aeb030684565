use super::Mssql;
use crate::dialect::Expressions;

impl Expressions for Mssql {}
