use super::Trino;
use crate::dialect::Statistics;

impl Statistics for Trino {}
