//! Evidence for and against an answer, collected from the events of a run.

use std::collections::HashSet;
use vitrine_domain::{Agent, EventBody, Explanation, QueryVariant, TokenProbability};
use vitrine_sql_rules::{FIXED_NUMBER, SAME_VALUES, UNKNOWN_MEMBERS, UNKNOWN_ROWS, UNUSED_PART};

/// Shorter words rarely name anything, in any language.
const NAMING: usize = 5;

/// Minimum number of candidates that replaces further queries after the answer.
pub const ENOUGH: u32 = 8;

/// Number of cases with a property, and of all cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of cases that have the property.
    pub count: u32,
    /// Number of all cases, with or without the property.
    pub of: u32,
}

impl Tally {
    fn add(&mut self, counts: bool) {
        self.count += u32::from(counts);
        self.of += 1;
    }

    /// Returns the share, drawn towards one half for small numbers: 5 of 5 gives more than 1 of 1. `None` without cases.
    pub fn smoothed_share(self) -> Option<f64> {
        (self.of > 0).then(|| (f64::from(self.count) + 0.5) / (f64::from(self.of) + 1.0))
    }
}

/// Evidence for and against an answer, collected from the events of a run.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Candidates with the answer's result among all that ran; 0 of 0 if the method has no candidates.
    pub votes: Tally,
    /// Queries that failed among those tried.
    pub failed: Tally,
    /// Number of different results of the tried queries.
    pub results: u32,
    /// Number of warnings before the answer, findings about its query, and alternative queries that ran and gave another result.
    pub doubts: u32,
    /// Number of replies which state that the database does not contain the requested data.
    pub declined: u32,
    /// Number of changes by rules, except changes that the user's definitions require.
    pub changes: u32,
    /// True if two results were compared, or if interpretations remained and the user chose none.
    pub disputed: bool,
    /// True if the user chose the interpretation of the question.
    pub chosen: bool,
    /// True if the owner's description of a table supports another result.
    pub described: bool,
    /// True if the question is syntactically ambiguous and its other reading gives another result.
    pub ambiguous: bool,
    /// True if the meaning of missing values depends on a definition of the user.
    pub defined: bool,
    /// True if the question supports an alternative query with another result.
    pub contested: bool,
    /// True if the query's form alone determines its number, regardless of the data.
    pub fixed: bool,
    /// True if the data spell one thing in several ways that the query counts separately or selects only in part.
    pub inconsistent: bool,
    /// True if rows with NULL, which the query omits, would change the result.
    pub unknown: bool,
    /// True if a list after NOT IN contains NULL, so that the query returns no rows.
    pub unlisted: bool,
    /// Parts of the question that the query does not use, one sentence each.
    pub unused: Vec<String>,
    /// Token probability of the answer's query; `None` if the model reports none.
    pub probability: Option<TokenProbability>,
    /// Owners of the metrics whose query is the answer; `None` if the answer is not by metrics.
    pub metric_owners: Option<Vec<String>>,
    /// True if the run has an answer.
    pub answered: bool,
    /// True if the answer has no rows or only NULL values.
    pub empty: bool,
    /// Number of columns of the schema.
    pub columns: u32,
    /// Number of SELECTs and JOINs in the answer's query.
    pub parts: u32,
    /// Further queries with the answer's result, among all that ran for the original question.
    pub samples: Tally,
    /// Further queries with the answer's result, among all that ran for a restated question.
    pub restated: Tally,
    /// Further queries that failed, among all that were written. They have no result and so do not contradict the answer.
    pub broken: Tally,
    /// Evidence from the explanation; `None` before the answer is explained.
    pub explained: Option<Explained>,
    /// Replies of the agents that write queries, without layout, each with its probability.
    replies: Vec<(String, TokenProbability)>,
    digests: HashSet<String>,
}

/// Evidence for and against an answer in its explanation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Explained {
    /// Longer words of the question that match nothing in the query, among all longer words.
    pub unmatched: Tally,
    /// Number of names in the question that the query does not use, and of conditions that the question does not mention.
    pub open: u32,
    /// Number of checks that may change a number of the result.
    pub checks: u32,
}

