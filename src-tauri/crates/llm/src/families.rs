//! Facts about models, looked up by name: a dated table (`families.json`) compiled from public documents, and the
//! parameter count that many open models carry in their names. Facts that no document states stay unknown, which
//! differs from "no". Facts that depend on the operator of a server are omitted: the context size of a self-hosted
//! server and a reseller's prices.

use serde::Deserialize;
use std::sync::LazyLock;
use vitrine_domain::ProfileFacts;

/// Open models with fewer parameters than this, in billions, do not deliberate. Measured: a model of 1.5 billion loses
/// track in long instructions and when it reasons in text; large models gain from both. Sizes between are not measured.
/// The threshold is above the sizes that a laptop runs (7 to 9), because unnecessary guidance costs a model less than
/// overload. Users can override it.
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
    /// Name patterns; without any, the family covers all models of its servers.
    #[serde(default)]
    names: Vec<String>,
    /// Servers to which the facts apply; all servers if empty.
    #[serde(default)]
    servers: Vec<String>,
    /// The documents that state the facts.
    #[allow(dead_code, reason = "only people who check the table read it")]
    source: String,
    facts: ProfileFacts,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("families.json")).expect("the table is tested"));

/// Returns the date on which the source documents were read.
pub fn looked_up() -> &'static str {
    &TABLE.looked_up
}

/// Returns the known facts about a model, by its name. `server` is the kind of server as written in settings: `openai`,
/// `azure`, `anthropic`, `gemini`, `ollama`, `lm-studio`, `vllm` or `other`.
pub fn find_declared_facts(server: &str, model: &str) -> ProfileFacts {
    let name = normalize_name(model);
    let mut facts = by_size(parse_parameter_count(&name));
    let here = |family: &&Family| family.servers.is_empty() || family.servers.iter().any(|s| s == server);
    let fitting = TABLE.families.iter().filter(here);
    let mut fitting: Vec<(usize, &Family)> =
        fitting.filter_map(|family| Some((family.match_length(&name)?, family))).collect();
    // Longer patterns are more specific and override shorter ones; among equal lengths the later entry wins.
    fitting.sort_by_key(|(letters, _)| *letters);
    fitting.iter().for_each(|(_, family)| facts.add(&family.facts));
    facts
}

impl Family {
    /// Returns the length of the longest matching pattern, not counting wildcards; 0 for a family without patterns.
    fn match_length(&self, name: &str) -> Option<usize> {
        let letters = |pattern: &String| pattern.bytes().filter(|letter| *letter != b'*').count();
        let fitting = self.names.iter().filter(|pattern| matches_pattern(pattern.as_bytes(), name.as_bytes()));
        if self.names.is_empty() { Some(0) } else { fitting.map(letters).max() }
    }
}

/// Returns the facts that follow from a parameter count, in billions.
pub fn by_size(billions: Option<f64>) -> ProfileFacts {
    ProfileFacts { deliberates: billions.map(|size| size >= DELIBERATES_FROM), ..ProfileFacts::default() }
}

/// Normalizes a model name: strips the vendor prefix and converts to lower case.
fn normalize_name(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or_default();
    name.trim().to_ascii_lowercase()
}

/// Matches a name against a pattern. `*` matches any text; a date or `latest`, `preview` or `exp` may follow the
/// pattern.
fn matches_pattern(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([], [b'-' | b'@' | b':', rest @ ..]) => is_date(rest) || [&b"latest"[..], b"preview", b"exp"].contains(&rest),
        ([b'*', pattern @ ..], name) => (0..=name.len()).any(|at| matches_pattern(pattern, &name[at..])),
        ([first, pattern @ ..], [letter, name @ ..]) => first == letter && matches_pattern(pattern, name),
        (_, _) => false,
    }
}

/// Checks for a date: `20250929` or `2025-09-29`. Any other number may be a version.
fn is_date(text: &[u8]) -> bool {
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    match text {
        [year @ .., b'-', _, _, b'-', _, _] => year.len() == 4 && text.split(|letter| *letter == b'-').all(digits),
        _ => text.len() == 8 && digits(text),
    }
}

