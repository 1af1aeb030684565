//! Adds missing quotes around catalog names that a model wrote without them: `SUM(t.Betrag €)`, `Kunden-Nr`, `2023
//! Umsatz`. Text that resolves unchanged is not changed, and neither is text with two possible readings.

mod names;
mod scan;

use super::scope::Walk;
use crate::read_only::ReadOnlySql;
use crate::text::{is_reserved, quote_identifier};
use names::{Kind, OddNames};
use scan::{TextPart, TextPartKind, scan_parts};
use std::collections::HashSet;
use vitrine_domain::{Catalog, Dialect};
use vitrine_words::tr;

/// Maximum number of texts tried in one search; fewer for long texts.
const TRIES: usize = 200;
/// Length in bytes up to which all tries are made.
const SHORT: usize = 2_000;
/// Aggregates that are meaningless for a constant.
const OF_VALUES: [&str; 7] = ["sum", "avg", "min", "max", "median", "total", "stddev"];

/// SQL text with catalog names in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedNames {
    /// The SQL text with quotes added.
    pub sql: String,
    /// One sentence for each name that was quoted.
    pub notes: Vec<String>,
}

/// Quotes catalog names that do not resolve without quotes. `beside` are views that the text may read; names that they
/// quote are considered as well. `read` proves a text; text without a syntax tree is treated as unreadable. Returns
/// `None` if no name needs quotes, or if the meaning is ambiguous.
pub fn quote_names(
    sql: &str,
    catalog: &Catalog,
    beside: &[&str],
    read: &dyn Fn(&str) -> Option<ReadOnlySql>,
) -> Option<QuotedNames> {
    let text = Text::from_sql(sql, catalog, beside);
    if text.found.is_empty() {
        return None;
    }
    let outcome = |on: &[bool]| Outcome::from_sql(&text.render_quoted(on), catalog, read);
    let none = vec![false; text.found.len()];
    let before = outcome(&none);
    if before.as_ref().is_some_and(|before| before.problems == 0) {
        let constants: Vec<bool> = text.found.iter().map(|found| found.is_constant && !found.is_known).collect();
        let is_read = constants.contains(&true) && outcome(&constants)?.problems == 0;
        return is_read.then(|| text.to_quoted_names(&constants));
    }
    let chosen = find_quoting_choice(&text, before.as_ref(), &outcome)?;
    (chosen.1.problems < before.map_or(usize::MAX, |before| before.problems)).then(|| text.to_quoted_names(&chosen.0))
}

/// Returns the distinct catalog names in a text that need quotes and have none.
pub fn unquoted_names(sql: &str, catalog: &Catalog) -> Vec<String> {
    let text = Text::from_sql(sql, catalog, &[]);
    let mut names: Vec<String> = Vec::new();
    for found in text.found.iter().filter(|found| found.kind == Kind::Several) {
        if !names.contains(&found.name) {
            names.push(found.name.clone());
        }
    }
    names
}

/// The result of name resolution for one choice of quoted names.
struct Outcome {
    problems: usize,
    columns: HashSet<(String, String)>,
}

impl Outcome {
    fn from_sql(sql: &str, catalog: &Catalog, read: &dyn Fn(&str) -> Option<ReadOnlySql>) -> Option<Self> {
        let proven = read(sql)?;
        let binding = proven.with_query(|query| Walk::new(catalog, proven.dialect(), &[]).run(&query).binding)?;
        Some(Self { problems: binding.problems.len(), columns: binding.columns.into_iter().collect() })
    }
}

/// One choice of names to quote, with its result.
type Choice = (Vec<bool>, Outcome);

