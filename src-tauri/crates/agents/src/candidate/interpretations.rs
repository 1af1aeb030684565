//! Interpretations of the question: results that may be the answer, and the differences of their queries.

use crate::candidate::Candidate;
use crate::candidate::choose::{Choice, Voices, choose_candidate, is_clear, is_sure};
use crate::question::contract::OutputContract;
use vitrine_domain::{Catalog, Reading};
use vitrine_explain::Meant;

/// Maximum number of reported interpretations, including the chosen one.
const READINGS: usize = 4;

/// Lists the results that may be the answer: the chosen one first, then those without a warning, most votes first. Each has a description
/// of what the question means by it.
pub fn list_readings(
    candidates: &[Candidate],
    choice: &Choice,
    contract: &OutputContract,
    catalog: &Catalog,
) -> Vec<Reading> {
    let chosen = &candidates[choice.index];
    let voices = Voices::from_candidates(candidates, contract);
    let mut heads = vec![chosen];
    for candidate in candidates.iter().filter(|c| is_sure(c, false)) {
        if heads.iter().all(|head| !voices.are_equivalent(head, candidate)) {
            heads.push(candidate);
        }
    }
    // Other readings of the question come first, because they explain the difference best.
    heads[1..].sort_by_key(|head| (!head.is_reading(), std::cmp::Reverse(voices.count_supporters(candidates, head))));
    heads.truncate(READINGS);
    describe_readings(&heads, candidates, voices, catalog)
}

/// Describes what the question means by each of these candidates. A reading made by a rule has no votes, since no model wrote its query.
fn describe_readings(
    heads: &[&Candidate],
    candidates: &[Candidate],
    voices: Voices,
    catalog: &Catalog,
) -> Vec<Reading> {
    // Candidates that differ only in other aspects share one reading.
    let own = |at: usize| {
        let own = heads[at].reading()?;
        (heads.iter().filter(|other| other.reading() == Some(own)).count() == 1).then(|| own.to_owned())
    };
    let meant: Vec<Meant<'_>> =
        heads.iter().map(|head| Meant { sql: &head.sql, page: &head.page, effects: &head.effects }).collect();
    let reading = |(at, meaning): (usize, String)| {
        let head = heads[at];
        Reading {
            candidate: head.number,
            votes: if head.is_reading() { 0 } else { voices.count_supporters(candidates, head) },
            sql: head.sql.as_str().to_owned(),
            meaning: own(at).unwrap_or(meaning),
            row_count: head.page.row_count,
            first_row: head.page.rows.first().cloned().unwrap_or_default(),
        }
    };
    vitrine_explain::describe_readings(&meant, catalog).into_iter().enumerate().map(reading).collect()
}

/// Lists the interpretations that remain without a clear majority: at least two, the chosen one first.
pub fn open_readings(candidates: &[Candidate], contract: &OutputContract, catalog: &Catalog) -> Option<Vec<Reading>> {
    let choice = choose_candidate(candidates, contract).filter(|_| !is_clear(candidates, contract))?;
    Some(list_readings(candidates, &choice, contract, catalog)).filter(|readings| readings.len() > 1)
}

/// Describes what the question means by the chosen candidate, which is first, and by its other readings made by rules: the candidates from
/// index one.
pub fn of_question(
    candidates: &[Candidate],
    choice: &Choice,
    from: usize,
    contract: &OutputContract,
    catalog: &Catalog,
) -> Vec<Reading> {
    let heads: Vec<&Candidate> = std::iter::once(&candidates[choice.index]).chain(&candidates[from..]).collect();
    describe_readings(&heads, candidates, Voices::from_candidates(candidates, contract), catalog)
}

/// Lists the other possible answers if the choice has no majority.
pub fn list_other_readings(
    candidates: &[Candidate],
    choice: &Choice,
    contract: &OutputContract,
    catalog: &Catalog,
) -> Vec<Reading> {
    if choice.votes as usize * 2 > candidates.len() {
        return Vec::new();
    }
    list_readings(candidates, choice, contract, catalog).split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::choose::tests::make_candidate;
    use crate::one_table::one_table;
    use vitrine_domain::Dialect;
    use vitrine_explain::Effect;
    use vitrine_sql::ReadOnlySql;

    fn shop_catalog() -> Catalog {
        let mut shop = one_table(Dialect::Sqlite, "orders", &["id", "status"]);
        shop.tables[0].primary_key = vec!["id".into()];
        shop
    }

    #[test]
    fn what_could_be_the_answer_is_told_with_what_tells_it_apart() {
        let catalog = shop_catalog();
        let mut all = [
            make_candidate(1, Some("5")),
            make_candidate(2, Some("7")),
            make_candidate(3, Some("8")),
            make_candidate(4, Some("8")),
            make_candidate(5, None),
        ];
        let told = |all: &[Candidate]| -> Vec<(u32, u32)> {
            let choice = choose_candidate(all, &OutputContract::default()).unwrap();
            list_readings(all, &choice, &OutputContract::default(), &catalog)
                .iter()
                .map(|reading| (reading.candidate, reading.votes))
                .collect()
        };
        assert_eq!(told(&all), [(3, 2), (1, 1), (2, 1)]);
        all[1].warning = Some("it does not use 2023".into());
        assert_eq!(told(&all), [(3, 2), (1, 1)]);

        let query = |sql: &str| ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        all[0].sql = query("SELECT count(*) FROM orders WHERE status = 'paid'");
        all[2].sql = query("SELECT count(*) FROM orders");
        let choice = choose_candidate(&all, &OutputContract::default()).unwrap();
        let meanings = |all: &[Candidate]| -> Vec<String> {
            list_readings(all, &choice, &OutputContract::default(), &catalog)
                .into_iter()
                .map(|reading| reading.meaning)
                .collect()
        };
        let whether = "Number of orders, whether or not status is “paid”";
        assert_eq!(meanings(&all), [whether, "Number of orders, only where status is “paid”"]);
        all[0].effects = vec![("status is “paid”".into(), Effect::Keeps("7 of 9 rows of orders".into()))];
        let holds = "Number of orders, only where status is “paid”, which applies to 7 of 9 rows of orders";
        assert_eq!(meanings(&all), [whether, holds]);
        all[0].effects[0].1 = Effect::None;
        let told = ["Number of orders, giving 8", "Number of orders, giving 5"];
        assert_eq!(meanings(&all), told, "what every row has tells nothing apart");
    }
}
