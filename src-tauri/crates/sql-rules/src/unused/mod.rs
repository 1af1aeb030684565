//! Parts of a question that its query does not use: a year, a quarter, a month, a number, a name in quotation marks, a
//! stored value. They are reported in the user's words, together with the values that the query uses instead. Digits,
//! quotation marks and stored values are compared in every language; names of months and quarters, and numbers in
//! words, only in English, German and French.

mod asked;
mod bounds;
mod calendar;
mod names;
mod numbers;
mod periods;
mod spoken;
mod tokens;
mod used;

use crate::RuleInput;
use asked::{Asked, Kind, parse_question};
use bounds::Constants;
use used::{Unused, Used, holds_years};
use vitrine_domain::{Page, RuleCode, ValueMatch};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_words::{join_with_and, tr};

/// Code of the rule that finds unused parts.
pub const UNUSED_PART: RuleCode = RuleCode::new("L013");
/// Maximum number of reported parts.
const MOST: usize = 3;

/// Describes the parts of the question that the query does not use. `values` are stored values that the question may
/// mention, `page` is the query's result. `None` if only the engine can parse the query.
pub fn unused_parts(sql: &ReadOnlySql, input: &RuleInput<'_>, values: &[ValueMatch], page: &Page) -> Vec<String> {
    if !input.is_rule_enabled(&UNUSED_PART) || sql.with_query(|_| ()).is_none() {
        return Vec::new();
    }
    let binding = bind_names(sql, input.catalog);
    let constants = Constants::from_query(sql, |subject| holds_years(subject, &binding, input));
    let used = Used { input, constants, binding, page };
    let question = input.facts.asked.as_str();
    let parts = parse_question(question);
    let mut unused: Vec<Unused> = parts.iter().filter_map(|part| find_unused(&used, part, &parts, sql)).collect();
    unused.extend(names::unused_names(&used, sql, question, values));
    let mut notes: Vec<String> = Vec::new();
    for Unused { asked, instead } in unused {
        let note = match instead.is_empty() {
            true => tr!("You asked for {asked}; the query does not use it.", asked),
            false => tr!("You asked for {asked}; the query uses {used}.", asked, used = join_with_and(&instead)),
        };
        if !notes.contains(&note) && notes.len() < MOST {
            notes.push(note);
        }
    }
    notes
}

/// Returns the month, 1 to 12, that a word of an English, German or French question names, also abbreviated.
pub fn month_number(word: &str) -> Option<u32> {
    spoken::month_in(word).map(u32::from)
}

fn find_unused(used: &Used<'_>, part: &Asked, all: &[Asked], sql: &ReadOnlySql) -> Option<Unused> {
    let instead = match part.kind {
        Kind::Number { .. } => numbers::find_substitutes(used, part, all, sql),
        _ => periods::find_substitutes(used, part, all),
    }?;
    Some(Unused { asked: part.text.clone(), instead })
}

#[cfg(test)]
mod tests;
