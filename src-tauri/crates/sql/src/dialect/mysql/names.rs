use super::Mysql;
use crate::dialect::Names;

impl Names for Mysql {}
