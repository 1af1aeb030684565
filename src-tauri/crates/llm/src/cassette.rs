//! Recorded model calls: recorded once with the real model, then replayed.
//!
//! A cassette is a file of JSON lines. The first line names the model and what it can do; every other line is one call
//! (its key, the request, the replies, the usage) or the token count of one text. Lines are sorted when the recording
//! ends and object keys are written in a fixed order, so that recording the same thing twice gives the same file and a
//! changed prompt shows as a changed line. The key is the blake3 of the canonical JSON of model name and request: any
//! change to a prompt, a seed or a schema is a miss, never a stale reply.

use crate::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request, estimate_tokens};
use async_trait::async_trait;
use futures::{StreamExt, stream, stream::BoxStream};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ModelProfile, TokenProbability};

/// A model that records another one, replays a recording, or does both: a recorded request is never sent again.
pub struct Cassette {
    id: String,
    profile: ModelProfile,
    inner: Option<Arc<dyn ChatModel>>,
    tape: Arc<Mutex<Tape>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Head { cassette: u32, id: String, profile: ModelProfile },
    Call(Box<Call>),
    Count { text: String, tokens: u32 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Call {
    key: String,
    request: Request,
    replies: Vec<String>,
    reasons: Vec<FinishReason>,
    /// Token probabilities of each reply; empty in recordings made before models reported them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    probabilities: Vec<Option<TokenProbability>>,
    usage: CallUsage,
}

#[derive(Debug)]
struct Tape {
    path: PathBuf,
    head: Entry,
    calls: BTreeMap<String, Call>,
    counts: BTreeMap<String, u32>,
    changed: bool,
}

impl Cassette {
    /// Forwards calls to `inner` and records each finished one in a new file at `path`.
    pub fn record(inner: Arc<dyn ChatModel>, path: &Path) -> Result<Self, LlmError> {
        let head = Entry::Head { cassette: 2, id: inner.id().to_owned(), profile: inner.profile() };
        let tape = Tape { path: path.to_owned(), head, calls: BTreeMap::new(), counts: BTreeMap::new(), changed: true };
        // Written at once, so that a path that is not writable fails before an hour of model calls.
        tape.save()?;
        Ok(Self::new(tape, Some(inner)))
    }

    /// Replays `path`. A request that was not recorded fails with [`LlmError::BadReply`], which shows its prompt.
    pub fn replay(path: &Path) -> Result<Self, LlmError> {
        Ok(Self::new(Tape::load(path)?, None))
    }

    /// Replays the calls in `path` and forwards all others to `inner`, recording them. Creates a missing file.
    ///
    /// # Errors
    /// Fails when the file cannot be read or written, or contains replies of another model.
    pub fn extend(inner: Arc<dyn ChatModel>, path: &Path) -> Result<Self, LlmError> {
        if !path.exists() {
            return Self::record(inner, path);
        }
        let tape = Tape::load(path)?;
        let Entry::Head { id, .. } = &tape.head else { unreachable!("a tape begins with its head") };
        if id != inner.id() {
            let message = format!("it holds replies of {id}, and {} is asked", inner.id());
            return Err(LlmError::ModelFile { path: path.to_owned(), message });
        }
        // Drops a partial last line that an aborted run may have left, and checks that the file is writable.
        tape.save()?;
        Ok(Self::new(tape, Some(inner)))
    }

    fn new(tape: Tape, inner: Option<Arc<dyn ChatModel>>) -> Self {
        let Entry::Head { id, profile, .. } = tape.head.clone() else { unreachable!("a tape begins with its head") };
        // The model's profile may have changed since the recording; the recorded request is unaffected.
        let profile = inner.as_ref().map_or(profile, |inner| inner.profile());
        Self { id, profile, inner, tape: Arc::new(Mutex::new(tape)) }
    }
}

impl Tape {
    fn load(path: &Path) -> Result<Self, LlmError> {
        let broken = |message: String| LlmError::ModelFile { path: path.to_owned(), message };
        let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
        let mut head = None;
        let (mut calls, mut counts) = (BTreeMap::new(), BTreeMap::new());
        // A recording that was aborted within a line keeps all lines before it.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (number, line) in whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str(line).map_err(|error| broken(format!("line {}: {error}", number + 1)))? {
                entry @ Entry::Head { .. } => head = Some(entry),
                Entry::Call(call) => {
                    calls.insert(call.key.clone(), *call);
                }
                Entry::Count { text, tokens } => {
                    counts.insert(text, tokens);
                }
            }
        }
        let head = head.ok_or_else(|| broken("it is not a cassette: no line names the model".to_owned()))?;
        Ok(Self { path: path.to_owned(), head, calls, counts, changed: false })
    }

    /// Appends one line, so that an interrupted recording keeps all finished calls.
    fn append_entry(&mut self, entry: &Entry) {
        self.changed = true;
        let written = std::fs::OpenOptions::new()
            .append(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(to_json_line(entry).as_bytes()));
        if let Err(error) = written {
            tracing::warn!(path = %self.path.display(), %error, "the cassette cannot be written");
        }
    }

    /// Rewrites the file with its lines sorted.
    fn save(&self) -> Result<(), LlmError> {
        let counts = self.counts.iter().map(|(text, tokens)| Entry::Count { text: text.clone(), tokens: *tokens });
        let calls = self.calls.values().map(|call| Entry::Call(Box::new(call.clone())));
        let text: String =
            std::iter::once(self.head.clone()).chain(counts).chain(calls).map(|entry| to_json_line(&entry)).collect();
        let draft = self.path.with_extension("part");
        std::fs::write(&draft, text)
            .and_then(|()| std::fs::rename(&draft, &self.path))
            .map_err(|error| LlmError::ModelFile { path: self.path.clone(), message: error.to_string() })
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        if self.changed
            && let Err(error) = self.save()
        {
            tracing::warn!(%error, "the cassette cannot be sorted");
        }
    }
}

