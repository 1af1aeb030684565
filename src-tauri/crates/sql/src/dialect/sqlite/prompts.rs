use super::Sqlite;
use crate::dialect::Prompts;

impl Prompts for Sqlite {}
