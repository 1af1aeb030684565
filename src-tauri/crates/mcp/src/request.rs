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