#[async_trait]
impl ChatModel for Cassette {
    fn id(&self) -> &str {
        &self.id
    }

    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        let Some(inner) = &self.inner else {
            // A text without a recorded count belongs to a prompt that was not recorded either: the call will report
            // the miss.
            let tape = self.tape.lock();
            return Ok(texts
                .iter()
                .map(|text| tape.counts.get(&text_key(text)).copied().unwrap_or_else(|| estimate_tokens(text)))
                .collect());
        };
        let counts = inner.count_tokens(texts).await?;
        let mut tape = self.tape.lock();
        for (text, tokens) in texts.iter().zip(&counts) {
            let text = text_key(text);
            if tape.counts.insert(text.clone(), *tokens).is_none() {
                tape.append_entry(&Entry::Count { text, tokens: *tokens });
            }
        }
        Ok(counts)
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        if cancel.is_cancelled() {
            return Err(LlmError::Cancelled);
        }
        let key = key_of(&self.id, &request);
        let known = self.tape.lock().calls.get(&key).map(replay_events);
        match (known, &self.inner) {
            (Some(events), _) => Ok(stream::iter(events).boxed()),
            // A caller may stop early. The whole call is recorded, so that a replay can read further.
            (None, Some(inner)) => {
                let whole = inner.stream(request.clone(), CancellationToken::new()).await?;
                Ok(record_events(key, request, whole, self.tape.clone()))
            }
            (None, None) => Err(LlmError::BadReply {
                message: format!(
                    "{} has no reply (key {key}) for the prompt: {}",
                    self.tape.lock().path.display(),
                    excerpt_prompt(&request)
                ),
                reply: String::new(),
            }),
        }
    }
}

/// Forwards events and records the call once it is complete.
fn record_events(
    key: String,
    request: Request,
    events: BoxStream<'static, Result<ModelEvent, LlmError>>,
    tape: Arc<Mutex<Tape>>,
) -> BoxStream<'static, Result<ModelEvent, LlmError>> {
    let samples = request.samples.max(1) as usize;
    let mut replies = vec![String::new(); samples];
    let mut reasons = vec![FinishReason::Cancelled; samples];
    let mut probabilities = vec![None; samples];
    events
        .inspect(move |event| match event {
            Ok(ModelEvent::Token { sample, text }) => {
                if let Some(reply) = replies.get_mut(*sample as usize) {
                    reply.push_str(text);
                }
            }
            Ok(ModelEvent::Finished { sample, reason, probability }) => {
                if let Some(slot) = reasons.get_mut(*sample as usize) {
                    *slot = *reason;
                    probabilities[*sample as usize].clone_from(probability);
                }
            }
            // A cancelled call is not recorded: its reply is incomplete.
            Ok(ModelEvent::Usage(usage)) if !reasons.contains(&FinishReason::Cancelled) => {
                if probabilities.iter().all(Option::is_none) {
                    probabilities.clear();
                }
                let call = Call {
                    key: key.clone(),
                    request: request.clone(),
                    replies: std::mem::take(&mut replies),
                    reasons: std::mem::take(&mut reasons),
                    probabilities: std::mem::take(&mut probabilities),
                    usage: *usage,
                };
                let mut tape = tape.lock();
                // Two callers may have sent the same request. The first reply is kept, since a replay can return only
                // one.
                if !tape.calls.contains_key(&key) {
                    tape.append_entry(&Entry::Call(Box::new(call.clone())));
                    tape.calls.insert(key.clone(), call);
                }
            }
            _ => {}
        })
        .boxed()
}

fn replay_events(call: &Call) -> Vec<Result<ModelEvent, LlmError>> {
    let mut events = Vec::new();
    for (sample, (text, reason)) in call.replies.iter().zip(&call.reasons).enumerate() {
        let sample = sample as u32;
        if !text.is_empty() {
            events.push(Ok(ModelEvent::Token { sample, text: text.clone() }));
        }
        let probability = call.probabilities.get(sample as usize).cloned().flatten();
        events.push(Ok(ModelEvent::Finished { sample, reason: *reason, probability }));
    }
    events.push(Ok(ModelEvent::Usage(call.usage)));
    events
}

fn to_json_line(entry: &Entry) -> String {
    // Fields keep their order of declaration for readability; schema keys keep the order of the Rust type.
    format!("{}\n", serde_json::to_string(entry).expect("an entry is plain data"))
}

/// Computes the key of a call: 32 hex digits of a hash over model name and request.
fn key_of(id: &str, request: &Request) -> String {
    let mut request = serde_json::to_value(request).expect("a request is plain data");
    // The priority of a request does not affect its reply.
    request.as_object_mut().map(|fields| fields.remove("background"));
    let canonical = sort_keys(serde_json::json!({ "model": id, "request": request }));
    blake3::hash(canonical.to_string().as_bytes()).to_hex()[..32].to_owned()
}

fn text_key(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Sorts the keys of every object alphabetically.
fn sort_keys(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let ordered: BTreeMap<String, Value> =
                map.into_iter().map(|(key, value)| (key, sort_keys(value))).collect();
            Value::Object(ordered.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sort_keys).collect()),
        other => other,
    }
}

/// Returns the last 300 characters of a prompt, which contain the question, for an error message.
fn excerpt_prompt(request: &Request) -> String {
    let last = request.turns.last().map_or(&request.tail, |(_, user)| user);
    let last = last.trim();
    let start = last.char_indices().rev().nth(300).map_or(0, |(at, _)| at);
    format!("{}{}", if start > 0 { "..." } else { "" }, &last[start..])
}
