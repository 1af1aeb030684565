//! Searches the index: collects candidates by every route, then filters and ranks them.
//!
//! **Candidates** of a literal: all values of a small column that it was compared with; the values under its keys, by
//! number and weight of shared keys; the most similar embedded values of small columns. **Filter**: a value is kept if
//! its surface similarity reaches `edit_threshold`, or if its cosine is known and reaches `semantic_threshold`. A value
//! that is kept only for its meaning is dropped if it is far behind the best, because short names of one kind all have
//! similar vectors ("USA" and "Germany": 0.67). **Ranking**: same bytes, then same text, then same letters and digits,
//! then by `0.85 · greater + 0.15 · lesser` of surface similarity and cosine. A value of the column that the literal
//! was compared with gets a bonus, but never overtakes an equal value. Ties are resolved by table, column and value, so
//! that results are deterministic.
//!
//! A literal that is stored exactly in its own column needs no suggestion: only that match is returned, without further
//! cost.

use crate::ValuesError;
use crate::domains::{self, Domains};
use crate::embed::{Embedder, cosine_similarity};
use crate::index::{Reader, ValueIndex};
use crate::keys::query_keys;
use crate::layout::Layout;
use crate::lookup;
use crate::segment::{self};
use crate::similarity::{Agreement, Wanted};
use crate::storage::{self};
use crate::text::Form;
use crate::variants::is_variant;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use vitrine_domain::ValueMatch;

/// Number of values of the literal's own columns that are compared in full, per column and in total.
const OWN_DOMAIN: i64 = 1_000;
const OWN_DOMAINS: i64 = 4_000;
/// Maximum number of candidates per literal whose texts are compared.
const COMPARED: usize = 512;
/// Maximum number of candidates per literal that are embedded during a search, and of similar values from the embedded
/// columns.
const EMBEDDED_NOW: usize = 8;
const NEAR: usize = 16;
/// Maximum number of columns for which one value is reported.
const SAME_VALUE: usize = 3;
/// Maximum difference between a match that is based only on meaning and the best match.
const TRAIL: f64 = 0.15;

/// A literal to look up, and the column that it was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchTerm {
    /// The literal. A `%` makes it a LIKE pattern.
    pub text: String,
    /// The column that it was compared with, if known.
    pub column: Option<String>,
    /// Table of that column, if known. Unknown table names are ignored.
    pub table: Option<String>,
}

impl SearchTerm {
    /// Creates a term without a column.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Sets the column that the literal was compared with.
    pub fn in_column(mut self, column: impl Into<String>) -> Self {
        self.column = Some(column.into());
        self
    }
}

/// Thresholds and limits for matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchOptions {
    /// Minimum surface similarity (paper: 0.5).
    pub edit_threshold: f64,
    /// Minimum cosine of two embeddings (paper: 0.5).
    pub semantic_threshold: f64,
    /// Maximum number of matches per literal.
    pub limit: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { edit_threshold: 0.5, semantic_threshold: 0.5, limit: 5 }
    }
}

struct Candidate {
    id: i64,
    column: usize,
    own: bool,
    value: String,
    agreement: Agreement,
    surface: f64,
    semantic: Option<f64>,
}

struct Inquiry {
    wanted: Wanted,
    own: HashSet<usize>,
    candidates: Vec<Candidate>,
    settled: bool,
}

