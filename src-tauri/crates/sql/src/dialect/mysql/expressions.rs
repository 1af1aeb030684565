use super::Mysql;
use crate::dialect::Expressions;

impl Expressions for Mysql {}
