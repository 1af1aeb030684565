//! Searches without progress: detects a repeated error, and describes to the user why nothing ran.

use crate::attempt::context::AttemptContext;
use crate::attempt::prepare::add_views;
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::views::Views;
use crate::run::ask::Ask;
use vitrine_domain::AppError;
use vitrine_sql::{DialectExt, NameProblem, SqlRejection};
use vitrine_words::{join_with_and, plural, tr};

/// Number of rounds with the same error after which a search ends.
const REPEATS: u32 = 3;

/// Counts consecutive rounds with one common error.
#[derive(Debug, Default)]
pub struct RepeatedError {
    error: Option<String>,
    rounds: u32,
}

impl RepeatedError {
    /// Counts a round by its errors. Returns true if a further correction would not help, because the model received the same error in
    /// every round.
    pub fn is_stuck<'e>(&mut self, errors: impl IntoIterator<Item = &'e str>) -> bool {
        let mut errors = errors.into_iter().map(without_place);
        let first = errors.next().filter(|first| errors.all(|other| other == *first));
        self.rounds = match (&first, &self.error) {
            (None, _) => 0,
            (Some(one), Some(before)) if one == before => self.rounds + 1,
            _ => 1,
        };
        self.error = first;
        self.rounds >= REPEATS
    }
}

/// Returns the first line of an error without the position in the query, which differs between queries.
fn without_place(error: &str) -> String {
    const PLACES: [&str; 6] = ["line", "column", "position", "character", "offset", "char"];
    let mut words: Vec<&str> = Vec::new();
    for word in error.trim().lines().next().unwrap_or_default().split_whitespace() {
        let before = words.last().map_or("", |word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_place = PLACES.iter().any(|place| before.eq_ignore_ascii_case(place));
        words.push(if is_place && word.starts_with(|c: char| c.is_ascii_digit()) { "#" } else { word });
    }
    words.join(" ")
}

/// Returns the error of a search in which nothing ran: the number of tried queries, the reason of the last failure in plain words, and a
/// suggestion. The detail is the original error.
pub fn stuck_error(attempts: &AttemptContext<'_>, tried: usize, sql: &str, error: &str) -> AppError {
    let message =
        plural!(tried, "No SQL that runs was found in {n} attempt", "No SQL that runs was found in {n} attempts");
    let failure = nothing_ran(message).with_detail(error);
    match suggest_fix(&attempts.context.ask, attempts.views, sql) {
        Some(advice) => failure.with_hint(advice),
        None => failure,
    }
}

/// Returns the reason why a query does not run, with a suggestion; `None` if only the database knows.
fn suggest_fix(ask: &Ask, views: &Views, sql: &str) -> Option<String> {
    let unquoted = vitrine_sql::unquoted_names(sql, &ask.data.catalog);
    // Names of views resolve only if their definitions precede the query.
    let proven = ask.prove_query(&add_views(ask, views, sql).unwrap_or_else(|| sql.to_owned()));
    let problems =
        proven.as_ref().map(|sql| vitrine_sql::bind_names(sql, &ask.data.catalog).problems).unwrap_or_default();
    if let Some(name) = unquoted.first().filter(|_| proven.is_err() || !problems.is_empty()) {
        return Some(tr!(
            "The name {name} contains spaces, symbols or digits that must be quoted in SQL, and the model does not quote it. Rename it in the data, rephrase the question, or choose another model",
            name
        ));
    }
    match proven {
        Err(SqlRejection::Syntax { .. }) => Some(tr!(
            "The model does not write valid {dialect}. Rephrase the question, or choose another model",
            dialect = ask.data.catalog.dialect.sql().display_name()
        )),
        Err(rejection) => Some(tr!(
            "Every query was refused: {reason}. Rephrase the question, or choose another model",
            reason = rejection.in_words()
        )),
        Ok(_) => {
            let mut names: Vec<String> = Vec::new();
            for problem in &problems {
                let name = match problem {
                    NameProblem::UnknownTable { name, .. }
                    | NameProblem::UnknownColumn { name, .. }
                    | NameProblem::NotInScope { name, .. }
                    | NameProblem::Ambiguous { name, .. } => name,
                    _ => continue,
                };
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            (!names.is_empty()).then(|| {
                tr!(
                    "The query uses names that the data does not contain: {names}. Use the names of the tables and columns, or choose another model",
                    names = join_with_and(&names)
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_stuck_after_three_rounds_of_the_same_error() {
        let mut repeated = RepeatedError::default();
        let told = |line: u32| format!("syntax error at line 1, column {line}: Expected: ), found: €");
        let rounds = [vec![told(12), told(40)], vec![told(9)], vec![told(12)]];
        let stuck = rounds.map(|round| repeated.is_stuck(round.iter().map(String::as_str)));
        assert_eq!(stuck, [false, false, true]);
        assert!(!repeated.is_stuck(["There is no table t."]), "another error begins anew");
    }

    #[test]
    fn a_search_whose_errors_differ_goes_on() {
        let mut repeated = RepeatedError::default();
        for round in 0..6 {
            let error = format!("No table in this FROM clause has a column c{round}.");
            assert!(!repeated.is_stuck([error.as_str()]));
        }
        let same = "No table in this FROM clause has a column c.";
        for _ in 0..6 {
            assert!(!repeated.is_stuck([same, "There is no table t."]), "one of its queries failed otherwise");
        }
        assert!(!repeated.is_stuck([]));
        assert_eq!([same, same, same].map(|error| repeated.is_stuck([error])), [false, false, true]);
    }
}
