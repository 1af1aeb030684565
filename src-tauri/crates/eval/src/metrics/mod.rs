//! When a prediction is right, by the rules of Spider, of BIRD and of Spider 2.0. A missing prediction is wrong
//! everywhere.

mod bird;
mod cell;
pub mod fault;
pub mod linking;
mod spider;
mod spider2;
#[cfg(test)]
mod tests;

pub use bird::bird;
pub use spider::spider;
pub use spider2::spider2;

use serde::{Deserialize, Serialize};
use vitrine_domain::Page;

/// Changes whenever a rule here changes; stamped on every run and report.
pub const EVALUATOR_VERSION: &str = "2";

/// A rule for when a prediction is right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The same rows as often, columns in any order; on every database of a test suite.
    #[default]
    Spider,
    /// The same set of rows, columns in the same order.
    Bird,
    /// Every gold column is among the predicted ones.
    Spider2,
}

impl Rule {
    /// All rules, in the order of reports.
    pub const ALL: [Rule; 3] = [Rule::Spider, Rule::Bird, Rule::Spider2];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Spider => "Spider",
            Rule::Bird => "BIRD",
            Rule::Spider2 => "Spider 2.0",
        }
    }

    /// The rule of a pack that says no other, by the pack's name.
    pub fn of_pack(name: &str) -> Self {
        if name.to_ascii_lowercase().starts_with("bird") { Rule::Bird } else { Rule::Spider }
    }
}

/// What a right answer looks like.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoldResult {
    /// The rows.
    pub page: Page,
    /// Whether the order of rows belongs to the answer.
    pub ordered: bool,
    /// The columns that Spider 2.0 asks for, by position; empty asks for all.
    pub required: Vec<usize>,
}

/// What each rule says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdict {
    /// By Spider's rule.
    pub spider: bool,
    /// By BIRD's rule.
    pub bird: bool,
    /// By the rule of Spider 2.0.
    pub spider2: bool,
}

impl Verdict {
    /// Compares a prediction with one gold result.
    pub fn of(predicted: &Page, gold: &GoldResult) -> Self {
        Self {
            spider: spider(predicted, &gold.page, gold.ordered),
            bird: bird(predicted, &gold.page),
            spider2: spider2(predicted, gold),
        }
    }

    /// What one rule says.
    pub fn by(self, rule: Rule) -> bool {
        match rule {
            Rule::Spider => self.spider,
            Rule::Bird => self.bird,
            Rule::Spider2 => self.spider2,
        }
    }

    /// Right by a rule when right by it with any of several golds.
    pub fn or(self, other: Self) -> Self {
        Self {
            spider: self.spider || other.spider,
            bird: self.bird || other.bird,
            spider2: self.spider2 || other.spider2,
        }
    }
}
