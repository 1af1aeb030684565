//! OpenAI's JSON: writing a request, reading a stream of chunks.

use super::config::{OpenAiConfig, OpenAiKind};
use super::failure::Failure;
use super::quirks::{Feature, Without};
use super::tokens::CHARS_PER_TOKEN;
use crate::{CallUsage, FinishReason, LlmError, ModelEvent, OutputFormat, Request};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The samples of a request that one call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// The first sample.
    pub(super) first: u32,
    /// How many.
    pub(super) samples: u32,
    /// At temperature 0, whatever the request says.
    pub(super) greedy: bool,
}

/// The body of a call, and which of the features that a server may refuse are in it. The order of keys is fixed.
pub(super) fn body(config: &OpenAiConfig, request: &Request, part: Part, without: Without) -> (Value, Vec<Feature>) {
    let mut body = Map::new();
    let mut sent = Vec::new();
    let mut feature = |feature: Feature, wanted: bool| {
        let used = wanted && !without.lacks(feature);
        if used {
            sent.push(feature);
        }
        used
    };
    let with_schema = feature(Feature::Schema, wants_schema(request));
    body.insert("model".into(), config.model.clone().into());
    body.insert("messages".into(), messages(request, with_schema));
    body.insert("stream".into(), true.into());
    if feature(Feature::StreamUsage, true) {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    if feature(Feature::Samples, part.samples > 1) {
        body.insert("n".into(), part.samples.into());
    }
    if feature(Feature::Temperature, true) {
        let temperature = if part.greedy { 0.0 } else { request.temperature };
        body.insert("temperature".into(), number(temperature));
        if request.top_p < 1.0 && temperature > 0.0 {
            body.insert("top_p".into(), number(request.top_p));
        }
    }
    if feature(Feature::Seed, true) {
        // Some servers keep seeds in 32 bits, some with a sign.
        body.insert("seed".into(), (request.seed.wrapping_add(part.first.into()) & 0x7fff_ffff).into());
    }
    let names = match config.kind {
        OpenAiKind::OpenAi | OpenAiKind::Azure => ["max_completion_tokens", "max_tokens"],
        OpenAiKind::Compatible => ["max_tokens", "max_completion_tokens"],
    };
    let name = names[usize::from(!feature(Feature::FirstLimitName, true))];
    body.insert(name.into(), request.max_tokens.into());
    // A reply that is asked to begin with a fence would end at its first token where the fence is a stop, too. Whoever reads
    // the reply finds the end there.
    let begins = !request.assistant_prefix.is_empty();
    if feature(Feature::Stop, !request.stop.is_empty() && !begins) {
        // Four is all that OpenAI takes.
        body.insert("stop".into(), json!(request.stop.iter().take(4).collect::<Vec<_>>()));
    }
    if let OutputFormat::JsonSchema { name, schema } = &request.output
        && with_schema
    {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(64).collect();
        let format =
            json!({ "type": "json_schema", "json_schema": { "name": name, "strict": true, "schema": schema } });
        body.insert("response_format".into(), format);
    }
    (Value::Object(body), sent)
}

/// 0.8 as 0.8 and not as 0.800000011920929.
fn number(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or_default())
}

fn messages(request: &Request, with_schema: bool) -> Value {
    let message = |role: &str, content: &str| json!({ "role": role, "content": content });
    let mut users = vec![format!("{}{}", request.prefix, request.tail)];
    users.extend(request.turns.iter().map(|(_, user)| user.clone()));
    // What a server cannot be made to do is asked of the model, at the end, where it is least forgotten.
    let last = users.last_mut().expect("there is always a first one");
    match &request.output {
        OutputFormat::JsonSchema { schema, .. } if !with_schema => {
            last.push_str("\n\nReply with JSON only, without any other text. It must fit this JSON Schema:\n");
            last.push_str(&schema.to_string());
        }
        OutputFormat::JsonSchema { .. } => {}
        OutputFormat::Text | OutputFormat::Lark(_) if request.assistant_prefix.is_empty() => {}
        OutputFormat::Text | OutputFormat::Lark(_) => {
            last.push_str("\n\nBegin your reply with exactly this text:\n");
            last.push_str(&request.assistant_prefix);
        }
    }
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(message("system", &request.system));
    }
    for (index, user) in users.iter().enumerate() {
        if index > 0 {
            messages.push(message("assistant", &request.turns[index - 1].0));
        }
        messages.push(message("user", user));
    }
    Value::Array(messages)
}