/// Finds the names to quote: tries the likely choice first, then choices that differ from it in one or two names.
/// `None` if none resolves better, or if two resolve to different columns.
fn find_quoting_choice(
    text: &Text<'_>,
    before: Option<&Outcome>,
    outcome: &dyn Fn(&[bool]) -> Option<Outcome>,
) -> Option<Choice> {
    let several: Vec<bool> = text.found.iter().map(|found| found.kind == Kind::Several).collect();
    let likely: Vec<bool> = text.found.iter().map(|found| found.kind == Kind::Several || found.is_operand).collect();
    let flipped = |base: &[bool], places: &[usize]| {
        let mut choice = base.to_vec();
        places.iter().for_each(|&place| choice[place] = !choice[place] || text.found[place].has_quote);
        choice
    };
    let count = text.found.len();
    let ones = || (0..count).map(|at| vec![at]);
    let pairs = || (0..count).flat_map(move |at| (at + 1..count).map(move |other| vec![at, other]));
    let both = |places: Vec<usize>| [flipped(&several, &places), flipped(&likely, &places)];
    let levels: [Box<dyn Iterator<Item = Vec<bool>>>; 4] = [
        Box::new(std::iter::once(several.clone())),
        Box::new(std::iter::once(likely.clone())),
        Box::new(ones().flat_map(both)),
        Box::new(pairs().flat_map(both)),
    ];
    let mut left = (TRIES * SHORT / text.sql.len().max(SHORT)).max(4);
    let mut tried: HashSet<Vec<bool>> = HashSet::new();
    let mut best: Option<Choice> = None;
    for (level, choices) in levels.into_iter().enumerate() {
        let (mut resolved, mut partly): (Vec<Choice>, Vec<Choice>) = (Vec::new(), Vec::new());
        for choice in choices {
            if left == 0 {
                break;
            }
            if !choice.contains(&true) || !tried.insert(choice.clone()) {
                continue;
            }
            left -= 1;
            let Some(outcome) = outcome(&choice) else { continue };
            match outcome.problems {
                0 => resolved.push((choice, outcome)),
                problems if level < 2 && best.as_ref().is_none_or(|(_, best)| problems < best.problems) => {
                    best = Some((choice, outcome));
                }
                _ if level >= 2 && best.is_none() => partly.push((choice, outcome)),
                _ => {}
            }
        }
        if let Some(first) = resolved.first() {
            let agree = resolved.iter().all(|(_, other)| other.columns == first.1.columns);
            best = agree.then(|| resolved.swap_remove(0));
            break;
        }
        // Names in another case are left to the name repair, so the only readable choice is taken.
        if let [_] = partly.as_slice() {
            best = partly.pop();
            break;
        }
    }
    let (choice, chosen) = best?;
    // Without quotes, the name may be a difference of two columns, or a column with an alias.
    let has_other_reading =
        text.found.iter().zip(&choice).filter(|(found, on)| **on && !found.is_constant).any(|(found, _)| {
            let without: Vec<bool> =
                text.found.iter().zip(&choice).map(|(o, on)| *on && o.name != found.name).collect();
            let own = if without.contains(&true) { outcome(&without) } else { None };
            let other = if without.contains(&true) { own.as_ref() } else { before };
            other.is_some_and(|other| other.problems <= chosen.problems && other.columns != chosen.columns)
        });
    (!has_other_reading).then_some((choice, chosen))
}

/// An unquoted name at its position in a text.
struct UnquotedName {
    /// Index among the text's parts.
    part: usize,
    /// Spelling of the name in the catalog.
    name: String,
    kind: Kind,
    /// True if an operand may occur at this position, so that an operator or keyword here must be a name.
    is_operand: bool,
    /// True if the unquoted text is a constant where a column is expected: `SUM(2023)`, `2023 Umsatz`.
    is_constant: bool,
    /// True if the same text quotes the name elsewhere, so that its quoted form is known.
    is_known: bool,
    /// True if the name contains a quote, so that the text after it cannot be split without quoting it.
    has_quote: bool,
}

/// SQL text with its unquoted names.
struct Text<'a> {
    sql: &'a str,
    dialect: Dialect,
    parts: Vec<TextPart>,
    found: Vec<UnquotedName>,
}

impl<'a> Text<'a> {
    fn from_sql(sql: &'a str, catalog: &Catalog, beside: &[&str]) -> Self {
        let dialect = catalog.dialect;
        let own = OddNames::default();
        let quoted = |sql: &str| -> Vec<String> {
            let is_name =
                |part: &&TextPart| part.piece == TextPartKind::Quoted && !sql[part.at.clone()].starts_with('\'');
            scan_parts(sql, dialect, &own)
                .iter()
                .filter(is_name)
                .map(|part| strip_quotes(&sql[part.at.clone()]))
                .collect()
        };
        let here = quoted(sql);
        let further = beside.iter().flat_map(|view| quoted(view)).chain(here.clone());
        let names = OddNames::from_catalog(catalog, sql, further);
        let mut text = Self { sql, dialect, parts: scan_parts(sql, dialect, &names), found: Vec::new() };
        for (part, at) in text.parts.iter().enumerate() {
            let TextPartKind::Name(name) = at.piece else { continue };
            let name = &names.names[name];
            let found = UnquotedName {
                part,
                name: name.name.clone(),
                kind: name.kind,
                is_operand: text.is_operand(part, name.kind),
                is_constant: text.is_constant(part, name.kind),
                is_known: here.contains(&name.name),
                has_quote: name.name.contains(['\'', '"', '`']),
            };
            text.found.push(found);
        }
        text
    }

