//! Vote counting (ReFoRCE, 3.2.2): candidates grouped by result, ignoring row order unless the question requires one, numbers within
//! tolerance, truncated results separate; empty results are suspicious.

use crate::candidate::{Candidate, is_void};
use vitrine_domain::{Cluster, Confidence};

/// Candidates grouped by their results.
pub struct Vote {
    /// Clusters: trusted before suspicious ones, then most votes first, then by the first candidate's number.
    pub clusters: Vec<Cluster>,
    /// Confidence of the vote's leader.
    pub confidence: Confidence,
}

impl Vote {
    /// Returns the candidate that represents the leading result; `None` without candidates.
    pub fn leader(&self) -> Option<u32> {
        self.clusters.first()?.candidates.first().copied()
    }

    /// Returns the number of votes of the leading result.
    pub fn leader_votes(&self) -> u32 {
        self.clusters.first().map_or(0, |cluster| cluster.candidates.len() as u32)
    }

    /// Returns true if the leading result has more votes than any other, including suspicious ones, and than `failed`.
    pub fn is_plurality(&self, failed: usize) -> bool {
        let votes = self.leader_votes() as usize;
        votes > failed && self.clusters.iter().skip(1).all(|other| votes > other.candidates.len())
    }
}

/// Returns true if the question requires an order according to its queries: all of them order their rows, or most order and limit them. If
/// only some order them, the order is not required.
pub fn order_counts(candidates: &[Candidate]) -> bool {
    let ordered = candidates.iter().filter(|candidate| candidate.sql.is_ordered()).count();
    let ranked = candidates.iter().filter(|c| c.sql.is_ordered() && c.sql.limit().is_some()).count();
    candidates.len() > 1 && (ordered == candidates.len() || ranked * 2 > candidates.len())
}

/// Counts votes without emitting events.
pub fn count_votes(candidates: &[Candidate], ordered: bool) -> Vote {
    let mut clusters: Vec<(String, Cluster)> = Vec::new();
    for candidate in candidates {
        let digest = if candidate.page.truncated {
            // Unread rows may differ.
            format!("cut off {}", candidate.sql.as_str())
        } else {
            vitrine_warehouse::digest_rows(&candidate.page, ordered && candidate.sql.is_ordered())
        };
        match clusters.iter_mut().find(|(known, _)| *known == digest) {
            Some((_, cluster)) => cluster.candidates.push(candidate.number),
            None => {
                let suspicious = suspicion_reason(candidate);
                clusters.push((digest, Cluster { candidates: vec![candidate.number], suspicious }));
            }
        }
    }
    let mut clusters: Vec<Cluster> = clusters.into_iter().map(|(_, cluster)| cluster).collect();
    // A warning only breaks ties; it weighs less than a vote.
    let warned =
        |cluster: &Cluster| candidates.iter().any(|c| c.number == cluster.candidates[0] && c.warning.is_some());
    clusters
        .sort_by_key(|c| (c.suspicious.is_some(), std::cmp::Reverse(c.candidates.len()), warned(c), c.candidates[0]));
    let confidence = match clusters.as_slice() {
        [first, ..] if first.suspicious.is_some() => Confidence::Low,
        [first, second, ..] if second.suspicious.is_none() && second.candidates.len() == first.candidates.len() => {
            Confidence::Low
        }
        [_, ..] => Confidence::High,
        [] => Confidence::Low,
    };
    Vote { clusters, confidence }
}

