//! Probes a model's capabilities with a few small requests. Properties that a probe cannot determine stay unknown.

use crate::http::HttpModel;
use crate::http::failure::parse_numbers;
use crate::structured::{strip_reasoning, thinks_aloud};
use crate::{ChatModel, Completion, FinishReason, LlmError, OutputFormat, Request, complete_request, parse_json};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Caching, Effort, ModelProfile, ProfileFacts, Reasoning, SchemaSupport};

/// The result of probing a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Probe {
    /// The profile properties that were determined.
    pub facts: ProfileFacts,
    /// For each property, by name, how it was determined or why it was not.
    pub how: Vec<(&'static str, String)>,
    /// The reply to the first question.
    pub reply: String,
}

impl Probe {
    fn record_evidence(&mut self, line: &'static str, how: impl Into<String>) {
        self.how.push((line, how.into()));
    }
}

/// Token limit for a small reply.
const SMALL: u32 = 64;
/// Token limit for a reply with visible reasoning.
const THINKING: u32 = 2_048;

/// More tokens than any context has.
const ENDLESS: u32 = 100_000_000;
/// The smallest plausible reply limit of a server.
const SHORTEST_LIMIT: u32 = 256;

/// Probes any model. Its way of reasoning is visible in its reply.
///
/// # Errors
/// Returns the model's error if it does not answer.
pub async fn probe_model(model: &dyn ChatModel, cancel: &CancellationToken) -> Result<Probe, LlmError> {
    let mut probe = Probe::default();
    let done =
        send_request(model, cancel, build_request("Multiply 17 by 23. Reply with the number alone.", THINKING)).await?;
    let text = done.first_reply().trim();
    let (reasoning, how) = if thinks_aloud(text) {
        (Some(Reasoning::Text), "its reply begins with its thoughts".to_owned())
    } else if done.usage.reasoning_tokens > 0 {
        let tokens = done.usage.reasoning_tokens;
        (Some(Reasoning::Hidden), format!("it spent {tokens} tokens on reasoning beside its reply"))
    } else if text.is_empty() && done.reasons == [FinishReason::Length] {
        (Some(Reasoning::Hidden), format!("it used up {THINKING} tokens and replied nothing"))
    } else {
        (Some(Reasoning::None), "it replied at once".to_owned())
    };
    probe.facts.reasoning = reasoning;
    probe.record_evidence("reasoning", how);
    probe.reply = strip_reasoning(text).to_owned();
    Ok(probe)
}

/// Probes a remote model: properties that its server reports and features that it accepts.
///
/// # Errors
/// Returns the model's error if it does not answer.
pub async fn probe_remote(model: &HttpModel, cancel: &CancellationToken) -> Result<Probe, LlmError> {
    // All features are tried, regardless of the declared profile; features that many models reject are tried
    // separately.
    let open = ModelProfile {
        schema: SchemaSupport::Lenient,
        stop: true,
        prefill: true,
        samples: true,
        seeded: true,
        token_probabilities: false,
        effort: None,
        ..model.profile()
    };
    let mut probe = self::probe_model(&model.with_profile(open.clone())?, cancel).await?;
    probe_listing(model, &mut probe).await;
    let open = ModelProfile { reasoning: probe.facts.reasoning.unwrap_or(open.reasoning), ..open };
    let model = model.with_profile(open.clone())?;
    let checks = [
        ("schema", probe_schema(&model, &open, cancel, &mut probe).await),
        ("stop", probe_stop(&model, cancel, &mut probe).await),
        ("prefill", probe_prefill(&model, cancel, &mut probe).await),
        ("samples", probe_samples(&model, cancel, &mut probe).await),
        ("seeded", probe_seeds(&model, cancel, &mut probe).await),
        ("token_probabilities", probe_probabilities(&model, &open, cancel, &mut probe).await),
        ("efforts", probe_efforts(&model, &open, cancel, &mut probe).await),
        ("caching", probe_caching(&model, cancel, &mut probe).await),
        ("reply_tokens", longest_reply(&model, &open, cancel, &mut probe).await),
    ];
    for (line, outcome) in checks {
        match outcome {
            Err(LlmError::Cancelled) => return Err(LlmError::Cancelled),
            Err(error) => probe.record_evidence(line, format!("not found out: {error}")),
            Ok(()) => {}
        }
    }
    probe.record_evidence(
        "grammar",
        "not asked for: the reply of a model behind an address is held to JSON Schemas alone",
    );
    let how = "not found out: no small question tells; it goes by the model's name and size, and can be set";
    probe.record_evidence("deliberates", how);
    Ok(probe)
}

