//! Model calls; each is logged with its request and replies.

use crate::run::budget::Planned;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::meter::{CallTime, SpentCall};
use futures::StreamExt;
use vitrine_domain::run::PromptMessage;
use vitrine_domain::{Agent, EventBody, NodeId, TokenProbability};
use vitrine_llm::{
    CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request, estimate_prompt, estimate_tokens,
};
use vitrine_words::tr;

/// Number of concurrent calls of one stage. Providers answer them in parallel, as does the embedded model, for which a token of several
/// texts costs little more than a token of one.
pub const CALLS_AT_ONCE: usize = 4;

/// Minimum interval in milliseconds between two updates of a reply's text.
const PROGRESS_EVERY_MS: u32 = 100;

/// All replies to one request.
pub struct Replies {
    /// Texts of the samples; a text is empty if the reply was still cut off after retries.
    pub texts: Vec<String>,
}

impl Replies {
    /// Returns the first (greedy) reply.
    pub fn first_reply(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }
}

impl RunContext {
    /// Calls an agent's model; the exchange is logged even if the call fails.
    pub async fn call_model(&self, agent: Agent, node: &NodeId, request: Request) -> Result<Replies, StageError> {
        self.call_until(agent, node, request, async |_: &str| Ok(false)).await
    }

    /// Calls an agent's model and passes on every reply when it is complete. When `enough` returns true, the model stops and incomplete
    /// replies are dropped.
    ///
    /// If the model deliberates or reasons first, a reply that is cut off is not an answer: the request is repeated with twice the room, up
    /// to the model's longest reply, and the text is empty if that is still too short. Each repetition is a separate call in the log.
    /// Replies of other models are kept when they are cut off, since more room does not improve them.
    pub async fn call_until(
        &self,
        agent: Agent,
        node: &NodeId,
        mut request: Request,
        mut enough: impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> Result<Replies, StageError> {
        let profile = self.model(agent).profile();
        let most = profile.writes_at_length().then_some(profile.reply_tokens);
        let mut texts = vec![String::new(); request.samples.max(1) as usize];
        // Indexes in `texts` of the samples that are not complete.
        let mut open: Vec<usize> = (0..texts.len()).collect();
        // Each seed is used once, because equal replies of one seed would look like two that agree.
        let mut sampled = 0;
        loop {
            let asked = Request {
                samples: open.len() as u32,
                first_greedy: request.first_greedy && open[0] == 0,
                seed: request.seed + sampled,
                ..request.clone()
            };
            sampled += open.len() as u64;
            let written = self.call_once(agent, node, asked, most, &mut enough).await?;
            for (at, text) in open.iter().zip(written.texts) {
                texts[*at] = text;
            }
            open = written.cut.into_iter().map(|at| open[at]).collect();
            for at in &open {
                texts[*at].clear();
            }
            match most.and_then(|most| more_room(request.max_tokens, most)) {
                Some(more) if !open.is_empty() => request.max_tokens = more,
                _ => return Ok(Replies { texts }),
            }
        }
    }

    /// Makes one call. If `most` is given, truncated replies are marked, so that they can be requested again with more room.
    async fn call_once(
        &self,
        agent: Agent,
        node: &NodeId,
        mut request: Request,
        most: Option<u32>,
        enough: &mut impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> Result<StreamedReplies, StageError> {
        if self.cancel.is_cancelled() {
            return Err(LlmError::Cancelled.into());
        }
        tokio::select! {
            () = self.cancel.cancelled() => return Err(LlmError::Cancelled.into()),
            () = self.spending.wait_until_resumed() => {}
        }
        let model = self.model(agent).clone();
        let profile = model.profile();
        if self.spending.is_over(agent, !profile.runs_here()) {
            self.spending.give_up().await;
        }
        let planned = Planned {
            agent,
            profile: &profile,
            prompt: estimate_prompt(&request),
            samples: request.samples,
            room: request.max_tokens,
        };
        let aside = tokio::select! {
            () = self.cancel.cancelled() => return Err(LlmError::Cancelled.into()),
            aside = self.spending.set_aside(&planned) => aside,
        };
        let Some(aside) = aside else { self.spending.give_up().await };
        request.max_tokens = aside.room;
        if agent == Agent::Generator {
            let opening =
                || Request { system: request.system.clone(), prefix: request.prefix.clone(), ..Request::default() };
            self.record_material(|told| {
                told.opening.get_or_insert_with(opening);
            });
        }
        let call = self.spending.next_call();
        self.emit(EventBody::ModelCallStarted {
            node: node.to_owned(),
            call,
            agent,
            model: model.id().to_owned(),
            messages: prompt_messages(&request),
            samples: request.samples,
            temperature: request.temperature,
            seed: request.seed,
        });
        let began = self.elapsed_ms();
        let opening = request.assistant_prefix.clone();
        let room = request.max_tokens;
        let asked = if profile.runs_here() { 0 } else { estimate_prompt(&request).into() };
        let mut written = StreamedReplies {
            texts: vec![String::new(); request.samples.max(1) as usize],
            cut: Vec::new(),
            drops_cut: most.is_some(),
            probabilities: vec![None; request.samples.max(1) as usize],
            first_token_at: None,
        };
        let read = tokio::select! {
            read = self.read_reply(model.as_ref(), request, Call { node, number: call }, &mut written, enough) => Some(read),
            () = self.spending.time_is_up() => None,
        };
        let in_time = read.is_some();
        let (mut spent, outcome) = read.unwrap_or((CallUsage::default(), Ok(())));
        // A server whose reply is not read to the end reports no cost, but bills what it has read and written.
        let wrote = written.texts.iter().any(|text| !text.is_empty());
        if asked > 0 && spent == CallUsage::default() && (wrote || !in_time || self.cancel.is_cancelled()) {
            spent.prompt_tokens = asked;
            spent.completion_tokens = written.texts.iter().map(|text| u64::from(estimate_tokens(text))).sum();
        }
        let ended = self.elapsed_ms();
        let took = CallTime {
            first_token_ms: u64::from(written.first_token_at.unwrap_or(ended).saturating_sub(began)),
            wall_ms: u64::from(ended.saturating_sub(began)),
        };
        let cost = SpentCall::new(agent, model.as_ref(), &spent, took);
        let usage = cost.usage;
        self.spending.add_call(cost);
        drop(aside);
        self.emit(EventBody::ModelCallFinished {
            node: node.to_owned(),
            call,
            agent,
            replies: written.texts.iter().map(|t| format!("{opening}{t}")).collect(),
            probabilities: written.told_probabilities(),
            usage,
            error: match &outcome {
                Ok(()) if !in_time => Some(tr!("The time limit of the question was reached")),
                Ok(()) if written.cut.is_empty() => None,
                Ok(()) => Some(match most.and_then(|most| more_room(room, most)) {
                    Some(more) => {
                        tr!("The reply was cut off at {room} tokens; asked again with room for {more}", room, more)
                    }
                    None => tr!("The reply was cut off at {room} tokens, the maximum", room),
                }),
                Err(error) => Some(error.to_string()),
            },
        });
        if !in_time {
            self.spending.give_up().await;
        }
        outcome?;
        Ok(written)
    }

    async fn read_reply(
        &self,
        model: &dyn ChatModel,
        request: Request,
        Call { node, number: call }: Call<'_>,
        written: &mut StreamedReplies,
        enough: &mut impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> (CallUsage, Result<(), StageError>) {
        let mut spent = CallUsage::default();
        let stop = self.cancel.child_token();
        // Dropping the receiver stops the model.
        let _stopping = stop.clone().drop_guard();
        let mut events = match model.stream(request, stop.clone()).await {
            Ok(events) => events,
            Err(error) => return (spent, Err(error.into())),
        };
        let mut unseen = String::new();
        let mut shown_at = self.elapsed_ms();
        while let Some(event) = events.next().await {
            match event {
                Ok(ModelEvent::Token { sample, text }) => {
                    written.first_token_at.get_or_insert_with(|| self.elapsed_ms());
                    if sample == 0 {
                        unseen.push_str(&text);
                        let now = self.elapsed_ms();
                        if now - shown_at >= PROGRESS_EVERY_MS {
                            shown_at = now;
                            let text = std::mem::take(&mut unseen);
                            self.emit(EventBody::ModelCallProgress { node: node.to_owned(), call, text });
                        }
                    }
                    if let Some(whole) = written.texts.get_mut(sample as usize) {
                        whole.push_str(&text);
                    }
                }
                Ok(ModelEvent::Sent { to, body }) => {
                    let values_of = self.egress.values_of(&body, &self.ask.data.profile);
                    self.emit(EventBody::RequestSent { node: node.to_owned(), call, to, body, values_of });
                }
                Ok(ModelEvent::Usage(usage)) => spent = usage,
                Ok(ModelEvent::Finished { sample, reason, probability }) => {
                    let Some(text) = written.texts.get(sample as usize) else { continue };
                    written.probabilities[sample as usize] = probability;
                    if stop.is_cancelled() || reason == FinishReason::Cancelled {
                        continue;
                    }
                    if written.drops_cut && reason == FinishReason::Length {
                        written.cut.push(sample as usize);
                        continue;
                    }
                    match enough(text).await {
                        Ok(true) => {
                            // The remaining replies are not needed.
                            written.cut.clear();
                            stop.cancel();
                        }
                        Ok(false) => {}
                        Err(error) => return (spent, Err(error)),
                    }
                }
                Err(LlmError::Cancelled) if stop.is_cancelled() && !self.cancel.is_cancelled() => break,
                Err(error) => return (spent, Err(error.into())),
            }
        }
        if self.cancel.is_cancelled() { (spent, Err(LlmError::Cancelled.into())) } else { (spent, Ok(())) }
    }
}

/// A model call in the log.
#[derive(Clone, Copy)]
struct Call<'a> {
    node: &'a NodeId,
    number: u32,
}

/// Replies that one call wrote.
struct StreamedReplies {
    texts: Vec<String>,
    /// Indexes of the truncated samples, if these are marked.
    cut: Vec<usize>,
    drops_cut: bool,
    /// Time of the first token, in milliseconds since the run began.
    first_token_at: Option<u32>,
    probabilities: Vec<Option<TokenProbability>>,
}

impl StreamedReplies {
    /// Returns the token probabilities of each reply; empty if the model reports none.
    fn told_probabilities(&self) -> Vec<Option<TokenProbability>> {
        let none = self.probabilities.iter().all(Option::is_none);
        if none { Vec::new() } else { self.probabilities.clone() }
    }
}

/// Returns the larger room for a truncated reply; `None` if it had the maximum.
pub fn more_room(room: u32, most: u32) -> Option<u32> {
    (room < most).then(|| room.saturating_mul(2).min(most))
}

fn prompt_messages(request: &Request) -> Vec<PromptMessage> {
    let message = |role: &str, content: String| PromptMessage { role: role.to_owned(), content };
    let mut messages =
        vec![message("system", request.system.clone()), message("user", format!("{}{}", request.prefix, request.tail))];
    for (assistant, user) in &request.turns {
        messages.push(message("assistant", assistant.clone()));
        messages.push(message("user", user.clone()));
    }
    messages
}
