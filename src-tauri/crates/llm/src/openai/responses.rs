//! OpenAI's Responses API: writes requests and reads streams of events. Some models are available only here, and
//! reasoning models give better answers here.

use super::endpoint::{OpenAiKind, build_versioned_url, key_header};
use super::models;
use super::wire::insert_temperature;
use crate::http::ServerConfig;
use crate::http::budget::with_thinking;
use crate::http::failure::Failure;
use crate::http::format::{Features, Format};
use crate::http::part::{SampleRange, asked_in_words, effort_to_json, schema_name, wants_schema};
use crate::http::quirks::Feature;
use crate::http::reply::{Reply, not_in_format, unusable_reply};
use crate::http::served::ServedModel;
use crate::http::strict::to_strict_schema;
use crate::{CallUsage, FinishReason, LlmError, OutputFormat, Request};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vitrine_domain::SchemaSupport;

/// The format of the Responses API.
#[derive(Debug)]
pub(super) struct Responses {
    pub(super) kind: OpenAiKind,
}

impl Format for Responses {
    fn call_endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError> {
        build_versioned_url(self.kind, config, "responses")
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        key_header(self.kind, key)
    }

    fn unsupported_features(&self) -> &'static [Feature] {
        &[
            Feature::Samples,
            Feature::StreamUsage,
            Feature::Seed,
            Feature::Stop,
            Feature::FirstLimitName,
            Feature::Prefill,
            Feature::ThinkingBudget,
        ]
    }

    fn refusal_words(&self, feature: Feature) -> &'static [&'static str] {
        match feature {
            Feature::Schema => &["text.format", "json_schema", "schema"],
            Feature::Temperature => &["temperature", "top_p"],
            Feature::ThinkingRoom => &["max_output_tokens"],
            Feature::Probabilities => &["logprobs", "'include'"],
            Feature::Effort => &["reasoning"],
            _ => &[],
        }
    }

    fn build_body(
        &self,
        config: &ServerConfig,
        request: &Request,
        part: SampleRange,
        features: &mut Features,
    ) -> Value {
        let mut body = Map::new();
        let with_schema = features.use_feature(Feature::Schema, wants_schema(request, &config.profile));
        body.insert("model".into(), config.model.clone().into());
        if !request.system.trim().is_empty() {
            body.insert("instructions".into(), request.system.clone().into());
        }
        body.insert("input".into(), build_input(request, with_schema));
        body.insert("stream".into(), true.into());
        // The provider must not store requests and replies.
        body.insert("store".into(), false.into());
        if features.use_feature(Feature::Temperature, true) {
            insert_temperature(&mut body, request, part);
        }
        let tells = config.profile.token_probabilities && request.output == OutputFormat::Text;
        if features.use_feature(Feature::Probabilities, tells) {
            body.insert("include".into(), json!(["message.output_text.logprobs"]));
        }
        let limit = match features.use_feature(Feature::ThinkingRoom, true) {
            true => with_thinking(&config.profile, request),
            false => request.max_tokens,
        };
        body.insert("max_output_tokens".into(), limit.max(LEAST_LIMIT).into());
        if let Some(effort) = effort_to_json(&config.profile).filter(|_| features.use_feature(Feature::Effort, true)) {
            body.insert("reasoning".into(), json!({ "effort": effort }));
        }
        if let OutputFormat::JsonSchema { name, schema } = &request.output
            && with_schema
        {
            let only_strict = config.profile.schema == SchemaSupport::Strict;
            let tight = if only_strict { to_strict_schema(schema) } else { None };
            let (strict, schema) = (tight.is_some(), tight.as_ref().unwrap_or(schema));
            let format =
                json!({ "type": "json_schema", "name": schema_name(name), "strict": strict, "schema": schema });
            body.insert("text".into(), json!({ "format": format }));
        }
        Value::Object(body)
    }

    fn read_event(&self, data: &str, reply: &mut Reply) -> Result<(), Failure> {
        if data.trim() == "[DONE]" {
            reply.mark_ended();
            return Ok(());
        }
        let event: Event = serde_json::from_str(data).map_err(|error| not_in_format("response", &error, data))?;
        match event.kind.as_str() {
            "response.output_text.delta" => {
                reply.push_text(0, event.delta.as_str().unwrap_or_default());
                event.logprobs.iter().for_each(|token| reply.push_probability(0, token.logprob));
            }
            "response.refusal.delta" => reply.push_refusal(0, event.delta.as_str().unwrap_or_default()),
            "response.completed" | "response.incomplete" | "response.failed" => {
                let response = event.response.unwrap_or_default();
                finish_response(response, reply)?;
                reply.mark_ended();
            }
            "error" => return Err(Failure::in_stream(&event.rest.into(), reply.context_tokens())),
            // A complete response, from a server that does not stream.
            "" if event.rest.get("object").is_some_and(|object| object == "response") => {
                let response: Response = serde_json::from_value(event.rest.into())
                    .map_err(|error| not_in_format("response", &error, data))?;
                for part in response.content_parts() {
                    reply.push_text(0, part["text"].as_str().unwrap_or_default());
                    let told = part["logprobs"].as_array().into_iter().flatten();
                    told.filter_map(|token| token["logprob"].as_f64())
                        .for_each(|token| reply.push_probability(0, token));
                    reply.push_refusal(0, part["refusal"].as_str().unwrap_or_default());
                }
                finish_response(response, reply)?;
            }
            "" if event.rest.contains_key("error") => {
                return Err(Failure::in_stream(&event.rest.into(), reply.context_tokens()));
            }
            // Item boundaries, reasoning summaries and unknown event types are ignored.
            _ => {}
        }
        Ok(())
    }

    fn models_endpoint(&self, config: &ServerConfig, _after: Option<&str>) -> Result<Url, LlmError> {
        models::build_models_url(self.kind, config)
    }

    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>) {
        (models::read_models(self.kind, page), None)
    }
}

