//! The schema as a model sees it: its size, its compression, its chunks.

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

/// What `vitrine schema` reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SchemaReport {
    /// The warehouse's address.
    pub uri: String,
    /// What its SQL is written in.
    pub dialect: Dialect,
    /// Changes when the schema or, where cheap to know, the data changes.
    pub fingerprint: String,
    /// Number of tables and views.
    pub table_count: usize,
    /// Number of columns over all of them.
    pub column_count: usize,
    /// Number of look-alike groups of tables and of columns.
    pub group_count: usize,
    /// Tokens of the whole text without compression.
    pub tokens_raw: u32,
    /// Tokens of the whole text as it is sent.
    pub tokens_compressed: u32,
    /// Who counted: a model's own tokenizer, or `estimate`.
    pub counted_by: String,
    /// The budget that it was split by.
    pub budget: u32,
    /// How it is split.
    pub chunks: Vec<ChunkReport>,
    /// Inferred keys, without those that the user has struck.
    pub inferred_keys: Vec<InferredKeyRow>,
    /// Tables and groups of tables, in the order of the text.
    pub tables: Vec<TableReport>,
    /// The text itself.
    #[serde(skip)]
    pub text: String,
}

/// One chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChunkReport {
    /// From 1.
    pub index: u32,
    /// Its tokens.
    pub tokens: u32,
    /// Its tables and groups, by the name that the model sees.
    pub tables: Vec<String>,
}

/// One table, or a group of look-alikes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableReport {
    /// Its name, or the group's pattern.
    pub name: String,
    /// The real names; one for a table that stands alone.
    pub members: Vec<String>,
    /// Its columns and groups of columns.
    pub columns: Vec<String>,
    /// Its rows, when known.
    pub row_count: Option<u64>,
}

impl App {
    /// Reports on a schema. Tokens are counted by the default model's own tokenizer when its file is here.
    pub async fn report_schema(&self, uri: String, budget: Option<u32>) -> Result<SchemaReport, AppError> {
        let open = self.ensure_open(&uri).await?;
        // The text shows what the profile knows.
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
