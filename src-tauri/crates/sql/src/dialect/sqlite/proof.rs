use super::Sqlite;
use crate::dialect::Proof;

impl Proof for Sqlite {}
