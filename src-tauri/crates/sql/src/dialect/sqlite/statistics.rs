use super::Sqlite;
use crate::dialect::Statistics;

impl Statistics for Sqlite {}
