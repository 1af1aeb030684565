use super::Sqlite;
use crate::dialect::Names;

impl Names for Sqlite {}
