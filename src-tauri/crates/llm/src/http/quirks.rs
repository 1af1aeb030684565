//! Features that a server rejects, learned from its refusals and remembered until the program ends.

use super::failure::Refusal;
use std::sync::atomic::{AtomicU32, Ordering};

/// A feature of a request that some servers reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Feature {
    /// A JSON Schema for the reply.
    Schema = 1,
    /// Several samples in one call.
    Samples = 2,
    /// Usage within the stream, where it must be requested.
    StreamUsage = 4,
    /// A seed for random sampling.
    Seed = 8,
    /// Temperature and nucleus other than the default.
    Temperature = 16,
    /// Texts that end the reply.
    Stop = 32,
    /// The first of two names for the token limit.
    FirstLimitName = 64,
    /// A larger reply limit, for thinking that counts against it.
    ThinkingRoom = 128,
    /// A reply that begins with a given text.
    Prefill = 256,
    /// The reasoning effort as a level.
    Effort = 512,
    /// The reasoning effort as a number of tokens, for models without levels.
    ThinkingBudget = 1024,
    /// The probabilities of the tokens in the reply.
    Probabilities = 2048,
}

impl Feature {
    /// All features, in the order of precedence when a refusal names several.
    const ALL: [Feature; 12] = [
        Feature::ThinkingRoom,
        Feature::FirstLimitName,
        Feature::Prefill,
        Feature::Probabilities,
        Feature::StreamUsage,
        Feature::Temperature,
        Feature::Seed,
        Feature::Stop,
        Feature::Samples,
        // Refusals by reasoning models mention reasoning for any of the features above, so effort comes late.
        Feature::Effort,
        Feature::ThinkingBudget,
        Feature::Schema,
    ];
}

/// The features that a server has rejected or its provider does not support.
#[derive(Debug)]
pub(super) struct Quirks(AtomicU32);

/// The features that one call must not use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without(u32);

impl Without {
    /// Checks if the feature must not be used.
    pub(super) fn contains_feature(self, feature: Feature) -> bool {
        self.0 & feature as u32 != 0
    }

    /// Returns the union of both sets.
    pub(super) fn union_with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Adds a feature to the set.
    pub(super) fn add(&mut self, feature: Feature) {
        self.0 |= feature as u32;
    }
}

impl Quirks {
    /// Starts with the features that the provider does not support.
    pub(super) fn new(lacks: &[Feature]) -> Self {
        let mut without = Without::default();
        lacks.iter().for_each(|feature| without.add(*feature));
        Self(AtomicU32::new(without.0))
    }

    /// Checks if the feature may be used.
    pub(super) fn may_use(&self, feature: Feature) -> bool {
        !self.unusable_features().contains_feature(feature)
    }

    /// Returns the features that are known to be unusable so far.
    pub(super) fn unusable_features(&self) -> Without {
        Without(self.0.load(Ordering::Relaxed))
    }

    /// Remembers the features that a successful call omitted. (If the call had still failed, they would not have been
    /// the cause.)
    pub(super) fn remember_unusable(&self, without: Without) {
        let before = self.0.fetch_or(without.0, Ordering::Relaxed);
        for feature in Feature::ALL.into_iter().filter(|f| without.contains_feature(*f) && before & *f as u32 == 0) {
            tracing::info!(?feature, "the model server does not take this; asking without it from now on");
        }
    }
}

/// Checks if a refusal concerns this schema and not schemas in general: providers compile schemas and reject large
/// ones.
pub(super) fn of_this_schema(refusal: &Refusal) -> bool {
    let said = refusal.message.to_ascii_lowercase();
    ["too large", "too complex", "too many", "invalid schema", "invalid json schema", "failed to parse grammar"]
        .iter()
        .any(|words| said.contains(words))
}

/// Returns the sent feature that a refusal names, if any. A separate field name takes precedence over the message,
/// which may mention other features. `model`, the model's name on the server, is removed from the message first.
pub(super) fn find_refused_feature(
    refusal: &Refusal,
    model: &str,
    sent: &[Feature],
    words: impl Fn(Feature) -> &'static [&'static str],
) -> Option<Feature> {
    let param = format!("'{}'", refusal.param.to_ascii_lowercase());
    let sentence = refusal.message.to_ascii_lowercase();
    let model = model.to_ascii_lowercase();
    let sentence = if model.is_empty() { sentence } else { sentence.replace(&model, "") };
    let named = |text: &str| {
        let by = |feature: &Feature| sent.contains(feature) && words(*feature).iter().any(|word| text.contains(word));
        Feature::ALL.into_iter().find(by)
    };
    match named(&sentence) {
        // An excessive limit is reported under the name of the limit's field.
        Some(Feature::ThinkingRoom) => Some(Feature::ThinkingRoom),
        other => named(&param).or(other),
    }
}