/// The smallest limit that the API accepts.
const LEAST_LIMIT: u32 = 16;

#[derive(Debug, Deserialize)]
struct Event {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    delta: Value,
    /// Log probabilities of a piece of text, if requested.
    #[serde(default)]
    logprobs: Vec<Token>,
    #[serde(default)]
    response: Option<Response>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Token {
    logprob: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Response {
    status: String,
    output: Vec<Value>,
    usage: Value,
    error: Value,
    incomplete_details: Value,
}

impl Response {
    /// Returns the content parts of all messages.
    fn content_parts(&self) -> impl Iterator<Item = &Value> {
        let messages = self.output.iter().filter(|item| item["type"] == "message");
        messages.filter_map(|message| message["content"].as_array()).flatten()
    }
}

fn finish_response(response: Response, reply: &mut Reply) -> Result<(), Failure> {
    if response.usage.is_object() {
        *reply.usage_mut() = read_usage(&response.usage);
    }
    match (response.status.as_str(), response.incomplete_details["reason"].as_str()) {
        ("failed", _) => Err(Failure::in_stream(&response.error, reply.context_tokens())),
        ("incomplete", Some("content_filter")) => {
            Err(unusable_reply("the server's content filter stopped it".to_owned()))
        }
        ("incomplete", _) => reply.finish_sample(0, FinishReason::Length),
        _ => reply.finish_sample(0, FinishReason::Stop),
    }
}

fn build_input(request: &Request, with_schema: bool) -> Value {
    let message = |role: &str, content: &str| json!({ "role": role, "content": content });
    let asked = asked_in_words(request, with_schema, false);
    let end = |last: bool| if last { asked.as_str() } else { "" };
    let first = format!("{}{}{}", request.prefix, request.tail, end(request.turns.is_empty()));
    let mut messages = vec![message("user", &first)];
    for (index, (assistant, user)) in request.turns.iter().enumerate() {
        messages.push(message("assistant", assistant));
        messages.push(message("user", &format!("{user}{}", end(index + 1 == request.turns.len()))));
    }
    Value::Array(messages)
}

fn read_usage(usage: &Value) -> CallUsage {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    CallUsage {
        prompt_tokens: count(&usage["input_tokens"]),
        cached_prompt_tokens: count(&usage["input_tokens_details"]["cached_tokens"]),
        completion_tokens: count(&usage["output_tokens"]),
        reasoning_tokens: count(&usage["output_tokens_details"]["reasoning_tokens"]),
        ..CallUsage::default()
    }
}
