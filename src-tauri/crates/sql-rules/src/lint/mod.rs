//! Findings that do not change the query: questions that an attentive reader would ask about a query that runs.

mod counted_measures;
mod counted_singles;
mod fixed_number;
mod literal_keys;
mod lost;
mod not_latest;
mod one_member;
mod unknown_key;
mod unmentioned_literal;
mod unread_table;
mod unrelated_keys;

use crate::RuleInput;
use vitrine_sql::ReadOnlySql;
use vitrine_words::{join_with_and, tr};

/// Reports joined keys that do not refer to each other.
pub(crate) fn unrelated_keys(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    unrelated_keys::chance_joins(sql, input.catalog).into_iter().next()
}

/// Reports a foreign key that is compared with a number which neither the question nor the knowledge mentions.
pub(crate) fn literal_keys(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let has_number = crate::question::facts::has_number;
    let said = |number: &str| {
        input.facts.has_number(number)
            || has_number(input.knowledge, number)
            || input.values.iter().any(|line| has_number(line, number))
    };
    let found = literal_keys::numbered_references(sql, input.catalog).into_iter().find(|found| !said(&found.number))?;
    let literal_keys::NumberedReference { column, refers_to, number } = found;
    Some(tr!(
        "it sets {column} to {number}, which the question does not say: find it in {refers_to} by a name",
        column,
        number,
        refers_to
    ))
}

/// Reports a measure that is counted.
pub(crate) fn counted_measures(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let column = counted_measures::counted_quantities(sql, input.catalog).into_iter().next()?;
    Some(tr!("it counts rows by COUNT({column}), a quantity: take the quantity itself or its SUM, or COUNT(*)", column))
}

/// Reports rows that are counted by a column with a different value in each row.
pub(crate) fn counted_singles(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let found = counted_singles::counted_singles(sql, input.catalog, input.profile)?;
    let counted_singles::CountedSingles { column, table, referring } = found;
    Some(tr!(
        "each row of {table} has a {column} of its own, so that every count is 1: rows of {referring} may be meant",
        table,
        column,
        referring = join_with_and(&referring)
    ))
}

/// Reports a table that the question names, if another table with the same columns is read.
pub(crate) fn unread_table(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let (read, named) = unread_table::unread_table(sql, input.catalog, &input.facts.asked)?;
    Some(tr!(
        "it reads {read}, which the question does not name, for columns that {named} has, too",
        read = read.name,
        named = named.name
    ))
}

/// Reports a list if only one of its members is summed or counted.
pub(crate) fn one_member(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let column = one_member::lists_by_one_member(sql, input.catalog, input.profile).into_iter().next()?;
    Some(tr!(
        "it takes one member of {column} and leaves the others out: read each member as a row of its own, unless one place is asked for",
        column
    ))
}

/// Reports a number that does not depend on the data.
pub(crate) fn fixed_number(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    fixed_number::fixed_numbers(sql, input.catalog).into_iter().next()
}

/// Reports a key that no row's document has.
pub(crate) fn unknown_key(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let unknown_key::UnknownKey { column, key, known } = unknown_key::unknown_key(sql, input.catalog, input.profile)?;
    Some(tr!(
        "it asks {column} for the key {key}, which no row has; there are {known}",
        column,
        key,
        known = join_with_and(&known)
    ))
}

/// Reports a name that was not mentioned. Names may be translated in other languages, so only English questions are
/// checked.
pub(crate) fn unmentioned_literal(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    if !input.facts.english {
        return None;
    }
    let mut said = vec![input.facts.asked.as_str(), input.knowledge];
    said.extend(input.values.iter().map(String::as_str));
    let name = unmentioned_literal::unmentioned_name(sql, input.profile, &said)?;
    Some(tr!("it looks for '{name}', which the question does not say", name))
}

/// Reports a number of the question that the query does not use.
pub(crate) fn unused_number(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let unused = lost::unused_numbers(sql, input.facts, input.knowledge);
    let numbers = unused.into_iter().map(str::to_owned).reduce(|parts, last| tr!("{parts} and {last}", parts, last))?;
    Some(tr!("it does not use {name}, which the question names", name = numbers))
}

/// Reports a column that the question names in full, of a table that the query reads, and that the query does not use.
pub(crate) fn unused_column(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let column = lost::unused_column(sql, input.catalog, input.facts)?;
    Some(tr!("it does not use {name}, which the question names", name = column))
}

/// Reports a negation of the question that the query lacks.
pub(crate) fn lost_negation(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    lost::has_lost_negation(sql, input.facts).then(|| tr!("it leaves out the \"not\" of the question"))
}

/// Reports the largest of a column where the question asks for the latest.
pub(crate) fn not_latest(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Option<String> {
    let question = input.facts.asked.as_str();
    if !not_latest::asks_for_latest(question) {
        return None;
    }
    let not_latest::NotLatest { column, time } =
        not_latest::find_not_latest(sql, input.catalog, input.profile, question)?;
    Some(tr!("it takes the largest {column}, but the question asks for the latest: {time} is the time", column, time))
}
