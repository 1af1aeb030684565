//! Responsiveness of the window in a browser: frames during motion, and the time from a key or click to the resulting
//! paint. `feel.mjs` measures; an empty page in the same browser is the reference, because a browser without a graphics
//! card has its own limits.

use crate::report::{Table, percent, quantile, seconds};
use crate::{Options, repository};
use anyhow::{Result, ensure};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of repetitions; odd, so that there is a median.
const TIMES: usize = 9;
/// Milliseconds between two frames at 60 per second, and the tolerance of the clock.
const FRAME: f64 = 1_000.0 / 60.0;
const OFF: f64 = 1.0;

/// The output of `feel.mjs`; times are in milliseconds.
#[derive(Deserialize)]
struct Seen {
    frames: Vec<Moved>,
    interactions: Vec<Done>,
}

/// An animation that was measured.
#[derive(Deserialize)]
struct Moved {
    r#where: String,
    what: String,
    /// Milliseconds between two consecutive frames.
    between: Vec<f64>,
    /// Share of the time that the main thread was busy.
    busy: f64,
}

/// An interaction that was repeated several times.
#[derive(Deserialize)]
struct Done {
    r#where: String,
    what: String,
    took: Vec<f64>,
    /// Processor time of the main thread.
    cpu: Vec<f64>,
    /// `true` for a response to the user, `false` for opening something large.
    goal: bool,
}

/// Description and tables of the results.
#[derive(Default)]
pub struct Felt {
    pub how: String,
    pub tables: Vec<Table>,
}

/// Measures in a browser, if one is installed.
pub fn measure(options: &Options, folder: &Path) -> Result<Felt> {
    let browser =
        std::env::var_os("VITRINE_CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    if !browser.is_file() {
        let how = format!("No frames were measured: there is no browser at {}.", browser.display());
        return Ok(Felt { how, ..Felt::default() });
    }
    let result = folder.join("feel.json");
    let times = if options.scale < 1.0 { 1 } else { TIMES };
    let output = Command::new("node")
        .current_dir(repository())
        .arg("tests/bench/feel.mjs")
        .arg(times.to_string())
        .arg(&result)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the pages could not be measured: {}\n{said}", output.status);
    let seen: Seen = serde_json::from_slice(&std::fs::read(&result)?)?;
    Ok(Felt {
        how: format!(
            "Frames and answers are those of the same pages in Chromium without a display and without a graphics card, at 1280 x 800: \
             a million rows, 50,000 rows and the window over the development host, graphs of 2,000 cards over made-up runs. A frame is what the \
             page begins to draw (`requestAnimationFrame`), an answer the time from the key or the click to the paint in which its \
             effect is there; each was taken {times} times. Processor time is what the main thread of the page worked for it: unlike the time \
             until an answer, other work on the same computer hardly changes it.",
        ),
        tables: vec![frames(&seen.frames), answers(&seen.interactions)],
    })
}

fn milliseconds(time: f64) -> String {
    format!("{time:.1} ms")
}

fn frames(moved: &[Moved]) -> Table {
    let row = |moved: &Moved| {
        let mut between = moved.between.clone();
        let count = between.len() as f64;
        let later =
            |frames: f64| percent(between.iter().filter(|&&time| time > frames * FRAME + OFF).count() as f64 / count);
        let (missed, slow) = (later(1.0), later(2.0));
        vec![
            format!("{}: {}", moved.r#where, moved.what),
            format!("{:.1}", 1_000.0 * count / between.iter().sum::<f64>()),
            milliseconds(quantile(&mut between, 0.5)),
            milliseconds(quantile(&mut between, 0.95)),
            missed,
            slow,
            milliseconds(quantile(&mut between, 1.0)),
            percent(moved.busy),
        ]
    };
    Table {
        caption: "Frames while something moves".to_owned(),
        head: &[
            "what moves",
            "a second",
            "median",
            "95 of 100 within",
            "above 16.7 ms",
            "above 33.3 ms",
            "longest",
            "main thread busy",
        ],
        numbers: 1..8,
        rows: moved.iter().filter(|moved| !moved.between.is_empty()).map(row).collect(),
    }
}

fn answers(done: &[Done]) -> Table {
    let row = |done: &Done| {
        let mut took = done.took.clone();
        let middle = quantile(&mut took, 0.5);
        let met = if middle < 100.0 { "met" } else { "NOT met" };
        vec![
            format!("{}: {}", done.r#where, done.what),
            seconds(middle / 1_000.0),
            seconds(quantile(&mut took, 1.0) / 1_000.0),
            seconds(quantile(&mut done.cpu.clone(), 0.5) / 1_000.0),
            if done.goal { "below 100 ms" } else { "" }.to_owned(),
            if done.goal { met } else { "" }.to_owned(),
        ]
    };
    Table {
        caption: "From a key or a click to the paint of its effect".to_owned(),
        head: &["what is done", "median", "longest", "processor time", "goal", "met"],
        numbers: 1..4,
        rows: done.iter().map(row).collect(),
    }
}
