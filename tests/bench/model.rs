//! The embedded model: its start, the cost of several samples, and the savings of a cached schema.

use crate::Options;
use crate::child::{self, Measured};
use crate::report::{Figure, Section, quantile, seconds};
use anyhow::{Context, Result};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_llm::{CallUsage, ChatModel, ModelEvent, Request};
use vitrine_llm_local::{LocalConfig, LocalModel};
use vitrine_models::{DEFAULT_CHAT_MODEL, ModelStore};

/// Number of tokens per sample.
const WRITTEN: u32 = 40;
/// Number of samples requested in parallel.
const SAMPLES: u32 = 8;
/// Number of requests, in sequence and in parallel.
const REQUESTS: u64 = 4;
/// Columns of the generated schema; about a thousand tokens with their table.
const COLUMNS: usize = 95;
/// Number of repetitions of each pair.
const ROUNDS: usize = 3;

#[derive(Serialize, Deserialize)]
pub struct Spoken {
    /// Times from process start to the first token of a short prompt.
    start: Vec<f64>,
    /// Times of an uncached prompt with one reply, or with several.
    one: Vec<f64>,
    several: Vec<f64>,
    prompt_tokens: u64,
    /// Times to the first token after the prompt: uncached, cached in memory, and loaded from disk after a start.
    anew: Vec<f64>,
    memory: Vec<f64>,
    disk: Vec<f64>,
    /// Times of several requests with a schema in memory, in sequence and in parallel.
    turns: Vec<f64>,
    abreast: Vec<f64>,
}

pub fn section(_: &Options) -> Result<Section> {
    let store = ModelStore::new(vitrine_api::Folders::from_environment()?.models());
    if !store.is_present(DEFAULT_CHAT_MODEL) {
        return Ok(Section::skipped(format!(
            "skipped: the model is not there. `npm run vitrine -- models pull {DEFAULT_CHAT_MODEL}` gets it"
        )));
    }
    let spoken: Measured<Spoken> = child::run("model", &store.model_path(DEFAULT_CHAT_MODEL)?)?;
    let Spoken { prompt_tokens, .. } = spoken.found;
    let median = |mut times: Vec<f64>| quantile(&mut times, 0.5);
    let Spoken { start, one, several, anew, memory, disk, turns, abreast, .. } = spoken.found;
    let [start, one, several, anew, memory, disk] = [start, one, several, anew, memory, disk].map(median);
    let [turns, abreast] = [turns, abreast].map(median);
    Ok(Section {
        how: format!(
            "{DEFAULT_CHAT_MODEL}, whose file is in the system's cache. A schema of {prompt_tokens} tokens that was never read before, \
             then replies of {WRITTEN} tokens. Medians of {ROUNDS}, taken in turns.",
        ),
        figures: vec![
            Figure::new("from nothing to the first token, short prompt", seconds(start)).goal("below 4 s", start < 4.0),
            Figure::new(format!("schema and {SAMPLES} samples"), seconds(several))
                .against(format!("{} with one", seconds(one)), several / one)
                .goal("at most 2x", several <= 2.0 * one),
            Figure::new(format!("{REQUESTS} requests at once, schema in memory"), seconds(abreast))
                .against(format!("{} one after the other", seconds(turns)), abreast / turns),
            Figure::new("first token, schema still in memory", seconds(memory))
                .against(format!("{} read anew", seconds(anew)), memory / anew),
            Figure::new("first token, schema from disk after a start of the model", seconds(disk))
                .against(format!("{} read anew", seconds(anew)), disk / anew),
        ],
        ..Section::default()
    })
}

