//! The schema as an external program may read it.

use super::Outside;
use crate::audit::ReplyRecord;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{Budget, RenderOptions};
use vitrine_domain::{AppError, EgressLevel};
use vitrine_llm::estimate_tokens;

/// Bytes per token, used to convert a budget of bytes into one of tokens.
const BYTES_OF_A_TOKEN: u32 = 4;

/// A part of a schema's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaPart {
    /// Names of its tables and groups of look-alike tables, as in the text.
    pub tables: Vec<String>,
    /// The text: tables as short CREATE statements.
    pub text: String,
}

impl Outside {
    /// Returns the schema in parts of about `bytes` bytes, with the comments, statistics and stored values that the egress level permits.
    /// With `words`, only tables whose name contains one of them, ignoring case.
    ///
    /// # Errors
    /// When the warehouse cannot be read.
    pub async fn read_schema(
        &self,
        words: &[String],
        bytes: u32,
        cancel: &CancellationToken,
    ) -> Result<(EgressLevel, Vec<SchemaPart>), AppError> {
        let opened = self.open_prepared(cancel).await?;
        let (mut catalog, mut profile) = (opened.open.catalog(), opened.open.profile());
        opened.egress.redact_metadata(&mut catalog, &mut profile);
        let mut catalog = catalog.as_ref().clone();
        let words: Vec<String> = words.iter().map(|word| word.trim().to_lowercase()).collect();
        let wanted = |name: String| words.is_empty() || words.iter().any(|word| name.to_lowercase().contains(word));
        catalog.tables.retain(|table| wanted(table.name.to_string()));
        let compressed = vitrine_catalog::compress_catalog(&catalog);
        let tokens = (bytes / BYTES_OF_A_TOKEN).max(1);
        let count = async |texts: &[&str]| texts.iter().map(|text| estimate_tokens(text)).collect();
        let options = RenderOptions { statistics: true, ..RenderOptions::default() };
        // A table that is larger than a part is split by its columns.
        let budget = Budget { chunk: tokens, table: tokens };
        let chunks = vitrine_catalog::chunk_schema(&compressed, Some(&profile), budget, count, &options).await;
        let name = |table: &usize| compressed.tables[*table].pattern.clone();
        let parts = chunks
            .into_iter()
            .map(|chunk| SchemaPart { tables: chunk.tables.iter().map(name).collect(), text: chunk.text });
        Ok((opened.policy.level, parts.collect()))
    }

    /// Records that a part of the schema was sent to the program.
    ///
    /// # Errors
    /// When the warehouse cannot be opened.
    pub async fn told_schema(&self, level: EgressLevel, part: &SchemaPart) -> Result<(), AppError> {
        let open = self.app.ensure_open(&self.uri).await?;
        let what = format!("The schema of {}: {}", part.tables.join(", "), level.display_title());
        let told = ReplyRecord { sql: "", what: Some(&what), run: None, rows: 0, bytes: part.text.len() as u64 };
        self.create_auditor(&open).record_reply(&told);
        Ok(())
    }
}
