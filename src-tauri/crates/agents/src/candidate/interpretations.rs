//! Interpretations of the question: results that could be the answer, and how their queries differ.

use crate::candidate::Candidate;
use crate::candidate::choose::{Choice, choose, is_clear, is_sure, votes};
use crate::question::contract::OutputContract;
use vitrine_domain::Reading;

/// Interpretations reported at most, the chosen one included.
const READINGS: usize = 4;

/// Results that could be the answer: the chosen one first, then those without a warning, most votes first. Each
/// describes what its query does differently.
pub fn readings(candidates: &[Candidate], choice: &Choice) -> Vec<Reading> {
    let chosen = &candidates[choice.index];
    let mut heads = vec![chosen];
    for candidate in candidates.iter().filter(|c| is_sure(c, false)) {
        if heads.iter().all(|head| head.digest != candidate.digest) {
            heads.push(candidate);
        }
    }
    heads[1..].sort_by_key(|head| std::cmp::Reverse(votes(candidates, &head.digest)));
    heads.truncate(READINGS);
    let summaries: Vec<Vec<String>> = heads.iter().map(|head| vitrine_sql_rules::query_summary(&head.sql)).collect();
    let reading = |(head, summary): (&&Candidate, &Vec<String>)| Reading {
        candidate: head.number,
        votes: votes(candidates, &head.digest),
        sql: head.sql.as_str().to_owned(),
        differs: summary
            .iter()
            .filter(|phrase| !summaries.iter().all(|all| all.contains(phrase)))
            .filter_map(|phrase| head.told(phrase))
            .collect(),
        row_count: head.page.row_count,
        first_row: head.page.rows.first().cloned().unwrap_or_default(),
    };
    heads.iter().zip(&summaries).map(reading).collect()
}

/// The interpretations that remain where nothing is clear, two at least and the chosen one first.
pub fn open_readings(candidates: &[Candidate], contract: &OutputContract) -> Option<Vec<Reading>> {
    let choice = choose(candidates, contract).filter(|_| !is_clear(candidates, contract))?;
    Some(readings(candidates, &choice)).filter(|readings| readings.len() > 1)
}

/// Other possible answers, where the choice has no majority.
pub fn others(candidates: &[Candidate], choice: &Choice) -> Vec<Reading> {
    if choice.votes as usize * 2 > candidates.len() { Vec::new() } else { readings(candidates, choice).split_off(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Selectivity;
    use crate::candidate::choose::tests::candidate;
    use vitrine_domain::Dialect;
    use vitrine_sql::ReadOnlySql;

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
        all[1].warning = Some("it does not use 2023".into());
        assert_eq!(told(&all), [(3, 2), (1, 1)]);

        let query = |sql: &str| ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        all[0].sql = query("SELECT count(*) FROM orders WHERE status = 'paid'");
        all[2].sql = query("SELECT count(*) FROM orders");
        let choice = choose(&all, &OutputContract::default()).unwrap();
        let differs: Vec<_> = readings(&all, &choice).into_iter().map(|reading| reading.differs).collect();
        assert_eq!(differs, [Vec::<String>::new(), vec!["only status = 'paid'".to_owned()]]);
        let differs = |all: &[Candidate]| readings(all, &choice).swap_remove(1).differs;
        all[0].selectivity = vec![("only status = 'paid'".into(), Selectivity::Some("7 of 9 rows of orders".into()))];
        assert_eq!(differs(&all), ["only status = 'paid' (7 of 9 rows of orders)"]);
        all[0].selectivity[0].1 = Selectivity::All;
        assert_eq!(differs(&all), [""; 0], "what every row has tells nothing apart");
    }
}
