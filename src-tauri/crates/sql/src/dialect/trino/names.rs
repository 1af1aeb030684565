use super::Trino;
use crate::dialect::Names;

impl Names for Trino {}
