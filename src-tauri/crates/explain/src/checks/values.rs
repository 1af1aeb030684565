//! Checks for values that a column does not contain, if all its values are known.

use super::filters::Filter;
use super::flow::{Flow, column_said};
use vitrine_domain::{ExplanationCheck, capitalize_first};
use vitrine_sql::facts::{Condition, Constant};
use vitrine_sql_steps::{Expression, Origin};
use vitrine_words::{quote_text, tr};

/// Maximum number of stored values that a check lists.
const LISTED: usize = 8;

impl Flow<'_> {
    /// Reports requested values that are not stored but have a stored spelling variant that is not requested.
    pub(super) fn unknown_values(&self, filter: &Filter<'_>) -> Vec<ExplanationCheck> {
        let mut found = Vec::new();
        for (asked, run) in filter.condition_pairs() {
            let Some((origin, constants, stored)) = self.find_domain(asked, run) else { continue };
            for constant in constants {
                let said = constant.as_text();
                let other = stored.iter().find(|value| {
                    value.to_lowercase() == said.to_lowercase()
                        && !constants.iter().any(|c| c.as_text() == value.as_str())
                });
                if let Some(other) = other.filter(|_| !stored.iter().any(|value| value == said)) {
                    let column = capitalize_first(&column_said(origin));
                    let text = tr!("{column} is never “{value}”, but “{other}”", column, value = said, other);
                    found.push(self.build_check(filter.at, "unknown-value", true, text));
                }
            }
        }
        found
    }

    /// Reports a conditional count of values that the column does not contain.
    pub(super) fn unknown_part(&self, at: usize, value: &Expression, counts: &Condition) -> Option<ExplanationCheck> {
        let (origin, constants, stored) = self.find_domain(value, counts)?;
        constants.iter().all(|constant| !stored.iter().any(|value| value == constant.as_text())).then_some(())?;
        let asked: Vec<String> = constants.iter().map(|constant| quote_text(constant.as_text())).collect();
        let text = tr!(
            "{column} is never {values}: the part that is counted is always empty",
            column = capitalize_first(&column_said(origin)),
            values = vitrine_words::join_with_or(&asked)
        );
        Some(self.build_check(at, "unknown-value", true, text))
    }

    /// Returns the column that a condition compares with texts and all values of the column, if these are few and none is asked for.
    pub(super) fn list_stored_values(&self, asked: &Expression, run: &Condition) -> Option<(String, String)> {
        let (origin, constants, stored) = self.find_domain(asked, run)?;
        let is_stored = |constant: &Constant| stored.iter().any(|value| value == constant.as_text());
        if constants.iter().any(is_stored) || stored.len() > LISTED {
            return None;
        }
        let values: Vec<String> = stored.iter().map(|value| quote_text(value)).collect();
        Some((column_said(origin), vitrine_words::join_with_and(&values)))
    }

    /// Returns the text column that a condition compares with constants, the constants, and all values of the column.
    fn find_domain<'s>(&'s self, asked: &'s Expression, run: &'s Condition) -> Option<Domain<'s>> {
        let comparison = run.comparison.as_ref().filter(|c| c.operator == "=" && c.is_column)?;
        let constants = comparison.constants.as_slice();
        constants.iter().all(|constant| matches!(constant, Constant::Text(_))).then_some(())?;
        let origin = self.origin_of(asked, &comparison.value)?;
        let known = self.column_profile(origin).filter(|known| known.complete && !known.top.is_empty())?;
        Some((origin, constants, known.top.iter().map(|(value, _)| value.clone()).collect()))
    }

    /// Returns the column that a name in a condition refers to.
    pub(super) fn origin_of<'s>(&self, asked: &'s Expression, written: &str) -> Option<&'s Origin> {
        let name = written.rsplit('.').next()?.trim_matches(['"', '`', '[', ']']);
        let mut named = asked.columns.iter().filter(|origin| origin.column.eq_ignore_ascii_case(name));
        match (named.next(), named.next(), asked.columns.as_slice()) {
            (Some(origin), None, _) => Some(origin),
            (None, _, [only]) => Some(only),
            _ => None,
        }
    }
}

type Domain<'s> = (&'s Origin, &'s [Constant], Vec<String>);
