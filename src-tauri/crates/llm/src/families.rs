//! What is known of models by their names: a table with its date (`families.json`), read off public documents, and the size
//! that many open models carry in theirs. What no document says is left out: unknown is not the same as no.

use serde::Deserialize;
use std::sync::LazyLock;
use vitrine_domain::ProfileFacts;

/// Open models below this many parameters, in billions, do not deliberate. Measured here is one of 1.5, which loses its thread
/// in long instructions and in thinking on paper, and large ones, which gain from both. What lies between is not measured; the
/// line is drawn above what a laptop runs (7 to 9), because a model that is led too much loses less than one that is
/// overtaxed. A user who knows better says so.
const DELIBERATES_FROM: f64 = 10.0;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    looked_up: String,
    families: Vec<Family>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    /// Patterns of names; all models of the servers without any.
    #[serde(default)]
    names: Vec<String>,
    /// The servers for which it holds; everywhere without any.
    #[serde(default)]
    servers: Vec<String>,
    /// The documents.
    #[allow(dead_code, reason = "for whoever checks the table")]
    source: String,
    facts: ProfileFacts,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("families.json")).expect("the table is tested"));

/// The day on which the documents behind the table were read.
pub fn looked_up() -> &'static str {
    &TABLE.looked_up
}

/// What is known of a model by its name. `server` says who serves it, as settings write it: `openai`, `azure`, `anthropic`,
/// `gemini`, `ollama`, `lm-studio`, `vllm` or `other`.
pub fn declared(server: &str, model: &str) -> ProfileFacts {
    let name = plain(model);
    let mut facts = by_size(parameters(&name));
    for family in &TABLE.families {
        let here = family.servers.is_empty() || family.servers.iter().any(|s| s == server);
        let named =
            family.names.is_empty() || family.names.iter().any(|pattern| fits(pattern.as_bytes(), name.as_bytes()));
        if here && named {
            facts.add(&family.facts);
        }
    }
    facts
}

/// What the number of a model's parameters, in billions, says about it.
pub fn by_size(billions: Option<f64>) -> ProfileFacts {
    ProfileFacts { deliberates: billions.map(|size| size >= DELIBERATES_FROM), ..ProfileFacts::default() }
}

/// A name without those of its makers, in small letters.
fn plain(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or_default();
    name.trim().to_ascii_lowercase()
}

/// Whether a name is of a pattern: `*` stands for anything, and behind the pattern a date or a word for the newest may follow.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([], [b'-' | b'@' | b':', rest @ ..]) => {
            let date = rest.len() >= 4 && rest.iter().all(|letter| letter.is_ascii_digit() || *letter == b'-');
            date || [&b"latest"[..], b"preview", b"exp"].contains(&rest)
        }
        ([b'*', pattern @ ..], name) => (0..=name.len()).any(|at| fits(pattern, &name[at..])),
        ([first, pattern @ ..], [letter, name @ ..]) => first == letter && fits(pattern, name),
        (_, _) => false,
    }
}

/// Billions of parameters as a name tells them: `7b`, `1.5b`, `8x7b`, `e4b`; the first of several, which is all of them
/// (`30b-a3b`).
fn parameters(name: &str) -> Option<f64> {
    name.split(['-', '_', ':', ' ']).find_map(|part| {
        let number = part.strip_suffix('b')?;
        let number = number.strip_prefix('e').unwrap_or(number);
        match number.split_once('x') {
            Some((experts, each)) => Some(experts.parse::<f64>().ok()? * each.parse::<f64>().ok()?),
            None => number.parse().ok(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Caching, Endpoint, Reasoning, SchemaSupport};

    #[test]
    fn a_name_is_known_with_its_date_and_not_by_its_first_letters() {
        let context = |server, name| declared(server, name).context_tokens;
        assert_eq!(context("openai", "gpt-5"), Some(400_000));
        assert_eq!(context("openai", "gpt-5-2025-08-07"), Some(400_000));
        assert_eq!(context("openai", "gpt-5.9"), None, "a model of tomorrow");
        assert_eq!(context("openai", "gpt-5-ultra"), None, "another model of tomorrow");
        assert_eq!(context("gemini", "gemini-3-flash-preview"), Some(1_048_576));
        assert_eq!(context("openai", "gpt-5.4-mini"), Some(400_000));
        assert_eq!(context("azure", "gpt-5.4"), Some(1_050_000));
        assert_eq!(context("anthropic", "claude-haiku-4-5-20251001"), Some(200_000));
        assert_eq!(context("anthropic", "claude-opus-4-7"), Some(1_000_000));
        assert_eq!(context("gemini", "models/gemini-2.5-flash"), Some(1_048_576));
        assert_eq!(context("other", "gpt-5"), None, "another server may serve less of it");
    }

    #[test]
    fn the_endpoint_the_schema_and_the_reasoning_follow_the_name() {
        assert_eq!(declared("openai", "gpt-5.5-pro").endpoint, Some(Endpoint::Responses));
        assert_eq!(declared("openai", "gpt-5.1-codex-max").endpoint, Some(Endpoint::Responses));
        assert_eq!(declared("openai", "gpt-5.5").endpoint, None);
        let mini = declared("openai", "o4-mini");
        assert_eq!(
            (mini.reasoning, mini.schema, mini.stop),
            (Some(Reasoning::Hidden), Some(SchemaSupport::Strict), Some(false))
        );
        let opus = declared("anthropic", "claude-opus-5-5");
        assert_eq!(
            (opus.reasoning, opus.caching, opus.prefill),
            (Some(Reasoning::Hidden), Some(Caching::Marked), Some(false))
        );
        assert_eq!(declared("anthropic", "claude-sonnet-5").reasoning, Some(Reasoning::None));
        assert_eq!(declared("ollama", "deepseek-r1:70b").reasoning, Some(Reasoning::Text));
    }

    #[test]
    fn an_open_model_deliberates_from_ten_billion_parameters_on() {
        let deliberates = |name| declared("vllm", name).deliberates;
        for large in
            ["Qwen/Qwen2.5-Coder-32B-Instruct", "llama3.3:70b", "qwen3-30b-a3b", "mixtral-8x7b", "gemma-4-31b-it"]
        {
            assert_eq!(deliberates(large), Some(true), "{large}");
        }
        for small in ["qwen2.5-coder:7b", "qwen2.5-coder-1.5b-instruct", "gemma-3n-e4b", "llama3.2:3b"] {
            assert_eq!(deliberates(small), Some(false), "{small}");
        }
        for unknown in ["mistral", "llama3", "team-model-2"] {
            assert_eq!(deliberates(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_price_is_of_a_prompt_that_costs_less_when_it_was_read_before() {
        assert!(looked_up().starts_with("2026-"));
        for price in TABLE.families.iter().filter_map(|family| family.facts.price) {
            assert!(price.cached <= price.input && price.input < price.output, "{price:?}");
        }
    }

    #[test]
    fn what_is_put_into_a_cache_that_has_to_be_marked_costs_a_quarter_more() {
        for family in TABLE.families.iter() {
            let Some(price) = family.facts.price else { continue };
            let dearer = family.servers.iter().any(|server| server == "anthropic").then_some(price.input * 1.25);
            assert_eq!(price.cache_write, dearer, "{:?}", family.names);
        }
    }
}
