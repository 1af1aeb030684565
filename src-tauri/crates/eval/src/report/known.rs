//! Known failures: a list of question ids next to a pack, so that new passes and new failures are visible.

use crate::metrics::Rule;
use crate::run::Outcome;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Comparison of a run with a list of known failures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KnownFailures {
    /// Ids of listed questions that are now right.
    pub new_passes: Vec<String>,
    /// Ids of questions that are wrong but not listed.
    pub new_failures: Vec<String>,
    /// Number of listed questions that are still wrong.
    pub still_wrong: usize,
    /// `true` if the list was just created from this run.
    pub written: bool,
}

impl KnownFailures {
    /// Compares outcomes with the list in a file; creates the file from them if it does not exist. Questions that were
    /// not asked are not added.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written.
    pub fn check_outcomes(file: &Path, pack: &str, outcomes: &[Outcome], rule: Rule) -> Result<Self, AppError> {
        let failed = |what: String, error: std::io::Error| AppError::new(ErrorCode::Usage, what).with_detail(error);
        match std::fs::read_to_string(file) {
            Ok(text) => Ok(Self::compare_outcomes(&parse_ids(&text), outcomes, rule)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                std::fs::write(file, format_list(pack, outcomes, rule))
                    .map_err(|e| failed(tr!("{path} cannot be written", path = file.display()), e))?;
                let still_wrong = outcomes.iter().filter(|o| !o.is_right(rule)).count();
                Ok(Self { still_wrong, written: true, ..Self::default() })
            }
            Err(error) => Err(failed(tr!("{path} cannot be read", path = file.display()), error)),
        }
    }

    fn compare_outcomes(known: &BTreeSet<&str>, outcomes: &[Outcome], rule: Rule) -> Self {
        let mut found = Self::default();
        for outcome in outcomes {
            match (known.contains(outcome.id.as_str()), outcome.is_right(rule)) {
                (true, true) => found.new_passes.push(outcome.id.clone()),
                (false, false) => found.new_failures.push(outcome.id.clone()),
                (true, false) => found.still_wrong += 1,
                (false, true) => {}
            }
        }
        found
    }
}

/// Parses one id per line; `#` starts a comment.
fn parse_ids(text: &str) -> BTreeSet<&str> {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|id| !id.is_empty()).collect()
}

fn format_list(pack: &str, outcomes: &[Outcome], rule: Rule) -> String {
    let mut text = format!("# Known failures of {pack} by the rule of {}, one id a line.\n", rule.name());
    for outcome in outcomes.iter().filter(|o| !o.is_right(rule)) {
        text += &outcome.id;
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_outcomes(right: &[(&str, bool)]) -> Vec<Outcome> {
        right.iter().map(|(id, right)| Outcome { id: (*id).into(), spider: *right, ..Outcome::default() }).collect()
    }

    #[test]
    fn the_first_run_writes_the_list_and_later_runs_are_held_against_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("known.txt");
        let first = build_outcomes(&[("a", false), ("b", true), ("c", false)]);
        let written = KnownFailures::check_outcomes(&file, "p", &first, Rule::Spider).unwrap();
        assert!(written.written && written.new_failures.is_empty());
        let later = build_outcomes(&[("a", true), ("b", false), ("c", false)]);
        let found = KnownFailures::check_outcomes(&file, "p", &later, Rule::Spider).unwrap();
        assert_eq!((found.new_passes, found.new_failures, found.still_wrong), (vec!["a".into()], vec!["b".into()], 1));
    }

    #[test]
    fn comments_and_empty_lines_are_no_ids() {
        assert_eq!(parse_ids("# head\n\n a # why\nb\r\n").into_iter().collect::<Vec<_>>(), ["a", "b"]);
    }
}