#[derive(Debug, Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    timings: Option<Value>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default)]
    index: u32,
    /// In a stream.
    delta: Option<Message>,
    /// In a whole reply.
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Message {
    /// Text, or parts of which some are text.
    #[serde(default)]
    content: Value,
    refusal: Option<String>,
}

/// Turns the chunks of one call into events.
#[derive(Debug)]
pub(super) struct Reader {
    part: Part,
    context_tokens: u32,
    samples: Vec<Sample>,
    usage: Option<CallUsage>,
    /// Characters received, for servers that do not count tokens.
    written: usize,
}

#[derive(Debug, Clone)]
struct Sample {
    held: Option<Held>,
    refusal: String,
    seen: bool,
    finished: bool,
}

impl Reader {
    /// A reader for the samples of one call.
    pub(super) fn new(request: &Request, part: Part, context_tokens: u32) -> Self {
        let prefix = if wants_schema(request) { "" } else { &request.assistant_prefix };
        let held = (!prefix.is_empty()).then(|| Held { prefix: prefix.to_owned(), text: String::new() });
        let sample = Sample { held, refusal: String::new(), seen: false, finished: false };
        Self { part, context_tokens, samples: vec![sample; part.samples as usize], usage: None, written: 0 }
    }

    /// Takes the data of one event, or a whole reply.
    pub(super) fn take(&mut self, data: &str) -> Result<Vec<ModelEvent>, Failure> {
        let chunk: Chunk = serde_json::from_str(data).map_err(|error| {
            let message = format!("the server sent something that is no chat completion: {error}");
            Failure::lasting(LlmError::BadReply { message, reply: data.chars().take(500).collect() })
        })?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(Failure::in_stream(&error, self.context_tokens));
        }
        let mut events = Vec::new();
        for choice in chunk.choices.unwrap_or_default() {
            self.choice(choice, &mut events)?;
        }
        if let Some(usage) = chunk.usage.filter(Value::is_object) {
            self.usage = Some(read_usage(&usage, chunk.timings.as_ref()));
        }
        Ok(events)
    }

    fn choice(&mut self, choice: Choice, events: &mut Vec<ModelEvent>) -> Result<(), Failure> {
        // Replies beyond those requested are dropped.
        let Some(sample) = self.samples.get_mut(choice.index as usize).filter(|sample| !sample.finished) else {
            return Ok(());
        };
        let index = self.part.first + choice.index;
        sample.seen = true;
        let message = choice.delta.or(choice.message).unwrap_or_default();
        sample.refusal.push_str(&message.refusal.unwrap_or_default());
        let content = text_of(&message.content);
        self.written += content.chars().count();
        let mut say = |text: String| {
            if !text.is_empty() {
                events.push(ModelEvent::Token { sample: index, text });
            }
        };
        match &mut sample.held {
            Some(held) => {
                held.text.push_str(&content);
                if held.decided() {
                    say(sample.held.take().map(Held::release).unwrap_or_default());
                }
            }
            None => say(content),
        }
        let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) else { return Ok(()) };
        say(sample.held.take().map(Held::release).unwrap_or_default());
        sample.finished = true;
        let unusable = |message: String| Failure::lasting(LlmError::BadReply { message, reply: String::new() });
        let reason = match reason.as_str() {
            "content_filter" => return Err(unusable("the server's content filter stopped it".to_owned())),
            _ if !sample.refusal.is_empty() => {
                return Err(unusable(format!("the model refused to answer: {}", sample.refusal)));
            }
            "length" => FinishReason::Length,
            _ => FinishReason::Stop,
        };
        events.push(ModelEvent::Finished { sample: index, reason });
        Ok(())
    }

    /// Whether every reply that began has ended, and at least one has begun.
    pub(super) fn whole(&self) -> bool {
        self.samples.iter().any(|sample| sample.seen)
            && self.samples.iter().all(|sample| sample.finished || !sample.seen)
    }

    /// Samples that the server left out.
    pub(super) fn missing(&self) -> Vec<u32> {
        let unseen = self.samples.iter().zip(self.part.first..).filter(|(sample, _)| !sample.seen);
        unseen.map(|(_, index)| index).collect()
    }

    /// What the call cost: as the server counted, else estimated.
    pub(super) fn usage(&self, prompt_estimate: u32) -> CallUsage {
        self.usage.unwrap_or(CallUsage {
            prompt_tokens: prompt_estimate.into(),
            cached_prompt_tokens: 0,
            completion_tokens: (self.written as f64 / CHARS_PER_TOKEN).ceil() as u64,
        })
    }
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn read_usage(usage: &Value, timings: Option<&Value>) -> CallUsage {
    let count = |value: &Value| value.as_u64();
    let cached = count(&usage["prompt_tokens_details"]["cached_tokens"])
        .or_else(|| count(&usage["prompt_cache_hit_tokens"]))
        .or_else(|| timings.and_then(|timings| count(&timings["cache_n"])));
    CallUsage {
        prompt_tokens: count(&usage["prompt_tokens"]).unwrap_or(0),
        cached_prompt_tokens: cached.unwrap_or(0),
        completion_tokens: count(&usage["completion_tokens"]).unwrap_or(0),
    }
}

