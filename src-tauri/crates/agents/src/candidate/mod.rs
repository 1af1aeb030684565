//! A query that ran, with the findings about it; the submodules choose among several.

pub mod choose;
pub mod interpretations;
pub mod vote;

use vitrine_domain::{Page, QueryVariant, RuleCode, RuleNote};
use vitrine_explain::Effect;
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::FIXED_NUMBER;
use vitrine_words::tr;

/// A final SQL that ran, with its result and findings.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Number of the candidate, from 1, in the order of requests.
    pub number: u32,
    /// SQL text as it ran.
    pub sql: ReadOnlySql,
    /// Result of the query, possibly truncated.
    pub page: Page,
    /// Digest of the result; equal digests mean equal results.
    pub digest: String,
    /// Query text as the model wrote it.
    pub written: String,
    /// Changes that rules made to the query.
    pub changes: Vec<RuleNote>,
    /// Findings of rules about the query.
    pub findings: Vec<RuleNote>,
    /// Variants that gave another result or were not run.
    pub variants: Vec<CandidateVariant>,
    /// First warning: the query ignores a number of the question, or compares with a value that is not stored. It breaks ties and may make
    /// the model reconsider, but it never outvotes a result.
    pub warning: Option<String>,
    /// Effects of the probed conditions, by the text of the condition.
    pub effects: Vec<(String, Effect)>,
}

/// A variant of a candidate's query, made by a rule.
#[derive(Debug, Clone)]
pub struct CandidateVariant {
    /// Code of the rule that made the variant.
    pub rule: RuleCode,
    /// Description of the change, or, for another reading, the meaning of the question.
    pub note: String,
    /// For another reading, the meaning of the question under the candidate's query.
    pub as_written: Option<String>,
    /// SQL text of the variant.
    pub sql: ReadOnlySql,
    /// Result with its digest; `None` if the variant was not run.
    pub ran: Option<(Page, String)>,
}

impl CandidateVariant {
    /// Returns the digest of the result, if the variant was run.
    pub fn digest(&self) -> Option<&String> {
        self.ran.as_ref().map(|(_, digest)| digest)
    }

    /// Returns true if the variant is another reading of the question, not a correction of the query.
    pub fn is_reading(&self) -> bool {
        vitrine_sql_rules::is_reading(&self.rule)
    }
}

impl Candidate {
    /// Creates a candidate from a query that ran as it was written.
    pub fn new(number: u32, sql: ReadOnlySql, page: Page, digest: String) -> Self {
        let written = sql.as_str().to_owned();
        let (changes, findings, variants, effects) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { number, sql, page, digest, written, changes, findings, variants, warning: None, effects }
    }

    /// Returns true if the result is uninformative: it has no values, or the query determines it regardless of the data.
    pub fn says_nothing(&self) -> bool {
        is_void(&self.page) || self.findings.iter().any(|finding| finding.rule == FIXED_NUMBER)
    }

    /// Replaces the query by one of its variants, which must have run; the original becomes a variant.
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

    /// Returns true if the candidate is another reading of the question than the model's query.
    pub fn is_reading(&self) -> bool {
        self.changes.iter().any(|change| vitrine_sql_rules::is_reading(&change.rule))
    }

    /// Accepts the candidate's reading of the question as the intended one: removes the open alternatives and the change.
    pub fn settle_reading(&mut self) {
        self.changes.retain(|change| !vitrine_sql_rules::is_reading(&change.rule));
        self.variants.retain(|variant| !variant.is_reading());
    }

    /// Returns the meaning of the question under this query, if the question has two readings.
    pub fn reading(&self) -> Option<&str> {
        let taken = self.changes.iter().rev().find(|change| vitrine_sql_rules::is_reading(&change.rule));
        let as_written = || self.variants.iter().find_map(|variant| variant.as_written.as_deref());
        taken.map(|change| change.note.as_str()).or_else(as_written)
    }

    /// Returns the variants in the form of the answer's event.
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

/// Returns true if a result confirms an answer: it has the answer's rows, in the answer's order if `ordered`, and all of its columns,
/// possibly among others. A result that lacks a column confirms only a part.
pub fn says_the_same(page: &Page, answer: &Page, ordered: bool) -> bool {
    let digest = |page| vitrine_warehouse::digest_rows(page, ordered);
    digest(page) == digest(answer) || vitrine_warehouse::contains_result(page, answer, ordered)
}

/// Returns true if the page has no rows or only NULLs, which is rarely the expected answer.
pub fn is_void(page: &Page) -> bool {
    page.rows.iter().all(|row| row.iter().all(Option::is_none))
}

/// Returns true if the page has no rows, only NULLs, or a single 0: a count, sum or share of no rows.
pub fn finds_nothing(page: &Page) -> bool {
    let is_zero = |cell: &Option<String>| cell.as_deref().is_some_and(|text| text.parse::<f64>() == Ok(0.0));
    is_void(page) || matches!(page.rows.as_slice(), [row] if matches!(row.as_slice(), [only] if is_zero(only)))
}
