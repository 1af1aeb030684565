use super::Bigquery;
use crate::dialect::Proof;

impl Proof for Bigquery {}
