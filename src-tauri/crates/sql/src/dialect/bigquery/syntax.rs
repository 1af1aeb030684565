use super::Bigquery;
use crate::dialect::Syntax;

impl Syntax for Bigquery {}