impl ValueIndex {
    /// Finds stored values that are similar to the literals: at most `limit` per literal, best first, in the order of
    /// the literals. With an embedder, also finds values of similar meaning. This call blocks; asynchronous code should
    /// use a blocking thread.
    pub fn search(
        &self,
        literals: &[SearchTerm],
        options: SearchOptions,
        embedder: Option<&dyn Embedder>,
    ) -> Result<Vec<ValueMatch>, ValuesError> {
        let (layout, mut inquiries) = {
            let mut reader = self.lock_reader();
            let Reader { connection, layout } = &mut *reader;
            // One snapshot for the layout and all lookups, independent of a concurrent build.
            let snapshot = connection.unchecked_transaction()?;
            let layout = refresh_layout(layout, &snapshot, embedder.is_some())?;
            let mut seen = HashSet::new();
            let terms = literals.iter().filter(|t| seen.insert((&t.text, &t.column, &t.table)));
            let inquiries: Vec<Inquiry> =
                terms.map(|term| layout.gather_candidates(&snapshot, term)).collect::<Result<_, _>>()?;
            (layout, inquiries)
        };
        if let Some(embedder) = embedder {
            layout.weigh_meaning(&mut inquiries, options, embedder)?;
        }
        Ok(inquiries.into_iter().flat_map(|inquiry| layout.rank_candidates(inquiry, options)).collect())
    }
}

/// Reads the layout again if another connection has changed the file.
fn refresh_layout(
    known: &mut Option<Arc<Layout>>,
    connection: &Connection,
    with_domains: bool,
) -> Result<Arc<Layout>, ValuesError> {
    // The first read starts the snapshot, so the version belongs to it.
    let segments = segment::load_segments(connection)?;
    let version = connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
    if let Some(layout) = known.as_ref().filter(|l| l.version == version && (l.domains.is_some() || !with_domains)) {
        return Ok(Arc::clone(layout));
    }
    let columns = storage::load_columns(connection)?;
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, column) in columns.iter().enumerate() {
        by_name.entry(column.name.to_lowercase()).or_default().push(index);
    }
    let domains = if with_domains { Some(Domains::load(connection, &columns)?) } else { None };
    let layout = Arc::new(Layout { version, columns, by_name, segments, domains });
    *known = Some(Arc::clone(&layout));
    Ok(layout)
}

impl Layout {
    /// Collects and compares the candidates of a literal.
    fn gather_candidates(&self, connection: &Connection, term: &SearchTerm) -> Result<Inquiry, ValuesError> {
        let wanted = Wanted::new(&term.text);
        let own = self.own_columns(term);
        let mut inquiry =
            Inquiry { own: own.iter().copied().collect(), candidates: Vec::new(), settled: false, wanted };
        if inquiry.wanted.is_hopeless() {
            return Ok(inquiry);
        }
        let mut texts: HashMap<i64, String> = HashMap::new();
        let mut left = OWN_DOMAINS;
        for column in own.iter().map(|&i| &self.columns[i]).filter(|c| c.count <= OWN_DOMAIN) {
            if column.count <= left {
                left -= column.count;
                texts.extend(domains::load_values(connection, column)?);
            }
        }
        let mut keys = query_keys(&inquiry.wanted.form);
        keys.sort_unstable_by_key(|k| k.key);
        let mut hits = lookup::lookup_values(connection, &self.segments, &keys, COMPARED, |id, weight| {
            let column = self.column_of(id).filter(|_| !texts.contains_key(&id))?;
            Some(if inquiry.own.contains(&column) { weight * lookup::MOST } else { weight })
        })?;
        let mut read = connection.prepare_cached("SELECT text FROM value WHERE id = ?1")?;
        let mut found: Vec<(i64, String)> = texts.into_iter().collect();
        // In the order of ids, adjacent entries of the file are read together.
        hits.sort_unstable_by_key(|(id, _)| *id);
        for (id, _) in hits {
            if let Some(text) = read.query_row([id], |row| row.get(0)).optional()? {
                found.push((id, text));
            }
        }
        found.sort_unstable_by_key(|(id, _)| *id);
        for (id, value) in found {
            if let Some(candidate) = self.build_candidate(&inquiry, id, value) {
                inquiry.settled |= candidate.own && candidate.agreement == Agreement::Exact;
                inquiry.candidates.push(candidate);
            }
        }
        if inquiry.settled {
            let literal = &inquiry.wanted.literal;
            inquiry.candidates.retain(|c| c.own && (c.agreement == Agreement::Exact || is_variant(&c.value, literal)));
        }
        Ok(inquiry)
    }

