//! Correctness of predictions by the rules of Spider, BIRD and Spider 2.0. A missing prediction is wrong by every rule.

mod bird;
pub mod candidates;
mod cell;
pub mod error_class;
pub mod fault;
pub mod linking;
mod moment;
mod spider;
mod spider2;
#[cfg(test)]
mod tests;

pub use bird::matches_bird;
pub use spider::matches_spider;
pub use spider2::matches_spider2;

use serde::{Deserialize, Serialize};
use vitrine_domain::Page;

/// Version of the rules; increased whenever a rule changes and recorded in every run and report.
pub const EVALUATOR_VERSION: &str = "3";

/// A rule that decides if a prediction is right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Equal rows with equal counts, columns in any order, on every database of the test suite.
    #[default]
    Spider,
    /// Equal sets of rows, columns in the same order.
    Bird,
    /// Every required gold column is among the predicted columns.
    Spider2,
}

impl Rule {
    /// All rules, in the order of reports.
    pub const ALL: [Rule; 3] = [Rule::Spider, Rule::Bird, Rule::Spider2];

    /// Returns the display name of the rule.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Spider => "Spider",
            Rule::Bird => "BIRD",
            Rule::Spider2 => "Spider 2.0",
        }
    }

    /// Returns the default rule for a pack with this name.
    pub fn of_pack(name: &str) -> Self {
        if name.to_ascii_lowercase().starts_with("bird") { Rule::Bird } else { Rule::Spider }
    }
}

/// A right answer to a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoldResult {
    /// All rows of the result.
    pub page: Page,
    /// `true` if the row order is part of the answer.
    pub ordered: bool,
    /// Positions of the columns that Spider 2.0 requires; empty requires all.
    pub required: Vec<usize>,
}

/// The result of each rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// `true` if right by Spider's rule.
    pub spider: bool,
    /// `true` if right by BIRD's rule.
    pub bird: bool,
    /// `true` if right by the rule of Spider 2.0.
    pub spider2: bool,
}

impl Verdict {
    /// Compares a prediction with one gold result.
    pub fn from_results(predicted: &Page, gold: &GoldResult) -> Self {
        Self {
            spider: matches_spider(predicted, &gold.page, gold.ordered),
            bird: matches_bird(predicted, &gold.page),
            spider2: matches_spider2(predicted, gold),
        }
    }

    /// Returns the result of one rule.
    pub fn is_right_by(self, rule: Rule) -> bool {
        match rule {
            Rule::Spider => self.spider,
            Rule::Bird => self.bird,
            Rule::Spider2 => self.spider2,
        }
    }

    /// Combines the verdicts of two golds: right by a rule if either is.
    pub fn combine_with(self, other: Self) -> Self {
        Self {
            spider: self.spider || other.spider,
            bird: self.bird || other.bird,
            spider2: self.spider2 || other.spider2,
        }
    }
}
