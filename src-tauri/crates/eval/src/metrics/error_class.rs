//! Classes of errors in wrong answers, from the syntax trees of gold and answer. They combine the classes of AV-SQL
//! (section 5.8: filtering, aggregation, schema, syntax) with the join errors of CHASE-SQL and DSR-SQL.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use vitrine_domain::Catalog;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::facts::{QueryOutline, outline_query};

/// A part in which a wrong answer differs from the gold query; an answer may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorClass {
    /// Other conditions on rows or groups.
    Filter,
    /// Other aggregates, window functions, group keys, or another DISTINCT.
    Aggregation,
    /// Other tables or columns, or names that do not exist.
    Schema,
    /// Other conditions between tables, or another kind of join.
    Join,
    /// No query that parses and runs.
    Syntax,
    /// None of these parts differs: order, limit, expressions, or the arrangement of the parts.
    Other,
}

impl ErrorClass {
    /// All classes, in the order of reports.
    pub const ALL: [ErrorClass; 6] = [
        ErrorClass::Filter,
        ErrorClass::Aggregation,
        ErrorClass::Schema,
        ErrorClass::Join,
        ErrorClass::Syntax,
        ErrorClass::Other,
    ];

    /// Returns the display name of the class.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Filter => "filter",
            ErrorClass::Aggregation => "aggregation",
            ErrorClass::Schema => "schema",
            ErrorClass::Join => "join",
            ErrorClass::Syntax => "syntax",
            ErrorClass::Other => "other",
        }
    }

    /// Classifies the errors of a wrong answer by the gold query that it differs from the least; `query` is `None` if
    /// there is none that parses. Empty if no gold query can be compared.
    pub fn classify_answer(
        query: Option<&ReadOnlySql>,
        ran: bool,
        golds: &[&ReadOnlySql],
        catalog: &Catalog,
    ) -> BTreeSet<Self> {
        let golds: Vec<QueryOutline> = golds.iter().filter_map(|gold| outline_query(gold, catalog)).collect();
        if golds.is_empty() {
            return BTreeSet::new();
        }
        let Some(query) = query else { return [Self::Syntax].into() };
        if !ran {
            let unknown = !vitrine_sql::bind_names(query, catalog).problems.is_empty();
            return [if unknown { Self::Schema } else { Self::Syntax }].into();
        }
        let Some(answer) = outline_query(query, catalog) else { return BTreeSet::new() };
        let all = golds.iter().map(|gold| Self::compare_outlines(gold, &answer));
        all.min_by_key(BTreeSet::len).unwrap_or_default()
    }

    fn compare_outlines(gold: &QueryOutline, answer: &QueryOutline) -> BTreeSet<Self> {
        let parts = [
            (Self::Filter, gold.filters != answer.filters),
            (Self::Aggregation, gold.aggregation != answer.aggregation),
            (
                Self::Schema,
                gold.tables != answer.tables || gold.columns != answer.columns || gold.shown != answer.shown,
            ),
            (Self::Join, gold.joins != answer.joins),
        ];
        let found: BTreeSet<Self> = parts.into_iter().filter(|(_, differs)| *differs).map(|(class, _)| class).collect();
        if found.is_empty() { [Self::Other].into() } else { found }
    }
}