async fn probe_listing(model: &HttpModel, probe: &mut Probe) {
    let served = match model.list_models().await {
        Ok(served) => served,
        Err(error) => return probe.record_evidence("context_tokens", format!("the server lists no models: {error}")),
    };
    let name = model.name_on_server();
    let plain = |id: &str| id.trim_start_matches("models/").trim_end_matches(":latest").to_owned();
    match served.into_iter().find(|served| plain(&served.id) == plain(name)) {
        None => probe.record_evidence("context_tokens", format!("the server does not list '{name}'")),
        Some(served) => {
            let told = match served.facts.context_tokens {
                Some(_) => "the server tells it",
                None => "the server lists the model and does not tell it",
            };
            probe.record_evidence("context_tokens", told);
            let reasoning = probe.facts.reasoning;
            probe.facts.add(&served.facts);
            // Observed behaviour takes precedence over the server's list.
            probe.facts.reasoning = reasoning;
        }
    }
}

/// Requests a value that no model would produce without a schema.
async fn probe_schema(
    model: &HttpModel,
    open: &ModelProfile,
    cancel: &CancellationToken,
    probe: &mut Probe,
) -> Result<(), LlmError> {
    const NAMES: [&str; 2] = ["violet-7", "umber-9"];
    let properties =
        json!({ "colour": { "type": "string", "enum": NAMES }, "note": { "type": "string", "maxLength": 8 } });
    let schema =
        json!({ "type": "object", "properties": properties, "required": ["colour"], "additionalProperties": false });
    let request = Request {
        output: OutputFormat::JsonSchema { name: "colour".to_owned(), schema },
        ..build_request("Which colour are most walls painted in? Reply in JSON with the keys colour and note.", SMALL)
    };
    let held = |model: &HttpModel, done: &Completion| {
        let colour = parse_json::<Value>(done.first_reply()).map(|reply| reply["colour"].clone());
        model.took_schema() && colour.is_ok_and(|colour| NAMES.iter().any(|name| colour == *name))
    };
    let done = send_request(model, cancel, request.clone()).await?;
    let support = if held(model, &done) {
        probe.record_evidence("schema", "its reply kept to one");
        SchemaSupport::Lenient
    } else {
        let strict = model.with_profile(ModelProfile { schema: SchemaSupport::Strict, ..open.clone() })?;
        let done = send_request(&strict, cancel, request).await?;
        let kept = held(&strict, &done);
        probe.record_evidence(
            "schema",
            if kept { "its reply kept to a strict one alone" } else { "its reply kept to none" },
        );
        if kept { SchemaSupport::Strict } else { SchemaSupport::None }
    };
    probe.facts.schema = Some(support);
    Ok(())
}

async fn probe_stop(model: &HttpModel, cancel: &CancellationToken, probe: &mut Probe) -> Result<(), LlmError> {
    // Digits are the same in every language.
    let tail = "Count from 1 to 9 in digits, separated by blanks.";
    let done =
        send_request(model, cancel, Request { stop: vec!["5".to_owned()], ..build_request(tail, SMALL) }).await?;
    let text = done.first_reply();
    let (stops, how) = match (model.takes_stops(), text.contains('4'), text.contains('6')) {
        (false, ..) => (Some(false), "the server refuses texts to stop at"),
        (_, _, true) => (Some(false), "it went on behind the text to stop at"),
        (_, true, false) if !text.contains('5') => (Some(true), "its reply ended where it should"),
        _ => (None, "not found out: it wrote something else"),
    };
    probe.facts.stop = stops;
    probe.record_evidence("stop", how);
    Ok(())
}

