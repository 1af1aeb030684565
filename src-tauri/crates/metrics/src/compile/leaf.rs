//! Leaves: aggregates of one table's rows, from which all values are computed.

use crate::definition::{Aggregate, Cumulative, LastOf};
use crate::grain::Span;
use crate::graph::Resolved;

/// An aggregate of a table's rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf<'f> {
    /// The metric whose definition it is.
    pub name: &'f str,
    pub aggregate: Aggregate,
    /// The aggregated expression; `None` to count rows.
    pub of: Option<&'f str>,
    /// The table, as an index of the file.
    pub base: usize,
    /// The time dimension of the table, or of one that it is joined to.
    pub time: Option<Resolved<'f>>,
    pub conditions: Vec<Condition>,
    /// The distance of the earlier period.
    pub shift: Option<Span>,
    pub last_of: Option<&'f LastOf>,
    pub cumulative: Option<&'f Cumulative>,
    /// True if periods without rows are added.
    pub every_period: bool,
}

impl Leaf<'_> {
    /// Returns true if both leaves can be aggregated by the same query.
    pub fn shares_rows(&self, other: &Self) -> bool {
        let is_plain =
            |leaf: &Self| leaf.last_of.is_none() && leaf.cumulative.is_none() && leaf.aggregate != Aggregate::Median;
        is_plain(self)
            && is_plain(other)
            && self.base == other.base
            && self.time == other.time
            && self.conditions == other.conditions
            && self.shift == other.shift
            && self.every_period == other.every_period
    }
}

/// A condition on dimensions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    /// The expression, with templates replaced.
    pub text: String,
    /// The names in it, each once.
    pub names: Vec<String>,
    /// True if it belongs to the query, false if it belongs to a definition.
    pub is_of_query: bool,
    /// True if all names mean the leaf's own time.
    pub is_time: bool,
    /// True if a name means the leaf's own time.
    pub mentions_time: bool,
}

/// A value computed from leaves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'f> {
    /// The aggregate of a leaf, by its index.
    Leaf(usize),
    /// A value with a constant in place of NULL.
    Filled(Box<Value<'f>>, i64),
    /// A quotient.
    Ratio(Box<Value<'f>>, Box<Value<'f>>),
    /// A formula with its named values.
    Formula(&'f str, Vec<(String, Value<'f>)>),
}

impl Value<'_> {
    /// Returns the leaves of the value, by their indexes.
    pub fn leaves(&self) -> Vec<usize> {
        match self {
            Value::Leaf(leaf) => vec![*leaf],
            Value::Filled(value, _) => value.leaves(),
            Value::Ratio(of, to) => [of.leaves(), to.leaves()].concat(),
            Value::Formula(_, inputs) => inputs.iter().flat_map(|(_, value)| value.leaves()).collect(),
        }
    }
}
