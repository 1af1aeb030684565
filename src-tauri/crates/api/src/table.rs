//! A single table: some of its rows for the user, and its text as a model receives it.

use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::{SampleRows, TableText};
use std::sync::Arc;
use vitrine_agents::run::egress::Egress;
use vitrine_catalog::{Compressed, RenderOptions};
use vitrine_domain::{AppError, Catalog, EgressPolicy, ErrorCode, ModelProfile, Page, Profile, Table, TableName};
use vitrine_llm::estimate_tokens;
use vitrine_store::QueryAuthor;
use vitrine_warehouse::{Metering, cells, result_columns};
use vitrine_words::tr;

/// Number of rows in a sample.
const ROWS: u64 = 50;
/// Maximum number of characters of a value, because a cell may contain a whole document.
const LETTERS: usize = 1_000;

impl App {
    /// Returns some rows of a table. They are read by a query with a read-only proof within the user's limits; databases that bill queries
    /// list the rows without a query.
    ///
    /// # Errors
    /// When the table does not exist, its rows cannot be read, or a database that bills queries cannot list them.
    pub async fn sample_rows(&self, warehouse: String, table: TableName) -> Result<SampleRows, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let catalog = open.catalog();
        let known = find_table(&catalog, &table)?;
        if open.warehouse.metering() == Metering::Billed {
            return Ok(SampleRows { page: shorten_values(self.preview_rows(&open, known).await?), sql: None });
        }
        let name = vitrine_sql::table_ref(&known.name, catalog.dialect);
        let sql = vitrine_sql::first_rows("*", &name, ROWS, catalog.dialect);
        // If the caller drops the future, the query stops.
        let cancel = self.inner.ending.child_token();
        let _stop = cancel.clone().drop_guard();
        let rows = self.rows_by(QueryAuthor::App, &warehouse, &sql).await?;
        let mut page = self.first_rows(&rows, ROWS, cancel).await?;
        // The query itself has the limit, so that the table may have more rows.
        page.truncated |= page.row_count >= ROWS;
        Ok(SampleRows { page: shorten_values(page), sql: Some(sql) })
    }

    /// Returns a table's text in prompts for this model, rendered by the same code and with the content that the model may receive.
    ///
    /// # Errors
    /// When the table or the model does not exist.
    pub async fn table_text(&self, warehouse: String, table: TableName, model: String) -> Result<TableText, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let profile = self.chat_model(&model).await?.profile();
        let policy = match profile.runs_here() {
            true => None,
            false => Some(self.egress_of(&open.uri).await?),
        };
        let (catalog, known) = (open.catalog(), open.profile());
        // Comparing thousands of tables takes long.
        run_blocking(move || build_table_text(catalog, known, &table, &profile, policy)).await
    }

    async fn preview_rows(&self, open: &OpenWarehouse, table: &Table) -> Result<Page, AppError> {
        let preview = open.warehouse.preview_rows(table, ROWS).await?;
        let rows: Vec<_> = preview.batches.iter().flat_map(cells::format_rows).take(ROWS as usize).collect();
        let row_count = rows.len() as u64;
        let truncated = preview.total.is_none_or(|total| row_count < total);
        Ok(Page { columns: result_columns(&preview.schema), rows, row_count, truncated })
    }
}

fn find_table<'c>(catalog: &'c Catalog, name: &TableName) -> Result<&'c Table, AppError> {
    catalog.tables.iter().find(|table| table.name == *name).ok_or_else(|| {
        AppError::new(
            ErrorCode::NotFound,
            tr!("Table {name} not found in {database}", name, database = catalog.database),
        )
        .with_hint(tr!("It may have been removed since the list was read"))
    })
}

/// Returns the page with long values cut.
fn shorten_values(mut page: Page) -> Page {
    for value in page.rows.iter_mut().flatten().flatten() {
        if let Some((end, _)) = value.char_indices().nth(LETTERS) {
            value.truncate(end);
            value.push('…');
        }
    }
    page
}

fn build_table_text(
    mut catalog: Arc<Catalog>,
    mut known: Arc<Profile>,
    name: &TableName,
    model: &ModelProfile,
    policy: Option<EgressPolicy>,
) -> Result<TableText, AppError> {
    find_table(&catalog, name)?;
    let profiled = known.find_table(name).is_some();
    let (level, label) = (policy.as_ref().map(|policy| policy.level), name.to_string());
    let mut masked = Vec::new();
    if let Some(policy) = policy {
        let personal = vitrine_catalog::personal_columns(&catalog, &known, &policy);
        masked.extend(personal.into_iter().filter(|c| c.masked && c.table == label).map(|c| c.column));
        Egress::new(policy, &catalog, &known).redact_metadata(&mut catalog, &mut known);
    }
    let mut compressed = vitrine_catalog::compress_catalog(&catalog);
    if model.deliberates {
        // Such a model is shown the member of the group that the question names.
        compressed = compressed.with_mentioned_members(&label, &catalog);
    }
    compressed.tables.retain(|table| table.members.contains(name));
    let write =
        |compressed: &Compressed, options| vitrine_catalog::render_schema(compressed, Some(&known), None, &options);
    let text = write(&compressed, RenderOptions::for_model(model));
    let listed = write(&compressed, RenderOptions::m_schema(model));
    Ok(TableText {
        tokens: estimate_tokens(&text),
        budget: model.chunk_budget,
        listed: (listed != text).then_some(listed),
        text,
        members: compressed.tables.iter().flat_map(|table| &table.members).map(ToString::to_string).collect(),
        level,
        masked,
        profiled,
    })
}
