//! Arguments of an agent's calls.

use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments of `ask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskArguments {
    /// The question in plain language, in any language, with everything that it needs: it is asked on its own.
    pub question: String,
    /// The warehouse by its name; may be left out where there is one.
    #[serde(default)]
    pub warehouse: Option<String>,
    /// Definitions, formulas or codes that the question relies on.
    #[serde(default)]
    pub knowledge: Option<String>,
    /// Seconds after which the best result so far is the answer. The user's own limit stays in force.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub max_seconds: Option<u32>,
}

/// Arguments of `schema`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaArguments {
    /// The warehouse by its name; may be left out where there is one.
    #[serde(default)]
    pub warehouse: Option<String>,
    /// Only tables whose name holds one of these texts.
    #[serde(default)]
    pub tables: Vec<String>,
    /// The page, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub page: Option<u32>,
}

/// Arguments of `query`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryArguments {
    /// One read-only query in the SQL of the warehouse. Left out with a cursor.
    #[serde(default)]
    pub sql: Option<String>,
    /// The warehouse by its name; may be left out where there is one.
    #[serde(default)]
    pub warehouse: Option<String>,
    /// `next_cursor` of an earlier reply: further rows of that result. The query does not run again.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Rows in this reply at most. The user's own limit stays in force.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub max_rows: Option<u32>,
}

/// Arguments of `runs`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunsArguments {
    /// The warehouse by its name; may be left out where there is one.
    #[serde(default)]
    pub warehouse: Option<String>,
    /// A run: its answer, SQL and graph. Left out, runs are listed.
    #[serde(default)]
    pub run_id: Option<String>,
    /// Only runs whose question holds these words.
    #[serde(default)]
    pub search: Option<String>,
    /// Of a list the first run, of a run the first row, from 0: `next_offset` of an earlier reply.
    #[serde(default)]
    pub offset: Option<u32>,
}

/// Arguments of `metrics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MetricsArguments {
    /// The warehouse by its name; may be left out where there is one.
    #[serde(default)]
    pub warehouse: Option<String>,
    /// Names of metrics to compute. Left out, metrics and dimensions are listed.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// Dimensions to group by: `entity__dimension`, or a time with a period, such as `metric_time__month`.
    #[serde(default)]
    pub by: Vec<String>,
    /// Conditions in SQL on names of dimensions, or on metrics of the query, such as `store__region = 'EU'`.
    #[serde(default)]
    pub filters: Vec<String>,
    /// The first day, such as 2024-01-01.
    #[serde(default)]
    pub from: Option<String>,
    /// The last day.
    #[serde(default)]
    pub to: Option<String>,
    /// Adds the values of an earlier period and the changes. Needs a time to group by.
    #[serde(default)]
    pub compare: Option<EarlierPeriod>,
    /// Adds each value's share of the total, or of its period's total.
    #[serde(default)]
    pub share: bool,
    /// Adds running totals over time.
    #[serde(default)]
    pub running_total: bool,
    /// Names to sort by, with `-` in front for descending order.
    #[serde(default)]
    pub order: Vec<String>,
    /// Rows of the result at most.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// Explains why one metric changed between two periods or differs between two groups: name it in `metrics`. `by`
    /// and `filters` apply; the other arguments do not.
    #[serde(default)]
    pub explain: Option<ExplainArguments>,
}

/// The two sides of an explanation: two periods, or two values of a dimension.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainArguments {
    /// The first period: 2024, 2024-Q1, 2024-03, 2024-03-15 or 2024-03-01..2024-03-15.
    #[serde(default)]
    pub from: Option<String>,
    /// The second period.
    #[serde(default)]
    pub to: Option<String>,
    /// The dimension whose values are compared instead of periods.
    #[serde(default)]
    pub dimension: Option<String>,
    /// The value of the dimension that the other one is compared with; rows without a value if left out.
    #[serde(default)]
    pub before: Option<String>,
    /// The other value of the dimension.
    #[serde(default)]
    pub after: Option<String>,
    /// The period of a comparison between two values.
    #[serde(default)]
    pub during: Option<String>,
    /// Values that are listed for each dimension at most; the others are added up.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub members: Option<u32>,
}

/// The earlier period of a comparison.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EarlierPeriod {
    /// The period before.
    PreviousPeriod,
    /// The same period of the year before.
    PreviousYear,
}
