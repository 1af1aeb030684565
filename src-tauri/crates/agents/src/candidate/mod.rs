//! A query that ran, with the findings about it; the files below choose among several.

pub mod choose;
pub mod interpretations;
pub mod vote;

use vitrine_domain::{Page, QueryVariant, RuleNote};
use vitrine_explain::Effect;
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::FIXED_NUMBER;
use vitrine_words::tr;

/// A final SQL that ran.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// 1-based number, in the order of asking.
    pub number: u32,
    /// Its SQL.
    pub sql: ReadOnlySql,
    /// Its result.
    pub page: Page,
    /// Equal digests mean equal results.
    pub digest: String,
    /// The query as the model wrote it.
    pub written: String,
    /// Changes made by rules.
    pub changes: Vec<RuleNote>,
    /// Findings of rules.
    pub findings: Vec<RuleNote>,
    /// Variants that gave another result or were not run.
    pub variants: Vec<CandidateVariant>,
    /// The first warning: a number of the question that it does not use, a value that is not stored. It breaks ties and
    /// may make the model look again; it never outvotes.
    pub warning: Option<String>,
    /// What probed conditions do, by their words.
    pub effects: Vec<(String, Effect)>,
}

/// A variant of a candidate's query, made by a rule.
#[derive(Debug, Clone)]
pub struct CandidateVariant {
    /// The rule's code.
    pub rule: String,
    /// The change; of another reading, what the question means by it.
    pub note: String,
    /// Of another reading, what the question means by the candidate's query.
    pub as_written: Option<String>,
    /// The query.
    pub sql: ReadOnlySql,
    /// Its result with the digest; `None` where it was not run.
    pub ran: Option<(Page, String)>,
}

impl CandidateVariant {
    /// The digest of its result, where it was run.
    pub fn digest(&self) -> Option<&String> {
        self.ran.as_ref().map(|(_, digest)| digest)
    }

    /// Whether it is another reading of the question: no correction of the query.
    pub fn is_reading(&self) -> bool {
        vitrine_sql_rules::is_reading(&self.rule)
    }
}

impl Candidate {
    /// A query that ran as it was written.
    pub fn new(number: u32, sql: ReadOnlySql, page: Page, digest: String) -> Self {
        let written = sql.as_str().to_owned();
        let (changes, findings, variants, effects) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { number, sql, page, digest, written, changes, findings, variants, warning: None, effects }
    }

    /// Whether its result says nothing about the data: it has no value, or the query decides it whatever the data hold.
    pub fn says_nothing(&self) -> bool {
        is_void(&self.page) || self.findings.iter().any(|finding| finding.rule == FIXED_NUMBER)
    }

    /// Replaces the query by one of its variants, which was run; the original becomes a variant.
    pub fn become_variant(&mut self, place: usize) {
        let variant = self.variants.remove(place);
        let Some((page, digest)) = variant.ran else { return };
        let without = || tr!("Without this: {note}", note = variant.note);
        let before = CandidateVariant {
            rule: variant.rule.clone(),
            note: variant.as_written.unwrap_or_else(without),
            as_written: None,
            sql: std::mem::replace(&mut self.sql, variant.sql),
            ran: Some((std::mem::replace(&mut self.page, page), std::mem::replace(&mut self.digest, digest))),
        };
        self.variants.retain(|other| other.digest() != Some(&self.digest));
        self.variants.insert(0, before);
        self.changes.push(RuleNote { rule: variant.rule, note: variant.note });
    }

    /// Whether it is another reading of the question than the model's query.
    pub fn is_reading(&self) -> bool {
        self.changes.iter().any(|change| vitrine_sql_rules::is_reading(&change.rule))
    }

    /// Takes its reading of the question for the one that is meant: nothing about it is open, and nothing was changed.
    pub fn settle_reading(&mut self) {
        self.changes.retain(|change| !vitrine_sql_rules::is_reading(&change.rule));
        self.variants.retain(|variant| !variant.is_reading());
    }

    /// What the question means by it, where the question has two readings.
    pub fn reading(&self) -> Option<&str> {
        let taken = self.changes.iter().rev().find(|change| vitrine_sql_rules::is_reading(&change.rule));
        let as_written = || self.variants.iter().find_map(|variant| variant.as_written.as_deref());
        taken.map(|change| change.note.as_str()).or_else(as_written)
    }

    /// Its variants in the form of the answer's event.
    pub fn told_variants(&self) -> Vec<QueryVariant> {
        let told = |variant: &CandidateVariant| QueryVariant {
            rule: variant.rule.clone(),
            note: variant.note.clone(),
            sql: variant.sql.as_str().to_owned(),
            row_count: variant.ran.as_ref().map(|(page, _)| page.row_count),
            first_row: variant.ran.as_ref().and_then(|(page, _)| page.rows.first().cloned()).unwrap_or_default(),
            always: Vec::new(),
        };
        self.variants.iter().map(told).collect()
    }
}

/// Whether a result says what an answer says: its rows, in its order where that counts, and perhaps further columns beside all of
/// the answer's. One that lacks some of them confirms only a part.
pub fn says_the_same(page: &Page, answer: &Page, ordered: bool) -> bool {
    let digest = |page| vitrine_warehouse::digest_rows(page, ordered);
    digest(page) == digest(answer) || vitrine_warehouse::contains_result(page, answer, ordered)
}

/// No rows, or only NULLs: rarely what was asked for.
pub fn is_void(page: &Page) -> bool {
    page.rows.iter().all(|row| row.iter().all(Option::is_none))
}

/// No rows, only NULLs, or 0 alone: a count, a sum or a share of nothing.
pub fn finds_nothing(page: &Page) -> bool {
    let is_zero = |cell: &Option<String>| cell.as_deref().is_some_and(|text| text.parse::<f64>() == Ok(0.0));
    is_void(page) || matches!(page.rows.as_slice(), [row] if matches!(row.as_slice(), [only] if is_zero(only)))
}
