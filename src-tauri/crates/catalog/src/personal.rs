//! Columns of personal data: found by their values where there is a pattern to find, and by their names where there is none.
//!
//! A guess in both directions: what it misses the user marks, and what it finds wrongly the user allows.

mod views;

use crate::names::words;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use vitrine_domain::{Catalog, Column, ColumnProfile, Dialect, EgressPolicy, PersonalColumn, PersonalKind, Profile};
use vitrine_sql::ColumnType;

/// Words of the longest entry in `words.txt`.
const LONGEST: usize = 3;

/// Every column that looks personal, in the catalog's order, and whether the policy has it masked. Columns that the user has
/// marked are among them.
pub fn personal_columns(catalog: &Catalog, profile: &Profile, policy: &EgressPolicy) -> Vec<PersonalColumn> {
    let mut found = Vec::new();
    let profiles: HashMap<_, _> = profile.tables.iter().map(|profile| (&profile.table, profile)).collect();
    for table in &catalog.tables {
        let profile = profiles.get(&table.name);
        let name = table.name.to_string();
        let words_of_table = said(&table.name.name);
        for column in &table.columns {
            let is = |list: &[String]| views::is_listed(list, &table.name, &column.name);
            let chosen = is(&policy.masked);
            let values = profile.and_then(|profile| profile.column(&column.name)).and_then(by_values);
            let looks = values.or_else(|| by_name(&words_of_table, column, catalog.dialect));
            let Some(kind) = looks.or(chosen.then_some(PersonalKind::Chosen)) else { continue };
            let masked = chosen || policy.mask_personal && !is(&policy.allowed);
            found.push(PersonalColumn { table: name.clone(), column: column.name.clone(), kind, masked });
        }
    }
    views::add(&mut found, catalog, policy);
    found
}

/// What a text looks like by itself; names and places have no pattern.
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

/// What at least half of the known values look like.
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
    // One long number in ten has a right checksum by chance.
    most(&is_card, 3).then_some(PersonalKind::PaymentCard)
}

/// The words of a name, and each few of them written as one: `GeburtsDatum` is one word, and `first_name` as well as
/// `firstname` says what it is.
fn said(name: &str) -> Vec<String> {
    let words = words(name);
    let ends = |start: usize| start + 1..=words.len().min(start + LONGEST);
    (0..words.len())
        .flat_map(|start| ends(start).map(move |end| (start, end)))
        .map(|(start, end)| words[start..end].concat())
        .collect()
}

fn by_name(table: &[String], column: &Column, dialect: Dialect) -> Option<PersonalKind> {
    let own = said(&column.name);
    let known = known_words();
    let has = |list: &str, said: &[String]| said.iter().any(|run| known[list].contains(run));
    let declared = column.data_type.to_ascii_uppercase();
    let numbers = [ColumnType::Whole, ColumnType::Decimal, ColumnType::Float, ColumnType::Boolean];
    let is_number = numbers.contains(&ColumnType::of(&declared, dialect));
    let is_time = ["DATE", "TIME"].iter().any(|time| declared.contains(time));
    // Keys that lead to an address are none.
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

/// The lists of `words.txt`; the words of an entry are written as one.
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

/// An IBAN whose checksum is right (ISO 13616).
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

/// An international number, or one with its area in brackets.
fn is_phone(text: &str) -> bool {
    let begins = text.starts_with('+') || text.starts_with('(');
    let digits = text.chars().filter(char::is_ascii_digit).count();
    begins && (7..=15).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || "+-()./ ".contains(c))
}

/// A card's number whose checksum is right (ISO/IEC 7812).
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
