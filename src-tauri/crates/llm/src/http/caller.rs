//! Sends one request: splits it into calls, retries each, and merges their events.

use super::address::{is_here, key_may_travel, redact_address};
use super::budget::with_thinking;
use super::config::ServerConfig;
use super::failure::{Failure, parse_numbers};
use super::format::{Features, Format};
use super::measure::Measure;
use super::part::SampleRange;
use super::quirks::{Feature, Quirks, Without, find_refused_feature, of_this_schema};
use super::reply::{Reply, unusable_reply};
use super::sse::Events;
use crate::{CallUsage, LlmError, ModelEvent, Request, estimate_prompt};
use backon::{ExponentialBuilder, Retryable};
use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use vitrine_domain::ModelProfile;

/// Maximum number of concurrent calls to one server, over all callers: providers limit them, and a local server has few
/// processors.
const AT_ONCE: usize = 8;
/// Maximum number of bytes that are read of an error response.
const LONGEST_REFUSAL: usize = 64 << 10;
/// Maximum number of bytes that are read of a reply, over all samples; bounds servers that never stop.
const LONGEST_REPLY: usize = 64 << 20;
/// Maximum number of bytes per requested token. A token with its event and probabilities takes about a tenth of that.
const LONGEST_TOKEN: usize = 4 << 10;
/// Lower bound on the byte limit, for replies of a few tokens: servers send more than the text.
const LEAST_REPLY: usize = 1 << 20;

/// The channel that receives the events of a request.
pub(super) type Out = Sender<Result<ModelEvent, LlmError>>;

/// A configured server and the state learned about it.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) config: ServerConfig,
    pub(super) quirks: Quirks,
    pub(super) measure: Measure,
    pub(super) format: Arc<dyn Format>,
    endpoint: Url,
    pub(super) client: Client,
    pub(super) headers: HeaderMap,
    /// Limits concurrent calls; waiters are served in order of arrival.
    turns: Semaphore,
}

/// The result of one call.
struct Answered {
    usage: CallUsage,
    missing: Vec<u32>,
}

impl Caller {
    pub(super) fn new(format: Arc<dyn Format>, mut config: ServerConfig) -> Result<Self, LlmError> {
        let endpoint = format.call_endpoint(&config)?;
        // Pasted keys often end in a line break.
        config.api_key = config.api_key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        if config.api_key.is_some() && !key_may_travel(&config.base_url) {
            let message = format!(
                "{}: a key is sent only over https, or within this computer",
                redact_address(endpoint.as_str())
            );
            return Err(LlmError::Unreachable { message });
        }
        let headers = build_headers(format.as_ref(), config.api_key.as_deref())?;
        let mut client = Client::builder()
            .connect_timeout(config.patience.connect)
            .read_timeout(config.patience.silence)
            // A redirect would forward the key header to its target.
            .redirect(redirect::Policy::none());
        if is_here(&endpoint) {
            client = client.no_proxy();
            if endpoint.scheme() == "http" {
                // A machine without root certificates can still call itself.
                client = client.tls_certs_only([]);
            }
        }
        let client = client.build().map_err(|error| LlmError::Unreachable { message: error.to_string() })?;
        let quirks = Quirks::new(format.unsupported_features());
        let measure = Measure::default();
        Ok(Self { config, quirks, measure, format, endpoint, client, headers, turns: Semaphore::new(AT_ONCE) })
    }

    /// Requests every sample and returns the total usage of all calls.
    pub(super) async fn request_samples(&self, request: Request, out: &Out) -> Result<CallUsage, LlmError> {
        let mut usage = CallUsage::default();
        let several = self.config.profile.samples && self.quirks.may_use(Feature::Samples);
        let mut left = split_samples(&request, several);
        // A second round requests samples that a server omitted although it accepted `n`.
        for _ in 0..2 {
            let calls: Vec<_> = left.iter().map(|part| self.send_call(&request, *part, out).boxed()).collect();
            let answers: Vec<Answered> = stream::iter(calls)
                .buffer_unordered(AT_ONCE)
                .try_collect()
                .await
                .map_err(|error| self.redact_error(error))?;
            left.clear();
            for answer in answers {
                usage.prompt_tokens += answer.usage.prompt_tokens;
                usage.cached_prompt_tokens += answer.usage.cached_prompt_tokens;
                usage.cache_write_tokens += answer.usage.cache_write_tokens;
                usage.completion_tokens += answer.usage.completion_tokens;
                usage.reasoning_tokens += answer.usage.reasoning_tokens;
                left.extend(answer.missing.into_iter().map(|first| SampleRange { first, samples: 1, greedy: false }));
            }
            if left.is_empty() {
                break;
            }
        }
        Ok(usage)
    }

