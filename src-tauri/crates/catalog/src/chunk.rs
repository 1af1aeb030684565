//! Splits a schema into chunks for models with a small context (AV-SQL, section 4.1.2): whole tables within a token
//! budget. An addition to the paper: a table that exceeds the budget is split by columns.
//!
//! Tables that refer to each other stay together where they fit; larger groups are split in an order that keeps related
//! tables close. The same schema gives the same chunks, so that a model's cached state of each can be reused.

use crate::compress::{Compressed, CompressedColumn, CompressedTable};
use crate::render::{Profiles, RenderOptions, render_table};
use crate::text::one_line;
use std::collections::{BTreeSet, HashMap};
use vitrine_domain::{Profile, TableProfile};

/// Maximum number of characters of the table name in a partial chunk.
const NAME: usize = 120;

/// Several whole tables, or some columns of one table, with their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// One-based number of the chunk.
    pub index: u32,
    /// Indices into [`Compressed::tables`] in ascending order.
    pub tables: Vec<usize>,
    /// The columns of the only table that are shown besides its keys; `None` if all columns of all tables are shown.
    pub columns: Option<Vec<String>>,
    /// The text that is sent to the model.
    pub text: String,
    /// Number of tokens of `text`, counted by the model's tokenizer. It exceeds the chunk limit only for a table within
    /// its own limit, or if parts of one column are still too large without values and comments.
    pub tokens: u32,
}

/// Token limits for the schema in a prompt.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Limit of a chunk in tokens.
    pub chunk: u32,
    /// Limit of a table that forms a chunk of its own. A single prompt slightly above the chunk limit is better than
    /// several partial ones, as long as it fits into the context.
    pub table: u32,
}

impl Budget {
    /// Returns the limits for a chunk size and a model with a context of `context` tokens. A table may take half of the
    /// context.
    pub fn new(chunk: u32, context: u32) -> Self {
        Self { chunk, table: chunk.max(context / 2) }
    }
}

/// Splits the schema into chunks within a token budget. `count` is the model's tokenizer; it is called in batches.
pub async fn chunk_schema(
    compressed: &Compressed,
    profile: Option<&Profile>,
    Budget { chunk: budget, table: largest }: Budget,
    count: impl AsyncFn(&[&str]) -> Vec<u32>,
    options: &RenderOptions,
) -> Vec<Chunk> {
    if compressed.tables.is_empty() {
        return Vec::new();
    }
    let profiles = Profiles::new(profile);
    let write = |table: usize, options: &RenderOptions| {
        let table = &compressed.tables[table];
        render_table(table, profiles.find_for_group(table), None, options)
    };
    let mut texts: Vec<String> = (0..compressed.tables.len()).map(|t| write(t, options)).collect();
    let mut tokens = count_tokens(&count, &texts).await;
    // Tables above the budget are written with fewer details: first without values, then without comments.
    for plainer in compact_options(options).into_iter().filter(|plainer| plainer != options) {
        let large: Vec<usize> = (0..texts.len()).filter(|&t| tokens[t] > budget).collect();
        if large.is_empty() {
            break;
        }
        let shorter: Vec<String> = large.iter().map(|&t| write(t, &plainer)).collect();
        let lengths = count_tokens(&count, &shorter).await;
        for ((table, text), length) in large.into_iter().zip(shorter).zip(lengths) {
            if length < tokens[table] {
                (texts[table], tokens[table]) = (text, length);
            }
        }
    }
    let mut chunks = Vec::new();
    let mut whole = find_components(compressed);
    for table in (0..texts.len()).filter(|&t| tokens[t] > largest) {
        let parts = split_table(
            &compressed.tables[table],
            profiles.find_for_group(&compressed.tables[table]),
            budget,
            &count,
            options,
        )
        .await;
        chunks.extend(parts.into_iter().map(|part| Chunk { tables: vec![table], ..part }));
        whole.iter_mut().for_each(|component| component.retain(|&other| other != table));
    }
    whole.retain(|component| !component.is_empty());
    let mut packed = pack_components(&whole, &tokens, budget);
    loop {
        let joined: Vec<String> = packed.iter().map(|tables| join_texts(&texts, tables)).collect();
        let lengths = count_tokens(&count, &joined).await;
        // Joined text may have slightly more tokens than its parts; then the chunk gives up its last table.
        let over: Vec<usize> = (0..packed.len()).filter(|&c| lengths[c] > budget && packed[c].len() > 1).collect();
        if over.is_empty() {
            let texts = packed.into_iter().zip(joined.into_iter().zip(lengths));
            chunks.extend(texts.map(|(tables, (text, tokens))| Chunk {
                index: 0,
                tables,
                columns: None,
                text,
                tokens,
            }));
            chunks.sort_by_key(|chunk| chunk.tables[0]);
            (1..).zip(&mut chunks).for_each(|(index, chunk)| chunk.index = index);
            return chunks;
        }
        for chunk in over.into_iter().rev() {
            let last = packed[chunk].pop().expect("has more than one");
            packed.insert(chunk + 1, vec![last]);
        }
    }
}

