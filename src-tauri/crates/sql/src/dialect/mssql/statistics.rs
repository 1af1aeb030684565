use super::Mssql;
use crate::dialect::Statistics;

impl Statistics for Mssql {}
