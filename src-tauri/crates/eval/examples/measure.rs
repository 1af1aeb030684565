#![allow(missing_docs)]
use std::sync::Arc; use std::path::PathBuf; use std::collections::BTreeMap;
use tokio_util::sync::CancellationToken;
use vitrine_domain::*; use vitrine_agents::Models; use vitrine_eval::*;
#[tokio::main]
async fn main() {
    vitrine_llm_local::run_worker_if_asked();
    let a: Vec<String> = std::env::args().collect();
    let (pack, strategy, every, offset, limit, out) = (&a[1], &a[2], a[3].parse().unwrap(), a[4].parse().unwrap(), a[5].parse::<usize>().unwrap(), PathBuf::from(&a[6]));
    let mut settings = AskSettings { strategy: strategy.parse().unwrap(), ..AskSettings::default() };
    for x in &a[7..] { if let Some(k) = x.strip_prefix("k=") { settings.candidates = k.parse().unwrap() } else { settings.without.push(x.parse().unwrap()) } }
    let model = vitrine_llm_local::LocalModel::new(vitrine_llm_local::LocalConfig { id: "qwen2.5-coder-1.5b".into(), gguf: "/root/.cache/vitrine/models/qwen2.5-coder-1.5b/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf".into(), worker_exe: std::env::current_exe().unwrap(), threads: 0, context_tokens: 16384 });
    let embedder: Arc<dyn vitrine_values::Embedder> = Arc::new(vitrine_values::MiniLm::load(std::path::Path::new("/root/.cache/vitrine/models/minilm-l6-v2")).unwrap());
    let began = std::time::Instant::now();
    let lab = Lab { models: Models { default: model, by_agent: BTreeMap::new() }, clock: Arc::new(move || began.elapsed().as_millis() as u64),
        prepare: Box::new(move |path| { let embedder = embedder.clone(); Box::pin(async move {
            let uri = vitrine_warehouse::WarehouseUri::parse(&format!("sqlite:{}", path.display())).map_err(AppError::from)?;
            let warehouse = vitrine_warehouse::open(&uri).await.map_err(AppError::from)?;
            let catalog = Arc::new(warehouse.catalog().await.map_err(AppError::from)?);
            let profile = Arc::new(vitrine_catalog::profile(warehouse.clone(), &catalog, Default::default(), |_, _, _| {}, CancellationToken::new()).await.map_err(AppError::from)?);
            let vp = PathBuf::from(format!("/tmp/proto/values-{}.db", path.file_stem().unwrap().to_string_lossy()));
            let values = Arc::new(vitrine_values::ValueIndex::open(&vp).map_err(|e| AppError::new(ErrorCode::Internal, e.to_string()))?);
            if let Err(e) = values.build(warehouse.clone(), &catalog, &profile, |_| {}, CancellationToken::new()).await { eprintln!("values: {e}"); }
            Ok(Prepared { warehouse, catalog, profile, values: Some(values), embedder: Some(embedder) }) }) }) };
    let pack = Pack::load(std::path::Path::new(pack)).unwrap();
    let mut ok = (0, 0);
    let outcomes = run_pack(&pack, &lab, &EvalOptions { settings, every, offset, limit: Some(limit), out: out.clone() }, CancellationToken::new(), |o, n, total| {
        ok.0 += o.spider as u32; ok.1 += o.bird as u32;
        println!("{n}/{total} {} s={} b={} {:.1}s calls={} p={} c={} w={} acc {}/{} {}", o.id, o.spider, o.bird, o.usage.wall_ms as f64/1000.0, o.usage.llm_calls, o.usage.prompt_tokens, o.usage.cached_prompt_tokens, o.usage.completion_tokens, ok.0, ok.1, o.error.clone().unwrap_or_default().replace('\n'," "));
    }).await.unwrap();
    println!("{}", vitrine_eval::report::markdown(&pack.name, &[vitrine_eval::report::NamedRun { name: strategy.clone(), outcomes }]));
    std::process::exit(0);
}