async fn probe_prefill(model: &HttpModel, cancel: &CancellationToken, probe: &mut Probe) -> Result<(), LlmError> {
    if !model.takes_prefill() {
        return Ok(());
    }
    let request = Request { assistant_prefix: "The colour is".to_owned(), ..build_request("Name a colour.", SMALL) };
    send_request(model, cancel, request).await?;
    let takes = model.takes_prefill();
    probe.facts.prefill = Some(takes);
    probe.record_evidence(
        "prefill",
        if takes { "the server took the beginning of a reply" } else { "the server refuses it" },
    );
    Ok(())
}

async fn probe_samples(model: &HttpModel, cancel: &CancellationToken, probe: &mut Probe) -> Result<(), LlmError> {
    let request = Request { samples: 2, temperature: 0.9, ..build_request("Name an animal.", SMALL) };
    send_request(model, cancel, request).await?;
    let several = model.profile().samples;
    probe.facts.samples = Some(several);
    probe.record_evidence(
        "samples",
        if several { "one call gave two replies" } else { "every reply takes a call of its own" },
    );
    Ok(())
}

async fn probe_seeds(model: &HttpModel, cancel: &CancellationToken, probe: &mut Probe) -> Result<(), LlmError> {
    let request =
        |seed| Request { temperature: 1.0, seed, ..build_request("Write ten random words in one line.", SMALL) };
    let first = send_request(model, cancel, request(7)).await?;
    let again = send_request(model, cancel, request(7)).await?;
    let other = send_request(model, cancel, request(8)).await?;
    let (seeded, how) = match (
        model.takes_seeds(),
        first.first_reply() == again.first_reply(),
        first.first_reply() == other.first_reply(),
    ) {
        (false, ..) => (Some(false), "the server refuses seeds"),
        (true, false, _) => (Some(false), "the same seed gave another reply"),
        (true, true, false) => (Some(true), "the same seed gave the same reply, another one another"),
        (true, true, true) => (None, "not found out: it replies alike whatever the seed"),
    };
    probe.facts.seeded = seeded;
    probe.record_evidence("seeded", how);
    Ok(())
}

/// Requests token probabilities for a plain text. The key was accepted before, so a refusal now concerns this feature.
async fn probe_probabilities(
    model: &HttpModel,
    open: &ModelProfile,
    cancel: &CancellationToken,
    probe: &mut Probe,
) -> Result<(), LlmError> {
    let model = model.with_profile(ModelProfile { token_probabilities: true, ..open.clone() })?;
    let (told, how) = match send_request(&model, cancel, build_request("Write: one two three.", SMALL)).await {
        Ok(done) if done.probabilities.iter().any(Option::is_some) => (true, "it told how likely its words were"),
        Ok(_) if model.takes_probabilities() => (false, "it told nothing of how likely its words were"),
        Ok(_) | Err(LlmError::Refused { status: 400 | 422, .. } | LlmError::Unauthorised { .. }) => {
            (false, "the server does not tell them")
        }
        Err(other) => return Err(other),
    };
    probe.facts.token_probabilities = Some(told);
    probe.record_evidence("token_probabilities", how);
    Ok(())
}

/// Tests effort levels, only for models with hidden reasoning. A server that accepts every level may ignore it.
async fn probe_efforts(
    model: &HttpModel,
    open: &ModelProfile,
    cancel: &CancellationToken,
    probe: &mut Probe,
) -> Result<(), LlmError> {
    if open.reasoning != Reasoning::Hidden {
        return Ok(());
    }
    let mut taken = Vec::new();
    for level in Effort::ALL {
        let model = model.with_profile(ModelProfile { effort: Some(level), ..open.clone() })?;
        send_request(&model, cancel, build_request("Reply with the number 7 alone.", THINKING)).await?;
        if model.takes_effort() {
            taken.push(level);
        }
    }
    let how = match taken.len() {
        0 => "the server takes no level of effort",
        all if all == Effort::ALL.len() => "not found out: the server takes every level, and may pass over it",
        _ => "the server refused the others",
    };
    if taken.len() < Effort::ALL.len() {
        probe.facts.efforts = Some(taken);
    }
    probe.record_evidence("efforts", how);
    Ok(())
}