    /// Sends one call, with retries as long as the failure is transient and no part of the reply was forwarded.
    async fn send_call(&self, request: &Request, part: SampleRange, out: &Out) -> Result<Answered, LlmError> {
        let patience = self.config.patience;
        let backoff = ExponentialBuilder::default()
            .with_min_delay(patience.first_wait)
            .with_max_delay(patience.longest_wait)
            .with_max_times(patience.attempts.saturating_sub(1))
            .with_jitter();
        let longest = patience.longest_wait;
        (|| self.with_what_is_taken(request, part, out))
            .retry(backoff)
            .when(|failure: &Failure| failure.passing && failure.wait.is_none_or(|wait| wait <= longest))
            .adjust(|failure: &Failure, delay: Option<Duration>| delay.map(|delay| failure.wait.unwrap_or(delay)))
            .notify(|failure, delay| tracing::debug!(error = %self.redact_error(failure.error.clone()), ?delay, "asking the model server again"))
            .await
            .map_err(|failure| failure.error)
    }

    /// Makes one attempt, and repeats it immediately without each feature that the server rejects.
    async fn with_what_is_taken(&self, request: &Request, part: SampleRange, out: &Out) -> Result<Answered, Failure> {
        // The semaphore is never closed. The permit is not held while waiting for the next attempt.
        let _turn = self.turns.acquire().await.ok();
        let mut without = self.quirks.unusable_features();
        // A fault of one schema does not apply to the next.
        let mut this_time = Without::default();
        loop {
            let mut features = Features::new(without.union_with(this_time));
            let body = self.format.build_body(&self.config, request, part, &mut features);
            let prefilled = features.sent_features().contains(&Feature::Prefill);
            let reply = Reply::new(request, part, self.config.profile.context_tokens, prefilled, self.secret_key());
            let refused = match self.attempt_call(body.to_string(), request, reply, out).await {
                Ok(answered) => {
                    if !answered.missing.is_empty() {
                        without.add(Feature::Samples);
                    }
                    self.quirks.remember_unusable(without);
                    return Ok(answered);
                }
                Err(failure) => failure,
            };
            let Some(refusal) = &refused.refusal else { return Err(refused) };
            let words = |feature| self.format.refusal_words(feature);
            let named = find_refused_feature(refusal, &self.config.model, features.sent_features(), words);
            // An unspecified fault is attributed to the schema, the feature that servers most often lack, unless the
            // key may be invalid.
            let vague = !matches!(refused.error, LlmError::Unauthorised { .. });
            let schema = vague && features.sent_features().contains(&Feature::Schema);
            match named.or(schema.then_some(Feature::Schema)) {
                Some(Feature::Schema) if of_this_schema(refusal) => this_time.add(Feature::Schema),
                // A rejection that repeats the limit concerns its amount, not the name of the parameter.
                Some(Feature::FirstLimitName) if parse_numbers(&refusal.message).contains(&request.max_tokens) => {
                    return Err(refused);
                }
                Some(feature) => without.add(feature),
                None => return Err(refused),
            }
        }
    }

