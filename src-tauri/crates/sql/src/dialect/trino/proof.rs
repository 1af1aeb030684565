use super::Trino;
use crate::dialect::Proof;

impl Proof for Trino {}