    fn build_candidate(&self, inquiry: &Inquiry, id: i64, value: String) -> Option<Candidate> {
        let column = self.column_of(id)?;
        let own = inquiry.own.contains(&column);
        let form = Form::new(&value);
        let agreement = inquiry.wanted.agreement_with(&value, &form);
        let surface = inquiry.wanted.similarity(&form, own);
        Some(Candidate { id, column, own, value, agreement, surface, semantic: None })
    }

    /// Returns the columns that the literal was compared with: columns of that name, in the named table if it exists.
    fn own_columns(&self, term: &SearchTerm) -> Vec<usize> {
        let Some(name) = &term.column else { return Vec::new() };
        let mut own = self.by_name.get(&name.to_lowercase()).cloned().unwrap_or_default();
        if let Some(table) = &term.table {
            let table = table.to_lowercase();
            let is_it = |stored: &str| {
                stored == table || stored.ends_with(&format!(".{table}")) || table.ends_with(&format!(".{stored}"))
            };
            let exact: Vec<usize> =
                own.iter().copied().filter(|&i| is_it(&self.columns[i].table.to_lowercase())).collect();
            if !exact.is_empty() {
                own = exact;
            }
        }
        own.sort_by_key(|&i| (self.columns[i].count, &self.columns[i].table));
        own
    }

    /// Returns the column that contains a value. `None` for a deleted value.
    fn column_of(&self, id: i64) -> Option<usize> {
        let index = self.columns.partition_point(|c| c.first <= id).checked_sub(1)?;
        // Empty columns have the same first id as the next column.
        (0..=index).rev().find(|&i| self.columns[i].count > 0).filter(|&i| id < self.columns[i].end_value_id())
    }

