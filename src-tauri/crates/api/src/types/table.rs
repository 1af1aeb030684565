//! Details of a table for the catalog page, in addition to the catalog and the profile.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{EgressLevel, Page};

/// Some rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SampleRows {
    /// The rows; long values are cut.
    pub page: Page,
    /// Query that read the rows; `None` if the database listed them without a query and without cost.
    pub sql: Option<String>,
}

/// The text of a table in prompts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableText {
    /// The text as the prompts of a method contain it.
    pub text: String,
    /// Text for methods that list columns with examples (M-Schema), if it differs for this model.
    pub listed: Option<String>,
    /// Estimated number of tokens of the text.
    pub tokens: u32,
    /// Maximum number of schema tokens in one prompt; a longer text is split by columns.
    pub budget: u32,
    /// Tables that the text describes; a group of look-alike tables has one text.
    pub members: Vec<String>,
    /// Egress level for the model; `None` for the embedded model, which receives everything.
    pub level: Option<EgressLevel>,
    /// Columns whose values are omitted from the text because they are, or look, personal.
    pub masked: Vec<String>,
    /// True if the table is profiled; without a profile the text has no values.
    pub profiled: bool,
}
