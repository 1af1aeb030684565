//! Verified questions as templates: a question with the same structure gets the verified query with its own values.

use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::types::{AskRequest, SavedQuestion};
use tokio_util::sync::CancellationToken;
use vitrine_agents::VerifiedTemplate;
use vitrine_domain::{AppError, AskSettings, GuidedBy, MethodName, Table};
use vitrine_sql::{DialectExt, ReadOnlySql, bind_names, quote_identifier, table_ref};
use vitrine_templates::{FilledTemplate, TextSlot, is_same_question, match_template};
use vitrine_warehouse::Metering;

/// The method that uses templates. The methods of papers answer as published.
const METHOD: &str = "auto";
/// Maximum number of spellings of a value that are read.
const SPELLINGS: u64 = 10;

impl App {
    /// Returns the query of the verified question that has the structure of this one, with its values. `None` if there is
    /// no such question, if several have different queries, if a value is not stored in its column, or if knowledge
    /// applies, because it may change the meaning of the question.
    pub(crate) async fn fill_verified_template(
        &self,
        open: &OpenWarehouse,
        request: &AskRequest,
        settings: &AskSettings,
        knowledge: Option<&str>,
    ) -> Result<Option<VerifiedTemplate>, AppError> {
        let has_knowledge = knowledge.is_some_and(|text| !text.trim().is_empty());
        if settings.strategy != MethodName::from(METHOD) || has_knowledge {
            return Ok(None);
        }
        let mut found: Option<VerifiedTemplate> = None;
        for saved in self.verified_on(open).await? {
            let Some(filled) = self.fill_from(open, &saved, &request.question).await else {
                // The query of another question must not overrule the one that a person has verified for this question.
                if is_same_question(&saved.question, &request.question) {
                    return Ok(None);
                }
                continue;
            };
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

    /// Returns the query of a verified question with the values of another question.
    async fn fill_from(&self, open: &OpenWarehouse, saved: &SavedQuestion, question: &str) -> Option<FilledTemplate> {
        let sql = ReadOnlySql::parse(&saved.sql, open.declared.dialect).ok()?;
        let matched = match_template(&saved.question, &sql, question)?;
        let mut stored = Vec::new();
        for slot in &matched.texts {
            stored.push(self.find_stored_value(open, &sql, slot).await?);
        }
        matched.fill(&sql, &stored)
    }

    /// Returns the stored spelling of a text: exactly as written, else the only one that differs in case. `None` if its
    /// column is ambiguous or lacks it, or if only a query that the database bills could tell.
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
        if let Some(known) = known {
            let values: Vec<&str> = known.top.iter().map(|(value, _)| value.as_str()).collect();
            // Without all values, another spelling may be stored.
            if known.complete || values.contains(&slot.text.as_str()) {
                return choose_spelling(&slot.text, &values);
            }
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
        let page = self.query_page(open.uri.clone(), query, SPELLINGS, CancellationToken::new()).await.ok()?;
        if page.rows.len() as u64 >= SPELLINGS {
            return None;
        }
        let values: Vec<&str> = page.rows.iter().filter_map(|row| row.first()?.as_deref()).collect();
        choose_spelling(&slot.text, &values)
    }
}

/// Returns the value that is written exactly like a text, else the only value that differs in case.
fn choose_spelling(text: &str, values: &[&str]) -> Option<String> {
    if values.contains(&text) {
        return Some(text.to_owned());
    }
    let lower = text.to_lowercase();
    let mut alike = values.iter().filter(|value| value.to_lowercase() == lower);
    let only = alike.next()?;
    alike.next().is_none().then(|| (*only).to_owned())
}

#[cfg(test)]
mod tests {
    use super::choose_spelling;

    #[test]
    fn the_exact_spelling_of_a_value_is_preferred_and_several_others_are_ambiguous() {
        assert_eq!(choose_spelling("IT", &["it", "IT"]).as_deref(), Some("IT"));
        assert_eq!(choose_spelling("it", &["IT"]).as_deref(), Some("IT"));
        assert_eq!(choose_spelling("It", &["it", "IT"]), None);
        assert_eq!(choose_spelling("IT", &["Sales"]), None);
    }
}
