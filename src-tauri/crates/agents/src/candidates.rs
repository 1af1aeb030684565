//! Choosing among candidates: clusters by result, majority first, then a fixed order of preference.

use crate::contract::OutputContract;
use vitrine_domain::{Page, Reading};
use vitrine_sql::ReadOnlySql;

/// Readings of a question that are told, the chosen one included.
const READINGS: usize = 4;

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
    /// Why it should not be the answer, if anything speaks against it: a number of the question that it does not use, a
    /// value that is not stored.
    pub doubt: Option<String>,
    /// What is known of disputed conditions, by their phrases.
    pub kept: Vec<(String, Kept)>,
}

impl Candidate {
    /// A phrase of its query's gist with what is known of it; `None` for a condition that changes nothing.
    fn told(&self, phrase: &str) -> Option<String> {
        match self.kept.iter().find(|(known, _)| known == phrase) {
            None => Some(phrase.to_owned()),
            Some((_, Kept::All)) => None,
            Some((_, Kept::Some(rows))) => Some(format!("{phrase} ({rows})")),
        }
    }
}

/// How many rows of its table a condition keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// Every one: it changes nothing.
    All,
    /// `12 of 1,000 rows of orders`.
    Some(String),
}

/// Which candidate was chosen, and how clearly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Index into the candidates.
    pub index: usize,
    /// Candidates with the same result, itself included.
    pub votes: u32,
}

/// Majority by result, among those without a doubt where there are such, and among those that found something where
/// there are such: queries go wrong in many ways that find nothing. Ties: fewer breaches of the contract, the smaller
/// number of the cluster's first candidate. `None` without candidates.
pub fn choose(candidates: &[Candidate], contract: &OutputContract) -> Option<Choice> {
    let breaches: Vec<usize> = candidates.iter().map(|c| contract.breaches(&c.sql, &c.page).len()).collect();
    let votes = |index: usize| votes(candidates, &candidates[index].digest);
    let index = (0..candidates.len()).min_by_key(|&i| {
        let candidate = &candidates[i];
        (
            candidate.doubt.is_some(),
            is_void(&candidate.page),
            std::cmp::Reverse(votes(i)),
            breaches[i],
            candidate.number,
        )
    })?;
    Some(Choice { index, votes: votes(index) })
}

/// Candidates with a result.
fn votes(candidates: &[Candidate], digest: &str) -> u32 {
    candidates.iter().filter(|c| c.digest == digest).count() as u32
}

/// Results that could be the answer: the chosen one first, then those against which nothing speaks, most votes first.
/// Each says what its query does that not all of them do.
pub fn readings(candidates: &[Candidate], choice: &Choice) -> Vec<Reading> {
    let chosen = &candidates[choice.index];
    let mut heads = vec![chosen];
    for candidate in candidates.iter().filter(|c| is_sure(c)) {
        if heads.iter().all(|head| head.digest != candidate.digest) {
            heads.push(candidate);
        }
    }
    heads[1..].sort_by_key(|head| std::cmp::Reverse(votes(candidates, &head.digest)));
    heads.truncate(READINGS);
    let gists: Vec<Vec<String>> = heads.iter().map(|head| vitrine_sql::gist(&head.sql)).collect();
    let reading = |(head, gist): (&&Candidate, &Vec<String>)| Reading {
        candidate: head.number,
        votes: votes(candidates, &head.digest),
        sql: head.sql.as_str().to_owned(),
        differs: gist
            .iter()
            .filter(|phrase| !gists.iter().all(|all| all.contains(phrase)))
            .filter_map(|phrase| head.told(phrase))
            .collect(),
        row_count: head.page.row_count,
        first_row: head.page.rows.first().cloned().unwrap_or_default(),
    };
    heads.iter().zip(&gists).map(reading).collect()
}

/// The readings that remain where nothing is clear, two at least and the chosen one first.
pub fn open_readings(candidates: &[Candidate], contract: &OutputContract) -> Option<Vec<Reading>> {
    let choice = choose(candidates, contract).filter(|_| !is_clear(candidates, contract))?;
    Some(readings(candidates, &choice)).filter(|readings| readings.len() > 1)
}

/// What else could be the answer, where the choice has no majority.
pub fn others(candidates: &[Candidate], choice: &Choice) -> Vec<Reading> {
    if choice.votes as usize * 2 > candidates.len() { Vec::new() } else { readings(candidates, choice).split_off(1) }
}

/// Whether there are `several` candidates (two at least), all with one result and none with a doubt: queries that were
/// written from different prompts and agree need no further vote.
pub fn agree(candidates: &[Candidate], several: usize) -> bool {
    several > 1
        && candidates.len() == several
        && candidates.iter().all(|c| is_sure(c) && c.digest == candidates[0].digest)
}

/// Whether the leading result is clear, and stays so whatever `outstanding` further candidates give: a vote that ends early
/// ends as it would have.
pub fn is_decided(candidates: &[Candidate], outstanding: usize) -> bool {
    let sure: Vec<&Candidate> = candidates.iter().filter(|c| is_sure(c)).collect();
    let most = sure.iter().map(|c| sure.iter().filter(|other| other.digest == c.digest).count()).max().unwrap_or(0);
    carries(most, sure.len() + outstanding, candidates.len() - sure.len() + outstanding)
}

/// Whether the leading result is that of more than half of the candidates that found something and of which nothing makes
/// doubt, and the others are not more.
pub fn is_clear(candidates: &[Candidate], contract: &OutputContract) -> bool {
    let sure = candidates.iter().filter(|c| is_sure(c)).count();
    choose(candidates, contract).is_some_and(|choice| {
        is_sure(&candidates[choice.index]) && carries(choice.votes as usize, sure, candidates.len() - sure)
    })
}