/// Parses the parameter count, in billions, from a name: `7b`, `1.5b`, `8x7b`, `e4b`. The first of several is the total
/// (`30b-a3b`).
fn parse_parameter_count(name: &str) -> Option<f64> {
    name.split(['-', '_', ':', ' ', '@']).find_map(|part| {
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
        let context = |server, name| find_declared_facts(server, name).context_tokens;
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
    fn every_name_of_the_table_is_known_with_a_date_behind_it() {
        for family in &TABLE.families {
            let servers = if family.servers.is_empty() { vec!["other".to_owned()] } else { family.servers.clone() };
            for server in &servers {
                for name in family.names.iter().map(|pattern| pattern.replace('*', "")) {
                    let plain = find_declared_facts(server, &name);
                    for date in ["-20250929", "-2025-09-29", "@20250929"] {
                        assert_eq!(
                            find_declared_facts(server, &format!("{name}{date}")),
                            plain,
                            "{server} {name}{date}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_dated_name_is_not_taken_for_a_shorter_one_with_a_version() {
        let claude = |name: &str| find_declared_facts("anthropic", name);
        for (longer, shorter) in [
            ("claude-sonnet-4-5", "claude-sonnet-4"),
            ("claude-opus-4-5", "claude-opus-4"),
            ("claude-opus-4-6", "claude-opus-4"),
        ] {
            let facts = claude(&format!("{longer}-20250929"));
            assert_eq!((facts.schema, facts.price), (Some(SchemaSupport::Lenient), claude(longer).price), "{longer}");
            assert_eq!(claude(&format!("{shorter}-20250514")).schema, Some(SchemaSupport::None), "{shorter}");
        }
        assert_eq!(claude("claude-sonnet-4-9999").price, None, "four digits are no date");
        assert_eq!(claude("claude-sonnet-4-2025-9-29").price, None);
    }

    #[test]
    fn the_longer_of_two_patterns_stands_wherever_it_is_in_the_table() {
        for (at, family) in TABLE.families.iter().enumerate() {
            for name in family.names.iter().filter(|name| !name.contains('*')) {
                let server = family.servers.first().map_or("other", String::as_str);
                let known = find_declared_facts(server, name);
                let longer = |other: &Family| other.match_length(name).is_some_and(|letters| letters >= name.len());
                let after = TABLE.families[at + 1..].iter().filter(|other| longer(other));
                let mut said = family.facts.clone();
                after.for_each(|other| said.add(&other.facts));
                let mut with = known.clone();
                with.add(&said);
                assert_eq!(with, known, "{name}: what is said of it by its whole name stands");
            }
        }
        let reasoning = |name| find_declared_facts("other", name).reasoning;
        assert_eq!(
            (reasoning("qwen3-8b"), reasoning("qwen3-coder-30b-a3b")),
            (Some(Reasoning::Text), Some(Reasoning::None))
        );
        assert_eq!(
            (reasoning("grok-4-fast"), reasoning("grok-4-fast-non-reasoning")),
            (Some(Reasoning::Hidden), Some(Reasoning::None))
        );
    }

    #[test]
    fn how_models_reason_that_many_serve() {
        let cases = [
            (
                Reasoning::Text,
                "Qwen/Qwen3-32B qwen3:8b qwen3 qwen3-30b-a3b-fp8 qwen3-235b-a22b-thinking-2507 qwen3-next-80b-a3b-thinking qwq-32b \
                 deepseek-r1 deepseek-r1:7b deepseek-ai/DeepSeek-R1-Distill-Llama-70B deepseek-r1-distill-qwen-1.5b deepseek-r1-0528 \
                 microsoft/Phi-4-mini-reasoning phi4-mini-reasoning phi-4-reasoning-plus phi4-reasoning:14b magistral-small-2509 \
                 magistral:24b glm-4.5-air zai-org/GLM-4.6 glm-4.7 glm-5.1",
            ),
            (
                Reasoning::None,
                "qwen3-coder:30b Qwen/Qwen3-Coder-480B-A35B-Instruct qwen3-30b-a3b-instruct-2507 qwen3:4b-instruct \
                 meta-llama/Llama-3.3-70B-Instruct llama3.2:3b llama-4-scout-17b-16e-instruct llama4 mistral-large-2512 \
                 mistral-nemo mistral-small-2506 codestral-latest devstral-2512 deepseek-chat grok-3 grok-4.20-0309-non-reasoning",
            ),
            (
                Reasoning::Hidden,
                "openai/gpt-oss-120b gpt-oss:20b grok-4 x-ai/grok-4.3 grok-4-0709 grok-4-1-fast-reasoning grok-code-fast-1 grok-3-mini \
                 grok-4.7 deepseek-reasoner deepseek-v4-pro",
            ),
        ];
        for (reasoning, names) in cases {
            for name in names.split_whitespace() {
                assert_eq!(find_declared_facts("other", name).reasoning, Some(reasoning), "{name}");
            }
        }
        for unknown in ["qwen4-32b", "grok-9", "deepseek-v9", "phi-5", "team-model-2"] {
            assert_eq!(find_declared_facts("other", unknown).reasoning, None, "{unknown}");
        }
    }

    #[test]
    fn what_a_server_refuses_that_is_known_by_its_models_names_is_not_tried() {
        let grok = find_declared_facts("other", "grok-4");
        assert_eq!((grok.stop, grok.context_tokens), (Some(false), Some(256_000)));
        assert_eq!(find_declared_facts("other", "grok-4-fast-non-reasoning").stop, Some(true));
        assert_eq!(find_declared_facts("other", "deepseek-chat").schema, Some(SchemaSupport::None));
        assert_eq!(find_declared_facts("vllm", "deepseek-r1").schema, None, "another server holds it to one");
        assert_eq!(
            find_declared_facts("ollama", "phi4-mini-reasoning").deliberates,
            Some(false),
            "it has 3.8 billion parameters"
        );
        let told = |server| find_declared_facts(server, "qwen3:8b").token_probabilities;
        assert_eq!((told("ollama"), told("vllm"), told("lm-studio")), (Some(true), Some(true), None));
    }

    #[test]
    fn the_endpoint_the_schema_and_the_reasoning_follow_the_name() {
        assert_eq!(find_declared_facts("openai", "gpt-5.5-pro").endpoint, Some(Endpoint::Responses));
        assert_eq!(find_declared_facts("openai", "gpt-5.1-codex-max").endpoint, Some(Endpoint::Responses));
        assert_eq!(find_declared_facts("openai", "gpt-5.5").endpoint, None);
        let mini = find_declared_facts("openai", "o4-mini");
        assert_eq!(
            (mini.reasoning, mini.schema, mini.stop),
            (Some(Reasoning::Hidden), Some(SchemaSupport::Strict), Some(false))
        );
        let opus = find_declared_facts("anthropic", "claude-opus-5-5");
        assert_eq!(
            (opus.reasoning, opus.caching, opus.prefill),
            (Some(Reasoning::Hidden), Some(Caching::Marked), Some(false))
        );
        assert_eq!(find_declared_facts("anthropic", "claude-sonnet-5").reasoning, Some(Reasoning::None));
        assert_eq!(find_declared_facts("ollama", "deepseek-r1:70b").reasoning, Some(Reasoning::Text));
    }

    #[test]
    fn an_open_model_deliberates_from_ten_billion_parameters_on() {
        let deliberates = |name| find_declared_facts("vllm", name).deliberates;
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
    fn the_models_of_the_av_sql_paper_have_its_chunk_budgets() {
        let budget = |server, name| find_declared_facts(server, name).chunk_budget;
        for (server, name, tokens) in [
            ("vllm", "Qwen/Qwen2.5-Coder-32B-Instruct", 10_000),
            ("ollama", "qwen2.5-coder:32b", 10_000),
            ("vllm", "meta-llama/Llama-3.3-70B-Instruct", 20_000),
            ("ollama", "llama3.3", 20_000),
            ("openai", "gpt-5-mini-2025-08-07", 80_000),
            ("gemini", "gemini-3-pro-preview", 100_000),
        ] {
            assert_eq!(budget(server, name), Some(tokens), "{name}");
        }
        for (server, name) in
            [("embedded", "qwen2.5-coder-32b-instruct"), ("vllm", "qwen2.5-coder-7b"), ("openai", "gpt-5")]
        {
            assert_eq!(budget(server, name), None, "{name}");
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
