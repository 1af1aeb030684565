//! Searching: candidates by every route, then the filter, then the ranking.
//!
//! **Candidates** of a literal: all values of a small column that it was compared with; what its keys lead to, by the number
//! and weight of keys shared; the nearest values of small columns in meaning. **Filter**: a value is kept when its surface
//! similarity reaches `edit_threshold` or its cosine is known and reaches `semantic_threshold`; one kept for its meaning alone
//! is dropped again when it trails the best by a lot, because short names of one kind are all near in meaning ("USA" and
//! "Germany": 0.67). **Ranking**: same bytes, then same text, then same letters and digits, then by
//! `0.85 · greater + 0.15 · lesser` of surface similarity and cosine; the column that the literal was compared with counts
//! extra, but never overtakes an equal value. Ties fall to table, column and value, so results never depend on chance.
//!
//! A literal that is stored exactly so in its own column needs no advice: only that match is given, at no further cost.

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

/// Values of the literal's own columns that are all compared, per column and in all.
const OWN_DOMAIN: i64 = 1_000;
const OWN_DOMAINS: i64 = 4_000;
/// Candidates per literal whose texts are compared.
const COMPARED: usize = 512;
/// Candidates per literal that are embedded on the spot, and near values taken from the embedded columns.
const EMBEDDED_NOW: usize = 8;
const NEAR: usize = 16;
/// Columns in which one value is reported.
const SAME_VALUE: usize = 3;
/// How far a match by meaning alone may trail the best match.
const TRAIL: f64 = 0.15;

/// A literal to look for, and where it was compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchTerm {
    /// The literal; a `%` makes it a LIKE pattern.
    pub text: String,
    /// The column that it was compared with, if known.
    pub column: Option<String>,
    /// That column's table, if known; a name that is no table's is ignored.
    pub table: Option<String>,
}

impl SearchTerm {
    /// A literal of which nothing else is known.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Says which column it was compared with.
    pub fn in_column(mut self, column: impl Into<String>) -> Self {
        self.column = Some(column.into());
        self
    }
}

/// What counts as a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchOptions {
    /// Least surface similarity (paper: 0.5).
    pub edit_threshold: f64,
    /// Least cosine (paper: 0.5).
    pub semantic_threshold: f64,
    /// Most matches per literal.
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
    /// Finds stored values that resemble the literals: at most `limit` per literal, best first, in the literals' order. With
    /// an embedder, also those of like meaning. Blocks; call it on a blocking thread.
    pub fn search(
        &self,
        literals: &[SearchTerm],
        options: SearchOptions,
        embedder: Option<&dyn Embedder>,
    ) -> Result<Vec<ValueMatch>, ValuesError> {
        let (layout, mut inquiries) = {
            let mut reader = self.lock_reader();
            let Reader { connection, layout } = &mut *reader;
            // One snapshot for the layout and all that is looked up by it, whatever a build writes meanwhile.
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
    // The first read fixes the snapshot; the version is that snapshot's.
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
    /// Gathers and compares the candidates of a literal.
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
        // By id: what lies together in the file is read together.
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

    /// The columns that the literal was compared with: those of that name, in the named table if there is such a one.
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

    /// The column that holds a value; none for a value that has died.
    fn column_of(&self, id: i64) -> Option<usize> {
        let index = self.columns.partition_point(|c| c.first <= id).checked_sub(1)?;
        // Empty columns share their first id with the column that follows.
        (0..=index).rev().find(|&i| self.columns[i].count > 0).filter(|&i| id < self.columns[i].end_value_id())
    }

    /// Adds candidates by meaning, and the cosines of those that spelling alone would not keep.
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

    /// Filters and orders the candidates of a literal.
    fn rank_candidates(&self, inquiry: Inquiry, options: SearchOptions) -> Vec<ValueMatch> {
        // Another spelling of the same thing in the same column counts, however few letters it shares.
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
        // A column's own values are measured by the best of them: "British" for "England", whoever is called England.
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

/// What the ranking goes by. The steps between agreements are wider than what a candidate's own column adds.
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
