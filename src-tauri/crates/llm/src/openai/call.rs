//! Sending one request: split into calls, each retried, their events merged.

use super::config::{OpenAiConfig, OpenAiKind, shown};
use super::failure::Failure;
use super::quirks::{Feature, Quirks, blame};
use super::sse::Events;
use super::tokens::estimate_tokens;
use super::wire::{self, Part, Reader};
use crate::{CallUsage, LlmError, ModelEvent, Request};
use backon::{ExponentialBuilder, Retryable};
use futures::{FutureExt, StreamExt, TryStreamExt, stream};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;

/// Concurrent calls to one server, over all callers: providers limit them, and a local server has few processors.
const AT_ONCE: usize = 8;
/// How much of a refusal is read.
const LONGEST_REFUSAL: usize = 64 << 10;
/// No English or SQL has more characters a token than this on average: a prompt that is too long even so is not sent.
const MOST_CHARS_PER_TOKEN: f64 = 5.0;
/// The least room for a reply that a prompt near the limit leaves.
const LEAST_REPLY: u32 = 64;

/// Where events go.
pub(super) type Out = Sender<Result<ModelEvent, LlmError>>;

/// A configured server and what is known about it.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) config: OpenAiConfig,
    pub(super) quirks: Quirks,
    endpoint: Url,
    client: Client,
    auth: Option<(HeaderName, HeaderValue)>,
    /// Who is being answered, first come, first served.
    turns: Semaphore,
}

/// What a call gave.
struct Answered {
    usage: CallUsage,
    missing: Vec<u32>,
}

