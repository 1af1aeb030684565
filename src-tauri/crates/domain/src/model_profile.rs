//! Properties of models: declared in a table of known model families, measured by probes, or set by the user. Stages
//! use only the [`ModelProfile`] of a model.

use crate::Usage;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The capabilities of a model and its preferred settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelProfile {
    /// Maximum number of tokens of prompt and reply together.
    pub context_tokens: u32,
    /// Maximum number of tokens of a reply, reasoning included.
    pub reply_tokens: u32,
    /// Recommended number of schema tokens in a prompt (AV-SQL's B).
    pub chunk_budget: u32,
    /// True if the model benefits from long instructions and reasoning, and is more reliable than rules that contradict
    /// it. Small models lose accuracy with both.
    pub deliberates: bool,
    /// The form of reasoning before the answer.
    pub reasoning: Reasoning,
    /// The supported levels of effort, the lowest first.
    pub efforts: Vec<Effort>,
    /// The requested level of effort; `None` uses the server's default.
    pub effort: Option<Effort>,
    /// The API endpoint, for providers with several.
    pub endpoint: Endpoint,
    /// True if a request can contain the beginning of the reply.
    pub prefill: bool,
    /// True if stop sequences are supported.
    pub stop: bool,
    /// The support for replies that conform to a JSON Schema.
    pub schema: SchemaSupport,
    /// True if replies can be constrained by a Lark grammar.
    pub grammar: bool,
    /// True if several samples of a call process the prompt only once.
    pub samples: bool,
    /// True if the same seed returns the same reply.
    pub seeded: bool,
    /// The caching of a prompt's constant prefix.
    pub caching: Caching,
    /// True if the log probabilities of tokens are available.
    pub token_probabilities: bool,
    /// The price of tokens; `None` if unknown.
    pub price: Option<Price>,
}

/// The form in which a model reasons.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Reasoning {
    /// Without native reasoning. Prompts ask for it in the text or as a field of the reply.
    #[default]
    None,
    /// In the text before the answer (`<think>`).
    Text,
    /// Hidden from the reply; its tokens count toward the reply's limit.
    Hidden,
}

/// The level of effort with which a model reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Reasoning is disabled, if the model supports that.
    None,
    /// The lowest level with reasoning.
    Minimal,
    /// The low level of effort.
    Low,
    /// The medium level, sufficient for most questions.
    Medium,
    /// The high level of effort.
    High,
    /// The extra high level; supported by few models.
    Xhigh,
    /// The maximum level; supported by few models.
    Max,
}

impl Effort {
    /// All levels, the lowest first.
    pub const ALL: [Effort; 7] =
        [Self::None, Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];
}

/// The API endpoint of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Endpoint {
    /// The standard endpoint of the provider.
    #[default]
    Chat,
    /// OpenAI's Responses API instead of chat completions.
    Responses,
}

/// The support for replies that conform to a JSON Schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaSupport {
    /// Not supported: the prompt describes the schema in words.
    None,
    /// The schema is accepted without changes.
    #[default]
    Lenient,
    /// Only strict schemas are accepted: all properties required, no additional ones, few keywords.
    Strict,
}

/// The caching of a prompt's constant prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Caching {
    /// The server does not cache prompts.
    #[default]
    None,
    /// The server detects cached prefixes automatically.
    Automatic,
    /// Requests have to mark the end of the prefix.
    Marked,
    /// Vitrine keeps the cache at no cost, and can fill it in advance. Only for the embedded model, never for remote
    /// models.
    Kept,
}

/// The price of tokens, in US dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Price {
    /// Prompt tokens that are not cached.
    pub input: f64,
    /// Prompt tokens that are read from the cache.
    pub cached: f64,
    /// Generated tokens, including the ones of reasoning.
    pub output: f64,
    /// Prompt tokens that are written to the provider's cache; `None` if they cost the same as `input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

