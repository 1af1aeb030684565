//! A simulated user who answers when a method asks which interpretation of a question is meant.

use super::database::PreparedDatabase;
use super::gold::{Gold, fetch_rows};
use crate::metrics::{Rule, Verdict};
use async_trait::async_trait;
use std::sync::Arc;
use vitrine_agents::UserClarifier;
use vitrine_domain::Reading;

/// A simulated user who means the interpretation whose result equals the gold result.
pub(crate) struct GoldClarifier {
    pub(crate) database: PreparedDatabase,
    pub(crate) golds: Arc<Vec<Gold>>,
    pub(crate) rule: Rule,
}

#[async_trait]
impl UserClarifier for GoldClarifier {
    async fn choose_reading(&self, readings: &[Reading]) -> Option<u32> {
        for reading in readings {
            let Ok(query) = self.database.prove_read_only(&reading.sql) else { continue };
            let Ok(page) = fetch_rows(self.database.warehouse.as_ref(), &query).await else { continue };
            let golds = self.golds.iter().filter_map(|gold| gold.result.as_ref());
            if golds.into_iter().any(|gold| Verdict::from_results(&page, gold).is_right_by(self.rule)) {
                return Some(reading.candidate);
            }
        }
        None
    }
}
