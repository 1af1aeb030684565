use super::Mysql;
use crate::dialect::Prompts;

impl Prompts for Mysql {}
