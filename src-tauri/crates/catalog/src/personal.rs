//! Finds columns with personal data: by their values where these have a pattern, otherwise by their names.
//!
//! The result is a heuristic in both directions: users can mark columns that it misses and allow columns that it finds
//! wrongly.

mod views;

use crate::names::split_words;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use vitrine_domain::{
    Catalog, Column, ColumnProfile, Dialect, EgressPolicy, PersonalColumn, PersonalKind, Profile, TableName,
};
use vitrine_sql::{ColumnType, DialectExt};

/// Number of words of the longest entry in `words.txt`.
const LONGEST: usize = 3;

/// Returns every column that looks personal or was marked by the user, in catalog order, and whether the policy masks
/// it.
pub fn personal_columns(catalog: &Catalog, profile: &Profile, policy: &EgressPolicy) -> Vec<PersonalColumn> {
    let mut found = Vec::new();
    let profiles = profile.by_table();
    for table in &catalog.tables {
        let profile = profiles.get(&table.name);
        let name = table.name.to_string();
        let words_of_table = word_combinations(&table.name.name);
        for column in &table.columns {
            let is = |list: &[String]| views::is_listed(list, &table.name, &column.name);
            let chosen = is(&policy.masked);
            let values = profile.and_then(|profile| profile.find_column(&column.name)).and_then(by_values);
            let looks = values.or_else(|| by_name(&words_of_table, column, catalog.dialect));
            let Some(kind) = looks.or(chosen.then_some(PersonalKind::Chosen)) else { continue };
            let masked = chosen || policy.mask_personal && !is(&policy.allowed);
            found.push(PersonalColumn { table: name.clone(), column: column.name.clone(), kind, masked });
        }
    }
    views::add(&mut found, catalog, policy);
    found
}

/// Returns true if a policy masks the values of a field within a nested column: they look personal, or its name says so.
pub fn masks_field(
    field: &ColumnProfile,
    (table, column): (&TableName, &str),
    policy: &EgressPolicy,
    dialect: Dialect,
) -> bool {
    if !policy.mask_personal || views::is_listed(&policy.allowed, table, column) {
        return false;
    }
    let (outer, key) = field.name.rsplit_once('.').unwrap_or(("", &field.name));
    let key = Column { name: key.to_owned(), data_type: field.data_type.clone(), nullable: true, comment: None };
    by_values(field).or_else(|| by_name(&word_combinations(outer), &key, dialect)).is_some()
}

/// Returns the kind of personal data that a text looks like by its pattern; names and places have none.
pub fn looks_personal(text: &str) -> Option<PersonalKind> {
    let text = text.trim();
    if is_email(text) {
        Some(PersonalKind::Email)
    } else if is_iban(text) {
        Some(PersonalKind::BankAccount)
    } else if is_phone(text) {
        Some(PersonalKind::Phone)
    } else {
        None
    }
}

/// Returns the kind that at least half of the known values look like.
fn by_values(profile: &ColumnProfile) -> Option<PersonalKind> {
    let values: Vec<&str> =
        profile.top.iter().map(|(value, _)| value).chain(&profile.samples).map(String::as_str).collect();
    let most = |fits: &dyn Fn(&str) -> bool, least: usize| {
        let fitting = values.iter().filter(|value| fits(value)).count();
        fitting >= least && fitting * 2 >= values.len()
    };
    for kind in [PersonalKind::Email, PersonalKind::BankAccount, PersonalKind::Phone] {
        if most(&|value| looks_personal(value) == Some(kind), 1) {
            return Some(kind);
        }
    }
    // One in ten long numbers has a correct checksum by coincidence.
    most(&is_card, 3).then_some(PersonalKind::PaymentCard)
}

/// Returns the words of a name and the concatenations of neighbouring words, so that `GeburtsDatum`, `first_name` and
/// `firstname` all match.
fn word_combinations(name: &str) -> Vec<String> {
    let words = split_words(name);
    let ends = |start: usize| start + 1..=words.len().min(start + LONGEST);
    (0..words.len())
        .flat_map(|start| ends(start).map(move |end| (start, end)))
        .map(|(start, end)| words[start..end].concat())
        .collect()
}

