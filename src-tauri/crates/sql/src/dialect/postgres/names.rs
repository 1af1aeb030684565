use super::Postgres;
use crate::dialect::Names;

impl Names for Postgres {}