    /// Returns the text with quotes around the chosen names.
    fn render_quoted(&self, on: &[bool]) -> String {
        let mut written = String::with_capacity(self.sql.len() + 2 * on.len());
        let mut chosen = self.found.iter().zip(on);
        for part in &self.parts {
            let quoted = match part.piece {
                TextPartKind::Name(_) => chosen.next().filter(|(_, on)| **on).map(|(found, _)| &found.name),
                _ => None,
            };
            match quoted {
                Some(name) => written.push_str(&quote_identifier(name, self.dialect)),
                None => written.push_str(&self.sql[part.at.clone()]),
            }
        }
        written
    }

    fn to_quoted_names(&self, on: &[bool]) -> QuotedNames {
        let mut notes: Vec<String> = Vec::new();
        for (found, _) in self.found.iter().zip(on).filter(|(_, on)| **on) {
            let (name, other) = (self.part_text(found.part), quote_identifier(&found.name, self.dialect));
            let note = tr!("{name} was read as {other}", name, other);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        QuotedNames { sql: self.render_quoted(on), notes }
    }

    fn part_text(&self, part: usize) -> &str {
        &self.sql[self.parts[part].at.clone()]
    }

    fn previous_part(&self, part: usize) -> Option<usize> {
        (0..part).rev().find(|&at| self.parts[at].piece != TextPartKind::Space)
    }

    fn next_part(&self, part: usize) -> Option<usize> {
        (part + 1..self.parts.len()).find(|&at| self.parts[at].piece != TextPartKind::Space)
    }

    fn is_sign(&self, part: Option<usize>, signs: &str) -> bool {
        part.is_some_and(|part| self.parts[part].piece == TextPartKind::Sign && signs.contains(self.part_text(part)))
    }

    /// Returns true if a part is a reserved word of the dialect.
    fn is_keyword(&self, part: usize) -> bool {
        matches!(self.parts[part].piece, TextPartKind::Word | TextPartKind::Name(_))
            && is_reserved(self.part_text(part), self.dialect)
    }

    /// Returns true if an operand may occur here: after and before an operator, a bracket or a keyword.
    fn is_operand(&self, part: usize, kind: Kind) -> bool {
        let (before, after) = (self.previous_part(part), self.next_part(part));
        let Some(first) = before else { return false };
        if self.is_sign(before, ".") {
            // A dot that follows a qualifier; `1.5` is a single part.
            return true;
        }
        let opens = match self.parts[first].piece {
            TextPartKind::Sign => !self.is_sign(before, ")]}"),
            _ => self.is_keyword(first),
        };
        let closes = match after {
            None => true,
            Some(next) if self.parts[next].piece == TextPartKind::Sign => !self.is_sign(after, "([{"),
            Some(next) => self.is_keyword(next) && !self.part_text(next).eq_ignore_ascii_case("by"),
        };
        kind != Kind::Number && opens && closes
    }

    /// Returns true if the unquoted text is a constant where a column of this name is expected.
    fn is_constant(&self, part: usize, kind: Kind) -> bool {
        let text = self.part_text(part);
        let (before, after) = (self.previous_part(part), self.next_part(part));
        let is_whole_argument = || {
            let call = before.filter(|_| self.is_sign(before, "(")).and_then(|open| self.previous_part(open));
            let is_call =
                call.is_some_and(|call| OF_VALUES.iter().any(|of| self.part_text(call).eq_ignore_ascii_case(of)));
            text.len() > 1 && is_call && self.is_sign(after, ")")
        };
        match kind {
            Kind::Number => is_whole_argument(),
            Kind::Several => {
                let Some((number, alias)) = text.split_once(char::is_whitespace) else {
                    // Databricks reads `3D` as a number.
                    return text.chars().all(names::is_word) && is_whole_argument();
                };
                let alias = alias.trim_start();
                number.trim_end_matches('.').parse::<f64>().is_ok()
                    && alias.chars().all(names::is_word)
                    && alias.starts_with(char::is_alphabetic)
                    && !is_reserved(alias, self.dialect)
            }
            Kind::Alone => false,
        }
    }
}

/// Removes the quotes of a name.
fn strip_quotes(quoted: &str) -> String {
    let mark = quoted.chars().next().map_or('"', |first| if first == '[' { ']' } else { first });
    let inner = quoted.get(1..).unwrap_or_default();
    let inner = inner.strip_suffix(mark).unwrap_or(inner);
    inner.replace(&String::from_iter([mark, mark]), &mark.to_string())
}

#[cfg(test)]
mod tests;