/// Tests prompt caching. Providers cache prefixes from 1,024 tokens on, some from 4,096. A missing report proves
/// nothing.
async fn probe_caching(model: &HttpModel, cancel: &CancellationToken, probe: &mut Probe) -> Result<(), LlmError> {
    let prefix: String = (1..=1_500).map(|number| format!("{number}; ")).collect();
    let asked = Request { prefix, ..build_request("Reply with the number 7 alone.", SMALL) };
    send_request(model, cancel, asked.clone()).await?;
    let again = send_request(model, cancel, asked).await?;
    let cached = again.usage.cached_prompt_tokens;
    if cached > 0 {
        let declared = model.profile().caching;
        probe.facts.caching = Some(if declared == Caching::None { Caching::Automatic } else { declared });
        probe.record_evidence("caching", format!("{cached} tokens of a prompt were reused when it was asked again"));
    } else {
        probe.record_evidence("caching", "not found out: the server told of no tokens that it reused");
    }
    Ok(())
}

/// Requests an excessive reply limit: a server with a limit names it in its refusal, and nothing is generated. The
/// named limit is used only if it is unambiguous and the server then accepts it.
async fn longest_reply(
    model: &HttpModel,
    open: &ModelProfile,
    cancel: &CancellationToken,
    probe: &mut Probe,
) -> Result<(), LlmError> {
    if probe.facts.reply_tokens.is_some() {
        probe.record_evidence("reply_tokens", "the server tells it");
        return Ok(());
    }
    // Room for thinking would be added to the requested limit.
    let open =
        ModelProfile { context_tokens: ENDLESS, reply_tokens: ENDLESS, reasoning: Reasoning::None, ..open.clone() };
    let model = model.with_profile(open)?;
    let asked = |max_tokens: u32| build_request("Reply with the number 7 alone.", max_tokens);
    let named = match send_request(&model, cancel, asked(ENDLESS / 2)).await {
        Ok(_) => {
            probe.record_evidence("reply_tokens", "not found out: the server takes any length");
            return Ok(());
        }
        Err(LlmError::Refused { message, .. }) => parse_numbers(&message),
        Err(LlmError::ContextExceeded { available, .. }) => {
            probe.facts.context_tokens.get_or_insert(available);
            probe.record_evidence(
                "reply_tokens",
                format!("not found out: prompt and reply together may take {available} tokens"),
            );
            return Ok(());
        }
        Err(other) => return Err(other),
    };
    let limits: BTreeSet<u32> =
        named.into_iter().filter(|number| (SHORTEST_LIMIT..ENDLESS / 2).contains(number)).collect();
    let [limit] = limits.iter().copied().collect::<Vec<_>>()[..] else {
        probe.record_evidence("reply_tokens", "not found out: the server refuses a long reply and names no limit");
        return Ok(());
    };
    send_request(&model, cancel, asked(limit)).await?;
    probe.facts.reply_tokens = Some(limit);
    probe.record_evidence("reply_tokens", "the server names it where more is asked for");
    Ok(())
}

fn build_request(tail: &str, max_tokens: u32) -> Request {
    Request { tail: tail.to_owned(), max_tokens, ..Request::default() }
}

async fn send_request(
    model: &dyn ChatModel,
    cancel: &CancellationToken,
    request: Request,
) -> Result<Completion, LlmError> {
    // Visible reasoning needs additional tokens.
    let thinks = model.profile().reasoning == Reasoning::Text;
    let max_tokens = if thinks { request.max_tokens.max(THINKING) } else { request.max_tokens };
    complete_request(model, Request { max_tokens, ..request }, cancel.clone(), |_| {}).await
}
