//! One table as the catalog page shows it, besides what the catalog and the profile hold.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{EgressLevel, Page};

/// A few rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SampleRows {
    /// The rows; a long value is cut.
    pub page: Page,
    /// The query that read them; `None` where the database listed them without a query, and without a bill.
    pub sql: Option<String>,
}

/// A table's text in prompts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableText {
    /// As the prompts of a method show it.
    pub text: String,
    /// The same for methods that list columns with examples (M-Schema), where that is another text for this model.
    pub listed: Option<String>,
    /// Tokens of the text, estimated.
    pub tokens: u32,
    /// Tokens that the model is shown of a schema at a time. A longer text is shown in parts, by its columns.
    pub budget: u32,
    /// The tables that the text stands for: a group of look-alikes has one text.
    pub members: Vec<String>,
    /// What the model may be told; `None` for a model within this program, which is told everything.
    pub level: Option<EgressLevel>,
    /// Columns whose values the text leaves out because they are, or look, personal.
    pub masked: Vec<String>,
    /// Whether the table was profiled. Without a profile the text has no values.
    pub profiled: bool,
}