impl Explained {
    fn from_explanation(explanation: &Explanation) -> Self {
        let question = explanation.question.as_ref();
        let mut unmatched = Tally::default();
        for part in question.iter().flat_map(|question| &question.parts) {
            let words = part.text.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| word.chars().count() >= NAMING).for_each(|_| unmatched.add(part.answered_by.is_none()));
        }
        let open = question.map_or(0, |question| question.unanswered.len() + question.unsaid.len());
        let checks = explanation.checks.iter().filter(|check| check.may_change).count();
        Self { unmatched, open: open as u32, checks: checks as u32 }
    }
}

impl Evidence {
    /// Collects the evidence from all events of a run.
    pub fn from_events<'a>(events: impl IntoIterator<Item = &'a EventBody>) -> Self {
        let mut evidence = Self::default();
        events.into_iter().for_each(|event| evidence.apply(event));
        evidence
    }

    /// Returns true if the answer cannot be sure whatever its probability: it is empty, has no majority, or a text by the owner or the user
    /// contradicts it.
    pub fn forbids_sure(&self) -> bool {
        let by_words = self.described || self.defined || self.ambiguous || self.contested;
        let by_values = self.unknown || self.unlisted || !self.unused.is_empty();
        self.empty || self.fixed || self.disputed || by_words || by_values || self.lacks_majority()
    }

    /// Returns true if the data alone prevent a sure answer. Further queries cannot test this.
    pub fn forbids_sure_by_data(&self) -> bool {
        self.inconsistent
    }

    /// Returns true if the question was asked again after the answer, or often enough before it.
    pub fn is_asked_again(&self) -> bool {
        self.samples.of + self.restated.of + self.broken.of + self.declined > 0 || self.votes.of >= ENOUGH
    }

    /// Returns true if any further query was compared with the answer.
    pub fn is_tested(&self) -> bool {
        self.samples.of + self.restated.of + self.broken.of > 0
    }

    /// Returns true if all queries gave the answer's result: at least two candidates, at least two further queries for the same question,
    /// and at least one for a restated question.
    pub fn is_unanimous(&self) -> bool {
        let all = |tally: Tally, several: u32| tally.of >= several && tally.count == tally.of;
        all(self.votes, 2) && all(self.samples, 2) && all(self.restated, 1) && self.broken.count == 0
    }

    /// Returns true if at most half of the candidates gave this answer, or if at least as many replies found the data missing as gave the
    /// answer.
    fn lacks_majority(&self) -> bool {
        let Tally { count, of } = self.votes;
        let gave_it = count.max(1) + self.samples.count + self.restated.count;
        (of > 1 && count * 2 <= of) || self.declined >= gave_it
    }

    /// Updates the evidence with the next event.
    pub fn apply(&mut self, event: &EventBody) {
        match event {
            EventBody::SchemaPrepared { columns, .. } => self.columns = *columns,
            EventBody::ModelCallFinished { agent, replies, probabilities, .. } if *agent != Agent::Assessor => {
                let told = replies.iter().zip(probabilities);
                let told = told.filter_map(|(reply, probability)| Some((strip_layout(reply), probability.clone()?)));
                self.replies.extend(told);
            }
            EventBody::SqlAttempted { error, digest, .. } => {
                self.failed.add(error.is_some());
                self.digests.extend(digest.clone());
                self.results = self.digests.len() as u32;
            }
            EventBody::NotInData { .. } => self.declined += 1,
            EventBody::MetricsApplied { answer, .. } => {
                self.metric_owners = Some(answer.owners().into_iter().map(str::to_owned).collect());
            }
            EventBody::CandidateChosen { votes, of, .. } => self.votes = Tally { count: *votes, of: *of },
            EventBody::Judged { .. } | EventBody::ReadingsOffered { .. } => self.disputed = true,
            // The user resolved the ambiguity. An earlier comparison of results remains a doubt, since none had a majority.
            EventBody::ReadingChosen { candidate: Some(_), .. } => (self.disputed, self.chosen) = (false, true),
            EventBody::Warning { aside: false, .. } if !self.answered => self.doubts += 1,
            EventBody::ResultReady { sql, page, written, changes, variants, findings, .. } => {
                self.answered = true;
                self.empty = page.rows.iter().all(|row| row.iter().all(Option::is_none));
                // Alternatives that were not run may give the same result; with a model that deliberates most of them do.
                let ran = variants.iter().filter(|variant| variant.row_count.is_some() && variant.rule != SAME_VALUES);
                let found = findings.iter().filter(|finding| finding.rule != SAME_VALUES);
                self.doubts += (found.count() + ran.count()) as u32;
                // A doubt about the data is not a doubt about the query.
                self.inconsistent = variants.iter().any(|variant| variant.rule == SAME_VALUES)
                    || findings.iter().any(|finding| finding.rule == SAME_VALUES);
                self.defined = variants.iter().any(|variant| vitrine_sql_rules::reads_definition(&variant.rule));
                self.ambiguous = variants.iter().any(|variant| vitrine_sql_rules::is_reading(&variant.rule));
                self.described = variants.iter().any(|variant| vitrine_sql_rules::reads_description(&variant.rule));
                self.fixed = findings.iter().any(|finding| finding.rule == FIXED_NUMBER);
                self.unknown = variants.iter().any(|variant| variant.rule == UNKNOWN_ROWS);
                self.unlisted = variants.iter().any(|variant| variant.rule == UNKNOWN_MEMBERS);
                let unused = findings.iter().filter(|finding| finding.rule == UNUSED_PART);
                self.unused = unused.map(|finding| finding.note.clone()).collect();
                // If the question supports a change, the query before that change does not contest the answer.
                let is_contested = |variant: &QueryVariant| {
                    let is_before = changes.iter().any(|change| change.rule == variant.rule);
                    variant.row_count.is_some() && vitrine_sql_rules::reads_question(&variant.rule) && !is_before
                };
                self.contested = variants.iter().any(is_contested);
                self.changes =
                    changes.iter().filter(|change| !vitrine_sql_rules::reads_definition(&change.rule)).count() as u32;
                self.parts = count_clauses(sql);
                let wrote = strip_layout(written.as_ref().unwrap_or(sql));
                self.probability =
                    self.replies.iter().find(|(reply, _)| reply.contains(&wrote)).map(|(_, p)| p.clone());
                self.replies.clear();
            }
            EventBody::AnswerTested { restated, same, error, .. } => {
                self.broken.add(error.is_some());
                match error {
                    Some(_) => {}
                    None if *restated => self.restated.add(*same),
                    None => self.samples.add(*same),
                }
            }
            EventBody::Explained { explanation, .. } => self.explained = Some(Explained::from_explanation(explanation)),
            _ => {}
        }
    }
}

