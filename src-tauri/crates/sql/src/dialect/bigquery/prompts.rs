use super::Bigquery;
use crate::dialect::Prompts;

impl Prompts for Bigquery {}