fn by_name(table: &[String], column: &Column, dialect: Dialect) -> Option<PersonalKind> {
    let own = word_combinations(&column.name);
    let known = known_words();
    let has = |list: &str, said: &[String]| said.iter().any(|run| known[list].contains(run));
    let declared = column.data_type.to_ascii_uppercase();
    let numbers = [ColumnType::Whole, ColumnType::Decimal, ColumnType::Float, ColumnType::Boolean];
    let is_number = numbers.contains(&dialect.sql().column_type(&declared));
    let is_time = ["DATE", "TIME"].iter().any(|time| declared.contains(time));
    if has("secret", &own) && !is_time && !is_number {
        return Some(PersonalKind::Secret);
    }
    // Keys that refer to an address are not personal.
    let is_key = own.last().is_some_and(|last| ["id", "key", "fk", "count", "type"].contains(&last.as_str()));
    if is_key && !has("national_id", &own) {
        return None;
    }
    if has("birth_date", &own) {
        return Some(PersonalKind::BirthDate);
    }
    if is_time {
        return None;
    }
    for (list, kind) in [
        ("email", PersonalKind::Email),
        ("phone", PersonalKind::Phone),
        ("national_id", PersonalKind::NationalId),
        ("bank_account", PersonalKind::BankAccount),
        ("payment_card", PersonalKind::PaymentCard),
    ] {
        if has(list, &own) {
            return Some(kind);
        }
    }
    if is_number || has("things", &own) {
        return None;
    }
    if has("address", &own) {
        return Some(PersonalKind::Address);
    }
    let of_people = has("people", &own) || has("people", table);
    (has("person_name", &own) || has("name", &own) && of_people).then_some(PersonalKind::PersonName)
}

/// Returns the lists of `words.txt`, with the words of each entry joined.
fn known_words() -> &'static HashMap<&'static str, HashSet<String>> {
    static KNOWN: OnceLock<HashMap<&'static str, HashSet<String>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let lines = include_str!("personal/words.txt").lines().filter(|line| !line.starts_with('#'));
        let entry = |entry: &str| entry.split_whitespace().collect::<String>();
        lines
            .filter_map(|line| line.split_once(':'))
            .map(|(list, entries)| (list, entries.split(',').map(entry).collect()))
            .collect()
    })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let plain = |c: char| c.is_alphanumeric() || "._%+-'".contains(c);
    !local.is_empty()
        && local.chars().all(plain)
        && domain.split('.').count() > 1
        && domain.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-'))
}

/// Returns true for an IBAN with a correct checksum (ISO 13616).
fn is_iban(text: &str) -> bool {
    let text: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    if !(15..=34).contains(&text.len()) || !text.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    if !text[..2].iter().all(u8::is_ascii_uppercase) || !text[2..4].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let rest = text[4..].iter().chain(&text[..4]).try_fold(0u32, |rest, byte| {
        let value = (*byte as char).to_digit(36)?;
        Some(if value < 10 { (rest * 10 + value) % 97 } else { (rest * 100 + value) % 97 })
    });
    rest == Some(1)
}

/// Returns true for an international number, or one with its area code in parentheses.
fn is_phone(text: &str) -> bool {
    let begins = text.starts_with('+') || text.starts_with('(');
    let digits = text.chars().filter(char::is_ascii_digit).count();
    begins && (7..=15).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || "+-()./ ".contains(c))
}

/// Returns true for a card number with a correct checksum (ISO/IEC 7812).
fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter(|c| !" -".contains(*c)).map_while(|c| c.to_digit(10)).collect();
    let all = text.chars().filter(|c| !" -".contains(*c)).count();
    if digits.len() != all || !(13..=19).contains(&all) || !(2..=6).contains(&digits[0]) {
        return false;
    }
    let sum: u32 = (digits.iter().rev().enumerate())
        .map(|(at, digit)| if at % 2 == 0 { *digit } else { digit * 2 - if *digit > 4 { 9 } else { 0 } })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests;
