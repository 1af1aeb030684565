//! A stored value of the question before replaced by that of the follow-up, with its preposition and article.

use super::edit::Edit;
use super::lead::Preposition;
use super::mention::Mention;
use super::words::{Language, Text, WITHOUT, is_small};

fn begins_with_vowel(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|first| "aeiouyhâàéèêëîïôöùûü".contains(first.to_lowercase().next().unwrap_or(first)))
}

/// Replaces a value; `None` where the grammar or the meaning is not clear.
pub(super) fn replace_value(
    before: &Text<'_>,
    old: &Mention,
    text: &Text<'_>,
    new: &Mention,
    language: Option<Language>,
) -> Option<Edit> {
    // "without Germany" and "for France": it is not clear which of them is left out.
    if before.match_phrase_before(old.lead.words.start, WITHOUT) > 0 {
        return None;
    }
    let directions = [old, new].map(|mention| mention.lead.preposition == Preposition::Directional);
    let same = before.slice(&old.lead.words).to_lowercase() == text.slice(&new.lead.words).to_lowercase();
    if directions != [false, false] && !same {
        return None;
    }
    let value = text.slice(&new.core);
    let whole = old.lead.words.start..old.core.end;
    let from_preposition = |lead: &str| Some(Edit::replace(before, &whole, format!("{lead}{value}")));
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
                Some(start) => Edit::replace(before, &(start..old.core.end), with_article.to_owned()),
                None => Edit::replace(before, &old.core, value.to_owned()),
            });
        }
        return match (language?, new.lead.preposition) {
            (Language::English, _) => {
                let kept = before.slice(&old.lead.preposition_words);
                Some(Edit::replace(before, &whole, format!("{kept} {with_article}")))
            }
            (_, Preposition::Generic) => own_lead(),
            (Language::German, _) if text.low(article) == "der" => None,
            (Language::German, _) => Some(Edit::replace(before, &whole, format!("für {with_article}"))),
            (Language::French, _) => Some(Edit::replace(before, &whole, format!("pour {with_article}"))),
        };
    }
    if let Some(bare) = old.lead.without_contraction(before).filter(|_| old_has_preposition) {
        return match (new.lead.preposition, bare) {
            (Preposition::Generic, "de") | (Preposition::None, "de") => from_preposition(elided(value)),
            (Preposition::Generic, _) => own_lead(),
            _ => from_preposition(&format!("{bare} ")),
        };
    }
    if matches!(before.slice(&old.lead.preposition_words).to_lowercase().as_str(), "de" | "d'" | "d’")
        && language == Some(Language::French)
        && old.lead.article.is_none()
    {
        return from_preposition(elided(value));
    }
    // An article belongs to a noun that follows: "the Electronics category".
    let noun_follows = before.joins(old.core.end)
        && !is_small(before.low(old.core.end))
        && !before.low(old.core.end).starts_with(|c: char| c.is_ascii_digit());
    match old.lead.article.filter(|_| !noun_follows) {
        Some(article) => Some(Edit::replace(before, &(article..old.core.end), value.to_owned())),
        None => Some(Edit::replace(before, &old.core, value.to_owned())),
    }
}

/// The French "of" before a value.
fn elided(value: &str) -> &'static str {
    if begins_with_vowel(value) { "d'" } else { "de " }
}
