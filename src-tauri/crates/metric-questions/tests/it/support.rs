//! Questions about a database with metrics.

use vitrine_domain::metric_answer::PartRole;
use vitrine_domain::{Catalog, Dialect};
use vitrine_metric_questions::{AskedQuestion, Coverage, CoveredQuestion, StoredValue, cover_question};
use vitrine_metrics::{Comparison, MetricQuery, MetricsFile, compile_query, parse_file};

/// A database with metrics and stored values.
pub struct Database {
    pub catalog: Catalog,
    pub file: MetricsFile,
    pub values: Vec<StoredValue>,
}

/// The day on which all questions are asked, a Thursday.
const TODAY: &str = "2025-03-20T10:00:00Z";

impl Database {
    pub fn new(tables: &str, metrics: &str, values: &[(&str, &str, &[&str])]) -> Self {
        let catalog = Catalog {
            database: "test".into(),
            dialect: Dialect::Duckdb,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: "0".into(),
            tables: vitrine_ddl::parse(tables, Dialect::Duckdb).expect("tables"),
        };
        let stored = |(table, column, values): &(&str, &str, &[&str])| {
            let one = |value: &&str| StoredValue {
                table: (*table).to_owned(),
                column: (*column).to_owned(),
                value: (*value).to_owned(),
            };
            values.iter().map(one).collect::<Vec<_>>()
        };
        let values = values.iter().flat_map(stored).collect();
        Self { catalog, file: parse_file(metrics).expect("metrics"), values }
    }

    pub fn cover(&self, text: &str) -> Coverage {
        let Self { catalog, file, values } = self;
        cover_question(&AskedQuestion { text, file, catalog, values, today: TODAY })
    }

    /// Returns the query of a question that is covered. It compiles, and every word has a role.
    pub fn covered(&self, text: &str) -> CoveredQuestion {
        let covered = match self.cover(text) {
            Coverage::Complete(covered) => *covered,
            other => panic!("{text}: {other:?}"),
        };
        if let Err(error) = compile_query(&self.file, &self.catalog, &covered.query) {
            panic!("{text}: {error} {:?}", covered.query);
        }
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let parts: String = covered.answer.parts.iter().map(|part| letters(&part.text)).collect();
        assert_eq!(parts, letters(text));
        assert!(covered.answer.parts.iter().any(|part| part.role == PartRole::Metric), "{text}");
        covered
    }

    /// Checks that questions are covered by these queries, written as [`describe`] does.
    pub fn assert_covered(&self, cases: &[(&str, &str)]) {
        let failed: Vec<String> = cases
            .iter()
            .filter_map(|(text, expected)| {
                let found = describe(&self.covered_query(text)?);
                (found != *expected).then(|| format!("{text}\n  found    {found}\n  expected {expected}"))
            })
            .chain(cases.iter().filter_map(|(text, _)| match self.cover(text) {
                Coverage::Complete(_) => None,
                other => Some(format!("{text}\n  {other:?}")),
            }))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        cases.iter().for_each(|(text, _)| _ = self.covered(text));
    }

    fn covered_query(&self, text: &str) -> Option<MetricQuery> {
        match self.cover(text) {
            Coverage::Complete(covered) => Some(covered.query),
            _ => None,
        }
    }

    /// Checks that no question is covered.
    pub fn assert_uncovered(&self, questions: &[&str]) {
        let wrong: Vec<String> = questions
            .iter()
            .filter_map(|text| Some(format!("{text}\n  {}", describe(&self.covered_query(text)?))))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Writes a query in one line: metrics; by; filters; period; calculation; order and limit. Empty parts are left out.
pub fn describe(query: &MetricQuery) -> String {
    let mut text = query.metrics.join("+");
    let mut add = |label: &str, part: String| {
        if !part.is_empty() {
            text += &format!(" {label} {part}");
        }
    };
    add("by", query.by.join(","));
    add("where", query.filters.join(" and "));
    add("from", query.from.clone().unwrap_or_default());
    add("to", query.to.clone().unwrap_or_default());
    let compare = query.compare.map(|compare| match compare {
        Comparison::PreviousPeriod => "period",
        Comparison::PreviousYear => "year",
    });
    add("vs", compare.unwrap_or_default().to_owned());
    add("with", if query.share { "share".to_owned() } else { String::new() });
    add("with", if query.running_total { "running".to_owned() } else { String::new() });
    add("order", query.order.join(","));
    add("limit", query.limit.map(|limit| limit.to_string()).unwrap_or_default());
    text
}