/// Splits a table into about the smallest number of parts that fit without values and comments. Each part has
/// neighbouring columns and all keys.
async fn split_table(
    table: &CompressedTable,
    profile: Option<&TableProfile>,
    budget: u32,
    count: &impl AsyncFn(&[&str]) -> Vec<u32>,
    options: &RenderOptions,
) -> Vec<Chunk> {
    let [.., bare] = compact_options(options);
    let name = one_line(&table.pattern, NAME);
    let all = table.columns.len();
    let mut number = 2;
    loop {
        let slices: Vec<&[CompressedColumn]> = table.columns.chunks(all.div_ceil(number).max(1)).collect();
        let named = |slice: &&[CompressedColumn]| slice.iter().flat_map(|column| column.members.clone()).collect();
        let columns: Vec<Vec<String>> = slices.iter().map(named).collect();
        let written = columns.iter().enumerate().map(|(at, columns)| {
            let text = render_table(table, profile, Some(columns), &bare);
            format!("-- Columns of {name}, part {} of {}\n{text}", at + 1, slices.len())
        });
        let texts: Vec<String> = written.collect();
        let tokens = count_tokens(count, &texts).await;
        let most = tokens.iter().copied().max().unwrap_or(0);
        if most <= budget || number >= all {
            let parts = columns.into_iter().zip(texts).zip(tokens);
            return parts
                .map(|((columns, text), tokens)| Chunk {
                    index: 0,
                    tables: Vec::new(),
                    columns: Some(columns),
                    text,
                    tokens,
                })
                .collect();
        }
        // Skip numbers of parts that are too small for the measured size.
        let least = number * most as usize / budget.max(1) as usize;
        number = least.clamp(number + 1, all.max(number + 1));
    }
}

/// Returns increasingly compact sets of options.
fn compact_options(options: &RenderOptions) -> [RenderOptions; 4] {
    let fewer_fields = RenderOptions { fields: options.fields / 4, ..options.clone() };
    let one =
        RenderOptions { samples: options.samples.min(1), ranges: false, statistics: false, ..fewer_fields.clone() };
    let none = RenderOptions { samples: 0, fields: 0, ..one.clone() };
    let bare = RenderOptions { comments: false, ..none.clone() };
    [fewer_fields, one, none, bare]
}

/// Counts the tokens of each text. If the tokenizer fails, a conservative estimate is used so that chunks stay small.
async fn count_tokens(count: &impl AsyncFn(&[&str]) -> Vec<u32>, texts: &[String]) -> Vec<u32> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let counts = count(&texts).await;
    if counts.len() == texts.len() { counts } else { texts.iter().map(|t| (t.len() as u32).div_ceil(3)).collect() }
}

fn join_texts(texts: &[String], tables: &[usize]) -> String {
    tables.iter().map(|&t| texts[t].as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns the connected components of the foreign-key graph, each in breadth-first order and sorted by first table.
fn find_components(compressed: &Compressed) -> Vec<Vec<usize>> {
    let places = compressed.group_indices();
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

/// Packs each component into the first chunk with enough room. Components above the budget are distributed table by
/// table over chunks of their own, whose remaining room other components may use.
fn pack_components(components: &[Vec<usize>], tokens: &[u32], budget: u32) -> Vec<Vec<usize>> {
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
