//! Names in a question: texts in quotation marks, and stored values.

use super::tokens::find_quotes;
use super::used::{Unused, Used};
use crate::question::facts::has_word;
use vitrine_domain::ValueMatch;
use vitrine_sql::{Literal, ReadOnlySql, collect_literals};

/// Minimum length, in characters, of a text that may be a part of another one.
const PART: usize = 3;

/// Returns the names that the query does not use.
pub(super) fn unused_names(used: &Used<'_>, sql: &ReadOnlySql, question: &str, values: &[ValueMatch]) -> Vec<Unused> {
    let literals = collect_literals(sql);
    let names = NameChecker { used, question, literals: &literals, values };
    let mut unused = Vec::new();
    for (_, quoted) in find_quotes(question) {
        let bare = quoted.trim_end_matches(|c: char| c.is_ascii_punctuation()).trim();
        if !bare.is_empty() && !names.is_used(bare) {
            unused.push(Unused { asked: quoted.clone(), instead: Vec::new() });
        }
    }
    let mut seen: Vec<String> = unused.iter().map(|unused: &Unused| unused.asked.to_lowercase()).collect();
    for found in values {
        let lower = found.literal.to_lowercase();
        if lower == found.value.to_lowercase() && !seen.contains(&lower) {
            seen.push(lower);
            unused.extend(names.unused_value(found));
        }
    }
    unused
}

struct NameChecker<'a> {
    used: &'a Used<'a>,
    question: &'a str,
    literals: &'a [Literal],
    values: &'a [ValueMatch],
}

impl NameChecker<'_> {
    /// Returns true if the query, its result or one of its names contains a text, or if the knowledge explains the
    /// text.
    fn is_used(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let plain = lower.replace('_', " ");
        let is_part = |one: &str, of: &str| one.chars().count() >= PART && of.contains(one);
        let has = |other: &str| {
            let other = other.trim_matches('%').to_lowercase();
            other == lower || is_part(&lower, &other) || is_part(&other, &lower)
        };
        let constants = &self.used.constants;
        let written = constants.all.iter().filter(|constant| constant.parse::<f64>().is_err());
        let binding = &self.used.binding;
        let columns = binding.columns.iter().flat_map(|(table, column)| [table, column]);
        let shown = binding.outputs.iter().map(|output| &output.name);
        let named = binding.tables.iter().chain(columns).chain(shown);
        let spoken = |name: &str| name.to_lowercase().replace('_', " ");
        let stem = crate::words::singularize(&lower);
        written.into_iter().any(|constant| has(constant))
            || constants.numbers.iter().any(|number| number.to_string() == lower)
            || named.into_iter().any(|name| {
                let name = spoken(name);
                name == plain || is_part(&plain, &name) || is_part(&stem, &name)
            })
            || self.used.page.rows.iter().flatten().flatten().any(|cell| cell.to_lowercase() == lower)
            || self.used.input.knowledge.to_lowercase().contains(&lower)
    }

    /// Returns a stored value that the question mentions and the query does not use.
    fn unused_value(&self, found: &ValueMatch) -> Option<Unused> {
        let literal = found.literal.trim();
        if literal.chars().count() < PART || !literal.chars().any(char::is_alphabetic) {
            return None;
        }
        let said = self.find_mention(literal)?;
        // Another value that the same words may refer to.
        let same_words = |other: &&ValueMatch| other.literal.eq_ignore_ascii_case(&found.literal);
        let mut others = self.values.iter().filter(same_words);
        if self.is_used(literal) || others.any(|other| self.is_used(&other.value)) {
            return None;
        }
        let unsaid = |literal: &&Literal| !has_word(self.question, &literal.text);
        let unsaid: Vec<&Literal> = self.literals.iter().filter(unsaid).collect();
        let is_of = |literal: &&&Literal| {
            literal.column.as_deref().is_some_and(|column| column.eq_ignore_ascii_case(&found.column))
        };
        let instead: Vec<String> = unsaid.iter().filter(is_of).map(|literal| literal.text.clone()).collect();
        // A text of another column, or a key, may have the same meaning.
        let is_key = |subject: &str| {
            let name = subject.rsplit(['.', '"', '`']).find(|part| !part.is_empty()).unwrap_or_default();
            ["id", "key", "code", "no", "nr"].iter().any(|end| name.ends_with(end))
        };
        let otherwise = instead.len() < unsaid.len()
            || self.used.constants.bounds.iter().any(|bound| is_key(&bound.subject))
            || instead.iter().any(|text| is_abbreviation(text, literal));
        (!otherwise).then(|| Unused { asked: said.to_owned(), instead })
    }

    /// Returns the words of the question for a value, as written, if they look like a name: they begin with a capital
    /// within a sentence, are several words, or the question has no capitals.
    fn find_mention(&self, literal: &str) -> Option<&str> {
        let lower = self.question.to_lowercase();
        // In some scripts, lower case has other lengths.
        let at = lower.find(&literal.to_lowercase()).filter(|_| lower.len() == self.question.len())?;
        let said = self.question.get(at..at + literal.len())?;
        let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
        let before = self.question[..at].trim_end();
        let is_whole = !touches(self.question[..at].chars().next_back())
            && !touches(self.question[at + literal.len()..].chars().next());
        let begins = before.is_empty() || before.ends_with(['.', '!', '?', ':']);
        let has_capital = said.chars().next().is_some_and(char::is_uppercase) && !begins;
        let writes_small = !self.question.chars().skip(1).any(char::is_uppercase);
        let is_name = has_capital || said.chars().skip(1).any(char::is_uppercase);
        (is_whole && (is_name || writes_small && said.contains(' '))).then_some(said)
    }
}

/// Returns true if one text abbreviates another: its first letters, or the first letters of its words.
fn is_abbreviation(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let initials = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .filter_map(|word| word.chars().next())
            .collect::<String>()
            .to_lowercase()
    };
    let (a, b) = (letters(one), letters(other));
    let (short, long, words) = if a.len() <= b.len() { (a, b, initials(other)) } else { (b, a, initials(one)) };
    let by_initials = words.len() > 1 && (words.starts_with(&short) || short.starts_with(&words));
    short.len() > 1 && (long.starts_with(&short) || by_initials)
}
