//! The report of a comparison, as front ends receive it. Numbers are exact decimal texts; where a number has no exact
//! decimal form, it is rounded so that contributions still sum to the change.

use crate::plan::LeftOut;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The explanation of a metric's change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricChange {
    /// The name of the metric.
    pub metric: String,
    /// The title of the metric.
    pub title: String,
    /// The unit of the metric.
    pub unit: Option<String>,
    /// The side that the other one is compared with.
    pub before: SideValue,
    /// The other side.
    pub after: SideValue,
    /// The difference of both values; `None` if one side has no value.
    pub change: Option<String>,
    /// The difference as a share of the first value, if that is positive.
    pub change_share: Option<f64>,
    /// The change and its main cause, in words.
    pub sentence: String,
    /// What must be known to read the numbers correctly.
    pub notes: Vec<String>,
    /// The reason why the change cannot be split; then there are no dimensions.
    pub not_additive: Option<String>,
    /// The metrics that the metric is computed from, if there are several.
    pub inputs: Vec<InputChange>,
    /// The dimensions, the one that explains most first.
    pub dimensions: Vec<DimensionChange>,
    /// The dimensions that are not compared, with the reason.
    pub left_out: Vec<LeftOut>,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SideValue {
    /// The period or group, in words.
    pub title: String,
    /// The value of the metric.
    pub value: Option<String>,
    /// The query of the value.
    pub sql: String,
}

/// A metric that another one is computed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InputChange {
    /// The title of the metric.
    pub title: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
    /// Its contribution to the change of a sum; `None` for quotients.
    pub contribution: Option<String>,
}

/// The contributions of a dimension's values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DimensionChange {
    /// The name in queries.
    pub name: String,
    /// The title for users.
    pub title: String,
    /// The explanatory power, from 0 to 1.
    pub power: f64,
    /// The values with the largest contributions.
    pub members: Vec<MemberChange>,
    /// All other values together.
    pub others: Option<OtherMembers>,
    /// For quotients: the sum of the contributions that come from the values' own quotients.
    pub rate: Option<String>,
    /// For quotients: the sum of the contributions that come from their shares.
    pub mix: Option<String>,
    /// What must be known about this dimension.
    pub notes: Vec<String>,
    /// The query of the first side.
    pub before_sql: String,
    /// The query of the second side.
    pub after_sql: String,
}

/// The presence of a value on the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// Both sides have rows.
    Both,
    /// Only the second side has rows.
    New,
    /// Only the first side has rows.
    Vanished,
}

/// The contribution of a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MemberChange {
    /// The value; `None` for rows without one.
    pub member: Option<String>,
    /// The sides that have rows of it.
    pub presence: Presence,
    /// The metric before.
    pub before: Option<String>,
    /// The metric after.
    pub after: Option<String>,
    /// The contribution to the change. All contributions of a dimension sum to the change.
    pub contribution: String,
    /// The contribution as a share of the change; `None` if the change is 0.
    pub share: Option<f64>,
    /// For quotients: the part of the contribution from its own quotient.
    pub rate: Option<String>,
    /// For quotients: the part of the contribution from its share.
    pub mix: Option<String>,
    /// For quotients: the share of the divisor before.
    pub weight_before: Option<f64>,
    /// For quotients: the share of the divisor after.
    pub weight_after: Option<f64>,
}

/// The values that are not listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OtherMembers {
    /// Their number.
    pub count: u32,
    /// The sum of their contributions.
    pub contribution: String,
    /// The sum as a share of the change.
    pub share: Option<f64>,
    /// For quotients: the part from their own quotients.
    pub rate: Option<String>,
    /// For quotients: the part from their shares.
    pub mix: Option<String>,
}
