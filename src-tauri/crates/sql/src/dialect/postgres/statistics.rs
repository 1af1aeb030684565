use super::Postgres;
use crate::dialect::Statistics;

impl Statistics for Postgres {}
