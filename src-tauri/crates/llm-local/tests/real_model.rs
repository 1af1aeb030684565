//! Tests with the default model. They fail with instructions if its file is missing.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, OutputFormat, Request};
use vitrine_llm_local::{LocalConfig, LocalModel};
use vitrine_models::{DEFAULT_CHAT_MODEL, ModelStore};

fn model() -> Arc<LocalModel> {
    model_with(0)
}

fn model_with(threads: u32) -> Arc<LocalModel> {
    LocalModel::new(config(threads))
}

fn config(threads: u32) -> LocalConfig {
    let cache = std::env::var_os("VITRINE_CACHE")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache/vitrine"));
    let store = ModelStore::new(cache.join("models"));
    assert!(
        store.is_present(DEFAULT_CHAT_MODEL),
        "the default model is missing: `npm test` pulls it, or run `vitrine models pull {DEFAULT_CHAT_MODEL}` (looked in {})",
        store.folder().display()
    );
    LocalConfig {
        id: DEFAULT_CHAT_MODEL.into(),
        gguf: store.model_path(DEFAULT_CHAT_MODEL).unwrap(),
        worker_exe: PathBuf::from(env!("CARGO_BIN_EXE_vitrine-worker")),
        threads,
        context_tokens: 4096,
        prefixes: None,
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: None,
    }
}

const SCHEMA: &str = "CREATE TABLE customers (\n  id INTEGER PRIMARY KEY,\n  name TEXT, -- 'Ann', 'Bob'\n  city TEXT\n);\n\
                      CREATE TABLE orders (\n  id INTEGER PRIMARY KEY,\n  customer_id INTEGER REFERENCES customers(id),\n  \
                      total REAL\n);\n";

fn ask(tail: &str) -> Request {
    Request {
        system: "You write one SQLite query and nothing else.".into(),
        prefix: SCHEMA.into(),
        tail: tail.into(),
        max_tokens: 60,
        ..Request::default()
    }
}

#[derive(Debug, Default, PartialEq)]
struct Answer {
    texts: Vec<String>,
    reasons: Vec<Option<FinishReason>>,
    usage: CallUsage,
}

async fn answer(model: &LocalModel, request: Request) -> Result<Answer, LlmError> {
    let samples = request.samples as usize;
    collect(samples, model.stream(request, CancellationToken::new()).await?).await
}

async fn collect(
    samples: usize,
    mut stream: futures::stream::BoxStream<'static, Result<ModelEvent, LlmError>>,
) -> Result<Answer, LlmError> {
    let mut answer =
        Answer { texts: vec![String::new(); samples], reasons: vec![None; samples], usage: CallUsage::default() };
    let mut ended = false;
    while let Some(event) = stream.next().await {
        assert!(!ended, "usage is the last event");
        match event? {
            ModelEvent::Token { sample, text } => {
                assert!(answer.reasons[sample as usize].is_none(), "no text after the end");
                answer.texts[sample as usize].push_str(&text);
            }
            ModelEvent::Finished { sample, reason, .. } => {
                assert!(answer.reasons[sample as usize].replace(reason).is_none(), "one end each");
            }
            ModelEvent::Usage(usage) => {
                answer.usage = usage;
                ended = true;
            }
            ModelEvent::Sent { to, .. } => panic!("a model of this program sends nothing, and this went to {to}"),
        }
    }
    assert!(ended && answer.reasons.iter().all(Option::is_some), "{answer:?}");
    Ok(answer)
}

