//! Counts of rule effects on right and wrong queries.

use super::heard::{Asked, Heard};
use super::known::Known;
use super::tapes::Tapes;
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::Page;
use vitrine_eval::metrics::{GoldResult, Verdict};
use vitrine_eval::{Question, Rule};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::digest_rows;

#[derive(Default, Clone, Copy)]
pub struct Tally {
    /// Right queries with an effect, and those whose result it changed.
    pub spoken: u64,
    pub other_result: u64,
    /// Wrong queries with an effect, and the number that it corrected.
    pub spoken_of_wrong: u64,
    pub mended: u64,
}

/// Counts of all rules over the queries of a pack.
#[derive(Default)]
pub struct Tallies {
    /// Questions, and those whose gold query runs.
    pub questions: u64,
    pub gold: u64,
    /// Queries that a model wrote.
    pub right: u64,
    pub wrong: u64,
    /// Right queries whose text was changed, and those whose result changed.
    pub changed: u64,
    pub broken: u64,
    pub by_rule: BTreeMap<String, Tally>,
}

/// The gold results of a question.
struct Golds {
    rule: Rule,
    results: Vec<GoldResult>,
}

impl Golds {
    fn are(&self, page: &Page) -> bool {
        self.results.iter().any(|gold| Verdict::from_results(page, gold).is_right_by(self.rule))
    }
}

impl Tallies {
    /// Counts the effects on the gold queries of a question and on recorded queries of models.
    pub async fn look_at(&mut self, question: &Question, rule: Rule, known: &Known, tapes: &Tapes) {
        self.questions += 1;
        let mut first = None;
        let mut golds = Golds { rule, results: Vec::new() };
        for text in &question.gold_sql {
            let Some((sql, page)) = known.gold(text).await else { continue };
            golds.results.push(GoldResult { page: page.clone(), ordered: sql.is_ordered(), required: Vec::new() });
            first.get_or_insert((sql, page));
        }
        let Some((sql, page)) = first else { return };
        self.gold += 1;
        let asked = Asked::of(question, known).await;
        self.right(&asked.about(&sql).await, &page);
        for written in tapes.queries(&asked.context.ask) {
            self.written(&written, &asked, &golds, known).await;
        }
    }

    async fn written(&mut self, sql: &ReadOnlySql, asked: &Asked<'_>, golds: &Golds, known: &Known) {
        let heard = asked.about(sql).await;
        match known.result(sql).await.filter(|page| golds.are(page)) {
            Some(page) => {
                self.right += 1;
                self.right(&heard, &page);
            }
            None => {
                self.wrong += 1;
                self.wrong(&heard, golds);
            }
        }
    }

    fn of(&mut self, rule: &str) -> &mut Tally {
        self.by_rule.entry(rule.to_owned()).or_default()
    }

    fn right(&mut self, heard: &Heard, expected: &Page) {
        let same = |page: &Page| digest_rows(page, false) == digest_rows(expected, false);
        let broken = !heard.changes.is_empty() && !heard.result.as_ref().is_some_and(same);
        self.changed += u64::from(!heard.changes.is_empty());
        self.broken += u64::from(broken);
        let mut spoken: BTreeMap<&str, bool> =
            heard.changes.iter().map(|change| (change.rule.as_str(), broken)).collect();
        for (variant, result) in heard.variants.iter().filter(|(variant, _)| !variant.rule.contains('+')) {
            // A variant that does not run is dropped.
            let other = result.as_ref().is_some_and(|page| !same(page));
            *spoken.entry(&variant.rule).or_default() |= other;
        }
        spoken.extend(heard.findings.iter().map(|finding| (finding.rule.as_str(), false)));
        for (rule, other) in spoken {
            let tally = self.of(rule);
            tally.spoken += 1;
            tally.other_result += u64::from(other);
        }
    }

    fn wrong(&mut self, heard: &Heard, golds: &Golds) {
        let mends = |page: &Option<Page>| page.as_ref().is_some_and(|page| golds.are(page));
        let mut spoken: BTreeSet<&str> = heard.changes.iter().map(|change| change.rule.as_str()).collect();
        let mut mended = if mends(&heard.result) { spoken.clone() } else { BTreeSet::new() };
        if mended.is_empty() {
            spoken.extend(heard.findings.iter().map(|finding| finding.rule.as_str()));
            for (variant, result) in &heard.variants {
                let rules: Vec<&str> = variant.rule.split('+').collect();
                // A combination counts only if none of its rules corrects the query alone.
                if mends(result) && (rules.len() == 1 || !rules.iter().any(|rule| mended.contains(rule))) {
                    mended.extend(&rules);
                }
                spoken.extend(rules);
            }
        }
        for rule in spoken {
            let tally = self.of(rule);
            tally.spoken_of_wrong += 1;
            tally.mended += u64::from(mended.contains(rule));
        }
    }
}
