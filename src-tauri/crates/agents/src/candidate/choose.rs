//! Choice among candidates: clusters by result, majority first, then a fixed order of preference.

use crate::candidate::vote::order_counts;
use crate::candidate::{Candidate, CandidateVariant, says_the_same};
use crate::question::contract::OutputContract;

/// Number of candidates that must independently write the result of a variant before its originals adopt it; fewer if the question also
/// supports it.
const WRITTEN_BY_OTHERS: usize = 2;
const WRITTEN_AS_ASKED: usize = 1;

/// Chosen candidate and the clarity of the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Index into the list of candidates.
    pub index: usize,
    /// Number of candidates with the same result, including the chosen one.
    pub votes: u32,
}

/// Chooses by the majority of results. For a model that does not deliberate, only informative results are considered if there are any,
/// because most of its wrong queries return no rows. Ties are resolved in favour of informative results, results without a warning, fewer
/// breaches of the contract, and the lower number of the cluster's first candidate. `None` without candidates.
pub fn choose_candidate(candidates: &[Candidate], contract: &OutputContract) -> Option<Choice> {
    let breaches: Vec<usize> = candidates.iter().map(|c| contract.list_breaches(&c.sql, &c.page).len()).collect();
    let voices = Voices::from_candidates(candidates, contract);
    let votes: Vec<u32> = candidates.iter().map(|own| voices.count_supporters(candidates, own)).collect();
    let index = (0..candidates.len()).min_by_key(|&i| {
        let candidate = &candidates[i];
        (
            candidate.says_nothing() && !contract.deliberates,
            std::cmp::Reverse(votes[i]),
            candidate.says_nothing(),
            candidate.warning.is_some(),
            breaches[i],
            candidate.number,
        )
    })?;
    Some(Choice { index, votes: votes[index] })
}

/// Rules by which candidates support a result.
#[derive(Debug, Clone, Copy)]
pub struct Voices {
    deliberates: bool,
    /// True if the question requires an order, according to the queries.
    ordered: bool,
    /// Number of columns that the question requires; `None` if unknown.
    columns: Option<usize>,
}

impl Voices {
    /// Derives the rules from these candidates.
    pub fn from_candidates(candidates: &[Candidate], contract: &OutputContract) -> Self {
        let OutputContract { deliberates, columns, .. } = *contract;
        Self { deliberates, ordered: deliberates && order_counts(candidates), columns }
    }

    /// Returns true if a candidate supports the result of `own` by the same result. A model that deliberates sometimes adds a key, the
    /// number by which it sorts, or an unrequested order: a result with all of `own`'s columns over the same rows therefore supports it,
    /// too, unless `own` is known to lack a column.
    pub fn speaks_for(self, candidate: &Candidate, own: &Candidate) -> bool {
        let is_whole = self.columns.is_none_or(|columns| own.page.columns.len() >= columns);
        candidate.digest == own.digest
            || self.deliberates && is_whole && says_the_same(&candidate.page, &own.page, self.ordered)
    }

    /// Returns true if two candidates differ only in columns or an order that a model may add.
    pub fn are_equivalent(self, one: &Candidate, other: &Candidate) -> bool {
        self.speaks_for(one, other) || self.speaks_for(other, one)
    }

    /// Counts the candidates that support a result.
    pub fn count_supporters<'a>(self, candidates: impl IntoIterator<Item = &'a Candidate>, own: &Candidate) -> u32 {
        candidates.into_iter().filter(|candidate| self.speaks_for(candidate, own)).count() as u32
    }
}

/// Returns true if there are `several` candidates (at least two) without warnings that all support the result of one of them. Queries from
/// different prompts that agree need no further vote.
pub fn all_agree(candidates: &[Candidate], several: usize, contract: &OutputContract) -> bool {
    let voices = Voices::from_candidates(candidates, contract);
    several > 1
        && candidates.len() == several
        && candidates.iter().all(|c| is_settled(c, contract))
        && candidates.iter().any(|own| voices.count_supporters(candidates, own) as usize == several)
}

