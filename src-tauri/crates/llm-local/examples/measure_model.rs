//! Measures the embedded model: `cargo run --example measure_model -- MODEL.gguf WORKER`.
use futures::StreamExt;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_llm::{ChatModel, LlmError, ModelEvent, OutputFormat, Request};
use vitrine_llm_local::{LocalConfig, LocalModel};

struct Run {
    first: Duration,
    whole: Duration,
    usage: vitrine_llm::CallUsage,
    texts: Vec<String>,
}

async fn run(model: &LocalModel, request: Request) -> Result<Run, LlmError> {
    let start = Instant::now();
    let mut texts = vec![String::new(); request.samples as usize];
    let mut first = None;
    let mut usage = Default::default();
    let mut stream = model.stream(request, CancellationToken::new()).await?;
    while let Some(event) = stream.next().await {
        match event? {
            ModelEvent::Token { sample, text } => {
                first.get_or_insert_with(|| start.elapsed());
                texts[sample as usize].push_str(&text);
            }
            ModelEvent::Usage(u) => usage = u,
            ModelEvent::Finished { .. } => {}
        }
    }
    Ok(Run { first: first.unwrap_or_default(), whole: start.elapsed(), usage, texts })
}

fn show(name: &str, run: &Run) {
    let read = run.usage.prompt_tokens - run.usage.cached_prompt_tokens;
    let writing = run.whole - run.first;
    println!(
        "{name:28} prompt {:5} cached {:5} first {:6.2} s ({:5.0} read/s)  wrote {:4} in {:6.2} s ({:5.1}/s)",
        run.usage.prompt_tokens,
        run.usage.cached_prompt_tokens,
        run.first.as_secs_f64(),
        read as f64 / run.first.as_secs_f64(),
        run.usage.completion_tokens,
        writing.as_secs_f64(),
        run.usage.completion_tokens as f64 / writing.as_secs_f64(),
    );
}

fn memory(pid: u32) -> String {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    text.lines().filter(|l| l.starts_with("VmHWM") || l.starts_with("Rss")).collect::<Vec<_>>().join(" ")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(gguf), Some(worker)) = (args.next(), args.next()) else {
        return Err("usage: measure MODEL.gguf WORKER".into());
    };
    let model = LocalModel::new(LocalConfig {
        id: "measured".into(),
        gguf: gguf.into(),
        worker_exe: worker.into(),
        threads: 0,
        context_tokens: 0,
    });
    let start = Instant::now();
    model.warm_up().await?;
    println!("load {:.2} s", start.elapsed().as_secs_f64());
    let schema: String = (0..18)
        .map(|i| {
            format!(
                "CREATE TABLE table_{i} ( -- things of kind {i}, {i}2,345 rows\n  id INTEGER PRIMARY KEY,\n  name TEXT, -- \
                 'alpha {i}', 'beta'\n  amount_{i} REAL,\n  owner_id INTEGER REFERENCES table_0(id),\n);\n"
            )
        })
        .collect();
    let free = Request {
        system: "You write SQLite queries. Answer with one query and nothing else.".into(),
        prefix: schema.clone(),
        tail: "Question: the ten names with the greatest total amount over all tables, explained step by step.".into(),
        max_tokens: 100,
        ..Request::default()
    };
    show("free, first", &run(&model, free.clone()).await?);
    show("free, again", &run(&model, free.clone()).await?);
    let other = Request { tail: "Question: explain in many words what is in each table.".into(), ..free.clone() };
    show("free, other question", &run(&model, other.clone()).await?);
    for samples in [2, 4, 8, 16] {
        let many = Request { samples, first_greedy: true, temperature: 0.8, max_tokens: 60, ..other.clone() };
        show(&format!("free, {samples} samples"), &run(&model, many).await?);
    }
    let form = OutputFormat::JsonSchema {
        name: "answer".into(),
        schema: json!({"type": "object", "additionalProperties": false,
            "properties": {"thought": {"type": "string"}, "tables": {"type": "array", "items": {"type": "string"}},
                           "sql": {"type": "string"}},
            "required": ["thought", "tables", "sql"]}),
    };
    let held = Request { output: form, ..other.clone() };
    show("JSON, first", &run(&model, held.clone()).await?);
    let again = run(&model, held.clone()).await?;
    show("JSON, again", &again);
    println!("   {}", again.texts[0]);
    let many = Request { samples: 8, first_greedy: true, temperature: 0.8, max_tokens: 60, ..held.clone() };
    show("JSON, 8 samples", &run(&model, many).await?);
    if let Some(pid) = model.worker_pid().await {
        println!("memory {}", memory(pid));
    }
    for (name, request, wait) in [
        ("while reading", Request { prefix: format!("-- {:?}\n{schema}", start), ..free.clone() }, 700),
        ("while writing", Request { max_tokens: 500, ..free.clone() }, 1500),
        ("while writing 8", Request { max_tokens: 500, samples: 8, temperature: 0.8, ..free.clone() }, 2500),
    ] {
        let cancel = CancellationToken::new();
        let mut stream = model.stream(request, cancel.clone()).await?;
        let stopped = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            cancel.cancel();
            Instant::now()
        });
        while stream.next().await.is_some() {}
        println!("cancel {name}: {:.0} ms", stopped.await?.elapsed().as_secs_f64() * 1000.0);
    }
    let texts: Vec<&str> = vec![&schema; 20];
    let start = Instant::now();
    let counts = model.count_tokens(&texts).await?;
    println!("counted {} tokens in {:.0} ms", counts.iter().sum::<u32>(), start.elapsed().as_secs_f64() * 1000.0);
    // A full cache should not slow decoding down.
    for i in 0..10 {
        let filler = Request { prefix: format!("-- part {i}\n{schema}"), max_tokens: 1, ..free.clone() };
        run(&model, filler).await?;
    }
    show("free, cache full", &run(&model, free).await?);
    if let Some(pid) = model.worker_pid().await {
        println!("memory {}", memory(pid));
    }
    model.shutdown().await;
    Ok(())
}