/// Returns the reason why a result is suspicious.
fn suspicion_reason(candidate: &Candidate) -> Option<String> {
    let page = &candidate.page;
    if page.rows.is_empty() {
        return Some("it has no rows".to_owned());
    }
    if is_void(page) {
        return Some("it has no value".to_owned());
    }
    if candidate.says_nothing() {
        return Some("the query decides it, whatever the data hold".to_owned());
    }
    let zero = |cell: &Option<String>| cell.as_deref().is_some_and(|text| text.parse::<f64>() == Ok(0.0));
    // A single zero can be the answer to "how many"; a column with only zeros or NULLs rarely is the expected answer.
    let several = page.rows.len() > 1;
    (0..page.columns.len()).find_map(|column| {
        let cells = || page.rows.iter().filter_map(|row| row.get(column));
        if cells().all(Option::is_none) {
            return Some(format!("{} is empty in every row", page.columns[column].shown_name(column)));
        }
        (several && cells().all(zero)).then(|| format!("{} is 0 in every row", page.columns[column].shown_name(column)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Dialect, Page, page::CellType, page::ResultColumn};
    use vitrine_sql::ReadOnlySql;

    fn make_candidate(number: u32, cells: &[&str]) -> Candidate {
        let page = Page {
            columns: vec![ResultColumn::new("n", CellType::Float)],
            rows: cells.iter().map(|cell| vec![Some((*cell).to_owned()).filter(|c| c != "NULL")]).collect(),
            row_count: cells.len() as u64,
            truncated: false,
        };
        let digest = vitrine_warehouse::digest_rows(&page, true);
        let sql = ReadOnlySql::parse(&format!("SELECT {number} ORDER BY 1"), Dialect::Sqlite).unwrap();
        Candidate::new(number, sql, page, digest)
    }

    fn count_clusters(candidates: &[Candidate], ordered: bool) -> (Vec<Vec<u32>>, Confidence) {
        let vote = count_votes(candidates, ordered);
        (vote.clusters.into_iter().map(|c| c.candidates).collect(), vote.confidence)
    }

    #[test]
    fn order_counts_only_where_it_was_asked_for() {
        let all = [make_candidate(1, &["1", "2"]), make_candidate(2, &["2", "1"]), make_candidate(3, &["5"])];
        assert_eq!(count_clusters(&all, false), (vec![vec![1, 2], vec![3]], Confidence::High));
        assert_eq!(count_clusters(&all, true), (vec![vec![1], vec![2], vec![3]], Confidence::Low));
    }

    #[test]
    fn numbers_that_differ_by_rounding_are_one_result() {
        let all = [make_candidate(1, &["0.30000000000000004"]), make_candidate(2, &["0.3"])];
        assert_eq!(count_clusters(&all, false).0, vec![vec![1, 2]]);
    }

    #[test]
    fn what_found_nothing_wins_no_vote() {
        let all =
            [make_candidate(1, &[]), make_candidate(2, &[]), make_candidate(3, &["5"]), make_candidate(4, &["0", "0"])];
        assert_eq!(count_clusters(&all, false), (vec![vec![3], vec![1, 2], vec![4]], Confidence::High));
        assert_eq!(count_clusters(&all[..2], false).1, Confidence::Low);
        assert_eq!(count_clusters(&[], false), (vec![], Confidence::Low));
    }

    #[test]
    fn a_plurality_counts_what_failed_and_what_found_nothing() {
        let all = [make_candidate(1, &["5"]), make_candidate(2, &["5"]), make_candidate(3, &["7"])];
        assert!(count_votes(&all, false).is_plurality(1));
        assert!(!count_votes(&all, false).is_plurality(2), "as many failed");
        let empty = [make_candidate(1, &["5"]), make_candidate(2, &[])];
        assert!(!count_votes(&empty, false).is_plurality(0), "as many found nothing");
        assert!(!count_votes(&[], false).is_plurality(0));
    }

    #[test]
    fn order_counts_where_the_queries_agree_that_it_does() {
        let query = |number: u32, sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            Candidate { sql, ..make_candidate(number, &["1"]) }
        };
        let (plain, sorted, top) =
            ("SELECT a FROM t", "SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a LIMIT 3");
        let counts = |texts: &[&str]| {
            order_counts(&(1..).zip(texts).map(|(number, sql)| query(number, sql)).collect::<Vec<_>>())
        };
        assert!(counts(&[sorted, sorted]));
        assert!(!counts(&[sorted, sorted, plain]), "a courtesy of two");
        assert!(counts(&[top, top, plain]), "a ranking");
        assert!(!counts(&[top, plain]) && !counts(&[sorted]) && !counts(&[]));
    }

    #[test]
    fn what_was_cut_off_stands_alone() {
        let mut all = [make_candidate(1, &["1"]), make_candidate(2, &["1"])];
        all.iter_mut().for_each(|c| c.page.truncated = true);
        assert_eq!(count_clusters(&all, false).0, vec![vec![1], vec![2]]);
    }
}
