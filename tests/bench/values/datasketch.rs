//! The reference: datasketch on the same values, in Python.

use super::exact::{Nearest, jaccard};
use super::{Column, parsed, python, script};
use anyhow::{Result, ensure};
use serde::Deserialize;
use std::process::{Command, Stdio};

pub struct Datasketch {
    pub build_seconds: f64,
    pub search_seconds: Vec<f64>,
    pub peak_bytes: u64,
    /// Recall of all candidates of its bands, and of the first ones by its own estimate.
    pub candidates: f64,
    pub first: f64,
}

#[derive(Deserialize)]
struct Told {
    build_seconds: f64,
    search_seconds: Vec<f64>,
    peak_bytes: u64,
    /// Per query: the candidates, best first by the estimate of their signatures.
    found: Vec<Vec<String>>,
}

impl Datasketch {
    /// Measures datasketch; `None` if the set-up does not provide it.
    pub fn measure(column: &Column, nearest: &[Nearest]) -> Result<Option<Self>> {
        let Some(python) = python() else {
            eprintln!("  without datasketch: VITRINE_PYTHON names no Python that has it");
            return Ok(None);
        };
        let output = Command::new(python)
            .arg(script())
            .args([column.list(), column.typed()])
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "datasketch's script ended with {}", output.status);
        let told: Told = parsed(&output.stdout)?;
        let queries = column.queries()?;
        let recall = |most: usize| {
            let of = |((query, found), nearest): ((&String, &Vec<String>), &Nearest)| {
                nearest.recall(found.iter().take(most).map(|value| jaccard(query, value)))
            };
            queries.iter().zip(&told.found).zip(nearest).map(of).sum::<f64>() / queries.len() as f64
        };
        Ok(Some(Self {
            candidates: recall(usize::MAX),
            first: recall(super::FIRST),
            build_seconds: told.build_seconds,
            search_seconds: told.search_seconds,
            peak_bytes: told.peak_bytes,
        }))
    }
}
