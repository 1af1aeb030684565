//! The output contract: what the answer's shape must be, derived from the rewritten question. It decides between
//! candidates with equal votes and binds the revisor, whose free edits cost accuracy in the paper's own ablation.

use regex::Regex;
use std::sync::OnceLock;
use vitrine_domain::{Page, RewrittenQuestion};
use vitrine_sql::ReadOnlySql;

/// What is asked of the result's shape. A part that the question leaves open is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputContract {
    /// Number of columns.
    pub columns: Option<usize>,
    /// Whether rows have to be ordered.
    pub ordered: bool,
    /// Number of rows at most.
    pub limit: Option<u64>,
    /// Whether the question is known to ask for all rows.
    pub all_rows: bool,
    /// Numbers that the question names, as digits: years, limits, amounts.
    pub numbers: Vec<String>,
}

impl OutputContract {
    /// Reads the contract off the question and what the rewriter made of it.
    pub fn of(question: &str, rewritten: &RewrittenQuestion) -> Self {
        let ordering = rewritten.ordering.to_lowercase();
        static LIMIT: OnceLock<Regex> = OnceLock::new();
        let limit = LIMIT
            .get_or_init(|| {
                Regex::new(r"(?:\b(?:top|first|limit|only)\s+(\d{1,6})|\b(\d{1,6})\s+rows?\b)").expect("regex")
            })
            .captures(&ordering)
            .and_then(|found| found.get(1).or(found.get(2)))
            .and_then(|digits| digits.as_str().parse().ok());
        Self {
            columns: (!rewritten.outputs.is_empty()).then_some(rewritten.outputs.len()),
            ordered: !ordering.trim().is_empty() && ordering.contains("by "),
            limit,
            all_rows: !rewritten.task.is_empty() && ordering.trim().is_empty(),
            numbers: numbers(question),
        }
    }

    /// Says which numbers of the question a query does not use: a condition was lost on the way, whatever the vote says.
    pub fn lost_numbers(&self, sql: &ReadOnlySql) -> Option<String> {
        let unused = self.unused_numbers(sql);
        (!unused.is_empty()).then(|| format!("does not use {}, which the question names", unused.join(" and ")))
    }

    fn unused_numbers(&self, sql: &ReadOnlySql) -> Vec<&str> {
        let uses = |number: &str| {
            let text = sql.as_str();
            text.match_indices(number).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + number.len()..].chars().next();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
                    && !after.is_some_and(|c| c.is_ascii_digit())
            })
        };
        self.numbers.iter().map(String::as_str).filter(|number| !uses(number)).collect()
    }

    /// How many of the contract's parts a query and its result break.
    pub fn breaches(&self, sql: &ReadOnlySql, page: &Page) -> Vec<String> {
        let mut breaches = Vec::from_iter(self.lost_numbers(sql));
        if let Some(columns) = self.columns
            && page.columns.len() != columns
        {
            breaches.push(format!("{} columns instead of {columns}", page.columns.len()));
        }
        if self.ordered && !sql.is_ordered() && page.row_count > 1 {
            breaches.push("rows are not ordered".to_owned());
        }
        if let Some(limit) = self.limit
            && page.row_count > limit
        {
            breaches.push(format!("{} rows instead of at most {limit}", page.row_count));
        }
        if self.all_rows
            && let Some(limit) = sql.limit()
        {
            breaches.push(format!("keeps {limit} rows where all are asked for"));
        }
        breaches
    }
}

/// Words after which a number is written otherwise in SQL.
const SCALES: [&str; 14] =
    ["million", "billion", "thousand", "percent", "k", "m", "bn", "st", "nd", "rd", "th", "am", "pm", "pct"];

/// The beginnings of the months' names.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The plain numbers of a question. Those that SQL may write otherwise are left out: 1.5 million, 20%, 9/11, 3 May.
fn numbers(question: &str) -> Vec<String> {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    let number = NUMBER.get_or_init(|| Regex::new(r"\b\d[\d,]*(?:\.\d+)?").expect("regex"));
    let joined = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | ':' | '%'));
    let month = |word: &str| MONTHS.iter().any(|month| word.to_lowercase().starts_with(month));
    let mut found: Vec<String> = Vec::new();
    for hit in number.find_iter(question) {
        let (before, after) = (&question[..hit.start()], &question[hit.end()..]);
        let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let previous = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let digits = hit.as_str().trim_end_matches(',').replace(',', "");
        let day = digits.len() <= 2 && (month(next) || month(previous));
        let scaled = SCALES.contains(&next.to_lowercase().as_str());
        let part = joined(before.chars().next_back()) || joined(after.chars().next());
        if !day && !scaled && !part && !found.contains(&digits) {
            found.push(digits);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn contract(ordering: &str, outputs: &[&str]) -> OutputContract {
        let rewritten = RewrittenQuestion {
            task: String::new(),
            outputs: outputs.iter().map(|s| (*s).to_owned()).collect(),
            filters: Vec::new(),
            ordering: ordering.to_owned(),
        };
        OutputContract::of("", &rewritten)
    }

    #[test]
    fn numbers_of_the_question_have_to_be_used() {
        assert_eq!(numbers("Top 5 in 2023 over 1,500.50, in the 1980s?"), ["5", "2023", "1500.50", "1980"]);
        assert_eq!(numbers("1.5 million, 20%, 3rd, 9/11, F16, 3 May, June 4"), [] as [&str; 0]);
        let contract = OutputContract { numbers: numbers("Sales of 2023"), ..OutputContract::default() };
        let unused = |sql: &str| {
            let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
            contract.unused_numbers(&sql).len()
        };
        assert_eq!(unused("SELECT sum(x) FROM t WHERE d >= '2023-01-01'"), 0);
        assert_eq!(unused("WITH sales_2023 AS (SELECT 12023 AS x) SELECT x FROM sales_2023"), 1);
    }

    #[test]
    fn reads_limits_in_words_people_use() {
        assert_eq!(contract("by sales, highest first, 3 rows", &[]).limit, Some(3));
        assert_eq!(contract("top 10 by revenue", &["a"]).limit, Some(10));
        assert_eq!(contract("by year", &[]).limit, None);
        assert_eq!(contract("", &["a", "b"]), OutputContract { columns: Some(2), ..OutputContract::default() });
    }
}
