//! Whether values of groups can be added.

use super::compiler::Compiler;
use super::leaf::Value;
use crate::definition::Aggregate;
use crate::expression::is_linear;
use crate::problem::MetricError;

impl Compiler<'_, '_> {
    /// Returns true if the values of several groups add up to the value of all; `over_time` for groups that differ in
    /// time.
    pub fn is_additive(&self, value: &Value<'_>, over_time: bool) -> Result<bool, MetricError> {
        Ok(match value {
            Value::Leaf(leaf) => {
                let leaf = &self.plan.leaves[*leaf];
                let sums = matches!(leaf.aggregate, Aggregate::Sum | Aggregate::Count | Aggregate::SumBoolean);
                sums && (!over_time || (leaf.last_of.is_none() && leaf.cumulative.is_none()))
            }
            Value::Filled(value, constant) => *constant == 0 && self.is_additive(value, over_time)?,
            Value::Ratio(..) => false,
            Value::Formula(text, inputs) => {
                for (_, input) in inputs {
                    if !self.is_additive(input, over_time)? {
                        return Ok(false);
                    }
                }
                is_linear(text, self.dialect())?
            }
        })
    }
}
