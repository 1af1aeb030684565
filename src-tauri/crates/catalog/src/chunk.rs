//! The schema split for models with little room (AV-SQL, section 4.1.2): whole tables, below a budget of tokens.
//!
//! Tables that refer to each other stay together where they fit; what does not fit is split in an order that keeps
//! neighbours near. The same schema gives the same chunks, so that a model's state of each can be kept.

use crate::compress::Compressed;
use crate::render::{Profiles, RenderOptions, render_table};
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::Profile;

/// Some whole tables and their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// From 1.
    pub index: u32,
    /// Indices into [`Compressed::tables`], ascending.
    pub tables: Vec<usize>,
    /// What is sent to the model.
    pub text: String,
    /// Tokens of `text` by the model's own tokenizer. Above the budget only for a table that is too large by itself
    /// even without values and comments.
    pub tokens: u32,
}

/// Splits the schema into chunks of at most `budget` tokens. `count` is the model's tokenizer; it is asked in batches.
pub async fn chunk(
    compressed: &Compressed,
    profile: Option<&Profile>,
    budget: u32,
    count: impl AsyncFn(&[&str]) -> Vec<u32>,
    options: &RenderOptions,
) -> Vec<Chunk> {
    if compressed.tables.is_empty() {
        return Vec::new();
    }
    let profiles = Profiles::new(profile);
    let write = |table: usize, options: &RenderOptions| {
        let table = &compressed.tables[table];
        render_table(table, profiles.of(table), None, options)
    };
    let mut texts: Vec<String> = (0..compressed.tables.len()).map(|t| write(t, options)).collect();
    let mut tokens = counted(&count, &texts).await;
    // A table that is too large says less before it goes over the budget: first values go, then comments.
    for plainer in plainer(options) {
        let large: Vec<usize> = (0..texts.len()).filter(|&t| tokens[t] > budget).collect();
        if large.is_empty() {
            break;
        }
        let shorter: Vec<String> = large.iter().map(|&t| write(t, &plainer)).collect();
        let lengths = counted(&count, &shorter).await;
        for ((table, text), length) in large.into_iter().zip(shorter).zip(lengths) {
            if length < tokens[table] {
                (texts[table], tokens[table]) = (text, length);
            }
        }
    }
    let mut packed = pack(&components(compressed), &tokens, budget);
    loop {
        let joined: Vec<String> = packed.iter().map(|tables| join(&texts, tables)).collect();
        let lengths = counted(&count, &joined).await;
        // Joined text may have a few tokens more than its parts: then a chunk gives up its last table.
        let over: Vec<usize> = (0..packed.len()).filter(|&c| lengths[c] > budget && packed[c].len() > 1).collect();
        if over.is_empty() {
            return (1..)
                .zip(packed)
                .zip(joined.into_iter().zip(lengths))
                .map(|((index, tables), (text, tokens))| Chunk { index, tables, text, tokens })
                .collect();
        }
        for chunk in over.into_iter().rev() {
            let last = packed[chunk].pop().expect("has more than one");
            packed.insert(chunk + 1, vec![last]);
        }
    }
}

/// Ever shorter ways to write a table.
fn plainer(options: &RenderOptions) -> [RenderOptions; 3] {
    let one = RenderOptions { samples: options.samples.min(1), ranges: false, ..options.clone() };
    let none = RenderOptions { samples: 0, ..one.clone() };
    let bare = RenderOptions { comments: false, ..none.clone() };
    [one, none, bare]
}

/// Tokens of each text. A tokenizer that fails is replaced by a cautious guess, so that chunks stay small.
async fn counted(count: &impl AsyncFn(&[&str]) -> Vec<u32>, texts: &[String]) -> Vec<u32> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let counts = count(&texts).await;
    if counts.len() == texts.len() { counts } else { texts.iter().map(|t| (t.len() as u32).div_ceil(3)).collect() }
}

fn join(texts: &[String], tables: &[usize]) -> String {
    tables.iter().map(|&t| texts[t].as_str()).collect::<Vec<_>>().join("\n")
}

/// Groups of tables that refer to each other, each from a first table outwards, ordered by that first table.
fn components(compressed: &Compressed) -> Vec<Vec<usize>> {
    let places = compressed.places();
    let by_bare: HashMap<&str, usize> = places.iter().map(|(name, &at)| (name.name.as_str(), at)).collect();
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); compressed.tables.len()];
    for (from, table) in compressed.tables.iter().enumerate() {
        for key in &table.representative.foreign_keys {
            let target = places.get(&key.ref_table).or_else(|| by_bare.get(key.ref_table.name.as_str()));
            if let Some(&to) = target.filter(|&&to| to != from) {
                neighbours[from].insert(to);
                neighbours[to].insert(from);
            }
        }
    }
    let mut seen = vec![false; compressed.tables.len()];
    let mut components = Vec::new();
    for first in 0..compressed.tables.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut component = vec![first];
        let mut next = 0;
        while let Some(&table) = component.get(next) {
            next += 1;
            for &other in &neighbours[table] {
                if !std::mem::replace(&mut seen[other], true) {
                    component.push(other);
                }
            }
        }
        components.push(component);
    }
    components
}

/// Whole components into the first chunk with room for them; larger components table by table into chunks of their
/// own, whose rest is open to others.
fn pack(components: &[Vec<usize>], tokens: &[u32], budget: u32) -> Vec<Vec<usize>> {
    let mut chunks: Vec<(Vec<usize>, u64)> = Vec::new();
    let budget = u64::from(budget);
    for component in components {
        let total: u64 = component.iter().map(|&t| u64::from(tokens[t])).sum();
        if total <= budget {
            match chunks.iter_mut().find(|(_, used)| used + total <= budget) {
                Some((tables, used)) => {
                    tables.extend(component);
                    *used += total;
                }
                None => chunks.push((component.clone(), total)),
            }
            continue;
        }
        let first = chunks.len();
        for &table in component {
            let size = u64::from(tokens[table]);
            match chunks[first..].iter_mut().find(|(_, used)| used + size <= budget) {
                Some((tables, used)) => {
                    tables.push(table);
                    *used += size;
                }
                None => chunks.push((vec![table], size)),
            }
        }
    }
    let mut chunks: Vec<Vec<usize>> = chunks.into_iter().map(|(tables, _)| tables).collect();
    for tables in &mut chunks {
        tables.sort_unstable();
    }
    chunks.sort_by_key(|tables| tables[0]);
    chunks
}

#[cfg(test)]
mod tests;
