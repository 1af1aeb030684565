use super::Bigquery;
use crate::dialect::Names;

impl Names for Bigquery {}
