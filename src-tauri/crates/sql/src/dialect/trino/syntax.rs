use super::Trino;
use crate::dialect::Syntax;

impl Syntax for Trino {}
