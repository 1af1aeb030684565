//! How a server's tokenizer differs from the estimate: learned from the prompts that it counts anyway, so that no text leaves
//! the machine to be counted.

use crate::tokens::weigh;
use crate::{OutputFormat, Request};
use std::sync::{Mutex, PoisonError};

/// Below this many tokens what a server adds to a prompt (roles, its own words) counts for too much.
const ENOUGH: f64 = 300.0;
/// No tokenizer is further from the estimate; a server that says so counts something else.
const LEAST: f64 = 0.4;
const MOST: f64 = 2.5;
/// Chunks of a schema are to stay as they are from question to question, so that prompts begin alike: steps, rounded up.
const STEPS: f64 = 10.0;

/// What a server counted, beside what was estimated.
#[derive(Debug, Default)]
pub(super) struct Measure(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    estimated: f64,
    counted: f64,
}

impl Measure {
    /// Learns from a prompt that the server counted. One with a schema beside it says nothing: each server puts it into words
    /// of its own.
    pub(super) fn learn(&self, request: &Request, counted: u64) {
        let estimated: f64 = request.texts().map(weigh).sum();
        if matches!(request.output, OutputFormat::JsonSchema { .. }) || estimated < ENOUGH {
            return;
        }
        let counted = counted as f64;
        if (LEAST..=MOST).contains(&(counted / estimated)) {
            let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            sums.estimated += estimated;
            sums.counted += counted;
        }
    }

    /// The number of tokens in a text, as far as is known by now.
    pub(super) fn tokens(&self, text: &str) -> u32 {
        (weigh(text) * self.ratio()).ceil() as u32
    }

    fn ratio(&self) -> f64 {
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

    fn prompt(text: &str) -> Request {
        Request { tail: text.to_owned(), ..Request::default() }
    }

    #[test]
    fn a_server_that_counts_teaches_how_long_texts_are() {
        let text = "выручка ".repeat(500);
        let measure = Measure::default();
        let before = measure.tokens(&text);
        measure.learn(&prompt(&text), u64::from(before) / 2);
        let after = measure.tokens(&text);
        assert!((0.5..=0.6).contains(&(f64::from(after) / f64::from(before))), "{before} {after}");
    }

    #[test]
    fn what_says_nothing_about_the_tokenizer_changes_nothing() {
        let long = "revenue ".repeat(500);
        let measure = Measure::default();
        let before = measure.tokens(&long);
        measure.learn(&prompt("revenue"), 12);
        measure.learn(&prompt(&long), 9);
        measure.learn(&prompt(&long), 1_000_000);
        let schema = OutputFormat::JsonSchema { name: "a".into(), schema: serde_json::json!({ "type": "object" }) };
        measure.learn(&Request { output: schema, ..prompt(&long) }, u64::from(before) * 2);
        assert_eq!(measure.tokens(&long), before);
    }
}
