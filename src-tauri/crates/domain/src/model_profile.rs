//! What is known about a model: declared by a table of known families, found out by probes, or said by the user. Stages
//! read a [`ModelProfile`] and nothing else about the model that they ask.

use crate::Usage;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What a model can do, and how it is best asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelProfile {
    /// Tokens that prompt and reply may take together.
    pub context_tokens: u32,
    /// Tokens of the longest reply that may be asked for, thinking included.
    pub reply_tokens: u32,
    /// Tokens of schema text that are sensible in one prompt (AV-SQL's B).
    pub chunk_budget: u32,
    /// Whether it gains from long instructions and from reasoning, and is right more often than a rule that doubts it. A small
    /// model loses its thread in both.
    pub deliberates: bool,
    /// How it reasons before it answers.
    pub reasoning: Reasoning,
    /// The levels of effort that it knows, least first.
    pub efforts: Vec<Effort>,
    /// The level that it is asked with; `None` leaves it to the server.
    pub effort: Option<Effort>,
    /// The endpoint that it is asked at, where its provider has several.
    pub endpoint: Endpoint,
    /// Whether a reply can be begun for it.
    pub prefill: bool,
    /// Whether a reply ends where a given text comes.
    pub stop: bool,
    /// Whether replies can be held to a JSON Schema.
    pub schema: SchemaSupport,
    /// Whether replies can be held to a Lark grammar.
    pub grammar: bool,
    /// Whether several samples of one call share the reading of the prompt.
    pub samples: bool,
    /// Whether the same seed returns the same reply.
    pub seeded: bool,
    /// How a prompt's stable beginning is reused.
    pub caching: Caching,
    /// Whether the probabilities of its tokens can be had.
    pub token_probabilities: bool,
    /// What its tokens cost; `None` where that is unknown.
    pub price: Option<Price>,
}

/// How a model reasons.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Reasoning {
    /// It does not by itself: it is given a place for it, in the text or as a field.
    #[default]
    None,
    /// In the text, before the answer (`<think>`).
    Text,
    /// Out of sight; its tokens count against the limit of the reply.
    Hidden,
}

/// How much a model reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// A little.
    Low,
    /// As most questions need.
    Medium,
    /// At length.
    High,
    /// At great length; few models know it.
    Xhigh,
    /// Without an end in sight; few models know it.
    Max,
}

impl Effort {
    /// All levels, least first.
    pub const ALL: [Effort; 7] =
        [Self::None, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];
}

/// Where a model is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Endpoint {
    /// The provider's usual one.
    #[default]
    Chat,
    /// OpenAI's Responses.
    Responses,
}

/// How far replies can be held to a JSON Schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaSupport {
    /// Not at all: the schema is put into words.
    None,
    /// The schema is taken as it is.
    #[default]
    Lenient,
    /// Only schemas of a strict form are taken: every property required, no other ones, few keywords.
    Strict,
}

/// How a prompt's stable beginning is reused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Caching {
    /// Not at all.
    #[default]
    None,
    /// The server finds it by itself.
    Automatic,
    /// Its end has to be marked.
    Marked,
    /// By this program itself, at no cost: it can be read ahead. Models behind an address never have it.
    Kept,
}

/// What tokens cost, in US dollars for a million.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Price {
    /// Tokens of the prompt that are read anew.
    pub input: f64,
    /// Tokens of the prompt that were read before.
    pub cached: f64,
    /// Tokens written, thinking included.
    pub output: f64,
    /// Tokens of the prompt that are put into the provider's cache; `None` where that costs no more than reading them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Default for ModelProfile {
    /// A model of which nothing is known but that it answers.
    fn default() -> Self {
        let context_tokens = 32_768;
        Self {
            context_tokens,
            reply_tokens: longest_reply(context_tokens),
            chunk_budget: chunk_budget(context_tokens, true),
            deliberates: true,
            reasoning: Reasoning::None,
            efforts: Vec::new(),
            effort: None,
            endpoint: Endpoint::Chat,
            prefill: false,
            stop: true,
            schema: SchemaSupport::Lenient,
            grammar: false,
            samples: true,
            seeded: false,
            caching: Caching::None,
            token_probabilities: false,
            price: None,
        }
    }
}

/// The longest reply to ask for where nothing is known: one that is longer runs in a circle.
pub fn longest_reply(context_tokens: u32) -> u32 {
    context_tokens / 4
}

/// Schema tokens of one prompt: a share of the context, within what the papers use for large models (10,000 to 100,000,
/// AV-SQL 5.1), and less for one that does not deliberate.
pub fn chunk_budget(context_tokens: u32, deliberates: bool) -> u32 {
    let most = context_tokens / 3;
    if deliberates { (context_tokens / 4).clamp(10_000, 100_000).min(most) } else { 3_000.min(most) }
}

