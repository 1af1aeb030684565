use super::Mysql;
use crate::dialect::Statistics;

impl Statistics for Mysql {}
