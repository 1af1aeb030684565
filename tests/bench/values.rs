//! The value index, from ten thousand to ten million distinct values.

mod datasketch;
pub mod exact;

use crate::Options;
use crate::child::{self, Measured};
use crate::data::names;
use crate::report::{Figure, Section, count, megabytes, percent, quantile, seconds};
use anyhow::{Context, Result, ensure};
use datasketch::Datasketch;
use exact::{Nearest, jaccard};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::ProfileOptions;
use vitrine_domain::Profile;
use vitrine_values::{SearchOptions, SearchTerm, ValueIndex};
use vitrine_warehouse::{WarehouseKind, WarehouseUri};

const SIZES: [u64; 3] = [10_000, 1_000_000, 10_000_000];
/// Above this number datasketch needs too much memory, and exact comparison too much time.
const COMPARED: u64 = 1_000_000;
const QUERIES: u64 = 400;
/// Number of matches that are considered.
const FIRST: usize = 5;
const MEMORY: u64 = 600_000_000;

/// A column of distinct values with its derived files.
#[derive(Clone, Serialize, Deserialize)]
pub struct Column {
    values: u64,
    folder: PathBuf,
}

impl Column {
    fn database(&self) -> PathBuf {
        self.folder.join("names.duckdb")
    }

    fn profile(&self) -> PathBuf {
        self.folder.join("profile.json")
    }

    fn index(&self) -> PathBuf {
        self.folder.join("values.db")
    }

    /// Returns the path of the list of all values, one per line.
    pub fn list(&self) -> PathBuf {
        self.folder.join("names.txt")
    }

    /// Returns the path of the list of queries, one per line.
    fn typed(&self) -> PathBuf {
        self.folder.join("typed.txt")
    }

    fn uri(&self) -> WarehouseUri {
        WarehouseUri::new(WarehouseKind::Duckdb, self.database())
    }

    /// Returns the path of the list of expected values, one per query.
    fn meant(&self) -> PathBuf {
        self.folder.join("meant.txt")
    }

    pub fn queries(&self) -> Result<Vec<String>> {
        lines(&self.typed())
    }
}

#[derive(Serialize, Deserialize)]
pub struct Built {
    seconds: f64,
    values: u64,
    bytes: u64,
}

#[derive(Serialize, Deserialize)]
pub struct Searched {
    seconds: Vec<f64>,
    recall: Option<Recall>,
}

/// Recall of a search of the index.
#[derive(Serialize, Deserialize)]
pub struct Recall {
    /// Share of queries with the expected value among the first matches, by the index and by exact Jaccard similarity.
    meant: f64,
    meant_exact: f64,
    /// Share of the nearest values by exact Jaccard similarity among all compared values, and among the first matches.
    compared: f64,
    first: f64,
}

/// Results for one number of values.
struct Size {
    values: u64,
    built: Measured<Built>,
    searched: Measured<Searched>,
    reference: Option<Datasketch>,
}

pub fn section(options: &Options) -> Result<Section> {
    let sizes: Vec<Size> = SIZES.iter().map(|&size| measure(options.scaled(size))).collect::<Result<_>>()?;
    let mut figures: Vec<Figure> = sizes.iter().flat_map(of_size).collect();
    for pair in sizes.windows(2) {
        figures.extend(growth(&pair[0], &pair[1]));
    }
    Ok(Section {
        how: format!(
            "One text column of a DuckDB file, every value once: people, companies, places and products put together from \
             word lists. The figure is `ValueIndex::build` itself, reading the column included, and {QUERIES} searches for \
             one literal each without embeddings, a sixth of them exact and the others misspelt, shortened or in capitals; each \
             once, with the file in the system's cache. Memory is the most that the process held, what is mapped of files included. The reference is datasketch's MinHashLSH with as many hashes and bands \
             (48 in 24), filled by `MinHash.bulk` with character 3-grams. The index ranks what it compares by \
             edit distance, words and abbreviations, not by Jaccard: so its own first {FIRST} are others than Jaccard's, and the \
             value that was meant is among them more or less often. Ties count as equal."
        ),
        figures,
        ..Section::default()
    })
}

fn measure(values: u64) -> Result<Size> {
    let folder = tempfile::tempdir()?;
    let column = Column { values, folder: folder.path().to_owned() };
    eprintln!("  {} values", count(values));
    child::run::<()>("values-make", &column)?;
    child::run::<()>("values-profile", &column)?;
    let built = child::run("values-build", &column)?;
    let nearest = match values <= COMPARED {
        true => Some(child::run::<Vec<Nearest>>("values-exact", &column)?.found),
        false => None,
    };
    let reference =
        nearest.as_ref().and_then(|nearest| Datasketch::measure(&column, nearest).transpose()).transpose()?;
    let searched = child::run("values-search", &(column, nearest))?;
    Ok(Size { values, built, searched, reference })
}

