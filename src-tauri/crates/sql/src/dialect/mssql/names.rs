use super::Mssql;
use crate::dialect::Names;

impl Names for Mssql {}
