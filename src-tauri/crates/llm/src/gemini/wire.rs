//! Gemini's JSON: writes requests and reads streams of responses. The server caches common prompt prefixes
//! automatically.

use super::models;
use crate::http::budget::{thinking_room, with_thinking};
use crate::http::failure::Failure;
use crate::http::format::{Features, Format};
use crate::http::keywords::Keywords;
use crate::http::part::{SampleRange, asked_in_words, number_to_json, wants_schema};
use crate::http::quirks::Feature;
use crate::http::reply::{Reply, not_in_format, unusable_reply};
use crate::http::served::ServedModel;
use crate::http::{ServerConfig, parse_address};
use crate::{CallUsage, FinishReason, LlmError, OutputFormat, Request};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vitrine_domain::{Effort, ModelProfile};

/// JSON Schema keywords that Gemini accepts; others are ignored or rejected.
const KEYWORDS: Keywords = Keywords(&[
    "type",
    "enum",
    "anyOf",
    "oneOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "$defs",
    "$ref",
    "title",
    "description",
]);

/// The maximum number of stop texts that Gemini accepts.
const MOST_STOPS: usize = 5;

/// The format of Gemini's `generateContent`.
#[derive(Debug)]
pub(super) struct GenerateContent;

impl Format for GenerateContent {
    fn call_endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError> {
        let mut url = models_url(config)?;
        let name = config.model.trim_start_matches("models/");
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.push(&format!("{name}:streamGenerateContent"));
        }
        url.query_pairs_mut().append_pair("alt", "sse");
        Ok(url)
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-goog-api-key", key.to_owned())
    }

    fn unsupported_features(&self) -> &'static [Feature] {
        &[Feature::Prefill]
    }

    fn refusal_words(&self, feature: Feature) -> &'static [&'static str] {
        match feature {
            Feature::Schema => &["schema", "json mode", "mime"],
            Feature::Samples => &["candidate"],
            Feature::Seed => &["seed"],
            Feature::Temperature => &["temperature", "top_p", "topp"],
            Feature::Stop => &["stop_sequence", "stopsequence", "stop sequence"],
            Feature::ThinkingRoom => &["max_output_tokens", "maxoutputtokens"],
            Feature::Effort => &["thinking_level", "thinkinglevel", "thinking level"],
            Feature::ThinkingBudget => &["thinking"],
            Feature::Probabilities => &["logprobs"],
            Feature::Prefill | Feature::StreamUsage | Feature::FirstLimitName => &[],
        }
    }

    fn build_body(
        &self,
        config: &ServerConfig,
        request: &Request,
        part: SampleRange,
        features: &mut Features,
    ) -> Value {
        let with_schema = features.use_feature(Feature::Schema, wants_schema(request, &config.profile));
        let mut body = Map::new();
        if !request.system.trim().is_empty() {
            body.insert("systemInstruction".into(), json!({ "parts": [{ "text": request.system }] }));
        }
        body.insert("contents".into(), build_contents(request, with_schema));
        let mut generation = Map::new();
        if features.use_feature(Feature::Temperature, true) {
            let temperature = part.sample_temperature(request);
            generation.insert("temperature".into(), number_to_json(temperature));
            if request.top_p < 1.0 && temperature > 0.0 {
                generation.insert("topP".into(), number_to_json(request.top_p));
            }
        }
        if features.use_feature(Feature::Samples, part.samples > 1) {
            generation.insert("candidateCount".into(), part.samples.into());
        }
        if features.use_feature(Feature::Seed, config.profile.seeded) {
            generation.insert("seed".into(), part.sample_seed(request).into());
        }
        let tells = config.profile.token_probabilities && request.output == OutputFormat::Text;
        if features.use_feature(Feature::Probabilities, tells) {
            generation.insert("responseLogprobs".into(), true.into());
        }
        let limit = match features.use_feature(Feature::ThinkingRoom, true) {
            true => with_thinking(&config.profile, request),
            false => request.max_tokens,
        };
        generation.insert("maxOutputTokens".into(), limit.into());
        if let Some(thinking) = build_thinking_config(&config.profile, features) {
            generation.insert("thinkingConfig".into(), thinking);
        }
        // A reply that is asked to begin with a code fence would stop at its first token if the fence is a stop text.
        let stop: Vec<&String> = request.stop.iter().filter(|text| !text.is_empty()).take(MOST_STOPS).collect();
        let stops = config.profile.stop && !stop.is_empty() && request.assistant_prefix.is_empty();
        if features.use_feature(Feature::Stop, stops) {
            generation.insert("stopSequences".into(), json!(stop));
        }
        if let OutputFormat::JsonSchema { schema, .. } = &request.output
            && with_schema
        {
            generation.insert("responseMimeType".into(), "application/json".into());
            generation.insert("responseJsonSchema".into(), KEYWORDS.reduce_schema(schema));
        }
        body.insert("generationConfig".into(), Value::Object(generation));
        Value::Object(body)
    }

    fn read_event(&self, data: &str, reply: &mut Reply) -> Result<(), Failure> {
        let response: Response =
            serde_json::from_str(data).map_err(|error| not_in_format("generated content", &error, data))?;
        if !response.error.is_null() {
            return Err(Failure::in_stream(&response.error, reply.context_tokens()));
        }
        if let Some(reason) = response.prompt_feedback["blockReason"].as_str() {
            return Err(unusable_reply(format!("the server refused the prompt: {}", shorten_code(reason))));
        }
        if let Some(usage) = response.usage_metadata.filter(Value::is_object) {
            *reply.usage_mut() = read_usage(&usage);
        }
        for candidate in response.candidates {
            let parts = candidate.content["parts"].as_array().map_or(&[][..], Vec::as_slice);
            for part in parts.iter().filter(|part| part["thought"] != true) {
                reply.push_text(candidate.index, part["text"].as_str().unwrap_or_default());
            }
            for token in candidate.logprobs_result.chosen_candidates {
                reply.push_probability(candidate.index, token.log_probability);
            }
            match candidate.finish_reason.as_str() {
                "" | "FINISH_REASON_UNSPECIFIED" => {}
                "STOP" => reply.finish_sample(candidate.index, FinishReason::Stop)?,
                "MAX_TOKENS" => reply.finish_sample(candidate.index, FinishReason::Length)?,
                // SAFETY, RECITATION and similar reasons: the reply is truncated.
                reason => {
                    return Err(unusable_reply(format!("the server stopped the reply: {}", shorten_code(reason))));
                }
            }
        }
        Ok(())
    }

    fn models_endpoint(&self, config: &ServerConfig, after: Option<&str>) -> Result<Url, LlmError> {
        let mut url = models_url(config)?;
        url.query_pairs_mut().append_pair("pageSize", "1000");
        if let Some(after) = after {
            url.query_pairs_mut().append_pair("pageToken", after);
        }
        Ok(url)
    }

    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>) {
        models::read_models(page)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    prompt_feedback: Value,
    usage_metadata: Option<Value>,
    #[serde(default)]
    error: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    /// Omitted by the server if it is 0.
    #[serde(default)]
    index: u32,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    finish_reason: String,
    /// Log probabilities of this chunk's tokens, if requested.
    #[serde(default)]
    logprobs_result: LogProbabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LogProbabilities {
    chosen_candidates: Vec<Chosen>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Chosen {
    log_probability: f64,
}

/// Returns the address of the models collection.
fn models_url(config: &ServerConfig) -> Result<Url, LlmError> {
    let mut url = parse_address(&config.base_url)?;
    let path = url.path().trim_end_matches('/').trim_end_matches("/models").to_owned();
    let versioned = path.split('/').any(|part| part.starts_with("v1"));
    let path = if versioned { path } else { format!("{path}/v1beta") };
    url.set_path(&format!("{path}/models"));
    Ok(url)
}

/// Writes the thinking configuration: a level for newer models, a token budget for older ones, where 0 disables
/// thinking.
fn build_thinking_config(profile: &ModelProfile, features: &mut Features) -> Option<Value> {
    let effort = profile.effort?;
    if effort != Effort::None && features.use_feature(Feature::Effort, true) {
        return Some(json!({ "thinkingLevel": json!(effort.min(Effort::High)) }));
    }
    let tokens = if effort == Effort::None { 0 } else { thinking_room(Some(effort)).min(MOST_THINKING) };
    features.use_feature(Feature::ThinkingBudget, true).then(|| json!({ "thinkingBudget": tokens }))
}

/// The largest thinking budget that every model accepts.
const MOST_THINKING: u32 = 24_576;

fn build_contents(request: &Request, with_schema: bool) -> Value {
    // Contents without text are rejected.
    let said = |text: &str| if text.trim().is_empty() { "(empty)".to_owned() } else { text.to_owned() };
    let content = |role: &str, text: &str| json!({ "role": role, "parts": [{ "text": said(text) }] });
    let asked = asked_in_words(request, with_schema, false);
    let end = |last: bool| if last { asked.as_str() } else { "" };
    let first = format!("{}{}{}", request.prefix, request.tail, end(request.turns.is_empty()));
    let mut contents = vec![content("user", &first)];
    for (index, (assistant, user)) in request.turns.iter().enumerate() {
        contents.push(content("model", assistant));
        contents.push(content("user", &format!("{user}{}", end(index + 1 == request.turns.len()))));
    }
    Value::Array(contents)
}

fn read_usage(usage: &Value) -> CallUsage {
    let tokens = |name: &str| usage[name].as_u64().unwrap_or(0);
    CallUsage {
        prompt_tokens: tokens("promptTokenCount"),
        cached_prompt_tokens: tokens("cachedContentTokenCount"),
        completion_tokens: tokens("candidatesTokenCount") + tokens("thoughtsTokenCount"),
        reasoning_tokens: tokens("thoughtsTokenCount"),
        ..CallUsage::default()
    }
}

/// Shortens a code from the server for display.
fn shorten_code(word: &str) -> String {
    word.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect()
}