/// Calls the model in the compared ways.
pub async fn measure(gguf: PathBuf) -> Result<Spoken> {
    let mut spoken = Spoken {
        start: Vec::new(),
        one: Vec::new(),
        several: Vec::new(),
        prompt_tokens: 0,
        anew: Vec::new(),
        memory: Vec::new(),
        disk: Vec::new(),
        turns: Vec::new(),
        abreast: Vec::new(),
    };
    let folder = tempfile::tempdir()?;
    for round in 0..ROUNDS {
        let began = Instant::now();
        let model = open(&gguf, None)?;
        ask(&model, Request { tail: "Hello".into(), max_tokens: 1, ..Request::default() }).await?;
        spoken.start.push(began.elapsed().as_secs_f64());
        for samples in [1, SAMPLES] {
            let request = Request { samples, ..essay(&format!("{round}_{samples}")) };
            let asked = ask(&model, request).await?;
            spoken.prompt_tokens = asked.usage.prompt_tokens;
            if samples == 1 { &mut spoken.one } else { &mut spoken.several }.push(asked.seconds);
        }
        model.shutdown().await;

        let schema = format!("kept_{round}");
        let model = open(&gguf, Some(folder.path()))?;
        ask(&model, Request { tail: "Hello".into(), max_tokens: 1, ..Request::default() }).await?;
        spoken.anew.push(ask(&model, essay(&schema)).await?.first);
        spoken.memory.push(ask(&model, Request { tail: "How many are there?".into(), ..essay(&schema) }).await?.first);
        let asked = |seed| Request { tail: format!("Essay {seed} on this table:"), seed, ..essay(&schema) };
        let began = Instant::now();
        for seed in 0..REQUESTS {
            ask(&model, asked(seed)).await?;
        }
        spoken.turns.push(began.elapsed().as_secs_f64());
        let began = Instant::now();
        futures::future::try_join_all((REQUESTS..2 * REQUESTS).map(|seed| ask(&model, asked(seed)))).await?;
        spoken.abreast.push(began.elapsed().as_secs_f64());
        model.shutdown().await;
        let model = open(&gguf, Some(folder.path()))?;
        ask(&model, Request { tail: "Hello".into(), max_tokens: 1, ..Request::default() }).await?;
        spoken.disk.push(ask(&model, Request { tail: "How many are left?".into(), ..essay(&schema) }).await?.first);
        model.shutdown().await;
    }
    Ok(spoken)
}

fn open(gguf: &Path, prefixes: Option<&Path>) -> Result<Arc<LocalModel>> {
    Ok(LocalModel::new(LocalConfig {
        id: DEFAULT_CHAT_MODEL.into(),
        gguf: gguf.to_owned(),
        worker_exe: std::env::current_exe()?,
        threads: 0,
        context_tokens: 0,
        prefixes: prefixes.map(Path::to_owned),
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: None,
    }))
}

/// Creates a request with a long answer, for a schema that differs from its first name on.
fn essay(name: &str) -> Request {
    let columns: String = (0..COLUMNS).map(|column| format!("  {name}_amount_{column} REAL,\n")).collect();
    Request {
        system: format!("You explain the tables of {name} at length."),
        prefix: format!("CREATE TABLE {name} (\n{columns});\n"),
        tail: "Write a long essay on what this table may be for.".into(),
        max_tokens: WRITTEN,
        temperature: 1.0,
        seed: 7,
        ..Request::default()
    }
}

struct Asked {
    /// Seconds to the first text, and to the end.
    first: f64,
    seconds: f64,
    usage: CallUsage,
}

async fn ask(model: &LocalModel, request: Request) -> Result<Asked> {
    let began = Instant::now();
    let mut events = model.stream(request, CancellationToken::new()).await?;
    let (mut first, mut usage) = (None, CallUsage::default());
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::Token { .. } => drop(first.get_or_insert_with(|| began.elapsed().as_secs_f64())),
            ModelEvent::Usage(all) => usage = all,
            ModelEvent::Finished { .. } | ModelEvent::Sent { .. } => {}
        }
    }
    Ok(Asked { first: first.context("the model wrote nothing")?, seconds: began.elapsed().as_secs_f64(), usage })
}