/// Returns true if the leading result has a clear majority that `outstanding` further candidates cannot change. A result with a variant
/// remains undecided until the end, because the others may write the variant's result.
pub fn is_decided(candidates: &[Candidate], outstanding: usize, contract: &OutputContract) -> bool {
    let sure: Vec<&Candidate> = candidates.iter().filter(|c| is_settled(c, contract)).collect();
    let voices = Voices::from_candidates(candidates, contract);
    let most = sure.iter().map(|own| voices.count_supporters(sure.iter().copied(), own)).max().unwrap_or(0) as usize;
    has_majority(most, sure.len() + outstanding, candidates.len() - sure.len() + outstanding)
}

/// Returns true if more than half of the informative candidates without a warning have the leading result, and no other result has more.
pub fn is_clear(candidates: &[Candidate], contract: &OutputContract) -> bool {
    let sure = candidates.iter().filter(|c| is_sure(c, contract.deliberates)).count();
    choose_candidate(candidates, contract).is_some_and(|choice| {
        is_sure(&candidates[choice.index], contract.deliberates)
            && has_majority(choice.votes as usize, sure, candidates.len() - sure)
    })
}

fn has_majority(votes: usize, sure: usize, unsure: usize) -> bool {
    votes * 2 > sure && votes >= unsure
}

/// Returns true if a candidate has a full vote. A model that deliberates is trusted despite findings and empty results.
pub fn is_sure(candidate: &Candidate, deliberates: bool) -> bool {
    deliberates || (candidate.warning.is_none() && !candidate.says_nothing())
}

/// Returns true if the candidate has a full vote and no variant with another result that further queries could support. Further queries
/// know neither the meaning of an owner's description nor the intended reading of a question.
fn is_settled(candidate: &Candidate, contract: &OutputContract) -> bool {
    // The query before a rule's change is not an open alternative.
    let is_before = |variant: &CandidateVariant| candidate.changes.iter().any(|change| change.rule == variant.rule);
    let is_closed = |variant: &CandidateVariant| {
        let rule = &variant.rule;
        let of_owner = vitrine_sql_rules::reads_description(rule) || vitrine_sql_rules::reads_definition(rule);
        is_before(variant) || of_owner || variant.is_reading()
    };
    is_sure(candidate, contract.deliberates) && (contract.deliberates || candidate.variants.iter().all(is_closed))
}

/// Replaces candidates by one of their variants if other candidates independently wrote its result, so that rule and model agree. The
/// original query becomes a variant.
pub fn take_variants(candidates: &mut [Candidate]) {
    let by_themselves: Vec<String> = candidates.iter().map(|candidate| candidate.digest.clone()).collect();
    for candidate in candidates.iter_mut() {
        let written = |variant: &CandidateVariant| {
            let digest = variant.digest().filter(|_| !variant.is_reading());
            digest.map_or(0, |digest| by_themselves.iter().filter(|own| *own == digest).count())
        };
        let enough = |variant: &CandidateVariant| match vitrine_sql_rules::reads_question(&variant.rule) {
            true => WRITTEN_AS_ASKED,
            false => WRITTEN_BY_OTHERS,
        };
        let place = (0..candidate.variants.len()).max_by_key(|&place| written(&candidate.variants[place]));
        if let Some(place) = place.filter(|&at| written(&candidate.variants[at]) >= enough(&candidate.variants[at])) {
            candidate.become_variant(place);
        }
    }
}

/// Adds the results of variants as candidates if no candidate has them and no result has a clear majority; they then take part in the
/// comparison and in the question to the user. Other readings of the question are only for the user.
pub fn admit_variants(ran: &mut Vec<Candidate>) {
    for index in 0..ran.len() {
        admit_variants_by(ran, index, |variant| !variant.is_reading());
    }
}

/// Adds the other readings of the question for a candidate.
pub fn admit_readings(ran: &mut Vec<Candidate>, index: usize) {
    admit_variants_by(ran, index, CandidateVariant::is_reading);
}

