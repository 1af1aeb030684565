//! Features that a server rejects, learned from its refusals and remembered as long as the program runs.

use std::sync::atomic::{AtomicU32, Ordering};

/// A part of a request that some servers refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Feature {
    /// `response_format` with a JSON Schema.
    Schema = 1,
    /// `n` above 1.
    Samples = 2,
    /// `stream_options`.
    StreamUsage = 4,
    /// `seed`.
    Seed = 8,
    /// `temperature` and `top_p` other than the default.
    Temperature = 16,
    /// `stop`.
    Stop = 32,
    /// The name of the token limit that was tried first, of the two that there are.
    FirstLimitName = 64,
}

impl Feature {
    const ALL: [Feature; 7] = [
        Feature::FirstLimitName,
        Feature::StreamUsage,
        Feature::Temperature,
        Feature::Seed,
        Feature::Stop,
        Feature::Samples,
        Feature::Schema,
    ];

    /// Words by which a refusal names the feature.
    fn words(self) -> &'static [&'static str] {
        match self {
            Feature::Schema => &["response_format", "json_schema", "schema", "guided", "grammar"],
            Feature::Samples => {
                &["'n'", "\"n\"", "`n`", "parameter n", "multiple completions", "n must be", "n > 1", "best_of"]
            }
            Feature::StreamUsage => &["stream_options", "include_usage"],
            Feature::Seed => &["seed"],
            Feature::Temperature => &["temperature", "top_p"],
            Feature::Stop => &["'stop'", "\"stop\"", "`stop`", "parameter stop", "stop sequences"],
            Feature::FirstLimitName => &["max_tokens", "max_completion_tokens"],
        }
    }
}

/// The features that a server has refused.
#[derive(Debug, Default)]
pub(super) struct Quirks(AtomicU32);

/// The features that one call goes without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without(u32);

impl Without {
    /// Whether the feature is not to be used.
    pub(super) fn lacks(self, feature: Feature) -> bool {
        self.0 & feature as u32 != 0
    }

    /// Goes without one more.
    pub(super) fn add(&mut self, feature: Feature) {
        self.0 |= feature as u32;
    }
}

impl Quirks {
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

/// Which of the features sent a refusal is about, if any.
///
/// A refusal that names none is put down to the schema when one was sent: that is what servers lack most.
pub(super) fn blame(refusal: &str, sent: &[Feature]) -> Option<Feature> {
    let refusal = refusal.to_ascii_lowercase();
    let named = |feature: &Feature| sent.contains(feature) && feature.words().iter().any(|word| refusal.contains(word));
    Feature::ALL.into_iter().find(named).or_else(|| sent.contains(&Feature::Schema).then_some(Feature::Schema))
}
