//! Choosing among candidates: clusters by result, majority first, then a fixed order of preference.

use crate::contract::OutputContract;
use vitrine_domain::Page;
use vitrine_sql::ReadOnlySql;

/// A final SQL that ran.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// 1-based number; 1 is the greedy one.
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
}

/// Which candidate was chosen, and how clearly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Index into the candidates.
    pub index: usize,
    /// Candidates with the same result, itself included.
    pub votes: u32,
}

/// Majority by result, among those without a doubt where there are such. Ties: a result with rows before an empty one, fewer breaches of the contract, the smaller
/// number of the cluster's first candidate. `None` without candidates.
pub fn choose(candidates: &[Candidate], contract: &OutputContract) -> Option<Choice> {
    let breaches: Vec<usize> = candidates.iter().map(|c| contract.breaches(&c.sql, &c.page).len()).collect();
    let votes = |index: usize| candidates.iter().filter(|c| c.digest == candidates[index].digest).count() as u32;
    let index = (0..candidates.len()).min_by_key(|&i| {
        let candidate = &candidates[i];
        (
            candidate.doubt.is_some(),
            std::cmp::Reverse(votes(i)),
            is_void(&candidate.page),
            breaches[i],
            candidate.number,
        )
    })?;
    Some(Choice { index, votes: votes(index) })
}

/// Whether `left` further candidates could no longer change the choice: no other result could get more votes, nor win
/// a tie.
pub fn is_decided(candidates: &[Candidate], left: u32, contract: &OutputContract) -> bool {
    let Some(choice) = choose(candidates, contract) else { return false };
    let leader = &candidates[choice.index];
    if leader.doubt.is_some() {
        return false;
    }
    let others = candidates.iter().filter(|c| c.digest != leader.digest);
    let rival = others.map(|c| candidates.iter().filter(|o| o.digest == c.digest).count() as u32).max().unwrap_or(0);
    let wins_ties = !is_void(&leader.page) && contract.breaches(&leader.sql, &leader.page).is_empty();
    let needed = rival + left;
    if wins_ties { choice.votes >= needed } else { choice.votes > needed }
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
        Candidate { number, sql, page, digest, doubt: None }
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
    fn a_vote_that_cannot_turn_is_decided() {
        let contract = OutputContract::default();
        let agree = [candidate(1, Some("5")), candidate(2, Some("5"))];
        assert!(is_decided(&agree, 2, &contract), "two more could only tie, and the earlier wins ties");
        assert!(!is_decided(&agree, 3, &contract));
        assert!(!is_decided(&[candidate(1, Some("5")), candidate(2, Some("7"))], 1, &contract));
        assert!(!is_decided(&[candidate(1, None), candidate(2, None)], 2, &contract), "no rows loses ties");
        assert!(!is_decided(&[], 0, &contract));
    }

    #[test]
    fn a_doubt_weighs_more_than_votes() {
        let mut all = [candidate(1, None), candidate(2, None), candidate(3, Some("7"))];
        all[0].doubt = Some("the value 'Inc' is not stored".into());
        all[1].doubt = all[0].doubt.clone();
        assert_eq!(choose(&all, &OutputContract::default()).map(|c| c.index), Some(2));
        assert!(!is_decided(&all[..2], 0, &OutputContract::default()));
    }

    #[test]
    fn nothing_is_chosen_from_nothing() {
        assert_eq!(choose(&[], &OutputContract::default()), None);
    }
}