fn admit_variants_by(ran: &mut Vec<Candidate>, index: usize, of_kind: impl Fn(&CandidateVariant) -> bool) {
    let mut next = ran.iter().map(|candidate| candidate.number).max().unwrap_or(0) + 1;
    for place in 0..ran[index].variants.len() {
        let variant = &ran[index].variants[place];
        if !of_kind(variant) || variant.digest().is_none_or(|digest| ran.iter().any(|known| known.digest == *digest)) {
            continue;
        }
        let mut candidate = Candidate { number: next, warning: None, ..ran[index].clone() };
        candidate.become_variant(place);
        ran.push(candidate);
        next += 1;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use vitrine_domain::Page;
    use vitrine_domain::{Dialect, page::CellType, page::ResultColumn};
    use vitrine_sql::ReadOnlySql;

    pub(in crate::candidate) fn make_candidate(number: u32, cell: Option<&str>) -> Candidate {
        let page = Page {
            columns: vec![ResultColumn::new("n", CellType::Integer)],
            rows: cell.map(|c| vec![Some(c.to_owned())]).into_iter().collect(),
            row_count: u64::from(cell.is_some()),
            truncated: false,
        };
        let digest = cell.unwrap_or("empty").to_owned();
        let sql = ReadOnlySql::parse("SELECT 1", Dialect::Sqlite).unwrap();
        Candidate::new(number, sql, page, digest)
    }

    #[test]
    fn the_majority_wins() {
        let all = [make_candidate(1, Some("5")), make_candidate(2, Some("7")), make_candidate(3, Some("7"))];
        assert_eq!(choose_candidate(&all, &OutputContract::default()), Some(Choice { index: 1, votes: 2 }));
    }

    #[test]
    fn on_a_tie_rows_come_before_no_rows_and_the_greedy_before_the_sampled() {
        let all = [make_candidate(1, None), make_candidate(2, Some("7")), make_candidate(3, Some("8"))];
        assert_eq!(choose_candidate(&all, &OutputContract::default()).map(|c| c.index), Some(1));
    }

    #[test]
    fn queries_of_different_prompts_that_agree_need_no_vote() {
        let mut both = [make_candidate(1, Some("5")), make_candidate(2, Some("5"))];
        assert!(all_agree(&both, 2, &OutputContract::default()));
        assert!(!all_agree(&both[..1], 2, &OutputContract::default()), "one of them did not run");
        assert!(!all_agree(&both[..1], 1, &OutputContract::default()));
        assert!(
            !all_agree(&[make_candidate(1, None), make_candidate(2, None)], 2, &OutputContract::default()),
            "nothing found"
        );
        both[1].warning = Some("it does not use 2023".into());
        assert!(!all_agree(&both, 2, &OutputContract::default()));
    }

    #[test]
    fn a_vote_is_decided_once_the_rest_cannot_change_it() {
        let of = |cells: &[&str]| -> Vec<Candidate> {
            cells.iter().zip(1..).map(|(cell, number)| make_candidate(number, Some(cell))).collect()
        };
        assert!(is_decided(&of(&["5", "5", "5"]), 2, &OutputContract::default()));
        assert!(
            !is_decided(&of(&["5", "5", "7"]), 1, &OutputContract::default()),
            "the next may make it two against two"
        );
        assert!(!is_decided(&[], 0, &OutputContract::default()));
        let found_less = |nothing: u32| {
            let mut all = of(&["5", "5", "7"]);
            all.extend((4..4 + nothing).map(|number| make_candidate(number, None)));
            is_clear(&all, &OutputContract::default())
        };
        assert!(found_less(2), "queries go wrong in many ways that find nothing");
        assert!(!found_less(3), "that so many find nothing may be right");
        assert!(is_clear(&of(&["5", "7", "5"]), &OutputContract::default()));
        assert!(!is_clear(&of(&["5", "7"]), &OutputContract::default()));
    }

    #[test]
    fn a_warning_breaks_ties_and_never_outvotes() {
        let mut all = [make_candidate(1, Some("5")), make_candidate(2, Some("7")), make_candidate(3, Some("5"))];
        all[0].warning = Some("it does not use 2023".into());
        all[2].warning = all[0].warning.clone();
        let chosen = |all: &[Candidate]| choose_candidate(all, &OutputContract::default()).map(|c| c.index);
        assert_eq!(chosen(&all), Some(0), "two against one");
        assert_eq!(chosen(&all[..2]), Some(1), "one against one");
    }

    #[test]
    fn that_nothing_is_there_is_believed_of_a_model_that_deliberates() {
        let all = [make_candidate(1, None), make_candidate(2, None), make_candidate(3, Some("7"))];
        let of = |deliberates| OutputContract { deliberates, ..OutputContract::default() };
        assert_eq!(choose_candidate(&all, &of(true)).map(|c| c.index), Some(0));
        assert_eq!(choose_candidate(&all, &of(false)).map(|c| c.index), Some(2));
        assert!(all_agree(&all[..2], 2, &of(true)));
    }

    #[test]
    fn what_the_query_decides_by_itself_is_outvoted_by_what_the_data_say() {
        let mut all = [make_candidate(1, Some("0")), make_candidate(2, Some("0")), make_candidate(3, Some("7"))];
        let fixed = || vec![vitrine_domain::RuleNote { rule: vitrine_sql_rules::FIXED_NUMBER, note: String::new() }];
        all[..2].iter_mut().for_each(|candidate| candidate.findings = fixed());
        let chosen = |deliberates| {
            let contract = OutputContract { deliberates, ..OutputContract::default() };
            choose_candidate(&all, &contract).map(|choice| choice.index)
        };
        assert_eq!((chosen(false), chosen(true)), (Some(2), Some(0)), "what a model that deliberates says stands");
        assert!(!all_agree(&all[..2], 2, &OutputContract::default()));
    }

    /// Builds a candidate with several columns and rows, whose query has this end.
    fn candidate_with_rows(number: u32, rows: &[&[&str]], end: &str) -> Candidate {
        let page = Page {
            columns: (0..rows[0].len()).map(|at| ResultColumn::new(format!("c{at}"), CellType::Text)).collect(),
            rows: rows.iter().map(|row| row.iter().map(|cell| Some((*cell).to_owned())).collect()).collect(),
            row_count: rows.len() as u64,
            truncated: false,
        };
        let sql = ReadOnlySql::parse(&format!("SELECT {number} {end}"), Dialect::Sqlite).unwrap();
        let digest = vitrine_warehouse::digest_rows(&page, sql.is_ordered());
        Candidate::new(number, sql, page, digest)
    }

    #[test]
    fn what_a_model_that_deliberates_adds_is_no_other_answer() {
        let large = OutputContract { deliberates: true, ..OutputContract::default() };
        let small = OutputContract::default();
        let names = candidate_with_rows(1, &[&["Ada"], &["Bob"]], "");
        let with_key = candidate_with_rows(2, &[&["7", "Ada"], &["9", "Bob"]], "");
        let both = [with_key.clone(), names.clone()];
        assert!(all_agree(&both, 2, &large) && is_decided(&both, 0, &large));
        assert_eq!(choose_candidate(&both, &large), Some(Choice { index: 1, votes: 2 }), "what both say");
        assert!(!all_agree(&both, 2, &small), "columns of a small model are voted on");
        assert_eq!(choose_candidate(&both, &small), Some(Choice { index: 1, votes: 1 }), "the first that was written");
        let known = OutputContract { columns: Some(2), ..large.clone() };
        assert_eq!(choose_candidate(&both, &known), Some(Choice { index: 0, votes: 1 }), "two columns are asked for");
        let others: [&[&[&str]]; 3] = [&[&["7", "Ada"], &["9", "Cid"]], &[&["7", "Ada"]], &[&["7"], &["9"]]];
        for other in others {
            assert!(!all_agree(&[candidate_with_rows(1, other, ""), names.clone()], 2, &large), "{other:?}");
        }
    }

    #[test]
    fn an_order_that_only_some_queries_have_is_a_courtesy() {
        let large = OutputContract { deliberates: true, ..OutputContract::default() };
        let plain = candidate_with_rows(1, &[&["Ada"], &["Bob"]], "");
        let turned = |number, end: &str| candidate_with_rows(number, &[&["Bob"], &["Ada"]], end);
        assert!(all_agree(&[plain.clone(), turned(2, "ORDER BY 1")], 2, &large));
        let sorted = candidate_with_rows(1, &[&["Ada"], &["Bob"]], "ORDER BY 1");
        assert!(!all_agree(&[sorted.clone(), turned(2, "ORDER BY 1")], 2, &large), "all of them sort, and otherwise");
        let ranked = [
            candidate_with_rows(1, &[&["Ada"], &["Bob"]], "ORDER BY 1 LIMIT 2"),
            turned(2, "ORDER BY 1 LIMIT 2"),
            plain,
        ];
        assert_eq!(choose_candidate(&ranked, &large), Some(Choice { index: 0, votes: 2 }), "a ranking is asked for");
    }

    fn with_variant(mut candidate: Candidate, cell: &str) -> Candidate {
        let other = self::make_candidate(0, Some(cell));
        let variant = CandidateVariant {
            rule: "R010".into(),
            note: "Left out a join".into(),
            as_written: None,
            sql: other.sql,
            ran: Some((other.page, other.digest)),
        };
        candidate.variants.push(variant);
        candidate
    }

    #[test]
    fn which_reading_is_meant_no_further_query_decides() {
        let mut all: Vec<Candidate> =
            (1..4).map(|number| with_variant(make_candidate(number, Some("5")), "7")).collect();
        all.iter_mut().flat_map(|one| &mut one.variants).for_each(|variant| variant.rule = "A001".into());
        assert!(is_decided(&all, 2, &OutputContract::default()));
        all[2] = make_candidate(3, Some("7"));
        take_variants(&mut all);
        assert_eq!(all[0].digest, "5", "another query in the other reading speaks for neither");
    }

    #[test]
    fn a_variant_needs_candidates_that_wrote_it_by_themselves() {
        let digests = |all: &[Candidate]| all.iter().map(|c| c.digest.clone()).collect::<Vec<_>>();
        let mut alone: Vec<Candidate> =
            (1..=8).map(|number| with_variant(make_candidate(number, Some("5")), "9")).collect();
        take_variants(&mut alone);
        assert_eq!(digests(&alone), vec!["5"; 8], "nobody else wrote it");
        assert!(alone[0].changes.is_empty() && alone[0].told_variants().len() == 1, "it is told all the same");

        let mut shared: Vec<Candidate> =
            (1..=5).map(|number| with_variant(make_candidate(number, Some("5")), "9")).collect();
        shared.extend((6..=7).map(|number| make_candidate(number, Some("9"))));
        take_variants(&mut shared);
        assert_eq!(digests(&shared), vec!["9"; 7]);
        assert_eq!(shared[0].changes[0].rule, "R010");
        assert_eq!(shared[0].variants[0].digest().unwrap(), "5", "the query as it was written is kept");
    }

    #[test]
    fn a_result_with_another_beside_it_is_open_until_all_have_written() {
        let contract = OutputContract::default();
        let both = [with_variant(make_candidate(1, Some("5")), "9"), with_variant(make_candidate(2, Some("5")), "9")];
        assert!(!all_agree(&both, 2, &contract));
        assert!(!is_decided(&both, 6, &contract));
        assert!(is_clear(&both, &contract), "what was written stands unless others write something else");
        let large = OutputContract { deliberates: true, ..contract };
        assert!(all_agree(&both, 2, &large), "a rule does not stop a model that deliberates");
    }

    #[test]
    fn nothing_is_chosen_from_nothing() {
        assert_eq!(choose_candidate(&[], &OutputContract::default()), None);
    }
}
