//! An answer by metrics, in words for people.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::tr;

/// A question that metrics cover, with the role of each of its words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricAnswer {
    /// The metrics of the answer.
    pub metrics: Vec<MetricDefinition>,
    /// The dimensions and periods that define the groups.
    pub by: Vec<String>,
    /// The conditions, one sentence each.
    pub filters: Vec<String>,
    /// The period, with its days.
    pub period: Option<String>,
    /// What is computed besides the metrics: a comparison, shares, running totals.
    pub calculation: Option<String>,
    /// The order of the rows.
    pub order: Option<String>,
    /// Maximum number of rows.
    pub limit: Option<u32>,
    /// The parts of the question in their order, with their roles.
    pub parts: Vec<AskedPart>,
    /// The query in the names of the definitions.
    pub query: MetricRequest,
}

impl MetricAnswer {
    /// Returns the title of the answer: "Revenue, as defined by Finance".
    pub fn title(&self) -> String {
        let title = |metric: &MetricDefinition| match &metric.owner {
            Some(owner) => tr!("{metric}, as defined by {owner}", metric = metric.label, owner),
            None => tr!("{metric}, as defined for this connection", metric = metric.label),
        };
        self.metrics.iter().map(title).collect::<Vec<_>>().join("; ")
    }

    /// Returns the owners of the metrics, each once.
    pub fn owners(&self) -> Vec<&str> {
        let mut owners: Vec<&str> = self.metrics.iter().filter_map(|metric| metric.owner.as_deref()).collect();
        owners.dedup();
        owners
    }
}

/// The definition of a metric, for people.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricDefinition {
    /// The name in queries.
    pub name: String,
    /// The title for users.
    pub label: String,
    /// The person or group that answers for the definition.
    pub owner: Option<String>,
    /// The meaning of the metric.
    pub description: Option<String>,
    /// The unit, such as `EUR` or `%`.
    pub unit: Option<String>,
    /// Conditions of the definition that always apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
}

/// A part of a question with its role in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AskedPart {
    /// The words as the user wrote them.
    pub text: String,
    /// The role of the words.
    pub role: PartRole,
    /// What the words mean in the answer; absent for words without a meaning of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
}

/// The role of a part of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PartRole {
    /// It names a metric.
    Metric,
    /// It names a group.
    Group,
    /// It is a condition.
    Filter,
    /// It is a period of time.
    Time,
    /// It determines order or number of rows.
    Order,
    /// It requests a comparison, shares or running totals.
    Calculation,
    /// It has no meaning of its own.
    Filler,
}

/// A metric query in the names of the definitions, as `vitrine metrics query` takes them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MetricRequest {
    /// Names of metrics.
    pub metrics: Vec<String>,
    /// Names of dimensions and times.
    pub by: Vec<String>,
    /// Conditions on dimensions; all must hold.
    pub filters: Vec<String>,
    /// The first day in ISO form.
    pub from: Option<String>,
    /// The last day in ISO form.
    pub to: Option<String>,
    /// The earlier period that values are compared with: `previous-period` or `previous-year`.
    pub compare: Option<String>,
    /// True if each metric's share of the total is added.
    pub share: bool,
    /// True if running totals are added.
    pub running_total: bool,
    /// Names of metrics and dimensions, with `-` in front for descending order.
    pub order: Vec<String>,
    /// Maximum number of rows.
    pub limit: Option<u32>,
}
