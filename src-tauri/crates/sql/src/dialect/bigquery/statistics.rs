use super::Bigquery;
use crate::dialect::Statistics;

impl Statistics for Bigquery {}
