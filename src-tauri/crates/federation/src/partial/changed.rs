//! A SELECT while it is changed.

use sqlparser::ast::{Expr, Select};

/// A SELECT with the keys of its ORDER BY.
pub(super) struct Changed {
    pub select: Select,
    pub order: Vec<Expr>,
}
