use super::Mysql;
use crate::dialect::Proof;

impl Proof for Mysql {}