impl Default for ModelProfile {
    /// Returns the profile of an unknown model.
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

/// Returns the default limit of a reply's length. Longer replies are mostly repetitions.
pub fn longest_reply(context_tokens: u32) -> u32 {
    context_tokens / 4
}

/// Returns the default number of schema tokens in a prompt: a fraction of the context within the papers' range for
/// large models (10,000 to 100,000, AV-SQL 5.1), and less for models that do not deliberate.
pub fn chunk_budget(context_tokens: u32, deliberates: bool) -> u32 {
    let most = context_tokens / 3;
    if deliberates { (context_tokens / 4).clamp(10_000, 100_000).min(most) } else { 3_000.min(most) }
}

/// Declares [`ProfileFacts`] with the fields of a profile as options: `None` means unknown.
macro_rules! facts {
    ($($(#[$about:meta])* $line:ident: $kind:ty,)*) => {
        /// The properties of a profile that are known from one source.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
        #[serde(rename_all = "camelCase", default)]
        pub struct ProfileFacts {
            $($(#[$about])* #[serde(skip_serializing_if = "Option::is_none")] pub $line: Option<$kind>,)*
        }

        impl ProfileFacts {
            /// Overwrites the properties that `other` contains.
            pub fn add(&mut self, other: &ProfileFacts) {
                $(if other.$line.is_some() { self.$line.clone_from(&other.$line); })*
            }

            /// Returns the properties of `profile` that differ from `base`.
            pub fn differing(profile: &ModelProfile, base: &ModelProfile) -> Self {
                let mut facts = Self::default();
                $(if facts!(@of profile, $line) != facts!(@of base, $line) { facts.$line = facts!(@of profile, $line); })*
                facts
            }

            /// The names of all properties in files and on the command line.
            pub const LINES: &'static [&'static str] = &[$(stringify!($line)),*];
        }

        impl ModelProfile {
            /// Applies known properties to the profile. If the context size is known, it determines the limit of
            /// replies and the chunk budget, unless these are known, too.
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
    // The transport determines where a model runs, and no property may override that, because egress rules depend on
    // it.
    (@set $profile:ident, caching, $value:ident) => {
        if ($profile.caching == Caching::Kept) == (*$value == Caching::Kept) { $profile.caching = *$value }
    };
    (@set $profile:ident, $line:ident, $value:ident) => { $profile.$line = $value.clone() };
}

facts! {
    /// The known value of [`ModelProfile::context_tokens`].
    context_tokens: u32,
    /// The known value of [`ModelProfile::reply_tokens`].
    reply_tokens: u32,
    /// The known value of [`ModelProfile::chunk_budget`].
    chunk_budget: u32,
    /// The known value of [`ModelProfile::deliberates`].
    deliberates: bool,
    /// The known value of [`ModelProfile::reasoning`].
    reasoning: Reasoning,
    /// The known value of [`ModelProfile::efforts`].
    efforts: Vec<Effort>,
    /// The known value of [`ModelProfile::effort`].
    effort: Effort,
    /// The known value of [`ModelProfile::endpoint`].
    endpoint: Endpoint,
    /// The known value of [`ModelProfile::prefill`].
    prefill: bool,
    /// The known value of [`ModelProfile::stop`].
    stop: bool,
    /// The known value of [`ModelProfile::schema`].
    schema: SchemaSupport,
    /// The known value of [`ModelProfile::grammar`].
    grammar: bool,
    /// The known value of [`ModelProfile::samples`].
    samples: bool,
    /// The known value of [`ModelProfile::seeded`].
    seeded: bool,
    /// The known value of [`ModelProfile::caching`].
    caching: Caching,
    /// The known value of [`ModelProfile::token_probabilities`].
    token_probabilities: bool,
    /// The known value of [`ModelProfile::price`].
    price: Price,
}

impl ModelProfile {
    /// Returns true if a reply needs a field or place for reasoning: the model benefits from it and has no native
    /// reasoning.
    pub fn thinks_aloud(&self) -> bool {
        self.deliberates && self.reasoning == Reasoning::None
    }

    /// Returns true if reasoning precedes the answer, so that a truncated reply may be completed with a higher limit.
    /// For other models, a higher limit only gives more repetition.
    pub fn writes_at_length(&self) -> bool {
        self.deliberates || self.reasoning != Reasoning::None
    }

    /// Returns true if the model runs on this computer without cost, not behind a network address.
    pub fn runs_here(&self) -> bool {
        self.caching == Caching::Kept
    }

    /// Returns true if the price of tokens is known.
    pub fn has_price(&self) -> bool {
        self.price.is_some() || self.runs_here()
    }

    /// Returns the cost of calls in millionths of a US dollar; `None` if the price is unknown. Tokens read from or
    /// written to the cache are part of the prompt tokens; reasoning tokens are part of the completion tokens.
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
        // US dollars per million tokens equal millionths of a US dollar per token.
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
