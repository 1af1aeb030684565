use super::Postgres;
use crate::dialect::Proof;

impl Proof for Postgres {}
