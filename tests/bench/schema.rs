//! Compression of schemas with thousands of tables: resulting size and time.

use crate::Options;
use crate::child::{self, Measured};
use crate::report::{Figure, Section, count, megabytes, percent, quantile, seconds, times};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use vitrine_catalog::{Budget, Compressed, RenderOptions, chunk_schema, compress_catalog, render_schema};
use vitrine_domain::Catalog;
use vitrine_llm::ChatModel;
use vitrine_llm_local::{DEFAULT_CONTEXT, LocalConfig, LocalModel};
use vitrine_models::{DEFAULT_CHAT_MODEL, ModelStore};
use vitrine_warehouse::{WarehouseKind, WarehouseUri};

/// A prompt size above any model's limit.
const LARGE: u32 = 100_000;
/// The database that the AV-SQL paper compresses by 96%.
const PAPERS: &str = "GA360";

#[derive(Clone, Serialize, Deserialize)]
pub struct Schemas {
    folders: Vec<PathBuf>,
    /// The embedded model's file, whose tokenizer counts tokens. Without it, an estimate is used, which takes no time.
    tokenizer: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
pub struct Measurement {
    name: String,
    tables: usize,
    columns: usize,
    seconds: f64,
    chunks: usize,
    /// `true` if expanding restored every table, column and type.
    lossless: bool,
    raw: u32,
    compressed: u32,
}

pub fn section(options: &Options) -> Result<Section> {
    let databases = options.schemas.join("resource/databases");
    let Ok(found) = std::fs::read_dir(&databases) else {
        return Ok(Section::skipped(format!(
            "skipped: {} is not there. Spider 2.0-snow's schemas are no part of the project; give their folder with --schemas",
            databases.display()
        )));
    };
    let mut folders: Vec<PathBuf> = found.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    folders.sort();
    let model = ModelStore::new(vitrine_api::Folders::from_environment()?.models()).model_path(DEFAULT_CHAT_MODEL)?;
    let tokenizer = model.exists().then_some(model);
    let counted_by = if tokenizer.is_some() { DEFAULT_CHAT_MODEL } else { "an estimate" };

    let schemas = Schemas { folders, tokenizer: None };
    let timed: Measured<Vec<Measurement>> = child::run("schema", &schemas)?;
    let counted: Measured<Vec<Measurement>> = child::run("schema", &Schemas { tokenizer, ..schemas })?;
    let widest = timed.found.iter().max_by_key(|one| one.columns).context("no schema was found")?;
    let folder = vec![databases.join(&widest.name)];
    let alone: Measured<Vec<Measurement>> = child::run("schema", &Schemas { folders: folder, tokenizer: None })?;
    Ok(Section {
        how: format!(
            "{} databases of Spider 2.0-snow with {} tables and {} columns, one after the other: read, compress, write, split \
             into chunks of {} tokens. Tokens are counted by {counted_by}, in a run of their own; the first times are with a \
             count by length, so that they hold nothing but this program's own work. The reference of a size is the same text \
             with every table and column by itself.",
            timed.found.len(),
            count(timed.found.iter().map(|one| one.tables as u64).sum()),
            count(timed.found.iter().map(|one| one.columns as u64).sum()),
            count(u64::from(vitrine_domain::model_profile::chunk_budget(DEFAULT_CONTEXT, false))),
        ),
        figures: figures(&timed.found, &counted.found, &alone, counted_by),
        ..Section::default()
    })
}

fn figures(
    timed: &[Measurement],
    counted: &[Measurement],
    alone: &Measured<Vec<Measurement>>,
    by: &str,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    let size = |name: String, compressed: u32, raw: u32| {
        let tokens = |number: u32| format!("{} tokens", count(u64::from(number)));
        Figure::new(name, tokens(compressed)).against(tokens(raw), f64::from(compressed) / f64::from(raw))
    };
    for (name, part) in [("median", 0.5), ("90th percentile", 0.9), ("largest", 1.0)] {
        let mut raw: Vec<u32> = counted.iter().map(|one| one.raw).collect();
        let mut compressed: Vec<u32> = counted.iter().map(|one| one.compressed).collect();
        figures.push(size(format!("size, {name}"), quantile(&mut compressed, part), quantile(&mut raw, part)));
    }
    let sum = |of: fn(&Measurement) -> u32| counted.iter().map(of).sum();
    figures.push(size("size, all together".into(), sum(|one| one.compressed), sum(|one| one.raw)));

    let large: Vec<&Measurement> = counted.iter().filter(|one| one.raw > LARGE).collect();
    let mut shrunk: Vec<(f64, &str)> =
        large.iter().map(|one| (f64::from(one.raw) / f64::from(one.compressed), one.name.as_str())).collect();
    shrunk.sort_by(|a, b| a.0.total_cmp(&b.0));
    let below: Vec<String> =
        shrunk.iter().filter(|(by, _)| *by < 10.0).map(|(by, name)| format!("{name} {}", times(*by))).collect();
    if !below.is_empty() {
        eprintln!("above {} tokens and compressed less than 10x: {}", count(u64::from(LARGE)), below.join(", "));
    }
    if let (Some(least), Some(middle)) = (shrunk.first(), shrunk.get(shrunk.len() / 2)) {
        figures.push(
            Figure::new(
                format!("{} schemas above {} tokens become smaller by", large.len(), count(u64::from(LARGE))),
                format!("{} ({}) at least, {} in the middle", times(least.0), least.1, times(middle.0)),
            )
            .goal("at least 10x", below.is_empty()),
        );
    }
    if let Some(papers) = counted.iter().find(|one| one.name == PAPERS) {
        let smaller = 1.0 - f64::from(papers.compressed) / f64::from(papers.raw);
        let figure = size(format!("{PAPERS}, {} smaller", percent(smaller)), papers.compressed, papers.raw);
        figures.push(figure.goal("above 96% smaller", smaller > 0.96));
    }
    let lossless = counted.iter().filter(|one| one.lossless).count();
    figures.push(
        Figure::new("expanding gives back every table, column and type", format!("{lossless} of {}", counted.len()))
            .goal("all", lossless == counted.len()),
    );
    let took = |all: &[Measurement]| all.iter().map(|one| one.seconds).sum::<f64>();
    figures.push(Figure::new("time for all", seconds(took(timed))).goal("within 20 s", took(timed) <= 20.0));
    figures.push(Figure::new(format!("time for all, chunks counted by {by}"), seconds(took(counted))));
    if let [widest] = &alone.found[..] {
        let name = format!(
            "{}, {} columns in {} tables",
            widest.name,
            count(widest.columns as u64),
            count(widest.tables as u64)
        );
        figures.push(
            Figure::new(format!("time for {name}"), seconds(widest.seconds)).goal("below 2 s", widest.seconds < 2.0),
        );
        let met = alone.peak_bytes.is_some_and(|bytes| bytes < 500_000_000);
        figures.push(Figure::new("memory for it, at most", megabytes(alone.peak_bytes)).goal("below 500 MB", met));
    }
    figures
}

/// Converts each schema from its files to chunks. Only that is timed; checks and sizes follow.
pub async fn measure(schemas: Schemas) -> Result<Vec<Measurement>> {
    let tokenizer = schemas.tokenizer.map(tokenizer).transpose()?;
    if let Some(model) = &tokenizer {
        // Starts the worker before the measurement.
        model.count_tokens(&["ready?"]).await?;
    }
    let count = async |texts: &[&str]| match &tokenizer {
        Some(model) => model.count_tokens(texts).await.unwrap_or_default(),
        None => texts.iter().map(|text| (text.len() as u32).div_ceil(3)).collect(),
    };
    let options = RenderOptions::default();
    let mut measured = Vec::new();
    for folder in schemas.folders {
        let began = Instant::now();
        let catalog = read(&folder).await?;
        let compressed = compress_catalog(&catalog);
        let text = render_schema(&compressed, None, None, &options);
        let chunks = chunk_schema(
            &compressed,
            None,
            Budget::new(vitrine_domain::model_profile::chunk_budget(DEFAULT_CONTEXT, false), DEFAULT_CONTEXT),
            count,
            &options,
        )
        .await;
        let seconds = began.elapsed().as_secs_f64();
        let (raw, small) = match &tokenizer {
            None => (0, 0),
            Some(_) => {
                let raw = render_schema(&Compressed::as_it_is(&catalog), None, None, &options);
                let counts = count(&[&raw, &text]).await;
                (counts[0], counts[1])
            }
        };
        measured.push(Measurement {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            tables: catalog.tables.len(),
            columns: catalog.column_count(),
            seconds,
            chunks: chunks.len(),
            lossless: is_whole(&compressed, &catalog),
            raw,
            compressed: small,
        });
    }
    Ok(measured)
}

async fn read(folder: &Path) -> Result<Catalog> {
    let uri = WarehouseUri::new(WarehouseKind::Ddl, folder);
    Ok(vitrine_warehouse::open_warehouse(&uri).await?.load_catalog().await?)
}

fn is_whole(compressed: &Compressed, catalog: &Catalog) -> bool {
    let expanded: BTreeSet<_> = compressed
        .expand_tables()
        .into_iter()
        .map(|(table, mut columns)| {
            columns.sort();
            (table, columns)
        })
        .collect();
    let original: BTreeSet<_> = catalog
        .tables
        .iter()
        .map(|table| {
            let mut columns: Vec<_> = table.columns.iter().map(|c| (c.name.clone(), c.data_type.clone())).collect();
            columns.sort();
            (table.name.clone(), columns)
        })
        .collect();
    expanded == original && expanded.len() == catalog.tables.len()
}

/// Creates the embedded model with this program as its worker.
fn tokenizer(gguf: PathBuf) -> Result<Arc<LocalModel>> {
    Ok(LocalModel::new(LocalConfig {
        id: DEFAULT_CHAT_MODEL.into(),
        gguf,
        worker_exe: std::env::current_exe()?,
        threads: 0,
        context_tokens: 0,
        prefixes: None,
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: None,
    }))
}