/// Removes white space and semicolons from a text and converts it to lower case.
fn strip_layout(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ';').flat_map(char::to_lowercase).collect()
}

/// Counts the SELECTs and JOINs of a query.
fn count_clauses(sql: &str) -> u32 {
    let words = sql.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.eq_ignore_ascii_case("select") || word.eq_ignore_ascii_case("join")).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Page, RuleNote};

    fn answer_event(variants: &[(&str, Option<u64>)]) -> EventBody {
        let variant = |&(rule, row_count): &(&str, Option<u64>)| QueryVariant {
            rule: rule.into(),
            note: String::new(),
            sql: "SELECT 2".into(),
            row_count,
            first_row: Vec::new(),
            always: Vec::new(),
        };
        EventBody::ResultReady {
            node: "result".into(),
            sql: "SELECT 1".into(),
            code: None,
            page: Page { rows: vec![vec![Some("1".into())]], row_count: 1, ..Page::default() },
            headline: None,
            written: None,
            changes: Vec::new(),
            variants: variants.iter().map(variant).collect(),
            findings: Vec::new(),
        }
    }

    fn chosen_event(votes: u32, of: u32) -> EventBody {
        let (node, sql, reason) = ("generator".into(), "SELECT 1".into(), String::new());
        EventBody::CandidateChosen { node, candidate: 1, votes, of, sql, reason, others: Vec::new() }
    }

    fn declined_event() -> EventBody {
        EventBody::NotInData { node: "generator".into(), candidate: 2, missing: "weather".into(), nearest: Vec::new() }
    }

    fn tested_event(same: bool) -> EventBody {
        EventBody::AnswerTested { node: "result".into(), restated: false, sql: "SELECT 1".into(), error: None, same }
    }

    #[test]
    fn second_queries_that_were_never_run_are_no_doubts() {
        let doubts = |variants: &[(&str, Option<u64>)]| Evidence::from_events(&[answer_event(variants)]).doubts;
        assert_eq!(doubts(&[("R010", None), ("R011", None)]), 0, "nobody knows whether they give something else");
        assert_eq!(doubts(&[("R010", Some(1)), ("R011", None)]), 1);
        assert_eq!(doubts(&[("V005", Some(3))]), 0, "the query is not in doubt, the data are");
        assert!(Evidence::from_events(&[answer_event(&[("V005", Some(3))])]).forbids_sure_by_data());
        // A text by the owner or the user contradicts the answer even if its query was not run.
        for rule in ["V004", "D002"] {
            assert!(Evidence::from_events(&[answer_event(&[(rule, None)])]).forbids_sure(), "{rule}");
        }
    }

    #[test]
    fn an_answer_is_not_sure_beside_a_query_that_the_question_speaks_for() {
        let forbids = |variants: &[(&str, Option<u64>)]| {
            Evidence::from_events(&[chosen_event(8, 8), answer_event(variants)]).forbids_sure()
        };
        assert!(forbids(&[("Q006", Some(1))]), "an average of lines where orders are asked for");
        assert!(!forbids(&[("Q006", None)]), "a model that deliberates is right more often than a rule");
        assert!(!forbids(&[("R010", Some(1))]), "the question does not say");
        let mut taken = answer_event(&[("Q005", Some(1))]);
        if let EventBody::ResultReady { changes, .. } = &mut taken {
            changes.push(RuleNote { rule: "Q005".into(), note: String::new() });
        }
        assert!(!Evidence::from_events(&[chosen_event(8, 8), taken]).forbids_sure(), "the query as it was written");
        let mut fixed = answer_event(&[]);
        if let EventBody::ResultReady { findings, .. } = &mut fixed {
            findings.push(RuleNote { rule: FIXED_NUMBER, note: String::new() });
        }
        assert!(Evidence::from_events(&[chosen_event(8, 8), fixed]).forbids_sure(), "0, whatever the data hold");
    }

    #[test]
    fn a_reading_that_the_user_chose_is_disputed_no_more() {
        let offered = || EventBody::ReadingsOffered { node: "generator".into(), readings: Vec::new() };
        let said = |candidate| EventBody::ReadingChosen {
            node: "generator".into(),
            candidate,
            waited_ms: 1,
            remembered: None,
        };
        let forbids = |events: &[EventBody]| Evidence::from_events(events).forbids_sure();
        assert!(forbids(&[offered(), chosen_event(2, 2), answer_event(&[])]), "nobody was there");
        assert!(forbids(&[offered(), said(None), chosen_event(2, 2), answer_event(&[])]), "the choice was handed back");
        assert!(!forbids(&[offered(), said(Some(3)), chosen_event(2, 2), answer_event(&[])]));
        assert!(forbids(&[offered(), said(Some(3)), chosen_event(2, 8), answer_event(&[])]), "few queries gave it");
    }

    #[test]
    fn replies_that_decline_stand_against_an_answer_that_no_more_gave() {
        let forbids = |events: &[EventBody]| Evidence::from_events(events).forbids_sure();
        assert!(!forbids(&[chosen_event(1, 1), answer_event(&[])]));
        assert!(forbids(&[declined_event(), chosen_event(1, 1), answer_event(&[])]), "one against one");
        assert!(!forbids(&[declined_event(), chosen_event(2, 2), answer_event(&[])]));
        assert!(forbids(&[declined_event(), declined_event(), chosen_event(2, 2), answer_event(&[])]));
        assert!(forbids(&[chosen_event(1, 1), answer_event(&[]), declined_event()]), "behind the answer, too");
        assert!(
            !forbids(&[chosen_event(1, 1), answer_event(&[]), declined_event(), tested_event(true)]),
            "where one more says the same"
        );
        assert!(forbids(&[chosen_event(1, 1), answer_event(&[]), declined_event(), tested_event(false)]));
        assert_eq!(
            Evidence::from_events(&[declined_event(), chosen_event(2, 2), answer_event(&[]), declined_event()])
                .declined,
            2
        );
    }
}
