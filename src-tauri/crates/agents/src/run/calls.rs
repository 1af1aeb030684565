//! Calling a model: the whole exchange is logged.

use crate::run::budget::Planned;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::meter::SpentCall;
use futures::StreamExt;
use vitrine_domain::run::PromptMessage;
use vitrine_domain::{Agent, EventBody, TokenProbability};
use vitrine_llm::{
    CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request, estimate_prompt, estimate_tokens,
};
use vitrine_words::tr;

/// Concurrent calls of one stage. A provider answers them in parallel, and so does the embedded model, for which a
/// token of several texts costs little more than a token of one.
pub const CALLS_AT_ONCE: usize = 4;

/// The shortest interval in milliseconds between two updates of a reply's text.
const PROGRESS_EVERY_MS: u32 = 100;

/// All replies to one request.
pub struct Replies {
    /// One text per sample; empty where it was cut off and asked again in vain.
    pub texts: Vec<String>,
}

impl Replies {
    /// The first (greedy) reply.
    pub fn first_reply(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }
}

impl RunContext {
    /// Asks an agent's model; the whole exchange is logged, also when it fails.
    pub async fn call_model(&self, agent: Agent, node: &str, request: Request) -> Result<Replies, StageError> {
        self.call_until(agent, node, request, async |_: &str| Ok(false)).await
    }

    /// Asks an agent's model and passes on every reply as soon as it is complete. When `enough` returns true, the model
    /// stops and incomplete replies are dropped.
    ///
    /// A reply that a model cuts off is no answer where the model deliberates or reasons first: it is asked again with twice the
    /// room, up to the longest that the model writes, and stays empty where that is not enough. Each time is a call of its own
    /// in the log. What another model says in vain does not get better with more room: its replies stand as they are.
    pub async fn call_until(
        &self,
        agent: Agent,
        node: &str,
        mut request: Request,
        mut enough: impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> Result<Replies, StageError> {
        let profile = self.model(agent).profile();
        let most = profile.writes_at_length().then_some(profile.reply_tokens);
        let mut texts = vec![String::new(); request.samples.max(1) as usize];
        // The samples that are still to be written, by their place in `texts`.
        let mut open: Vec<usize> = (0..texts.len()).collect();
        // No seed is used twice: the same reply would count as two that agree.
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

    /// One call. Where `most` is given, replies that were cut are told apart: they may be asked again with more room.
    async fn call_once(
        &self,
        agent: Agent,
        node: &str,
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
        };
        let read = tokio::select! {
            read = self.read_reply(model.as_ref(), request, node, call, &mut written, enough) => Some(read),
            () = self.spending.time_is_up() => None,
        };
        let in_time = read.is_some();
        let (mut spent, outcome) = read.unwrap_or((CallUsage::default(), Ok(())));
        // A server that is not heard to the end says no cost, and takes its money for what it has read and written.
        let wrote = written.texts.iter().any(|text| !text.is_empty());
        if asked > 0 && spent == CallUsage::default() && (wrote || !in_time || self.cancel.is_cancelled()) {
            spent.prompt_tokens = asked;
            spent.completion_tokens = written.texts.iter().map(|text| u64::from(estimate_tokens(text))).sum();
        }
        let cost = SpentCall::new(agent, model.as_ref(), &spent, u64::from(self.elapsed_ms() - began));
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
                Ok(()) if !in_time => Some(tr!("The time for the question was over")),
                Ok(()) if written.cut.is_empty() => None,
                Ok(()) => Some(match most.and_then(|most| more_room(room, most)) {
                    Some(more) => {
                        tr!("The reply was cut off at {room} tokens; asked again with room for {more}", room, more)
                    }
                    None => tr!("The reply was cut off at {room} tokens, the most that is asked for", room),
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
        node: &str,
        call: u32,
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
                    let values_of = self.egress.values_of(&body, &self.ask.profile);
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
                            // Nobody waits for the others any more.
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

/// What one call wrote.
struct StreamedReplies {
    texts: Vec<String>,
    /// The samples that were cut off, where these are told apart.
    cut: Vec<usize>,
    drops_cut: bool,
    probabilities: Vec<Option<TokenProbability>>,
}

impl StreamedReplies {
    /// How likely the model found each reply; empty where it says so of none.
    fn told_probabilities(&self) -> Vec<Option<TokenProbability>> {
        let none = self.probabilities.iter().all(Option::is_none);
        if none { Vec::new() } else { self.probabilities.clone() }
    }
}

/// The room for a reply that did not fit; `None` where it had all that there is.
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