fn carries(votes: usize, sure: usize, unsure: usize) -> bool {
    votes * 2 > sure && votes >= unsure
}

fn is_sure(candidate: &Candidate) -> bool {
    candidate.doubt.is_none() && !is_void(&candidate.page)
}

/// No rows, or nothing but NULLs: seldom what was asked for.
pub fn is_void(page: &Page) -> bool {
    page.rows.iter().all(|row| row.iter().all(Option::is_none))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Dialect, page::CellType, page::ResultColumn};

    fn candidate(number: u32, cell: Option<&str>) -> Candidate {
        let page = Page {
            columns: vec![ResultColumn { name: "n".into(), cell_type: CellType::Integer }],
            rows: cell.map(|c| vec![Some(c.to_owned())]).into_iter().collect(),
            row_count: u64::from(cell.is_some()),
            truncated: false,
        };
        let digest = cell.unwrap_or("empty").to_owned();
        let sql = ReadOnlySql::parse("SELECT 1", Dialect::Sqlite).unwrap();
        Candidate { number, sql, page, digest, doubt: None, kept: Vec::new() }
    }

    #[test]
    fn the_majority_wins() {
        let all = [candidate(1, Some("5")), candidate(2, Some("7")), candidate(3, Some("7"))];
        assert_eq!(choose(&all, &OutputContract::default()), Some(Choice { index: 1, votes: 2 }));
    }

    #[test]
    fn on_a_tie_rows_come_before_no_rows_and_the_greedy_before_the_sampled() {
        let all = [candidate(1, None), candidate(2, Some("7")), candidate(3, Some("8"))];
        assert_eq!(choose(&all, &OutputContract::default()).map(|c| c.index), Some(1));
    }

    #[test]
    fn queries_of_different_prompts_that_agree_need_no_vote() {
        let mut both = [candidate(1, Some("5")), candidate(2, Some("5"))];
        assert!(agree(&both, 2));
        assert!(!agree(&both[..1], 2), "one of them did not run");
        assert!(!agree(&both[..1], 1));
        assert!(!agree(&[candidate(1, None), candidate(2, None)], 2), "nothing found");
        both[1].doubt = Some("it does not use 2023".into());
        assert!(!agree(&both, 2));
    }

    #[test]
    fn a_vote_is_decided_once_the_rest_cannot_change_it() {
        let of = |cells: &[&str]| -> Vec<Candidate> {
            cells.iter().zip(1..).map(|(cell, number)| candidate(number, Some(cell))).collect()
        };
        assert!(is_decided(&of(&["5", "5", "5"]), 2));
        assert!(!is_decided(&of(&["5", "5", "7"]), 1), "the next may make it two against two");
        assert!(!is_decided(&[], 0));
        let found_less = |nothing: u32| {
            let mut all = of(&["5", "5", "7"]);
            all.extend((4..4 + nothing).map(|number| candidate(number, None)));
            is_clear(&all, &OutputContract::default())
        };
        assert!(found_less(2), "queries go wrong in many ways that find nothing");
        assert!(!found_less(3), "that so many find nothing may be right");
        assert!(is_clear(&of(&["5", "7", "5"]), &OutputContract::default()));
        assert!(!is_clear(&of(&["5", "7"]), &OutputContract::default()));
    }

    #[test]
    fn a_doubt_weighs_more_than_votes() {
        let mut all = [candidate(1, None), candidate(2, None), candidate(3, Some("7"))];
        all[0].doubt = Some("the value 'Inc' is not stored".into());
        all[1].doubt = all[0].doubt.clone();
        assert_eq!(choose(&all, &OutputContract::default()).map(|c| c.index), Some(2));
    }

    #[test]
    fn what_could_be_the_answer_is_told_with_what_tells_it_apart() {
        let mut all = [
            candidate(1, Some("5")),
            candidate(2, Some("7")),
            candidate(3, Some("8")),
            candidate(4, Some("8")),
            candidate(5, None),
        ];
        let told = |all: &[Candidate]| -> Vec<(u32, u32)> {
            let choice = choose(all, &OutputContract::default()).unwrap();
            readings(all, &choice).iter().map(|reading| (reading.candidate, reading.votes)).collect()
        };
        assert_eq!(told(&all), [(3, 2), (1, 1), (2, 1)]);
        all[1].doubt = Some("it does not use 2023".into());
        assert_eq!(told(&all), [(3, 2), (1, 1)]);

        let query = |sql: &str| ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        all[0].sql = query("SELECT count(*) FROM orders WHERE status = 'paid'");
        all[2].sql = query("SELECT count(*) FROM orders");
        let choice = choose(&all, &OutputContract::default()).unwrap();
        let differs: Vec<_> = readings(&all, &choice).into_iter().map(|reading| reading.differs).collect();
        assert_eq!(differs, [Vec::<String>::new(), vec!["only status = 'paid'".to_owned()]]);
        let differs = |all: &[Candidate]| readings(all, &choice).swap_remove(1).differs;
        all[0].kept = vec![("only status = 'paid'".into(), Kept::Some("7 of 9 rows of orders".into()))];
        assert_eq!(differs(&all), ["only status = 'paid' (7 of 9 rows of orders)"]);
        all[0].kept[0].1 = Kept::All;
        assert_eq!(differs(&all), [""; 0], "what every row has tells nothing apart");
    }

    #[test]
    fn nothing_is_chosen_from_nothing() {
        assert_eq!(choose(&[], &OutputContract::default()), None);
    }
}
