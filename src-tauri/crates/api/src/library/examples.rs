//! Verified questions for a new question: the identical one, and similar ones as examples for the models.

use super::{checked_text, drift};
use crate::app::App;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::{SavedQuestion, SavedStatus};
use std::collections::HashSet;
use std::sync::Arc;
use vitrine_agents::VerifiedExample;
use vitrine_domain::AppError;
use vitrine_values::Embedder;

/// Maximum number of examples, and maximum total length of their queries in characters.
const MOST: usize = 3;
const LETTERS: usize = 3_000;
/// Maximum number of questions that are compared by meaning: those with the most common words.
const COMPARED: usize = 64;
/// Minimum similarity of meaning for an example.
const ALIKE: f32 = 0.6;
/// Minimum share of common words for an example if meanings cannot be compared.
const WORDS_ALIKE: f32 = 0.4;

impl App {
    /// Returns the verified question with the same words if its query still fits the schema; it answers the question without a model.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub async fn verified_answer(
        &self,
        warehouse: String,
        question: String,
    ) -> Result<Option<SavedQuestion>, AppError> {
        // No connection is opened while the user types.
        let Some(open) = self.inner.warehouses.opened_before(&warehouse) else { return Ok(None) };
        let asked = normalize_question(&question);
        let mut verified = self.verified_on(&open).await?;
        verified.retain(|saved| !asked.is_empty() && normalize_question(&saved.question) == asked);
        Ok(verified.into_iter().next())
    }

    /// Returns verified questions similar to this one, the most similar first.
    pub(crate) async fn verified_like(
        &self,
        open: &OpenWarehouse,
        question: &str,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Vec<VerifiedExample>, AppError> {
        let verified = self.verified_on(open).await?;
        if verified.is_empty() {
            return Ok(Vec::new());
        }
        let asked = question.to_owned();
        let like = run_blocking(move || Ok(find_similar_questions(&asked, verified, embedder.as_deref()))).await?;
        let mut letters = 0;
        let fits = |saved: &SavedQuestion| {
            letters += saved.sql.len() + saved.question.len();
            letters <= LETTERS
        };
        let example = |saved: SavedQuestion| VerifiedExample {
            saved_id: saved.id,
            title: saved.title,
            question: saved.question.trim().to_owned(),
            sql: saved.sql.trim().to_owned(),
        };
        Ok(like.into_iter().take(MOST).take_while(fits).map(example).collect())
    }

    /// Returns the verified questions of a warehouse whose query is the checked one and whose tables and columns are unchanged.
    pub(super) async fn verified_on(&self, open: &OpenWarehouse) -> Result<Vec<SavedQuestion>, AppError> {
        let mut all = self.saved(String::new()).await?;
        all.retain(|saved| {
            let checked = saved.filing.checked.as_ref().map(|checked| checked.sql_sha256.as_str());
            let schema = saved.filing.schema.as_ref();
            saved.status == SavedStatus::Verified
                && saved.warehouse == open.uri
                && saved.code.is_none()
                && !saved.question.trim().is_empty()
                && checked == Some(checked_text(&saved.sql, None).as_str())
                && schema.is_some_and(|schema| drift::describe_changes(schema, &open.declared).is_empty())
        });
        Ok(all)
    }
}

/// Returns the questions similar to a question, the most similar first: by meaning if an embedding model is available, else by words.
fn find_similar_questions(
    question: &str,
    verified: Vec<SavedQuestion>,
    embedder: Option<&dyn Embedder>,
) -> Vec<SavedQuestion> {
    let asked = extract_keywords(question);
    let mut scored: Vec<(f32, SavedQuestion)> = verified
        .into_iter()
        .map(|saved| (jaccard_similarity(&asked, &extract_keywords(&saved.question)), saved))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.truncate(COMPARED);
    let mut least = WORDS_ALIKE;
    if let Some(embedder) = embedder {
        let texts: Vec<&str> =
            std::iter::once(question).chain(scored.iter().map(|(_, saved)| saved.question.as_str())).collect();
        if let Ok(vectors) = embedder.embed_texts(&texts)
            && let Some((asked, others)) = vectors.split_first()
        {
            for ((score, _), vector) in scored.iter_mut().zip(others) {
                *score = asked.iter().zip(vector).map(|(a, b)| a * b).sum();
            }
            scored.sort_by(|a, b| b.0.total_cmp(&a.0));
            least = ALIKE;
        }
    }
    scored.into_iter().take_while(|(score, _)| *score >= least).map(|(_, saved)| saved).collect()
}

/// Words that are ignored because any question may contain them.
const COMMON: [&str; 38] = [
    "a", "an", "and", "are", "at", "by", "did", "do", "does", "each", "for", "from", "had", "has", "have", "how", "in",
    "is", "it", "many", "me", "much", "of", "on", "or", "per", "show", "that", "the", "their", "there", "to", "was",
    "we", "were", "what", "which", "with",
];

/// Returns the words that describe the topic of a question, in singular form.
fn extract_keywords(question: &str) -> HashSet<String> {
    let all = question.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    all.filter(|word| !word.is_empty() && !COMMON.contains(&word.as_str()))
        .map(|word| vitrine_sql::singular_name(&word))
        .collect()
}

fn jaccard_similarity(one: &HashSet<String>, other: &HashSet<String>) -> f32 {
    let common = one.intersection(other).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 0.0 } else { common as f32 / all as f32 }
}

/// Normalizes a question: removes differences of case, whitespace and surrounding punctuation. Punctuation inside is kept, because "above
/// -5" and "< 100" differ in meaning from "above 5" and "> 100".
pub(crate) fn normalize_question(question: &str) -> String {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ");
    words.trim_matches(['?', '!', '.', '¿', '¡', '？', '。', ' ']).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_alike_by_what_they_are_about_and_not_by_how_they_ask() {
        let like = |one: &str, other: &str| {
            jaccard_similarity(&extract_keywords(one), &extract_keywords(other)) >= WORDS_ALIKE
        };
        assert!(like("What was the revenue in each month of 2023?", "revenue per month in 2022"));
        assert!(like("How many active customers are there?", "Show active customers"));
        assert!(!like("How many customers are there in each country?", "How many orders are there in each year?"));
        assert!(!like("How many are there?", "How many of them are there?"), "neither is about anything");
    }

    #[test]
    fn the_same_question_is_the_same_however_it_is_written() {
        assert_eq!(normalize_question(" How many\nCustomers? "), normalize_question("how many customers"));
        assert_ne!(normalize_question("customers in 2023"), normalize_question("customers in 2024"));
        assert_ne!(normalize_question("sales by region"), normalize_question("region by sales"));
        assert_ne!(normalize_question("Orders < 100"), normalize_question("Orders > 100"));
        assert_ne!(normalize_question("stock above -5"), normalize_question("stock above 5"));
        assert_ne!(normalize_question("a share of 1.5"), normalize_question("a share of 15"));
        assert_eq!(normalize_question("¿Cuántos clientes hay?"), normalize_question("cuántos clientes hay"));
    }
}
