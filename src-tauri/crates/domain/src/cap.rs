//! Limits of tokens and money for models.

use crate::Usage;
use crate::money::format_usd;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::plural;

/// A limit of tokens and money for model calls. Calls with an unknown price do not count toward `money`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Cap {
    /// Maximum number of tokens in prompts and replies together; `None` means unlimited.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// Maximum cost in millionths of a US dollar; `None` means unlimited.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl Cap {
    /// Returns true if tokens or money are limited.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Describes the limit that `spent` reaches; `None` while it is below all limits.
    pub fn describe_reached_limit(&self, spent: &Usage) -> Option<String> {
        let by_money = self.money.filter(|most| spent.micro_usd >= *most).map(format_usd);
        by_money.or_else(|| {
            self.tokens
                .filter(|most| spent.total_tokens() >= *most)
                .map(|most| plural!(most, "{n} token", "{n} tokens"))
        })
    }
}

impl std::fmt::Display for Cap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let limits = [self.money.map(format_usd), self.tokens.map(|tokens| format!("{tokens} tokens"))];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        f.write_str(&if limits.is_empty() { "anything".to_owned() } else { limits.join(" and ") })
    }
}
