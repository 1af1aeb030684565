use super::Mssql;
use crate::dialect::Prompts;

impl Prompts for Mssql {}