    async fn attempt_call(
        &self,
        body: String,
        request: &Request,
        mut reply: Reply,
        out: &Out,
    ) -> Result<Answered, Failure> {
        let to = self.endpoint.origin().ascii_serialization();
        let sent = ModelEvent::Sent { to, body: body.clone() };
        out.send(Ok(sent)).await.map_err(|_| Failure::permanent(LlmError::Cancelled))?;
        let post = self.client.post(self.endpoint.clone()).headers(self.headers.clone()).body(body);
        let response = post.send().await.map_err(|error| self.connection_failure(error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let text = read_error_body(response).await;
            let text = self.without_key(&text);
            return Err(Failure::from_response(status.as_u16(), &headers, &text, self.config.profile.context_tokens));
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        if kind.contains("text/html") {
            let message =
                format!("{} answers with a web page; is the address right?", redact_address(self.endpoint.as_str()));
            return Err(Failure::permanent(LlmError::Refused { status: status.as_u16(), message }));
        }
        let spoken = AtomicBool::new(false);
        let read = if kind.contains("application/json") {
            // Some servers do not stream.
            self.read_whole(response, &mut reply, longest_reply(&self.config.profile, request), &spoken, out).await
        } else {
            self.read_stream(response, &mut reply, longest_reply(&self.config.profile, request), &spoken, out).await
        };
        // The caller has received part of the reply; a retry would produce a different one.
        read.map_err(
            |failure| if spoken.load(Ordering::Relaxed) { Failure { passing: false, ..failure } } else { failure },
        )?;
        if !reply.is_complete() {
            let message =
                format!("{}: the connection ended before the reply was whole", redact_address(self.endpoint.as_str()));
            let failure = Failure::transient(LlmError::Unreachable { message });
            return Err(Failure { passing: !spoken.load(Ordering::Relaxed), ..failure });
        }
        let estimated = estimate_prompt(request);
        if let Some(counted) = reply.counted_prompt() {
            self.measure.record_count(&request.output, estimated, counted);
        }
        Ok(Answered { usage: reply.total_usage(estimated), missing: reply.missing_samples() })
    }

    async fn read_stream(
        &self,
        mut response: Response,
        reply: &mut Reply,
        longest: usize,
        spoken: &AtomicBool,
        out: &Out,
    ) -> Result<(), Failure> {
        let malformed = |message: String| unusable_reply(format!("the server's stream is broken: {message}"));
        let mut events = Events::default();
        let mut length = 0;
        loop {
            let chunk = response.chunk().await.map_err(|error| self.connection_failure(error))?;
            length += chunk.as_ref().map_or(0, |bytes| bytes.len());
            if length > longest {
                return Err(too_long(longest));
            }
            let data = match &chunk {
                Some(bytes) => events.push(bytes).map_err(malformed)?,
                None => events.finish().map_err(malformed)?.into_iter().collect(),
            };
            for data in data {
                self.format.read_event(&self.without_key(&data), reply)?;
                pass_on(reply.take_events(), spoken, out).await?;
                if reply.has_ended() {
                    return Ok(());
                }
            }
            if chunk.is_none() {
                return Ok(());
            }
        }
    }

    async fn read_whole(
        &self,
        mut response: Response,
        reply: &mut Reply,
        longest: usize,
        spoken: &AtomicBool,
        out: &Out,
    ) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.connection_failure(error))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > longest {
                return Err(too_long(longest));
            }
        }
        self.format.read_event(&self.without_key(&String::from_utf8_lossy(&bytes)), reply)?;
        pass_on(reply.take_events(), spoken, out).await
    }

    fn connection_failure(&self, error: reqwest::Error) -> Failure {
        self.broken_at(error, self.endpoint.as_str())
    }

    pub(super) fn broken_at(&self, error: reqwest::Error, address: &str) -> Failure {
        Failure::from_connection(error, address, self.config.patience.connect, self.config.patience.silence)
    }

    /// Removes the key from an error.
    pub(super) fn redact_error(&self, error: LlmError) -> LlmError {
        let clean = |text: String| self.without_key(&text).into_owned();
        match error {
            LlmError::Unreachable { message } => LlmError::Unreachable { message: clean(message) },
            LlmError::Unauthorised { message } => LlmError::Unauthorised { message: clean(message) },
            LlmError::Refused { status, message } => LlmError::Refused { status, message: clean(message) },
            LlmError::BadReply { message, reply } => {
                LlmError::BadReply { message: clean(message), reply: clean(reply) }
            }
            other => other,
        }
    }

    /// Returns the key if it is a secret: short values such as `ollama` are placeholders.
    fn secret_key(&self) -> Option<&str> {
        self.config.api_key.as_deref().filter(|key| key.len() >= 8)
    }

    /// Replaces the key, which some servers repeat in their messages. Must be called before text is truncated, because
    /// a truncated key is not recognized.
    pub(super) fn without_key<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.secret_key() {
            Some(key) if text.contains(key) => Cow::Owned(text.replace(key, "***")),
            _ => Cow::Borrowed(text),
        }
    }
}

async fn pass_on(events: Vec<ModelEvent>, spoken: &AtomicBool, out: &Out) -> Result<(), Failure> {
    for event in events {
        spoken.store(true, Ordering::Relaxed);
        out.send(Ok(event)).await.map_err(|_| Failure::permanent(LlmError::Cancelled))?;
    }
    Ok(())
}

/// Reads the beginning of an error response's body.
async fn read_error_body(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < LONGEST_REFUSAL
        && let Ok(Some(chunk)) = response.chunk().await
    {
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the maximum number of bytes to read of a reply.
fn longest_reply(profile: &ModelProfile, request: &Request) -> usize {
    let tokens = (with_thinking(profile, request) as usize).saturating_mul(request.samples.max(1) as usize);
    tokens.saturating_mul(LONGEST_TOKEN).clamp(LEAST_REPLY, LONGEST_REPLY)
}

fn too_long(longest: usize) -> Failure {
    unusable_reply(format!("the reply is longer than {} MB", longest >> 20))
}

fn build_headers(format: &dyn Format, key: Option<&str>) -> Result<HeaderMap, LlmError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in format.fixed_headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let (name, value) = format.key_header(key);
        let mut value = HeaderValue::from_str(&value).map_err(|_| LlmError::Unauthorised {
            message: "the key holds characters that no key can have".to_owned(),
        })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

/// Distributes the samples of a request over calls.
fn split_samples(request: &Request, several: bool) -> Vec<SampleRange> {
    let samples = request.samples.max(1);
    let greedy = u32::from(request.first_greedy && request.temperature > 0.0);
    let mut parts: Vec<SampleRange> = (0..greedy).map(|_| SampleRange { first: 0, samples: 1, greedy: true }).collect();
    if several && samples > greedy {
        parts.push(SampleRange { first: greedy, samples: samples - greedy, greedy: false });
    } else {
        parts.extend((greedy..samples).map(|first| SampleRange { first, samples: 1, greedy: false }));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_of_a_reply_than_its_tokens_can_take() {
        let profile = ModelProfile { context_tokens: 100_000, reply_tokens: 0, ..ModelProfile::default() };
        let read =
            |max_tokens, samples| longest_reply(&profile, &Request { max_tokens, samples, ..Request::default() });
        assert_eq!(read(64, 1), LEAST_REPLY);
        assert!((2 << 20..16 << 20).contains(&read(1_000, 1)), "{}", read(1_000, 1));
        assert_eq!(read(1_000, 2), 2 * read(1_000, 1));
        assert_eq!(read(32_000, 8), LONGEST_REPLY);
    }
}