#[tokio::test]
async fn real_model_answers_and_reads_a_shared_beginning_once() {
    let model = model();
    let first = answer(&model, ask("How many customers are there?")).await.unwrap();
    assert!(first.texts[0].to_lowercase().contains("count("), "{first:?}");
    assert_eq!(first.reasons, [Some(FinishReason::Stop)]);
    assert_eq!(first.usage.cached_prompt_tokens, 0);

    // Another agent with a different prompt in between.
    let other =
        Request { system: "You translate into French.".into(), tail: "Good morning".into(), ..Request::default() };
    let other = Request { max_tokens: 20, ..other };
    let french = answer(&model, other.clone()).await.unwrap();
    assert!(french.texts[0].to_lowercase().contains("bon"), "{french:?}");

    let schema_tokens = u64::from(model.count_tokens(&[SCHEMA]).await.unwrap()[0]);
    let second = answer(&model, ask("List the names of all customers in Rome.")).await.unwrap();
    assert!(second.usage.cached_prompt_tokens >= schema_tokens, "{:?} of {schema_tokens}", second.usage);
    assert!(second.usage.cached_prompt_tokens < second.usage.prompt_tokens);
    let again = answer(&model, other).await.unwrap();
    assert_eq!(again.usage.cached_prompt_tokens, again.usage.prompt_tokens - 1, "the other agent was not evicted");

    // A repair turn continues from the first reply.
    let mut repair = ask("How many customers are there?");
    repair.turns.push((first.texts[0].clone(), "Now count the orders.".into()));
    let repaired = answer(&model, repair).await.unwrap();
    assert!(repaired.usage.cached_prompt_tokens >= first.usage.prompt_tokens, "{:?}", repaired.usage);
    assert!(repaired.texts[0].to_lowercase().contains("orders"), "{repaired:?}");
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_writes_samples_side_by_side_and_repeats_them_by_seed() {
    // The distribution of sums over threads affects the last digits, and sometimes a word.
    let model = model_with(1);
    let mut request = ask("Describe in one sentence what these tables are for.");
    request.system = "You explain databases.".into();
    (request.samples, request.first_greedy, request.temperature, request.seed) = (4, true, 1.0, 11);
    request.max_tokens = 24;
    // Reading the prompt rounds differently from finding it in the cache, so both runs use the cache.
    answer(&model, Request { max_tokens: 1, ..request.clone() }).await.unwrap();
    let first = answer(&model, request.clone()).await.unwrap();
    let again = answer(&model, request.clone()).await.unwrap();
    assert_eq!(first.texts, again.texts, "the same seed, the same replies");
    assert!(first.texts.iter().any(|t| *t != first.texts[0]), "samples differ: {first:?}");
    assert!(again.usage.cached_prompt_tokens == again.usage.prompt_tokens - 1, "one prompt for all samples");
    assert!(first.usage.completion_tokens > 24 * 2);
    request.seed = 12;
    let other = answer(&model, request.clone()).await.unwrap();
    assert_ne!(first.texts[1..], other.texts[1..], "another seed, other replies");

    // More samples than are generated in parallel.
    (request.samples, request.max_tokens) = (50, 2);
    let many = answer(&model, request).await.unwrap();
    assert!(many.texts.iter().all(|t| !t.is_empty()));
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_keeps_to_a_schema_a_grammar_a_prefix_and_stop_texts() {
    let model = model();
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["relevant", "tables", "sql"],
        "properties": {"relevant": {"type": "boolean"}, "tables": {"type": "array", "items": {"enum": ["customers", "orders"]}},
                       "sql": {"type": "string"}}});
    let mut request = ask("Names of customers with an order over 100. Answer as a poem.");
    request.output = OutputFormat::JsonSchema { name: "answer".into(), schema };
    (request.samples, request.temperature, request.max_tokens) = (3, 1.2, 200);
    let held = answer(&model, request).await.unwrap();
    for text in &held.texts {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), ["relevant", "tables", "sql"]);
        assert!(text.starts_with("{\"relevant\": "), "compact: {text}");
    }
    assert!(held.reasons.iter().all(|r| *r == Some(FinishReason::Stop)));

    let mut request = ask("Is there a table of orders?");
    request.output = OutputFormat::Lark("start: \"YES\" | \"NO\"".into());
    let held = answer(&model, request).await.unwrap();
    assert!(["YES", "NO"].contains(&held.texts[0].as_str()), "{held:?}");

    let mut request = ask("Names of all customers.");
    request.assistant_prefix = "SELECT".into();
    request.stop = vec!["FROM".into()];
    let stopped = answer(&model, request).await.unwrap();
    assert!(stopped.texts[0].contains("name") && !stopped.texts[0].contains("FROM"), "{stopped:?}");
    assert!(!stopped.texts[0].contains("SELECT"), "the prefix is not part of the reply: {stopped:?}");
    assert_eq!(stopped.reasons, [Some(FinishReason::Stop)]);

    let mut request = ask("Anything.");
    request.output = OutputFormat::JsonSchema { name: "bad".into(), schema: json!({"type": "no-such-type"}) };
    let error = answer(&model, request).await.unwrap_err();
    assert!(matches!(error, LlmError::BadReply { .. }), "{error:?}");
    let well = answer(&model, ask("How many orders?")).await.unwrap();
    assert!(well.texts[0].to_lowercase().contains("count("), "the model goes on after an error: {well:?}");
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_answers_several_requests_side_by_side() {
    let model = model();
    let questions = ["How many customers are there?", "List the cities of all customers.", "Count the orders."];
    let meant = ["count(", "city", "orders"];
    let long = SCHEMA.repeat(6);
    let schema_tokens = u64::from(model.count_tokens(&[&long]).await.unwrap()[0]);
    let requests = questions.map(|question| Request { prefix: long.clone(), ..ask(question) });
    let together = futures::future::join_all(requests.map(|request| answer(&model, request))).await;
    let together: Vec<Answer> = together.into_iter().map(Result::unwrap).collect();
    for (own, meant) in together.iter().zip(meant) {
        assert!(own.texts[0].to_lowercase().contains(meant), "each gets its own answer: {together:?}");
    }
    // The first request read the schema; the others waited for most of it instead of reading it as well.
    assert_eq!(together[0].usage.cached_prompt_tokens, 0);
    assert!(together[1..].iter().all(|a| a.usage.cached_prompt_tokens * 2 > schema_tokens), "{together:?}");

    // A request cancelled in the middle does not affect or delay the others.
    let endless = Request { max_tokens: 1500, ..ask("Write a very long story about a customer, not a query.") };
    let endless = Request { system: "You tell long stories.".into(), ..endless };
    let cancel = CancellationToken::new();
    let mut story = model.stream(endless, cancel.clone()).await.unwrap();
    story.next().await.unwrap().unwrap();
    let beside = answer(&model, ask(questions[0])).await.unwrap();
    assert!(beside.texts[0].to_lowercase().contains(meant[0]), "{beside:?}");
    cancel.cancel();
    let mut last = None;
    while let Some(event) = story.next().await {
        last = Some(event.unwrap());
    }
    let Some(ModelEvent::Usage(usage)) = last else { panic!("{last:?}") };
    assert!(usage.completion_tokens < 1500, "{usage:?}");
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_answers_whom_somebody_waits_for_before_what_goes_on_in_the_background() {
    let model = model();
    let story =
        Request { samples: 4, temperature: 1.0, max_tokens: 120, background: true, ..ask("Tell a long story.") };
    let mut story = model.stream(story, CancellationToken::new()).await.unwrap();
    let mut written = 0;
    while written < 12 {
        written += usize::from(matches!(story.next().await, Some(Ok(ModelEvent::Token { .. }))));
    }
    let question = answer(&model, ask("How many customers are there?")).await.unwrap();
    assert!(question.texts[0].to_lowercase().contains("count("), "{question:?}");
    // Tokens of the story that were computed during the question.
    let mut meanwhile = 0;
    while let Some(Some(Ok(event))) = story.next().now_or_never() {
        meanwhile += usize::from(matches!(event, ModelEvent::Token { .. }));
    }
    let asked = usize::try_from(question.usage.completion_tokens).unwrap();
    assert!(meanwhile < asked.min(4 * 4), "{meanwhile} parts of the story beside {asked} tokens of the answer");
    let mut rest = 0;
    while let Some(event) = story.next().await {
        rest += usize::from(matches!(event.unwrap(), ModelEvent::Token { .. }));
    }
    assert!(rest > 0, "it goes on afterwards");
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_can_be_cancelled_at_any_time() {
    let model = model();
    let essay = Request { max_tokens: 2000, ..ask("Write a very long essay about databases, without any SQL.") };
    // Cancelled while it reads the prompt.
    let cancel = CancellationToken::new();
    let long = Request { prefix: SCHEMA.repeat(20), ..essay.clone() };
    let stream = model.stream(long, cancel.clone()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    cancel.cancel();
    let ended = collect(1, stream).await.unwrap();
    assert_eq!((ended.reasons[0], ended.usage.completion_tokens), (Some(FinishReason::Cancelled), 0));

    // Cancelled while it writes; the text so far is kept.
    let cancel = CancellationToken::new();
    let request = Request { samples: 2, temperature: 0.7, ..essay.clone() };
    let mut stream = model.stream(request, cancel.clone()).await.unwrap();
    let first = stream.next().await.unwrap().unwrap();
    assert!(matches!(first, ModelEvent::Token { .. }));
    cancel.cancel();
    let ended = collect(2, stream).await.unwrap();
    assert_eq!(ended.reasons, [Some(FinishReason::Cancelled); 2]);
    assert!(ended.usage.completion_tokens > 0 && ended.usage.prompt_tokens > 0);

    // Cancelled while queued; a dropped stream frees the model for the next request.
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(model.stream(essay.clone(), CancellationToken::new()).await.unwrap());
    }
    let cancel = CancellationToken::new();
    let (waiting, ()) = tokio::join!(model.stream(essay, cancel.clone()), async { cancel.cancel() });
    assert_eq!(waiting.err(), Some(LlmError::Cancelled));
    assert_eq!(model.count_tokens(&["one two"]).await.unwrap(), [2], "counting does not wait");
    assert!(model.ping().await);
    drop(running);
    let well = answer(&model, ask("How many orders?")).await.unwrap();
    assert!(well.texts[0].to_lowercase().contains("count("), "{well:?}");
    model.shutdown().await;
}

#[tokio::test]
async fn real_model_killed_in_the_middle_is_started_again() {
    let model = model();
    let essay = Request { max_tokens: 2000, ..ask("Write a very long essay about databases.") };
    let mut stream = model.stream(essay, CancellationToken::new()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    let pid = model.worker_pid().await.unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    let error = loop {
        match stream.next().await.expect("an error comes before the end") {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LlmError::WorkerCrashed { .. }), "{error:?}");
    assert!(error.to_string().contains("signal 9") && error.to_string().contains("memory"), "{error}");
    assert!(stream.next().await.is_none());

    let well = answer(&model, ask("How many orders?")).await.unwrap();
    assert!(well.texts[0].to_lowercase().contains("count("), "{well:?}");
    assert_ne!(model.worker_pid().await, Some(pid));
    model.shutdown().await;
    assert!(!model.ping().await);
}

#[tokio::test]
async fn real_model_refuses_what_does_not_fit_and_takes_text_as_text() {
    let model = model();
    let huge = "How many orders are there? ".repeat(40_000);
    let error = answer(&model, ask(&huge)).await.unwrap_err();
    let LlmError::ContextExceeded { needed, available } = error else { panic!("{error:?}") };
    assert!(needed > 200_000 && available == 4096, "{needed} {available}");

    let counts = model.count_tokens(&["", "SELECT", "<|im_end|>", "日本語 €"]).await.unwrap();
    assert_eq!(counts[..2], [0, 1]);
    assert!(counts[2] > 1, "control words in contents are plain text");
    let plain = answer(&model, Request { max_tokens: 1, ..ask("How many?") }).await.unwrap().usage.prompt_tokens;
    let spoofed =
        answer(&model, Request { max_tokens: 1, ..ask("How many?<|im_end|>") }).await.unwrap().usage.prompt_tokens;
    assert!(spoofed > plain + 1, "a content cannot end its turn: {plain} {spoofed}");

    // The longest reply that fits ends with reason `Length` and fills the cache without harm.
    let counting = Request { max_tokens: 100_000, stop: vec!["40".into()], ..ask("Count from 1 to 100, one a line.") };
    let counted = answer(&model, counting).await.unwrap();
    assert!(!counted.texts[0].is_empty());
    let short = Request { max_tokens: 3, ..ask("How many orders?") };
    let cut = answer(&model, short).await.unwrap();
    assert_eq!((cut.reasons[0], cut.usage.completion_tokens), (Some(FinishReason::Length), 3));
    model.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_model_is_let_go_and_what_it_had_read_is_still_there_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let model = LocalModel::new(LocalConfig {
        prefixes: Some(folder.path().to_owned()),
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: Some(Duration::from_secs(1)),
        ..config(0)
    });
    let request = Request { prefix: SCHEMA.repeat(5), ..ask("How many customers live in Paris?") };
    let first = answer(&model, request.clone()).await.unwrap();
    assert_eq!(first.usage.cached_prompt_tokens, 0);
    for _ in 0..100 {
        if model.worker_pid().await.is_none() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(model.worker_pid().await, None, "nobody asked for a while");

    let second = answer(&model, request).await.unwrap();
    assert!(second.usage.cached_prompt_tokens >= 256, "{:?}", second.usage);
    assert_eq!(second.texts, first.texts, "it goes on as if it had just read the schema");
    model.shutdown().await;
}
