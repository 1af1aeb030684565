//! Catalog names that have a different meaning without quotes.

use crate::bind::fields::field_names;
use crate::text::{is_reserved, needs_quotes};
use std::collections::{HashMap, HashSet};
use vitrine_domain::{Catalog, Dialect, Table};

/// The meaning of a name without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Several words, signs or numbers: `Betrag €`, `Kunden-Nr`, `2023 Umsatz`.
    Several,
    /// A number such as `2023`.
    Number,
    /// A keyword, an operator, or a word that only some parsers accept: `order`, `%`, `größe`.
    Alone,
}

/// A catalog name that needs quotes.
#[derive(Debug)]
pub(super) struct OddName {
    /// Spelling of the name in the catalog.
    pub name: String,
    pub kind: Kind,
    /// Its characters, trimmed and with runs of spaces collapsed.
    letters: Vec<char>,
}

/// Names that need quotes, the longest first.
#[derive(Debug, Default)]
pub(super) struct OddNames {
    pub names: Vec<OddName>,
    by_first: HashMap<char, Vec<usize>>,
}

impl OddNames {
    /// Collects the names of the tables that a text mentions, or of all tables if it mentions none, and the names in
    /// `further`.
    pub fn from_catalog(catalog: &Catalog, sql: &str, further: impl IntoIterator<Item = String>) -> Self {
        let folded: String = sql.chars().flat_map(char::to_lowercase).collect();
        let is_named = |table: &&Table| {
            let name: String = table.name.name.chars().flat_map(char::to_lowercase).collect();
            folded.contains(name.trim())
        };
        let named: Vec<&Table> = catalog.tables.iter().filter(is_named).collect();
        let tables = if named.is_empty() { catalog.tables.iter().collect() } else { named };
        let columns = |table: &&Table| -> Vec<String> {
            let fields = table.columns.iter().flat_map(|column| field_names(&column.data_type));
            let parts = table.name.name_parts().map(str::to_owned);
            table.columns.iter().map(|column| column.name.clone()).chain(fields).chain(parts).collect()
        };
        let mut seen = HashSet::new();
        let mut names: Vec<OddName> = (tables.iter().flat_map(columns).chain(further))
            .filter(|name| seen.insert(name.clone()))
            .filter_map(|name| OddName::from_name(name, catalog.dialect))
            .collect();
        names.sort_by(|a, b| b.letters.len().cmp(&a.letters.len()).then_with(|| a.name.cmp(&b.name)));
        let mut by_first: HashMap<char, Vec<usize>> = HashMap::new();
        for (at, name) in names.iter().enumerate() {
            by_first.entry(lowercase_letter(name.letters[0])).or_default().push(at);
        }
        Self { names, by_first }
    }

    /// Returns the longest name at the beginning of a text, as whole words, with its length there. An exact spelling
    /// takes precedence.
    pub fn match_longest_name(&self, text: &str) -> Option<(usize, usize)> {
        let own = self.by_first.get(&lowercase_letter(text.chars().next()?))?;
        let mut found = own.iter().filter_map(|&at| Some((at, self.names[at].length_in(text)?)));
        let first = found.next()?;
        let exact = |&(at, length): &(usize, usize)| text[..length] == self.names[at].name;
        let is_same_length = |&(_, length): &(usize, usize)| length == first.1;
        Some(std::iter::once(first).chain(found.filter(is_same_length)).find(exact).unwrap_or(first))
    }
}

impl OddName {
    /// Returns the name if it needs quotes, and `None` otherwise.
    fn from_name(name: String, dialect: Dialect) -> Option<Self> {
        let mut letters: Vec<char> = Vec::new();
        for letter in name.trim().chars() {
            match letter.is_whitespace() {
                true if letters.last() == Some(&' ') => {}
                true => letters.push(' '),
                false => letters.push(letter),
            }
        }
        let is_digit = |c: &char| c.is_ascii_digit();
        let one_word = letters.iter().copied().all(is_word);
        let kind = match letters.first() {
            None => return None,
            Some(first) if is_digit(first) && name.trim().parse::<f64>().is_ok() => Kind::Number,
            Some(first) if one_word && !first.is_numeric() => match letters.iter().all(char::is_ascii) {
                true if !is_reserved(name.trim(), dialect) => return None,
                _ => Kind::Alone,
            },
            _ if letters.iter().any(|c| c.is_alphanumeric()) => Kind::Several,
            _ => Kind::Alone,
        };
        needs_quotes(&name, dialect).then_some(Self { name, kind, letters })
    }

    /// Returns the length of the name at the beginning of a text, as whole words, ignoring case and the number of
    /// spaces between words.
    fn length_in(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        for letter in &self.letters {
            if *letter == ' ' {
                let after = rest.trim_start();
                if after.len() == rest.len() {
                    return None;
                }
                rest = after;
            } else {
                let next = rest
                    .chars()
                    .next()
                    .filter(|next| next == letter || lowercase_letter(*next) == lowercase_letter(*letter))?;
                rest = &rest[next.len_utf8()..];
            }
        }
        let last = *self.letters.last()?;
        let mut after = rest.chars();
        let next = after.next();
        let goes_on = next.is_some_and(is_word) && !matches!(last, ')' | ']' | '}');
        let is_fraction =
            self.kind == Kind::Number && next == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit());
        (!goes_on && !is_fraction).then(|| text.len() - rest.len())
    }
}

/// Returns true if a character is part of a word. Combining accents belong to their letter.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36f}').contains(&c)
}

fn lowercase_letter(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}