/// The beginning of a reply, kept back until it is clear whether it repeats the text that it was asked to begin with.
#[derive(Debug, Clone)]
struct Held {
    prefix: String,
    text: String,
}

impl Held {
    fn decided(&self) -> bool {
        self.text.trim_start().len() >= self.prefix.len()
    }

    /// The reply without what it repeats of the prefix: all of it, or its last words.
    ///
    /// After "```sql\nWITH" a model may go on with "WITH a AS": only whole words count as repeated, so that a "T1" after
    /// "SELECT" stays.
    fn release(self) -> String {
        let text = self.text.trim_start();
        let starts = self.prefix.char_indices().filter(|(at, c)| {
            let before = self.prefix[..*at].chars().next_back();
            !c.is_whitespace() && before.is_none_or(|before| !before.is_alphanumeric() || !c.is_alphanumeric())
        });
        let mut starts = starts.map(|(at, _)| self.prefix[at..].trim_end());
        let ends_word = |repeated: &&str| {
            let next = text[repeated.len()..].chars().next();
            let last = repeated.chars().next_back();
            !(last.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric))
        };
        match starts.find(|suffix| text.starts_with(suffix)).filter(ends_word) {
            // The space that ends a prefix may be repeated, too.
            Some(repeated) if self.prefix.ends_with(char::is_whitespace) => {
                text[repeated.len()..].trim_start().to_owned()
            }
            Some(repeated) => text[repeated.len()..].to_owned(),
            None => self.text,
        }
    }
}

/// Whether the reply is to be JSON of a schema.
fn wants_schema(request: &Request) -> bool {
    matches!(request.output, OutputFormat::JsonSchema { .. })
}

#[cfg(test)]
mod tests {
    use super::Held;

    fn rest(prefix: &str, reply: &str) -> String {
        Held { prefix: prefix.to_owned(), text: reply.to_owned() }.release()
    }

    #[test]
    fn a_reply_that_repeats_its_beginning_loses_it_once() {
        assert_eq!(rest("SELECT", "SELECT a FROM t"), " a FROM t");
        assert_eq!(rest("SELECT ", " SELECT  a"), "a");
        assert_eq!(rest("```sql\nWITH", "WITH a AS (x)"), " a AS (x)");
        assert_eq!(rest("```sql\nWITH", "```sql\nWITH a"), " a");
    }

    #[test]
    fn a_reply_that_goes_on_stays_as_it_is() {
        assert_eq!(rest("SELECT", " T1.name"), " T1.name");
        assert_eq!(rest("SELECT", "T1.name"), "T1.name");
        assert_eq!(rest("WITH a", "a1 AS"), "a1 AS");
        assert_eq!(rest("SELECT", ""), "");
    }
}
