//! Report on the schema as a model receives it: size, compression and chunks.

use crate::app::App;
use crate::types::InferredKeyRow;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use vitrine_catalog::{Budget, Compressed, CompressedTable, RenderOptions};
use vitrine_domain::{AppError, Dialect, TableName};
use vitrine_llm::ChatModel;
use vitrine_llm::estimate_tokens;
use vitrine_words::tr;

/// The report that `vitrine schema` shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SchemaReport {
    /// Full address of the warehouse, without password.
    pub uri: String,
    /// SQL dialect of the warehouse.
    pub dialect: Dialect,
    /// Fingerprint that changes with the schema and, if that is cheap to detect, with the data.
    pub fingerprint: String,
    /// Number of tables and views.
    pub table_count: usize,
    /// Number of columns over all tables and views.
    pub column_count: usize,
    /// Number of look-alike groups of tables and of columns.
    pub group_count: usize,
    /// Number of tokens of the whole text without compression.
    pub tokens_raw: u32,
    /// Number of tokens of the whole text with compression.
    pub tokens_compressed: u32,
    /// Source of the token counts: a model's own tokenizer, or `estimate`.
    pub counted_by: String,
    /// Token budget of one chunk.
    pub budget: u32,
    /// Chunks into which the text is split.
    pub chunks: Vec<ChunkReport>,
    /// Inferred keys, except keys that the user has rejected.
    pub inferred_keys: Vec<InferredKeyRow>,
    /// Tables and groups of tables, in the order of the text.
    pub tables: Vec<TableReport>,
    /// The text of the schema.
    #[serde(skip)]
    pub text: String,
}

/// A chunk of the schema's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChunkReport {
    /// Number of the chunk, from 1.
    pub index: u32,
    /// Number of tokens in the chunk.
    pub tokens: u32,
    /// Tables and groups in the chunk, by the name that the model sees.
    pub tables: Vec<String>,
}

/// A table or a group of look-alike tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableReport {
    /// Name of the table, or the group's pattern.
    pub name: String,
    /// Real names of the tables; a single name if this is not a group.
    pub members: Vec<String>,
    /// Columns and groups of columns.
    pub columns: Vec<String>,
    /// Number of rows; `None` if unknown.
    pub row_count: Option<u64>,
}

impl App {
    /// Returns a report on a schema. Tokens are counted with the default model's own tokenizer if its file is present.
    pub async fn report_schema(&self, uri: String, budget: Option<u32>) -> Result<SchemaReport, AppError> {
        let open = self.ensure_open(&uri).await?;
        // The text contains statistics of the profile.
        self.begin_preparation(&open);
        open.wait_until_ready(self.inner.options.patience, &self.inner.ending).await;
        let (catalog, profile) = (open.catalog(), open.profile());
        let model = self.settings().await?.default_model;
        let tokenizer = Tokenizer(self.chat_model(&model).await.ok());
        let (chunk_budget, context) = tokenizer.0.as_ref().map_or((3_000, 16_000), |model| {
            let profile = model.profile();
            (profile.chunk_budget, profile.context_tokens)
        });
        let budget = budget.unwrap_or(chunk_budget).max(1);

        let options = RenderOptions::default();
        let compressed = vitrine_catalog::compress_catalog(&catalog);
        let text = vitrine_catalog::render_schema(&compressed, Some(&profile), None, &options);
        let raw = vitrine_catalog::render_schema(&Compressed::as_it_is(&catalog), Some(&profile), None, &options);
        let counts = tokenizer.count_tokens(&[&text, &raw]).await;
        let chunks = vitrine_catalog::chunk_schema(
            &compressed,
            Some(&profile),
            Budget::new(budget, context),
            async |texts: &[&str]| tokenizer.count_tokens(texts).await,
            &options,
        )
        .await;
        let shown = |table: usize, columns: Option<&[String]>| {
            let name = &compressed.tables[table].pattern;
            columns.map_or_else(
                || name.clone(),
                |columns| tr!("{name} ({count} of its columns)", name, count = columns.len()),
            )
        };
        let rows: HashMap<&TableName, Option<u64>> =
            catalog.tables.iter().map(|table| (&table.name, table.row_count)).collect();
        Ok(SchemaReport {
            uri: open.uri.clone(),
            dialect: catalog.dialect,
            fingerprint: catalog.fingerprint.clone(),
            table_count: catalog.tables.len(),
            column_count: catalog.column_count(),
            group_count: compressed.group_count(),
            tokens_compressed: counts[0],
            tokens_raw: counts[1],
            counted_by: tokenizer.0.as_ref().map_or("estimate".to_owned(), |model| model.id().to_owned()),
            budget,
            chunks: chunks
                .iter()
                .map(|c| ChunkReport {
                    index: c.index,
                    tokens: c.tokens,
                    tables: c.tables.iter().map(|&t| shown(t, c.columns.as_deref())).collect(),
                })
                .collect(),
            inferred_keys: self.used_keys(&open).await?,
            tables: compressed.tables.iter().map(|table| to_table_report(table, &rows)).collect(),
            text,
        })
    }
}

/// A model's tokenizer, or an estimate without a model.
struct Tokenizer(Option<Arc<dyn ChatModel>>);

impl Tokenizer {
    async fn count_tokens(&self, texts: &[&str]) -> Vec<u32> {
        if let Some(model) = &self.0
            && let Ok(counts) = model.count_tokens(texts).await
        {
            return counts;
        }
        texts.iter().map(|text| estimate_tokens(text)).collect()
    }
}

fn to_table_report(table: &CompressedTable, rows: &HashMap<&TableName, Option<u64>>) -> TableReport {
    let rows = table.members.iter().map(|name| rows.get(name).copied().flatten());
    TableReport {
        name: table.pattern.clone(),
        members: table.members.iter().map(ToString::to_string).collect(),
        columns: table.columns.iter().map(|c| c.pattern.clone()).collect(),
        row_count: rows.sum(),
    }
}
