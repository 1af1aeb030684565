//! Learns the ratio between a server's token counts and the local estimate from the prompts that it counts, so that no
//! text is sent only to be counted.

use crate::OutputFormat;
use crate::tokens::sum_token_weights;
use std::sync::{Mutex, PoisonError};

/// Minimum estimate for a measurement: in shorter prompts, the tokens that a server adds (roles, its own text)
/// dominate.
const ENOUGH: f64 = 300.0;
/// Plausible range of the ratio; a server outside it counts something other than tokens of the prompt.
const LEAST: f64 = 0.4;
const MOST: f64 = 2.5;
/// Number of steps per unit. The ratio is rounded up to a step, so that schema chunks, and with them prompt prefixes,
/// stay stable between questions.
const STEPS: f64 = 10.0;

/// Sums of a server's token counts and of the estimates for the same prompts.
#[derive(Debug, Default)]
pub(super) struct Measure(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    estimated: f64,
    counted: f64,
}

impl Measure {
    /// Adds a prompt that was estimated and counted. Prompts with a schema are ignored, because each server renders the
    /// schema in its own way.
    pub(super) fn record_count(&self, output: &OutputFormat, estimated: u32, counted: u64) {
        let (estimated, counted) = (f64::from(estimated), counted as f64);
        if matches!(output, OutputFormat::JsonSchema { .. }) || estimated < ENOUGH {
            return;
        }
        if (LEAST..=MOST).contains(&(counted / estimated)) {
            let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            sums.estimated += estimated;
            sums.counted += counted;
        }
    }

    /// Estimates the number of tokens in a text, scaled by the ratio measured so far.
    pub(super) fn estimate_tokens(&self, text: &str) -> u32 {
        (sum_token_weights(text) * self.token_ratio()).ceil() as u32
    }

    fn token_ratio(&self) -> f64 {
        let sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match sums.estimated > 0.0 {
            true => (sums.counted / sums.estimated * STEPS).ceil() / STEPS,
            false => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate_tokens;

    fn record_text(measure: &Measure, text: &str, output: &OutputFormat, counted: u64) {
        measure.record_count(output, estimate_tokens(text), counted);
    }

    #[test]
    fn a_server_that_counts_teaches_how_long_texts_are() {
        let text = "выручка ".repeat(500);
        let measure = Measure::default();
        let before = measure.estimate_tokens(&text);
        record_text(&measure, &text, &OutputFormat::Text, u64::from(before) / 2);
        let after = measure.estimate_tokens(&text);
        assert!((0.5..=0.6).contains(&(f64::from(after) / f64::from(before))), "{before} {after}");
    }

    #[test]
    fn what_says_nothing_about_the_tokenizer_changes_nothing() {
        let long = "revenue ".repeat(500);
        let measure = Measure::default();
        let before = measure.estimate_tokens(&long);
        record_text(&measure, "revenue", &OutputFormat::Text, 12);
        record_text(&measure, &long, &OutputFormat::Text, 9);
        record_text(&measure, &long, &OutputFormat::Text, 1_000_000);
        let schema = OutputFormat::JsonSchema { name: "a".into(), schema: serde_json::json!({ "type": "object" }) };
        record_text(&measure, &long, &schema, u64::from(before) * 2);
        assert_eq!(measure.estimate_tokens(&long), before);
    }
}
