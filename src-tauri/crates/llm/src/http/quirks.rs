//! Features that a server rejects, learned from its refusals and remembered as long as the program runs.

use super::failure::Refusal;
use std::sync::atomic::{AtomicU32, Ordering};

/// A part of a request that some servers refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Feature {
    /// A JSON Schema for the reply.
    Schema = 1,
    /// Several samples in one call.
    Samples = 2,
    /// Usage within the stream, where it has to be asked for.
    StreamUsage = 4,
    /// A seed.
    Seed = 8,
    /// Temperature and nucleus other than the default.
    Temperature = 16,
    /// Texts to stop at.
    Stop = 32,
    /// The name of the token limit that was tried first, of the two that there are.
    FirstLimitName = 64,
    /// More room in the reply limit, for thinking that counts against it.
    ThinkingRoom = 128,
    /// A reply begun by us.
    Prefill = 256,
    /// How hard to reason, as a level.
    Effort = 512,
    /// How hard to reason, as a number of tokens: where there are no levels.
    ThinkingBudget = 1024,
    /// The probabilities of the tokens that it writes.
    Probabilities = 2048,
}

impl Feature {
    /// In the order in which they are blamed where a refusal names several.
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
        // Models that reason say so where they refuse any of these, which is not about their effort.
        Feature::Effort,
        Feature::ThinkingBudget,
        Feature::Schema,
    ];
}

/// The features that a server has refused, and those that its provider does not have.
#[derive(Debug)]
pub(super) struct Quirks(AtomicU32);

/// The features that one call goes without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without(u32);

impl Without {
    /// Whether the feature is not to be used.
    pub(super) fn lacks(self, feature: Feature) -> bool {
        self.0 & feature as u32 != 0
    }

    /// Goes without what either goes without.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Goes without one more.
    pub(super) fn add(&mut self, feature: Feature) {
        self.0 |= feature as u32;
    }
}

impl Quirks {
    /// Nothing is known but what the provider lacks.
    pub(super) fn new(lacks: &[Feature]) -> Self {
        let mut without = Without::default();
        lacks.iter().for_each(|feature| without.add(*feature));
        Self(AtomicU32::new(without.0))
    }

    /// Whether the feature may be used.
    pub(super) fn has(&self, feature: Feature) -> bool {
        !self.known().lacks(feature)
    }

    /// What is known so far.
    pub(super) fn known(&self) -> Without {
        Without(self.0.load(Ordering::Relaxed))
    }

    /// Remembers what a call that succeeded went without. (Had it failed all the same, the blame would be wrong.)
    pub(super) fn remember(&self, without: Without) {
        let before = self.0.fetch_or(without.0, Ordering::Relaxed);
        for feature in Feature::ALL.into_iter().filter(|f| without.lacks(*f) && before & *f as u32 == 0) {
            tracing::info!(?feature, "the model server does not take this; asking without it from now on");
        }
    }
}

/// Whether a refusal is about the schema that was sent, and not about schemas: providers compile them, and refuse one that
/// comes out too large.
pub(super) fn of_this_schema(refusal: &Refusal) -> bool {
    let said = refusal.message.to_ascii_lowercase();
    ["too large", "too complex", "too many", "invalid schema", "invalid json schema", "failed to parse grammar"]
        .iter()
        .any(|words| said.contains(words))
}

/// Which of the features sent a refusal names, if any. The field that it names apart stands over its sentence, which may tell
/// what else the model does; `model`, its name on the server, is no word of the sentence.
pub(super) fn blame(
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
        // How much is asked for is refused under the name of the limit.
        Some(Feature::ThinkingRoom) => Some(Feature::ThinkingRoom),
        other => named(&param).or(other),
    }
}
