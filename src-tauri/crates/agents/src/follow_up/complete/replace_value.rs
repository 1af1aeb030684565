//! Replaces a stored value of the previous question by the value of the follow-up, with its preposition and article.

use super::edit::Edit;
use super::lead::{Preposition, french_preposition};
use super::mention::Mention;
use super::modifier::is_put_elsewhere;
use super::words::{ARTICLES, Language, Text, WITHOUT, is_in, is_small};

/// Prepositions of origins, of destinations, of destinations without another meaning, and of agents.
const ORIGINS: &[&str] = &["from", "aus", "von", "vom", "de", "du", "des", "d'"];
const DESTINATIONS: &[&str] = &["to", "into", "nach", "zu", "zum", "zur", "à", "au", "aux"];
const ONLY_DESTINATIONS: &[&str] = &["to", "into", "nach", "zu", "zum", "zur"];
const AGENTS: &[&str] = &["by", "par", "durch"];
/// Prepositions of a follow-up that fit a value in any role.
const TAKEN_UP: &[&str] = &["", "for", "of", "about", "für", "pour", "concernant"];

/// Words that negate what follows, besides the words for "without".
const NEGATIONS: &[&str] = &["no", "never", "non", "nie", "pas", "jamais", "aucun", "aucune"];
/// Maximum number of words between such a word and the negated one.
const DENIED_WORDS: usize = 2;

/// Returns true if two prepositions give a value different roles: "from Berlin" and "to London".
fn differ_in_role(old: &str, new: &str) -> bool {
    let role = |word: &str| [ORIGINS, DESTINATIONS, AGENTS].iter().position(|list| is_in(word, list));
    let opposed = matches!((role(old), role(new)), (Some(old), Some(new)) if old != new);
    // "for Berlin" may be a destination.
    let goes_or_comes = is_in(old, &["for", "für", "pour"]) && is_in(new, ORIGINS);
    let one_goes = is_in(old, ONLY_DESTINATIONS) != is_in(new, ONLY_DESTINATIONS);
    opposed || goes_or_comes || (one_goes && !is_in(new, TAKEN_UP))
}

/// Returns true if a word shortly before an index excludes what follows: "without Germany".
fn is_denied(before: &Text<'_>, place: usize) -> bool {
    let mut words = (0..place).rev().filter(|&at| !is_in(before.lowercase_word(at), ARTICLES)).take(DENIED_WORDS);
    let denies = |at: usize| {
        let word = before.lowercase_word(at);
        before.match_phrase(at, WITHOUT) > 0
            || is_in(word, NEGATIONS)
            || word.ends_with("n't")
            || word.starts_with("kein")
    };
    before.match_phrase_before(place, WITHOUT) > 0 || words.any(denies)
}

/// Replaces a value; `None` if the grammar or the meaning is unclear.
pub(super) fn replace_value(
    before: &Text<'_>,
    old: &Mention,
    text: &Text<'_>,
    new: &Mention,
    language: Option<Language>,
) -> Option<Edit> {
    let elsewhere = |text: &Text<'_>, mention: &Mention| {
        is_put_elsewhere(text, mention.lead.words.start) || is_put_elsewhere(text, mention.core.start)
    };
    if elsewhere(before, old) || elsewhere(text, new) {
        return None;
    }
    let preposition = |text: &Text<'_>, mention: &Mention| mention.lead.preposition_text(text);
    if is_denied(before, old.lead.words.start) || differ_in_role(&preposition(before, old), &preposition(text, new)) {
        return None;
    }
    let directions = [old, new].map(|mention| mention.lead.preposition == Preposition::Directional);
    let same = before.slice(&old.lead.words).to_lowercase() == text.slice(&new.lead.words).to_lowercase();
    if directions != [false, false] && !same {
        return None;
    }
    let value = text.slice(&new.core);
    let whole = old.lead.words.start..old.core.end;
    let from_preposition = |lead: &str| Some(Edit::replace_words(before, &whole, format!("{lead}{value}")));
    let own_lead = || {
        let written = text.slice(&new.lead.words);
        from_preposition(&if written.ends_with(['\'', '’']) { written.to_owned() } else { format!("{written} ") })
    };
    let old_has_preposition = old.lead.preposition != Preposition::None;
    if new.lead.preposition == Preposition::Specific && old_has_preposition {
        return own_lead();
    }
    if let Some(article) = new.lead.article {
        let with_article = text.slice(&(article..new.core.end));
        if !old_has_preposition {
            return Some(match old.lead.article {
                Some(start) => Edit::replace_words(before, &(start..old.core.end), with_article.to_owned()),
                None => Edit::replace_words(before, &old.core, value.to_owned()),
            });
        }
        return match (language?, new.lead.preposition) {
            (Language::English, _) => {
                let kept = before.slice(&old.lead.preposition_words);
                Some(Edit::replace_words(before, &whole, format!("{kept} {with_article}")))
            }
            (_, Preposition::Generic) => own_lead(),
            (Language::German, _) if text.lowercase_word(article) == "der" => None,
            (Language::German, _) => Some(Edit::replace_words(before, &whole, format!("für {with_article}"))),
            (Language::French, _) => Some(Edit::replace_words(before, &whole, format!("pour {with_article}"))),
        };
    }
    if let Some(bare) = old.lead.without_contraction(before).filter(|_| old_has_preposition) {
        return match (new.lead.preposition, bare) {
            (Preposition::Generic, "de") | (Preposition::None, "de") => from_preposition(french_preposition(value)),
            (Preposition::Generic, _) => own_lead(),
            _ => from_preposition(&format!("{bare} ")),
        };
    }
    if is_in(&old.lead.preposition_text(before), &["de", "d'"])
        && language == Some(Language::French)
        && old.lead.article.is_none()
    {
        return from_preposition(french_preposition(value));
    }
    // An article belongs to a noun that follows: "the Electronics category".
    let noun_follows = before.joins_previous(old.core.end)
        && !is_small(before.lowercase_word(old.core.end))
        && !before.lowercase_word(old.core.end).starts_with(|c: char| c.is_ascii_digit());
    match old.lead.article.filter(|_| !noun_follows) {
        Some(article) => Some(Edit::replace_words(before, &(article..old.core.end), value.to_owned())),
        None => Some(Edit::replace_words(before, &old.core, value.to_owned())),
    }
}