fn of_size(size: &Size) -> Vec<Figure> {
    let Size { values, built, searched, reference } = size;
    let large = *values > COMPARED;
    let name = |what: &str| format!("{} values: {what}", count(*values));
    let mut build = Figure::new(name("build"), seconds(built.found.seconds));
    let mut build_memory = Figure::new(name("memory while building"), megabytes(built.peak_bytes));
    let mut times = searched.found.seconds.clone();
    let (middle, p99) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
    let mut middle = Figure::new(name("search, median"), seconds(middle));
    let mut slowest = Figure::new(name("search, p99"), seconds(p99));
    if let Some(reference) = reference {
        let ratio = built.found.seconds / reference.build_seconds;
        build = build.against(seconds(reference.build_seconds), ratio).goal("20x faster: 0.05x", ratio <= 0.05);
        if let Some(peak) = built.peak_bytes {
            build_memory =
                build_memory.against(megabytes(Some(reference.peak_bytes)), peak as f64 / reference.peak_bytes as f64);
        }
        let mut times = reference.search_seconds.clone();
        middle = middle.against(
            seconds(quantile(&mut times, 0.5)),
            quantile(&mut searched.found.seconds.clone(), 0.5) / quantile(&mut times, 0.5),
        );
        slowest = slowest.against(seconds(quantile(&mut times, 0.99)), p99 / quantile(&mut times, 0.99));
    }
    let mut search_memory = Figure::new(name("memory while searching"), megabytes(searched.peak_bytes));
    if large {
        let below = |peak: Option<u64>| peak.is_some_and(|bytes| bytes < MEMORY);
        build_memory = build_memory.goal("below 600 MB", below(built.peak_bytes));
        search_memory = search_memory.goal("below 600 MB", below(searched.peak_bytes));
    }
    let mut figures = vec![build, build_memory, middle, slowest.goal("below 5 ms", p99 < 0.005), search_memory];
    if let Some(Recall { meant, meant_exact, compared, first }) = searched.found.recall {
        let ratio = meant / meant_exact;
        figures.push(
            Figure::new(name(&format!("finds the value meant among the first {FIRST}")), percent(meant))
                .against(format!("exact Jaccard {}", percent(meant_exact)), ratio)
                .goal("at least 0.95x", ratio >= 0.95),
        );
        let beside = |figure: Figure, recall: f64, other: Option<f64>| match other {
            Some(other) => figure.against(percent(other), recall / other),
            None => figure,
        };
        let near = Figure::new(name(&format!("compares the {FIRST} nearest by Jaccard")), percent(compared));
        let near = beside(near, compared, reference.as_ref().map(|r| r.candidates));
        figures.push(near.goal("at least 95%", compared >= 0.95));
        let shown = Figure::new(name(&format!("has them as its own first {FIRST}")), percent(first));
        figures.push(beside(shown, first, reference.as_ref().map(|r| r.first)));
    }
    let file = built.found.bytes;
    figures.push(Figure::new(
        name("file"),
        format!("{}, {} bytes a value", megabytes(Some(file)), file / built.found.values),
    ));
    figures
}

/// Returns the growth from one size to the next, compared with linear growth.
fn growth(from: &Size, to: &Size) -> [Figure; 2] {
    let linear = to.values as f64 / from.values as f64;
    let p99 = |size: &Size| quantile(&mut size.searched.found.seconds.clone(), 0.99);
    [("time of building", to.built.found.seconds / from.built.found.seconds), ("p99 of searching", p99(to) / p99(from))]
        .map(|(what, grown)| {
            Figure::new(
                format!("{} to {} values: {what}", count(from.values), count(to.values)),
                format!("{grown:.2}x"),
            )
            .against(format!("{linear:.0}x the values"), grown / linear)
            .goal("no worse than linear", grown <= linear)
        })
}

