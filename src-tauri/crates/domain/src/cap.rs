//! A limit of tokens and money.

use crate::Usage;
use crate::money::format_usd;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::plural;

/// What may be spent. Money of models without a known price is not in it: it cannot be counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Cap {
    /// Tokens of prompts and replies together.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl Cap {
    /// Whether something is limited.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// The limit that what was spent reaches, in words.
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
