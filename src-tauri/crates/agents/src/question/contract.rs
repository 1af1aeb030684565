//! The output contract: the required shape of the result, derived from the rewritten question. It decides between candidates with equal
//! votes and binds the revisor, whose unrestricted edits lower the accuracy in the paper's ablation.

use regex::Regex;
use std::sync::OnceLock;
use vitrine_domain::{Catalog, Direction, Page, RewrittenQuestion};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::QuestionFacts;
use vitrine_words::tr;

/// Requirements on the result's shape. A part that the question does not determine is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputContract {
    /// Number of columns that the result must have.
    pub columns: Option<usize>,
    /// True if the rows must be ordered.
    pub ordered: bool,
    /// Maximum number of rows of the result.
    pub limit: Option<u64>,
    /// Direction in which the rows are ordered.
    pub direction: Direction,
    /// True if rows that tie for the last place belong to the answer.
    pub ties: bool,
    /// True if the question is known to require all rows.
    pub all_rows: bool,
    /// Facts about the question, for rules.
    pub facts: QuestionFacts,
    /// True if the generator's model deliberates: its queries are trusted despite warnings and empty results.
    pub deliberates: bool,
}

impl OutputContract {
    /// Derives the contract from the question, its rewriting, and the names of the database.
    pub fn from_question(question: &str, rewritten: &RewrittenQuestion, catalog: &Catalog, deliberates: bool) -> Self {
        let ordering = rewritten.ordering.to_lowercase();
        static LIMIT: OnceLock<Regex> = OnceLock::new();
        let in_words = LIMIT
            .get_or_init(|| {
                Regex::new(r"(?:\b(?:top|first|limit|only)\s+(\d{1,6})|\b(\d{1,6})\s+rows?\b)").expect("regex")
            })
            .captures(&ordering)
            .and_then(|found| found.get(1).or(found.get(2)))
            .and_then(|digits| digits.as_str().parse().ok());
        let limit = if rewritten.rows > 0 { Some(u64::from(rewritten.rows)) } else { in_words };
        let directed = rewritten.direction != Direction::None;
        Self {
            columns: (!rewritten.outputs.is_empty()).then_some(rewritten.outputs.len()),
            ordered: directed || (!ordering.trim().is_empty() && ordering.contains("by ")),
            limit,
            direction: rewritten.direction,
            ties: rewritten.ties,
            all_rows: !rewritten.task.is_empty() && ordering.trim().is_empty() && limit.is_none(),
            facts: QuestionFacts::from_question(question, catalog),
            deliberates,
        }
    }

    /// Lists the parts of the contract that a query and its result violate.
    pub fn list_breaches(&self, sql: &ReadOnlySql, page: &Page) -> Vec<String> {
        let mut breaches = Vec::new();
        if let Some(columns) = self.columns
            && page.columns.len() != columns
        {
            breaches.push(tr!("{count} columns instead of {wanted}", count = page.columns.len(), wanted = columns));
        }
        if self.ordered && !sql.is_ordered() && page.row_count > 1 {
            breaches.push(tr!("rows are not ordered"));
        }
        // Queries with several sort keys or with a rank may have the opposite direction; the direction matters only if a limit removes
        // rows.
        let wanted = match self.direction {
            Direction::Ascending => Some(false),
            Direction::Descending => Some(true),
            Direction::None => None,
        };
        if let (Some(wanted), Some(descends)) = (wanted, vitrine_sql::is_descending(sql))
            && wanted != descends
            && sql.limit().is_some()
        {
            breaches.push(match descends {
                true => tr!("the largest come first instead of the smallest"),
                false => tr!("the smallest come first instead of the largest"),
            });
        }
        if self.ties
            && let Some(limit) = sql.limit()
            && Some(limit) == self.limit
        {
            breaches.push(tr!("keeps {limit} rows where all that share the last place are asked for", limit));
        }
        if let Some(limit) = self.limit
            && !self.ties
            && page.row_count > limit
        {
            breaches.push(tr!("{count} rows instead of at most {limit}", count = page.row_count, limit));
        }
        if self.all_rows
            && let Some(limit) = sql.limit()
        {
            breaches.push(tr!("keeps {limit} rows where all are asked for", limit));
        }
        breaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;
    use vitrine_domain::page::{CellType, ResultColumn};

    fn make_contract(ordering: &str, outputs: &[&str]) -> OutputContract {
        let rewritten = RewrittenQuestion {
            task: String::new(),
            outputs: outputs.iter().map(|s| (*s).to_owned()).collect(),
            filters: Vec::new(),
            ordering: ordering.to_owned(),
            ..RewrittenQuestion::default()
        };
        derive_contract(&rewritten)
    }

    fn derive_contract(rewritten: &RewrittenQuestion) -> OutputContract {
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: Vec::new(),
        };
        OutputContract::from_question("", rewritten, &catalog, false)
    }

    #[test]
    fn reads_limits_in_words_people_use() {
        assert_eq!(make_contract("by sales, highest first, 3 rows", &[]).limit, Some(3));
        assert_eq!(make_contract("top 10 by revenue", &["a"]).limit, Some(10));
        assert_eq!(make_contract("by year", &[]).limit, None);
        assert_eq!(make_contract("", &["a", "b"]), OutputContract { columns: Some(2), ..OutputContract::default() });
    }

    fn find_breaches(contract: &OutputContract, sql: &str) -> Vec<String> {
        let rows = vec![vec![Some("1".to_owned())]; 3];
        let column = ResultColumn::new("a", CellType::Integer);
        let page = Page { columns: vec![column], row_count: 3, rows, truncated: false };
        contract.list_breaches(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap(), &page)
    }

    #[test]
    fn the_direction_counts_where_rows_are_cut_off() {
        let lowest = derive_contract(&RewrittenQuestion {
            direction: Direction::Ascending,
            rows: 3,
            ..RewrittenQuestion::default()
        });
        assert_eq!(
            find_breaches(&lowest, "SELECT a FROM t ORDER BY a DESC LIMIT 3"),
            ["the largest come first instead of the smallest"]
        );
        assert!(find_breaches(&lowest, "SELECT a FROM t ORDER BY a LIMIT 3").is_empty());
        assert!(find_breaches(&lowest, "SELECT a FROM u ORDER BY rank DESC").is_empty(), "nothing is cut off");
    }

    #[test]
    fn who_shares_the_last_place_is_kept_where_that_is_asked_for() {
        let all = derive_contract(&RewrittenQuestion {
            direction: Direction::Descending,
            rows: 1,
            ties: true,
            ..RewrittenQuestion::default()
        });
        assert!(find_breaches(&all, "SELECT a FROM t WHERE b = (SELECT max(b) FROM t) ORDER BY a DESC").is_empty());
        let cut = find_breaches(&all, "SELECT a FROM t ORDER BY b DESC LIMIT 1");
        assert_eq!(cut, ["keeps 1 rows where all that share the last place are asked for"]);
    }
}