    /// Adds candidates by meaning, and the cosines of candidates that spelling alone would not keep.
    fn weigh_meaning(
        &self,
        inquiries: &mut [Inquiry],
        options: SearchOptions,
        embedder: &dyn Embedder,
    ) -> Result<(), ValuesError> {
        let domains = self.domains.as_ref().filter(|d| d.model == embedder.id());
        let mut texts: Vec<String> = Vec::new();
        for inquiry in inquiries.iter_mut().filter(|i| !i.settled && !i.wanted.is_hopeless()) {
            texts.push(inquiry.wanted.spoken.clone());
            let mut doubtful: Vec<&Candidate> = inquiry
                .candidates
                .iter()
                .filter(|c| domains.is_none_or(|d| d.find_vector(&c.value).is_none()))
                .collect();
            doubtful.retain(|c| c.agreement == Agreement::Alike && c.surface < options.edit_threshold);
            doubtful.sort_by(|a, b| b.surface.total_cmp(&a.surface).then(a.value.cmp(&b.value)));
            doubtful.dedup_by(|a, b| a.value == b.value);
            texts.extend(doubtful.iter().take(EMBEDDED_NOW).map(|c| c.value.clone()));
        }
        if texts.is_empty() {
            return Ok(());
        }
        let vectors = embedder.embed_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>())?;
        let vectors: HashMap<String, Vec<f32>> = texts.into_iter().zip(vectors).collect();
        for inquiry in inquiries.iter_mut().filter(|i| !i.settled && !i.wanted.is_hopeless()) {
            let Some(meaning) = vectors.get(&inquiry.wanted.spoken) else { continue };
            if let Some(domains) = domains {
                self.add_near(inquiry, domains, meaning, options.semantic_threshold);
            }
            for candidate in &mut inquiry.candidates {
                let vector = domains
                    .and_then(|d| d.find_vector(&candidate.value))
                    .or_else(|| vectors.get(&candidate.value).map(Vec::as_slice));
                candidate.semantic = vector.map(|v| cosine_similarity(v, meaning));
            }
        }
        Ok(())
    }

    fn add_near(&self, inquiry: &mut Inquiry, domains: &Domains, meaning: &[f32], threshold: f64) {
        let known: HashSet<i64> = inquiry.candidates.iter().map(|c| c.id).collect();
        let (mut anywhere, mut own) = (0, 0);
        for (_, text, ids) in domains.find_nearest(meaning, threshold) {
            let in_own = |id: i64| self.column_of(id).is_some_and(|c| inquiry.own.contains(&c));
            let mut taken: Vec<i64> = ids.iter().copied().filter(|&id| own < NEAR && in_own(id)).collect();
            own += usize::from(!taken.is_empty());
            if anywhere < NEAR {
                anywhere += 1;
                taken.extend(ids.iter().copied().filter(|&id| !in_own(id)).take(SAME_VALUE));
            }
            let fresh: Vec<Candidate> = taken
                .into_iter()
                .filter(|id| !known.contains(id))
                .filter_map(|id| self.build_candidate(inquiry, id, text.to_owned()))
                .collect();
            inquiry.candidates.extend(fresh);
        }
    }

    /// Filters and sorts the candidates of a literal.
    fn rank_candidates(&self, inquiry: Inquiry, options: SearchOptions) -> Vec<ValueMatch> {
        // A spelling variant in the same column is kept, however few letters it shares.
        let variant = |c: &Candidate| c.own && is_variant(&c.value, &inquiry.wanted.literal);
        let mut kept: Vec<(f64, Candidate)> = inquiry
            .candidates
            .into_iter()
            .filter(|c| {
                variant(c)
                    || c.surface >= options.edit_threshold
                    || c.semantic.is_some_and(|s| s >= options.semantic_threshold)
            })
            .map(|c| (ranking_score(&c), c))
            .collect();
        // Values of the literal's own column are compared with the best of that column only: "British" for "England",
        // even if a person is named England.
        let best =
            |own: bool| kept.iter().filter(|(_, c)| c.own || !own).map(|(_, c)| best_similarity(c)).fold(0.0, f64::max);
        let (best, best_own) = (best(false), best(true));
        kept.retain(|(_, c)| {
            variant(c)
                || c.surface >= options.edit_threshold
                || best_similarity(c) >= if c.own { best_own } else { best } - TRAIL
        });
        let place = |c: &Candidate| (&self.columns[c.column].table, &self.columns[c.column].name);
        kept.sort_by(|(x, a), (y, b)| y.total_cmp(x).then_with(|| (place(a), &a.value).cmp(&(place(b), &b.value))));
        let mut times: HashMap<String, usize> = HashMap::new();
        kept.retain(|(_, c)| {
            let times = times.entry(c.value.clone()).or_default();
            *times += 1;
            *times <= SAME_VALUE
        });
        kept.truncate(options.limit);
        let round = |x: f64| (x * 1000.0).round() / 1000.0;
        kept.into_iter()
            .map(|(_, c)| ValueMatch {
                literal: inquiry.wanted.literal.clone(),
                table: self.columns[c.column].table.clone(),
                column: self.columns[c.column].name.clone(),
                value: c.value,
                edit: round(c.surface),
                semantic: c.semantic.map(round),
            })
            .collect()
    }
}

fn best_similarity(candidate: &Candidate) -> f64 {
    candidate.surface.max(candidate.semantic.unwrap_or(0.0))
}

/// Returns the sort key of a candidate. The steps between levels of agreement are larger than the bonus of its own
/// column.
fn ranking_score(candidate: &Candidate) -> f64 {
    let lesser = candidate.semantic.map_or(candidate.surface, |s| s.min(candidate.surface)).max(0.0);
    let agreement = match candidate.agreement {
        Agreement::Exact => 3.0,
        Agreement::Folded => 2.0,
        Agreement::Compact => 1.0,
        Agreement::Alike => 0.0,
    };
    agreement + 0.85 * best_similarity(candidate) + 0.15 * lesser + if candidate.own { 0.2 } else { 0.0 }
}
