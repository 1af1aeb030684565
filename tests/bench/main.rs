//! `npm run bench`: the speed of everything except the model's answers, each figure with a reference measured in the
//! same run.
//!
//! ```text
//! schema   compression and chunks of the 152 schemas of Spider 2.0-snow
//! values   building and searching the value index, compared with datasketch
//! profile  profiling a Parquet file, compared with DuckDB's SUMMARIZE
//! export   writing CSV, compared with DuckDB's COPY
//! cage     the cost of running engines in separate processes
//! grid     the first page and any page of a large result
//! model    the embedded model: its start, several samples, a cached schema
//! rules    findings and changes of rules on right queries, gold SQL, and on wrong ones that a model wrote
//! keys     declared keys removed and inferred again
//! explain  gold SQL decomposed into steps, and the result of the chain of steps
//! window   the window: start, size and responsiveness, a million rows and 2,000 moving cards
//! ```
//! Steps run in separate processes (`child`), so that each has its own memory peak. Measurements replace their section
//! in docs/benchmarks.md; the text around it is kept.

mod cage;
mod child;
mod data;
mod engines;
mod explain;
mod export;
mod feel;
mod grid;
mod keys;
mod model;
mod profile;
mod report;
mod rules;
mod schema;
mod values;
mod window;

use anyhow::{Result, bail};
use report::Section;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "npm run bench [-- [schema] [values] [profile] [export] [cage] [grid] [model] [rules] [keys] [explain] [window] [--schemas FOLDER] [--packs FOLDER,FOLDER] [--replies FILE,FILE] [--scale PART]]

--schemas FOLDER  Spider 2.0-snow's schemas (the folder that holds resource/databases); default ../shared/data/spider2_schema/spider2-snow
--packs FOLDERS   packs of questions for rules, keys and explain; default spider_dev, spider_train, bird_train, defog and footballdb in ../shared/data
--replies FILES   what models wrote for questions of these packs, as `vitrine eval --replies` keeps it, for rules; default none
--scale PART      take only this part of the rows (0.01, say), to try the program; the document stays as it is";

/// Options of the command line.
pub struct Options {
    sections: Vec<String>,
    schemas: PathBuf,
    packs: Vec<PathBuf>,
    replies: Vec<PathBuf>,
    scale: f64,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self {
            sections: Vec::new(),
            schemas: default_schemas(),
            packs: default_packs(),
            replies: Vec::new(),
            scale: 1.0,
        };
        let mut args = args.iter().filter(|arg| *arg != "--bench");
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| anyhow::anyhow!("{arg} needs a value\n\n{USAGE}"));
            match arg.as_str() {
                "--schemas" => options.schemas = from_where_npm_was_called(value()?),
                "--packs" => options.packs = value()?.split(',').map(from_where_npm_was_called).collect(),
                "--replies" => options.replies = value()?.split(',').map(from_where_npm_was_called).collect(),
                "--scale" => options.scale = value()?.parse()?,
                name if SECTIONS.iter().any(|(known, _)| *known == name) => options.sections.push(name.to_owned()),
                _ => bail!("{arg} is no section\n\n{USAGE}"),
            }
        }
        Ok(options)
    }

    /// Scales a number of rows or values for this run.
    pub fn scaled(&self, rows: u64) -> u64 {
        ((rows as f64 * self.scale) as u64).max(1_000)
    }

    fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|wanted| wanted == section)
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in the repository")
}

fn default_schemas() -> PathBuf {
    repository().join("../shared/data/spider2_schema/spider2-snow")
}

fn default_packs() -> Vec<PathBuf> {
    let packs = ["spider_dev", "spider_train", "bird_train", "defog", "footballdb"];
    packs.map(|pack| repository().join("../shared/data").join(pack)).into()
}

/// Resolves a path relative to the caller's folder, because Cargo changes into the package's folder.
fn from_where_npm_was_called(path: &str) -> PathBuf {
    std::env::var_os("INIT_CWD").map_or_else(|| PathBuf::from(path), |folder| Path::new(&folder).join(path))
}

type Measure = fn(&Options) -> Result<Section>;

const SECTIONS: [(&str, Measure); 11] = [
    ("schema", schema::section),
    ("values", values::section),
    ("profile", profile::section),
    ("export", export::section),
    ("cage", cage::section),
    ("grid", grid::section),
    ("model", model::section),
    ("rules", rules::section),
    ("keys", keys::section),
    ("explain", explain::section),
    ("window", window::section),
];

fn main() -> ExitCode {
    // This program is also the worker of the embedded model, which counts tokens.
    vitrine_api::run_worker_if_asked();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match &args[..] {
        [flag, step, input] if flag == child::FLAG => child::serve(step, input),
        _ => Options::parse(&args).and_then(|options| measure(&options)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<()> {
    for (name, section) in SECTIONS.into_iter().filter(|(name, _)| options.wants(name)) {
        eprintln!("measuring {name}");
        let mut section = section(options)?;
        if !section.figures.is_empty() {
            section.how += &format!(" {} cores.", std::thread::available_parallelism()?);
        }
        println!("{}", section.text(name));
        if options.scale == 1.0 && !section.figures.is_empty() {
            section.write(name, &repository().join("docs/benchmarks.md"))?;
        }
    }
    Ok(())
}