impl Caller {
    pub(super) fn new(mut config: OpenAiConfig) -> Result<Self, LlmError> {
        let endpoint = config.endpoint()?;
        // Keys are pasted, and a paste often ends in a line break.
        config.api_key = config.api_key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        let auth = config.api_key.as_deref().map(|key| auth(config.kind, key)).transpose()?;
        let mut client = Client::builder()
            .connect_timeout(config.patience.connect)
            .read_timeout(config.patience.silence)
            // A redirect would carry Azure's key header to wherever it points.
            .redirect(redirect::Policy::none());
        if endpoint.host_str().is_some_and(is_here) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| LlmError::Unreachable { message: error.to_string() })?;
        Ok(Self { config, quirks: Quirks::default(), endpoint, client, auth, turns: Semaphore::new(AT_ONCE) })
    }

    /// The request with a reply limit that fits the context.
    pub(super) fn within_budget(&self, mut request: Request) -> Result<Request, LlmError> {
        let least = (prompt_chars(&request) as f64 / MOST_CHARS_PER_TOKEN) as u32;
        let context = self.config.context_tokens;
        if least + LEAST_REPLY > context {
            return Err(LlmError::ContextExceeded {
                needed: prompt_estimate(&request) + request.max_tokens,
                available: context,
            });
        }
        request.max_tokens = request.max_tokens.min(context - least);
        Ok(request)
    }

    /// Gets every sample of the request; returns what all calls cost together.
    pub(super) async fn answer(&self, request: Request, out: &Out) -> Result<CallUsage, LlmError> {
        let mut usage = CallUsage::default();
        let mut left = parts(&request, self.quirks.has(Feature::Samples));
        // A second round is for samples that a server left out although it took `n`.
        for _ in 0..2 {
            let calls: Vec<_> = left.iter().map(|part| self.part(&request, *part, out).boxed()).collect();
            let answers: Vec<Answered> = stream::iter(calls)
                .buffer_unordered(AT_ONCE)
                .try_collect()
                .await
                .map_err(|error| self.redacted(error))?;
            left.clear();
            for answer in answers {
                usage.prompt_tokens += answer.usage.prompt_tokens;
                usage.cached_prompt_tokens += answer.usage.cached_prompt_tokens;
                usage.completion_tokens += answer.usage.completion_tokens;
                left.extend(answer.missing.into_iter().map(|first| Part { first, samples: 1, greedy: false }));
            }
            if left.is_empty() {
                break;
            }
        }
        Ok(usage)
    }

    /// One call, asked again while that may help and nothing of the reply has been passed on.
    async fn part(&self, request: &Request, part: Part, out: &Out) -> Result<Answered, LlmError> {
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
            .notify(|failure, delay| tracing::debug!(error = %self.redacted(failure.error.clone()), ?delay, "asking the model server again"))
            .await
            .map_err(|failure| failure.error)
    }

    /// One attempt, repeated at once without each feature that the server refuses.
    async fn with_what_is_taken(&self, request: &Request, part: Part, out: &Out) -> Result<Answered, Failure> {
        // Never closed; held while this attempt lasts, and not while the next one is waited for.
        let _turn = self.turns.acquire().await.ok();
        let mut without = self.quirks.known();
        loop {
            let (body, sent) = wire::body(&self.config, request, part, without);
            let refused = match self.attempt(&body.to_string(), request, part, out).await {
                Ok(answered) => {
                    if !answered.missing.is_empty() {
                        without.add(Feature::Samples);
                    }
                    self.quirks.remember(without);
                    return Ok(answered);
                }
                Err(failure) => failure,
            };
            match refused.refusal.as_deref().and_then(|refusal| blame(refusal, &sent)) {
                Some(feature) => without.add(feature),
                None => return Err(refused),
            }
        }
    }

    async fn attempt(&self, body: &str, request: &Request, part: Part, out: &Out) -> Result<Answered, Failure> {
        let mut post =
            self.client.post(self.endpoint.clone()).header(CONTENT_TYPE, "application/json").body(body.to_owned());
        if let Some((name, value)) = &self.auth {
            post = post.header(name, value);
        }
        let response = post.send().await.map_err(|error| self.broken(error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let text = beginning(response).await;
            return Err(Failure::refused(status.as_u16(), &headers, &text, self.config.context_tokens));
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let mut reader = Reader::new(request, part, self.config.context_tokens);
        if kind.contains("text/html") {
            let message = format!("{} answers with a web page; is the address right?", shown(self.endpoint.as_str()));
            return Err(Failure::lasting(LlmError::Refused { status: status.as_u16(), message }));
        }
        let spoken = AtomicBool::new(false);
        let read = if kind.contains("application/json") {
            // Some servers do not stream.
            self.read_whole(response, &mut reader, &spoken, out).await
        } else {
            self.read_stream(response, &mut reader, &spoken, out).await
        };
        // A reader has seen part of the reply: asking again would make it see another one.
        read.map_err(
            |failure| if spoken.load(Ordering::Relaxed) { Failure { passing: false, ..failure } } else { failure },
        )?;
        if !reader.whole() {
            let message = format!("{}: the connection ended before the reply was whole", shown(self.endpoint.as_str()));
            let failure = Failure::passing(LlmError::Unreachable { message });
            return Err(Failure { passing: !spoken.load(Ordering::Relaxed), ..failure });
        }
        Ok(Answered { usage: reader.usage(prompt_estimate(request)), missing: reader.missing() })
    }

    async fn read_stream(
        &self,
        mut response: Response,
        reader: &mut Reader,
        spoken: &AtomicBool,
        out: &Out,
    ) -> Result<(), Failure> {
        let malformed = |message: String| {
            Failure::lasting(LlmError::BadReply {
                message: format!("the server's stream is broken: {message}"),
                reply: String::new(),
            })
        };
        let mut events = Events::default();
        loop {
            let chunk = response.chunk().await.map_err(|error| self.broken(error))?;
            let data = match &chunk {
                Some(bytes) => events.push(bytes).map_err(malformed)?,
                None => events.finish().map_err(malformed)?.into_iter().collect(),
            };
            for data in data {
                if data.trim() == "[DONE]" {
                    return Ok(());
                }
                pass_on(reader.take(&data)?, spoken, out).await?;
            }
            if chunk.is_none() {
                return Ok(());
            }
        }
    }

    async fn read_whole(
        &self,
        response: Response,
        reader: &mut Reader,
        spoken: &AtomicBool,
        out: &Out,
    ) -> Result<(), Failure> {
        let text = response.text().await.map_err(|error| self.broken(error))?;
        pass_on(reader.take(&text)?, spoken, out).await
    }

    fn broken(&self, error: reqwest::Error) -> Failure {
        Failure::broken(error, self.endpoint.as_str(), self.config.patience.connect, self.config.patience.silence)
    }

    /// The error without the key, which some servers repeat in what they say.
    fn redacted(&self, error: LlmError) -> LlmError {
        // A "key" such as `ollama` is a word and no secret.
        let Some(key) = self.config.api_key.as_deref().filter(|key| key.len() >= 8) else { return error };
        let clean = |text: String| text.replace(key, "***");
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
}

async fn pass_on(events: Vec<ModelEvent>, spoken: &AtomicBool, out: &Out) -> Result<(), Failure> {
    for event in events {
        spoken.store(true, Ordering::Relaxed);
        out.send(Ok(event)).await.map_err(|_| Failure::lasting(LlmError::Cancelled))?;
    }
    Ok(())
}

/// The beginning of a refusal's body.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < LONGEST_REFUSAL
        && let Ok(Some(chunk)) = response.chunk().await
    {
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn auth(kind: OpenAiKind, key: &str) -> Result<(HeaderName, HeaderValue), LlmError> {
    let (name, value) = match kind {
        OpenAiKind::Azure => (HeaderName::from_static("api-key"), key.to_owned()),
        OpenAiKind::OpenAi | OpenAiKind::Compatible => (reqwest::header::AUTHORIZATION, format!("Bearer {key}")),
    };
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| LlmError::Unauthorised { message: "the key holds characters that no key can have".to_owned() })?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn texts(request: &Request) -> impl Iterator<Item = &str> {
    let turns = request.turns.iter().flat_map(|(assistant, user)| [assistant.as_str(), user.as_str()]);
    [request.system.as_str(), &request.prefix, &request.tail].into_iter().chain(turns)
}

fn prompt_chars(request: &Request) -> usize {
    texts(request).map(|text| text.chars().count()).sum()
}

fn prompt_estimate(request: &Request) -> u32 {
    texts(request).map(estimate_tokens).sum()
}

/// How the samples of a request are spread over calls.
fn parts(request: &Request, several: bool) -> Vec<Part> {
    let samples = request.samples.max(1);
    let greedy = u32::from(request.first_greedy && request.temperature > 0.0);
    let mut parts: Vec<Part> = (0..greedy).map(|_| Part { first: 0, samples: 1, greedy: true }).collect();
    if several && samples > greedy {
        parts.push(Part { first: greedy, samples: samples - greedy, greedy: false });
    } else {
        parts.extend((greedy..samples).map(|first| Part { first, samples: 1, greedy: false }));
    }
    parts
}