/// Creates the table, the list for the references, and the queries.
pub async fn make(column: Column) -> Result<()> {
    let connection = crate::data::orders::engine()?;
    connection.execute_batch(&format!(
        "ATTACH '{}' AS made; CREATE TABLE made.names(id BIGINT, name VARCHAR)",
        crate::data::orders::quoted(&column.database())
    ))?;
    let mut rows = connection.appender_to_catalog_and_db("names", "made", "main")?;
    let mut list = BufWriter::new(File::create(column.list())?);
    let (mut typed, mut meant) = (File::create(column.typed())?, File::create(column.meant())?);
    let every = column.values / QUERIES;
    // Stores digests instead of texts, because ten million texts would dominate the memory.
    let mut seen: HashSet<u64> = HashSet::with_capacity(column.values as usize);
    let mut number = 0;
    while (seen.len() as u64) < column.values {
        let name = names::name(number);
        number += 1;
        if !seen.insert(exact::digest(name.as_bytes())) {
            continue;
        }
        let id = seen.len() as u64;
        rows.append_row(duckdb::params![id as i64, &name])?;
        writeln!(list, "{name}")?;
        if id.is_multiple_of(every) && id / every <= QUERIES {
            writeln!(typed, "{}", names::typed(&name, id / every))?;
            writeln!(meant, "{name}")?;
        }
    }
    rows.flush()?;
    Ok(list.flush()?)
}

/// Creates the profile that the index uses to select columns.
pub async fn profile(column: Column) -> Result<()> {
    let warehouse = vitrine_warehouse::open_warehouse(&column.uri()).await?;
    let catalog = warehouse.load_catalog().await?;
    let options = ProfileOptions::default();
    let profile =
        vitrine_catalog::profile_database(warehouse, &catalog, options, |_, _, _| {}, CancellationToken::new()).await?;
    Ok(std::fs::write(column.profile(), serde_json::to_vec(&profile)?)?)
}

pub async fn build(column: Column) -> Result<Built> {
    let warehouse = vitrine_warehouse::open_warehouse(&column.uri()).await?;
    let catalog = warehouse.load_catalog().await?;
    let profile: Profile = serde_json::from_slice(&std::fs::read(column.profile())?)?;
    let index = ValueIndex::open(&column.index())?;
    let began = Instant::now();
    let report = index.build(warehouse, &catalog, &profile, |_| {}, CancellationToken::new()).await?;
    let seconds = began.elapsed().as_secs_f64();
    ensure!(report.values == column.values, "{} values were indexed, not {}", report.values, column.values);
    Ok(Built { seconds, values: report.values, bytes: index.size()?.bytes })
}

/// Runs every query once, and measures the times and the recall.
pub async fn search((column, nearest): (Column, Option<Vec<Nearest>>)) -> Result<Searched> {
    let index = ValueIndex::open(&column.index())?;
    let queries = column.queries()?;
    let mut seconds = Vec::new();
    let mut found = Vec::new();
    for query in &queries {
        let term = [SearchTerm::new(query)];
        let began = Instant::now();
        let matches = index.search(&term, SearchOptions { limit: FIRST, ..SearchOptions::default() }, None)?;
        seconds.push(began.elapsed().as_secs_f64());
        found.push(matches);
    }
    let Some(nearest) = nearest else { return Ok(Searched { seconds, recall: None }) };
    // All candidates of the keys, regardless of the ranking.
    let everything = SearchOptions { edit_threshold: 0.0, limit: usize::MAX, ..SearchOptions::default() };
    let mut recall = Recall { meant: 0.0, meant_exact: 0.0, compared: 0.0, first: 0.0 };
    let one = 1.0 / queries.len() as f64;
    let truth = lines(&column.meant())?;
    for (((query, meant), matches), nearest) in queries.iter().zip(&truth).zip(&found).zip(&nearest) {
        let all = index.search(&[SearchTerm::new(query)], everything, None)?;
        recall.meant += one * f64::from(matches.iter().any(|m| m.value == *meant));
        recall.meant_exact += one * nearest.has(jaccard(query, meant));
        recall.compared += one * nearest.recall(all.iter().map(|m| jaccard(query, &m.value)));
        recall.first += one * nearest.recall(matches.iter().map(|m| jaccard(query, &m.value)));
    }
    Ok(Searched { seconds, recall: Some(recall) })
}

fn lines(path: &Path) -> Result<Vec<String>> {
    Ok(BufReader::new(File::open(path)?).lines().collect::<std::io::Result<_>>()?)
}

fn script() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/bench/values/minhash_lsh.py"))
}

/// Returns the Python interpreter with datasketch, if the set-up provides one.
fn python() -> Option<PathBuf> {
    std::env::var_os("VITRINE_PYTHON").map(PathBuf::from)
}

/// Parses a program's output as JSON.
fn parsed<T: serde::de::DeserializeOwned>(output: &[u8]) -> Result<T> {
    serde_json::from_slice(output).context("datasketch's script said something else than its result")
}
