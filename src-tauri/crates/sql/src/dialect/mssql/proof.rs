use super::Mssql;
use crate::dialect::Proof;

impl Proof for Mssql {}