/// Declares [`ProfileFacts`], the lines of a profile, each of which may be unknown.
macro_rules! facts {
    ($($(#[$about:meta])* $line:ident: $kind:ty,)*) => {
        /// Lines of a profile as far as they are known from one source.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
        #[serde(rename_all = "camelCase", default)]
        pub struct ProfileFacts {
            $($(#[$about])* #[serde(skip_serializing_if = "Option::is_none")] pub $line: Option<$kind>,)*
        }

        impl ProfileFacts {
            /// Takes over every line that `other` knows.
            pub fn add(&mut self, other: &ProfileFacts) {
                $(if other.$line.is_some() { self.$line.clone_from(&other.$line); })*
            }

            /// The lines that differ from what `base` says.
            pub fn differing(profile: &ModelProfile, base: &ModelProfile) -> Self {
                let mut facts = Self::default();
                $(if facts!(@of profile, $line) != facts!(@of base, $line) { facts.$line = facts!(@of profile, $line); })*
                facts
            }

            /// The names of all lines, as they are written in files and on the command line.
            pub const LINES: &'static [&'static str] = &[$(stringify!($line)),*];
        }

        impl ModelProfile {
            /// The profile with what is known beside it. A context that is given decides the longest reply and the chunk
            /// budget where these are not.
            #[must_use]
            pub fn with(mut self, facts: &ProfileFacts) -> Self {
                let deliberates = facts.deliberates.unwrap_or(self.deliberates);
                if facts.context_tokens.is_some() || deliberates != self.deliberates {
                    let context = facts.context_tokens.unwrap_or(self.context_tokens);
                    self.reply_tokens = longest_reply(context);
                    self.chunk_budget = chunk_budget(context, deliberates);
                }
                $(if let Some(value) = &facts.$line { facts!(@set self, $line, value); })*
                self
            }
        }
    };
    (@of $profile:ident, effort) => { $profile.effort };
    (@of $profile:ident, price) => { $profile.price };
    (@of $profile:ident, $line:ident) => { Some($profile.$line.clone()) };
    (@set $profile:ident, effort, $value:ident) => { $profile.effort = Some(*$value) };
    (@set $profile:ident, price, $value:ident) => { $profile.price = Some(*$value) };
    // Where a model runs is known by how it is reached, and no line says otherwise: what leaves this computer hangs on it.
    (@set $profile:ident, caching, $value:ident) => {
        if ($profile.caching == Caching::Kept) == (*$value == Caching::Kept) { $profile.caching = *$value }
    };
    (@set $profile:ident, $line:ident, $value:ident) => { $profile.$line = $value.clone() };
}

facts! {
    /// See [`ModelProfile::context_tokens`].
    context_tokens: u32,
    /// See [`ModelProfile::reply_tokens`].
    reply_tokens: u32,
    /// See [`ModelProfile::chunk_budget`].
    chunk_budget: u32,
    /// See [`ModelProfile::deliberates`].
    deliberates: bool,
    /// See [`ModelProfile::reasoning`].
    reasoning: Reasoning,
    /// See [`ModelProfile::efforts`].
    efforts: Vec<Effort>,
    /// See [`ModelProfile::effort`].
    effort: Effort,
    /// See [`ModelProfile::endpoint`].
    endpoint: Endpoint,
    /// See [`ModelProfile::prefill`].
    prefill: bool,
    /// See [`ModelProfile::stop`].
    stop: bool,
    /// See [`ModelProfile::schema`].
    schema: SchemaSupport,
    /// See [`ModelProfile::grammar`].
    grammar: bool,
    /// See [`ModelProfile::samples`].
    samples: bool,
    /// See [`ModelProfile::seeded`].
    seeded: bool,
    /// See [`ModelProfile::caching`].
    caching: Caching,
    /// See [`ModelProfile::token_probabilities`].
    token_probabilities: bool,
    /// See [`ModelProfile::price`].
    price: Price,
}

impl ModelProfile {
    /// Whether a reply needs a place for reasoning: the model gains from it and has none of its own.
    pub fn thinks_aloud(&self) -> bool {
        self.deliberates && self.reasoning == Reasoning::None
    }

    /// Whether what it is asked for stands behind reasoning, its own or that for which it is given a place, so that a reply that
    /// was cut off may be whole with more room. Of another model more room gives more repetition.
    pub fn writes_at_length(&self) -> bool {
        self.deliberates || self.reasoning != Reasoning::None
    }

    /// Whether it runs on this computer, which costs nothing, and not behind an address.
    pub fn runs_here(&self) -> bool {
        self.caching == Caching::Kept
    }

    /// Whether it is known what its tokens cost.
    pub fn has_price(&self) -> bool {
        self.price.is_some() || self.runs_here()
    }

    /// What the tokens of calls cost in millionths of a US dollar; `None` where the price is unknown. Prompt tokens that were
    /// read before, and those that were put into the cache, are part of the prompt; tokens of reasoning are part of what was
    /// written.
    pub fn micro_usd(&self, usage: &Usage) -> Option<u64> {
        let free = self.runs_here().then(Price::default);
        let price = self.price.or(free)?;
        let kept = usage.cached_prompt_tokens + usage.cache_write_tokens;
        let parts = [
            (usage.prompt_tokens.saturating_sub(kept), price.input),
            (usage.cached_prompt_tokens, price.cached),
            (usage.cache_write_tokens, price.cache_write.unwrap_or(price.input)),
            (usage.completion_tokens, price.output),
        ];
        // Dollars for a million are millionths of a dollar for one.
        Some(parts.iter().map(|&(tokens, each)| tokens as f64 * each).sum::<f64>().round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_a_share_of_the_context_within_what_the_papers_use() {
        assert_eq!(chunk_budget(16_384, false), 3_000);
        assert_eq!(chunk_budget(4_096, false), 1_365);
        assert_eq!(chunk_budget(16_384, true), 5_461);
        assert_eq!(chunk_budget(131_072, true), 32_768);
        assert_eq!(chunk_budget(1_000_000, true), 100_000);
    }

    #[test]
    fn what_one_source_knows_stands_over_another() {
        let mut facts = ProfileFacts { context_tokens: Some(131_072), stop: Some(false), ..ProfileFacts::default() };
        facts.add(&ProfileFacts { stop: Some(true), effort: Some(Effort::Low), ..ProfileFacts::default() });
        let profile = ModelProfile::default().with(&facts);
        assert_eq!((profile.context_tokens, profile.reply_tokens, profile.chunk_budget), (131_072, 32_768, 32_768));
        assert!(profile.stop);
        assert_eq!(profile.effort, Some(Effort::Low));
        let text = serde_json::to_string(&facts).unwrap();
        assert_eq!(text, r#"{"contextTokens":131072,"effort":"low","stop":true}"#, "what is unknown is not written");
        assert_eq!(ProfileFacts::differing(&profile, &ModelProfile::default()).effort, Some(Effort::Low));
    }

    #[test]
    fn nobody_can_say_that_a_model_behind_an_address_runs_here() {
        let says = |caching| ProfileFacts { caching: Some(caching), ..ProfileFacts::default() };
        let elsewhere = ModelProfile::default();
        assert!(!elsewhere.clone().with(&says(Caching::Kept)).runs_here());
        assert_eq!(elsewhere.with(&says(Caching::Marked)).caching, Caching::Marked, "other lines hold");
        let here = ModelProfile { caching: Caching::Kept, ..ModelProfile::default() };
        assert!(here.with(&says(Caching::None)).runs_here(), "nor the other way round");
    }

    #[test]
    fn tokens_read_before_cost_less() {
        let price = Price { input: 2.0, cached: 0.5, output: 8.0, cache_write: None };
        let profile = ModelProfile { price: Some(price), ..ModelProfile::default() };
        let usage = |prompt_tokens, cached_prompt_tokens, completion_tokens| Usage {
            prompt_tokens,
            cached_prompt_tokens,
            completion_tokens,
            ..Usage::default()
        };
        assert_eq!(profile.micro_usd(&usage(1_000_000, 400_000, 100_000)), Some(1_200_000 + 200_000 + 800_000));
        assert_eq!(profile.micro_usd(&usage(4, 2, 1)), Some(13), "4 + 1 + 8");
        assert_eq!(ModelProfile::default().micro_usd(&usage(1, 0, 1)), None, "unknown is not free");
        let here = ModelProfile { caching: Caching::Kept, ..ModelProfile::default() };
        assert_eq!(here.micro_usd(&usage(1_000_000, 0, 1_000_000)), Some(0));
    }

    #[test]
    fn tokens_put_into_a_cache_cost_what_the_provider_asks_for_them() {
        let dear = Price { input: 4.0, cached: 0.4, output: 20.0, cache_write: Some(5.0) };
        let usage = Usage {
            prompt_tokens: 1_000,
            cached_prompt_tokens: 300,
            cache_write_tokens: 600,
            completion_tokens: 10,
            ..Usage::default()
        };
        let cost = |price| ModelProfile { price: Some(price), ..ModelProfile::default() }.micro_usd(&usage);
        assert_eq!(cost(dear), Some(400 + 120 + 3_000 + 200));
        assert_eq!(cost(Price { cache_write: None, ..dear }), Some(400 + 120 + 2_400 + 200), "as what is read");
        assert_eq!(cost(Price { cache_write: Some(0.0), ..dear }), Some(400 + 120 + 200), "free where it is said so");
    }
}
