//! The desktop window: start time, size and responsiveness. `window.mjs` drives it like the tests; motion is measured
//! in a browser (`feel`).

use crate::feel;
use crate::report::{Figure, Section, count, megabytes, quantile, seconds};
use crate::{Options, repository};
use anyhow::{Result, ensure};
use serde::Deserialize;
use std::process::Command;

/// Number of starts; odd, so that there is a median.
const STARTS: usize = 7;
/// Required tools besides Node: the driver, a virtual display and a session bus.
const TOOLS: [&str; 3] = ["WebKitWebDriver", "xvfb-run", "dbus-run-session"];

/// The output of `window.mjs`; sizes are in bytes.
#[derive(Deserialize)]
struct Seen {
    first: f64,
    own: Vec<f64>,
    empty: Vec<f64>,
    answers: Answers,
    program: u64,
    stripped: Option<u64>,
    release: Option<u64>,
    pages: u64,
    pages_bytes: u64,
    pages_gzip: u64,
    duckdb: u64,
    llama: u64,
    llama_bytes: u64,
    models: Vec<(String, u64)>,
}

/// Seconds from a click or key until the driver finds the result.
#[derive(Deserialize)]
struct Answers {
    /// A click that has no effect.
    empty: Vec<f64>,
    letter: Vec<f64>,
    page: Vec<f64>,
    palette: Vec<f64>,
}

pub fn section(options: &Options) -> Result<Section> {
    let missing: Vec<&str> = TOOLS.into_iter().filter(|tool| !is_there(tool)).collect();
    if !missing.is_empty() {
        return Ok(Section::skipped(format!(
            "SKIPPED, because {} cannot be found. On Debian and Ubuntu: apt-get install webkit2gtk-driver xvfb xauth dbus",
            missing.join(" and ")
        )));
    }
    let starts = if options.scale < 1.0 { 1 } else { STARTS };
    let folder = tempfile::tempdir()?;
    let result = folder.path().join("window.json");
    let output = Command::new("dbus-run-session")
        .args(["--", "xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "node"])
        .arg(repository().join("tests/bench/window.mjs"))
        .arg(starts.to_string())
        .arg(&result)
        .output()?;
    // xvfb-run merges both streams.
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the window could not be measured: {}\n{said}", output.status);
    let seen: Seen = serde_json::from_slice(&std::fs::read(&result)?)?;
    let felt = feel::measure(options, folder.path())?;
    Ok(Section {
        how: format!(
            "The build that `npm start` makes (Cargo's dev profile, optimised by crate as Cargo.toml says), driven by \
             WebKitWebDriver on a display in memory (Xvfb): from the start of its process until the box for the question is there and has taken a click. Medians of {starts} after a first one, \
             taken in turns with the reference: the same driver's session with WebKit's own MiniBrowser until its empty page is \
             there, which is what driver and web engine need by themselves. The pages are part of the program; the processor \
             decides which one of llama.cpp's kernels is loaded. {}",
            felt.how
        ),
        figures: opening(&seen).into_iter().chain(answering(&seen.answers)).chain(weights(&seen)).collect(),
        tables: felt.tables,
    })
}

fn is_there(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

fn opening(seen: &Seen) -> Vec<Figure> {
    let middle = quantile(&mut seen.own.clone(), 0.5);
    let opened = Figure::new("window: from its start to a question that can be typed", seconds(middle))
        .goal("below 1.5 s", middle < 1.5);
    let opened = match &seen.empty[..] {
        [] => opened,
        empty => {
            let empty = quantile(&mut empty.to_vec(), 0.5);
            opened.against(format!("{} to an empty page", seconds(empty)), middle / empty)
        }
    };
    vec![
        opened,
        Figure::new("window: the slowest of these starts", seconds(quantile(&mut seen.own.clone(), 1.0))),
        Figure::new("window: the first start, with a new workspace", seconds(seen.first)),
    ]
}

/// Returns the response times, with a click without effect as reference: the difference is the window's own time.
fn answering(answers: &Answers) -> Vec<Figure> {
    let middle = |times: &[f64]| quantile(&mut times.to_vec(), 0.5);
    let nothing = middle(&answers.empty);
    [
        ("a letter typed into the question", &answers.letter),
        ("another page", &answers.page),
        ("the palette", &answers.palette),
    ]
    .into_iter()
    .map(|(what, times)| {
        let own = middle(times) - nothing;
        Figure::new(format!("window, by the driver: {what}"), seconds(middle(times)))
            .against(format!("{} for a click on nothing", seconds(nothing)), middle(times) / nothing)
            .goal("100 ms more at most", own < 0.1)
    })
    .collect()
}

fn weights(seen: &Seen) -> Vec<Figure> {
    let bytes = |name: &str, bytes: u64| Figure::new(name, megabytes(Some(bytes)));
    let kilobytes = |bytes: u64| format!("{} kB", count(bytes.div_ceil(1_000)));
    let mut figures = vec![bytes("program as built, with the lines of its source", seen.program)];
    figures.extend(seen.stripped.map(|size| bytes("program, stripped", size)));
    figures.extend(seen.release.map(|size| bytes("program, release build", size)));
    figures.extend([
        Figure::new(format!("pages of the window, {} files", seen.pages), kilobytes(seen.pages_bytes)),
        Figure::new("pages of the window, gzip", kilobytes(seen.pages_gzip)),
        bytes("libduckdb", seen.duckdb),
        bytes(&format!("llama.cpp's libraries, {} files", seen.llama), seen.llama_bytes),
    ]);
    figures.extend(
        seen.stripped
            .map(|program| bytes("program, stripped, with these libraries", program + seen.duckdb + seen.llama_bytes)),
    );
    figures.extend(seen.models.iter().map(|(name, size)| bytes(&format!("model {name}"), *size)));
    figures
}
