//! The output contract: the required shape of the result, derived from the rewritten question. It decides between
//! candidates with equal votes and binds the revisor, whose free edits cost accuracy in the paper's own ablation.

use regex::Regex;
use std::sync::OnceLock;
use vitrine_domain::{Catalog, Page, RewrittenQuestion};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::QuestionFacts;

/// Requirements on the result's shape. A part that the question leaves open is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputContract {
    /// Number of columns.
    pub columns: Option<usize>,
    /// Whether rows have to be ordered.
    pub ordered: bool,
    /// The most rows.
    pub limit: Option<u64>,
    /// Whether the question is known to ask for all rows.
    pub all_rows: bool,
    /// Facts about the question, for rules.
    pub facts: QuestionFacts,
    /// Whether the model that writes deliberates: its queries are trusted despite warnings and empty results.
    pub deliberates: bool,
}

impl OutputContract {
    /// Derives the contract from the question, its rewriting, and the names of the database.
    pub fn of(question: &str, rewritten: &RewrittenQuestion, catalog: &Catalog, deliberates: bool) -> Self {
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
            facts: QuestionFacts::of(question, catalog),
            deliberates,
        }
    }

    /// How many parts of the contract a query and its result break.
    pub fn breaches(&self, sql: &ReadOnlySql, page: &Page) -> Vec<String> {
        let mut breaches = Vec::new();
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
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            fingerprint: String::new(),
            tables: Vec::new(),
        };
        OutputContract::of("", &rewritten, &catalog, false)
    }

    #[test]
    fn reads_limits_in_words_people_use() {
        assert_eq!(contract("by sales, highest first, 3 rows", &[]).limit, Some(3));
        assert_eq!(contract("top 10 by revenue", &["a"]).limit, Some(10));
        assert_eq!(contract("by year", &[]).limit, None);
        assert_eq!(contract("", &["a", "b"]), OutputContract { columns: Some(2), ..OutputContract::default() });
    }
}
