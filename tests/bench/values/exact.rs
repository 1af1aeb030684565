//! Nearest values by exact Jaccard similarity of character 3-grams: compares every value with every query.

use super::{Column, FIRST};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// The similarities of the nearest values to one query, highest first.
#[derive(Serialize, Deserialize)]
pub struct Nearest(pub Vec<f64>);

impl Nearest {
    /// Returns 1 if a value of this similarity is among the nearest, including ties with the last one, and 0 otherwise.
    pub fn has(&self, similarity: f64) -> f64 {
        f64::from(self.0.last().is_none_or(|&last| similarity >= last - BIT))
    }

    /// Returns the share of the nearest values among the found ones; ties with the last one are included.
    pub fn recall(&self, found: impl Iterator<Item = f64>) -> f64 {
        let Some(&last) = self.0.last() else { return 1.0 };
        found.filter(|similarity| *similarity >= last - BIT).count().min(self.0.len()) as f64 / self.0.len() as f64
    }
}

/// Tolerance of comparisons: numbers may lose their last bit between processes.
const BIT: f64 = 1e-9;

/// Returns the 3-grams of a text in lower case, padded by two at each end so that its start and end have weight.
fn grams(text: &str) -> Vec<u64> {
    let lower = text.to_lowercase();
    let padded: Vec<u64> = [1; 2].into_iter().chain(lower.chars().map(u64::from)).chain([1; 2]).collect();
    let mut grams: Vec<u64> = padded.windows(3).map(|gram| gram[0] << 42 | gram[1] << 21 | gram[2]).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}

pub fn jaccard(a: &str, b: &str) -> f64 {
    let (a, b): (BTreeSet<u64>, BTreeSet<u64>) = (grams(a).into_iter().collect(), grams(b).into_iter().collect());
    let shared = a.intersection(&b).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

/// Computes the FNV-1a hash of some bytes.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns the nearest values to every query of a column.
pub async fn nearest(column: Column) -> Result<Vec<Nearest>> {
    let queries: Vec<Vec<u64>> = column.queries()?.iter().map(|query| grams(query)).collect();
    let mut holders: HashMap<u64, Vec<u32>> = HashMap::new();
    for (query, grams) in queries.iter().enumerate() {
        grams.iter().for_each(|gram| holders.entry(*gram).or_default().push(query as u32));
    }
    let mut best: Vec<Vec<f64>> = vec![vec![0.0; FIRST]; queries.len()];
    let mut shared = vec![0_u32; queries.len()];
    for value in BufReader::new(File::open(column.list())?).lines() {
        let grams = grams(&value?);
        for query in grams.iter().filter_map(|gram| holders.get(gram)).flatten() {
            shared[*query as usize] += 1;
        }
        for ((best, shared), query) in best.iter_mut().zip(&mut shared).zip(&queries) {
            let both = f64::from(std::mem::take(shared));
            let similarity = both / (query.len() as f64 + grams.len() as f64 - both);
            if similarity > best[FIRST - 1] {
                best[FIRST - 1] = similarity;
                best.sort_by(|a, b| b.total_cmp(a));
            }
        }
    }
    Ok(best.into_iter().map(Nearest).collect())
}
