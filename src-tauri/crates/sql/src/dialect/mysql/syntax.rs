use super::Mysql;
use crate::dialect::Syntax;

impl Syntax for Mysql {}
