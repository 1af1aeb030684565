//! Verified questions as templates: a question with the same structure gets the verified query with its own values.

use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::types::AskRequest;
use tokio_util::sync::CancellationToken;
use vitrine_agents::VerifiedTemplate;
use vitrine_domain::{AppError, AskSettings, GuidedBy, MethodName, Table};
use vitrine_sql::{DialectExt, ReadOnlySql, bind_names, quote_identifier, table_ref};
use vitrine_templates::{TextSlot, match_template};
use vitrine_warehouse::Metering;

/// The method that uses templates. The methods of papers answer as published.
const METHOD: &str = "auto";

impl App {
    /// Returns the query of the verified question that has the structure of this one, with its values. `None` if there is
    /// no such question, if several have different queries, or if a value is not stored in its column.
    pub(crate) async fn fill_verified_template(
        &self,
        open: &OpenWarehouse,
        request: &AskRequest,
        settings: &AskSettings,
    ) -> Result<Option<VerifiedTemplate>, AppError> {
        let has_knowledge = request.knowledge.as_deref().is_some_and(|text| !text.trim().is_empty());
        if settings.strategy != MethodName::from(METHOD) || has_knowledge {
            return Ok(None);
        }
        let mut found: Option<VerifiedTemplate> = None;
        for saved in self.verified_on(open).await? {
            let Ok(sql) = ReadOnlySql::parse(&saved.sql, open.declared.dialect) else { continue };
            let Some(matched) = match_template(&saved.question, &sql, &request.question) else { continue };
            let mut stored = Vec::new();
            for slot in &matched.texts {
                stored.extend(self.find_stored_value(open, &sql, slot).await);
            }
            let Some(filled) = matched.fill(&sql, &stored) else { continue };
            let sql = filled.sql.as_str().to_owned();
            match &found {
                Some(other) if other.sql != sql => return Ok(None),
                Some(_) => {}
                None => {
                    let saved = GuidedBy { saved_id: saved.id, title: saved.title };
                    found = Some(VerifiedTemplate { saved, sql, replaced: filled.replaced });
                }
            }
        }
        Ok(found)
    }

    /// Returns the stored spelling of a text, ignoring case. `None` if its column is ambiguous or lacks it, or if the
    /// database bills queries.
    async fn find_stored_value(&self, open: &OpenWarehouse, sql: &ReadOnlySql, slot: &TextSlot) -> Option<String> {
        let catalog = open.catalog();
        let binding = bind_names(sql, &catalog);
        let mut tables: Vec<&Table> = binding.tables.iter().filter_map(|table| catalog.find_table(table)).collect();
        tables.retain(|table| table.find_column(&slot.column).is_some());
        tables.dedup_by(|a, b| a.name == b.name);
        let [table] = tables.as_slice() else { return None };
        let column = table.find_column(&slot.column)?;
        let lower = slot.text.to_lowercase();
        let profile = open.profile();
        let known = profile.find_table(&table.name).and_then(|known| known.find_column(&column.name));
        if let Some((value, _)) = known.and_then(|known| known.top.iter().find(|(value, _)| value.to_lowercase() == lower))
        {
            return Some(value.clone());
        }
        if open.warehouse.metering() == Metering::Billed {
            return None;
        }
        let dialect = open.declared.dialect;
        let name = quote_identifier(&column.name, dialect);
        let query = format!(
            "SELECT DISTINCT {name} FROM {} WHERE LOWER({name}) = {}",
            table_ref(&table.name, dialect),
            dialect.sql().text_literal(&lower)
        );
        let page = self.query_page(open.uri.clone(), query, 2, CancellationToken::new()).await.ok()?;
        match page.rows.as_slice() {
            [row] => row.first().cloned().flatten(),
            _ => None,
        }
    }
}
