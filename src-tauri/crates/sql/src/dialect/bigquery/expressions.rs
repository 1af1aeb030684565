use super::Bigquery;
use crate::dialect::Expressions;

impl Expressions for Bigquery {}
