//! Replaces a time of the previous question by the time of the follow-up.

use super::edit::Edit;
use super::lead::{Preposition, french_preposition};
use super::modifier::{is_adjective, is_narrowed, is_of_thing, is_opened_behind};
use super::period::{Period, PeriodKind};
use super::time_words::{AND, NOT_FROM_TODAY, TO};
use super::words::{Language, Text, is_in};
use std::ops::Range;

/// Words that compare two times.
const COMPARED: &[&str] = &[
    "compare",
    "compared",
    "comparison",
    "difference",
    "change",
    "changed",
    "growth",
    "grow",
    "grew",
    "versus",
    "vs",
    "unterschied",
    "vergleich",
    "vergleiche",
    "differenz",
    "änderung",
    "wachstum",
    "différence",
    "comparer",
    "compare",
    "évolution",
    "croissance",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "decline",
    "declined",
    "rise",
    "rose",
    "drop",
    "dropped",
    "trend",
    "develop",
    "developed",
    "development",
    "entwicklung",
    "entwickelt",
    "anstieg",
    "gestiegen",
    "rückgang",
    "gesunken",
    "zunahme",
    "abnahme",
    "hausse",
    "baisse",
    "augmenté",
    "augmentation",
    "diminué",
    "diminution",
];

/// Returns the preposition of a kind of time if the text gives none.
fn default_preposition(language: Language, kind: PeriodKind) -> &'static str {
    match (language, kind) {
        (Language::English, PeriodKind::Day) => "on ",
        (Language::English, _) => "in ",
        (Language::German, PeriodKind::Day) => "am ",
        (Language::German, kind) if kind.is_part() => "im ",
        (Language::German, _) => "",
        (Language::French, PeriodKind::Quarter | PeriodKind::Half) => "au ",
        (Language::French, PeriodKind::Day) => "le ",
        (Language::French, _) => "en ",
    }
}

/// Words before one end of a time.
const ENDS: &[&str] = &["from", "to", "by"];
/// Words before one end of a range.
const RANGE_ENDS: &[&str] = &["from", "to", "by", "von", "vom", "zum", "de", "d'", "du", "à"];
const YEAR_NOUNS: &[&str] = &["year", "years", "jahr", "jahre", "jahren", "année", "années", "an", "ans"];

/// Returns true if question and follow-up do not determine the new time.
fn is_unclear(before: &Text<'_>, old: &Period, text: &Text<'_>, new: &Period, language: Option<Language>) -> bool {
    let preposition = |text: &Text<'_>, period: &Period| period.lead.preposition_text(text);
    let (old_word, new_word) = (preposition(before, old), preposition(text, new));
    let opens = |period: &Period| period.lead.preposition == Preposition::Directional;
    let names_year =
        |text: &Text<'_>, period: &Period| period.core.clone().any(|at| is_in(text.lowercase_word(at), YEAR_NOUNS));
    let is_from_today = |period: &Period| matches!(period.kind, PeriodKind::Relative | PeriodKind::LastUnits);
    let same_ends = old_word == new_word || before.slice(&old.core) == text.slice(&new.core);
    // "from 2021 to 2023" and "from 2022", "since 2020" and "until 2022": one end may remain.
    let one_end = match old.kind {
        PeriodKind::Range => opens(new) || (new.kind != PeriodKind::Range && is_in(&new_word, RANGE_ENDS)),
        // "from 2021" may mean all time since then.
        PeriodKind::Year if old_word == "from" && (opens(new) || new.lacks_year(text)) => true,
        _ if new.kind == PeriodKind::Range => old_word == "by",
        _ if opens(old) && opens(new) => !same_ends,
        _ => new_word != old_word && (is_in(&new_word, ENDS) || old_word == "by"),
    };
    // "March 2023" and "last year": the same month may be meant.
    let same_part = new.kind == PeriodKind::Relative
        && (old.part.is_some()
            || matches!(old.kind, PeriodKind::Day | PeriodKind::Month)
            || (old.kind == PeriodKind::Range && !old.has_whole_years(before))
            || (is_from_today(old) && names_year(text, new) && !names_year(before, old)));
    let not_from_today = (new.kind == PeriodKind::LastUnits
        || is_in(&text.slice(&new.core).to_lowercase(), NOT_FROM_TODAY))
        && !is_from_today(old);
    let narrowed = is_narrowed(before, old);
    let stays_inside = match (old.kind, new.kind) {
        (PeriodKind::Year, PeriodKind::Year) => !narrowed || new.lead.preposition != Preposition::Specific,
        (old_kind, PeriodKind::Year) => old_kind.is_part() && !new.lead.has_noun(),
        (old_kind, new_kind) => old_kind == new_kind && old_kind != PeriodKind::Range,
    };
    let several = new.kind == PeriodKind::Year && new.core.len() > 1;
    let own_time =
        is_of_thing(before, old) && matches!(new.lead.preposition, Preposition::Specific | Preposition::Directional);
    let fixed = narrowed
        || ((several || new.lead.has_noun()) && old.part.is_some() && new.kind == PeriodKind::Year)
        || is_adjective(before, old, language);
    let unnumbered = |text: &Text<'_>, period: &Period| text.slice(&period.core).starts_with(char::is_alphabetic);
    let fiscal = old.kind == PeriodKind::Year
        && (unnumbered(before, old) && (new.kind != old.kind || !unnumbered(text, new))
            || new.kind == old.kind && !unnumbered(before, old) && unnumbered(text, new));
    is_opened_behind(before, old)
        || own_time
        || one_end
        || same_part
        || not_from_today
        || fiscal
        || (fixed && (opens(new) || several || !stays_inside))
}

/// Replaces the only year of the previous question by the year `years` later or earlier.
fn replace_by_neighbor(before: &Text<'_>, old: &Period, new: &Period, years: i32) -> Option<Edit> {
    let opened = [old, new].iter().any(|period| period.lead.preposition == Preposition::Directional);
    let is_end = is_in(&old.lead.preposition_text(before), ENDS);
    let single = old.kind == PeriodKind::Year && !opened && !is_end && !is_opened_behind(before, old);
    let year: i32 = before.slice(&old.core).parse().ok()?;
    single.then(|| Edit::replace_words(before, &old.core, (year + years).to_string()))
}

/// Returns the year of the previous question, if it has one and the month, quarter or day of the follow-up lacks a year.
fn find_missing_year(
    before: &Text<'_>,
    old: &Period,
    text: &Text<'_>,
    new: &Period,
    language: Option<Language>,
) -> Option<String> {
    if !new.lacks_year(text) || old.lacks_year(before) {
        return Some(String::new());
    }
    let year = before.slice(old.year.as_ref()?);
    let is_day = text.lowercase_word(new.core.end - 1).starts_with(|c: char| c.is_ascii_digit());
    let comma = new.kind == PeriodKind::Day && is_day && language == Some(Language::English);
    Some(format!("{} {year}", if comma { "," } else { "" }))
}

/// Replaces the time of the previous question; `None` if the meaning is unclear.
pub(super) fn replace_period(
    before: &Text<'_>,
    old: &Period,
    text: &Text<'_>,
    new: &Period,
    language: Option<Language>,
) -> Option<Edit> {
    use Preposition::{Directional, Specific};
    if let PeriodKind::Beside(years) = new.kind {
        return replace_by_neighbor(before, old, new, years);
    }
    if is_unclear(before, old, text, new, language) {
        return None;
    }
    let new_core = text.slice(&new.core);
    let missing_year = find_missing_year(before, old, text, new, language)?;
    let full_core = &format!("{new_core}{missing_year}");
    let whole = |core: &str, kind: PeriodKind| -> Option<Edit> {
        let words = old.lead.words.start..old.core.end;
        let preposition = if new.lead.preposition == Specific {
            format!("{} ", text.slice(&new.lead.words))
        } else if language == Some(Language::English)
            && matches!(old.lead.preposition, Specific)
            && old.kind != PeriodKind::Range
            && (old.kind == PeriodKind::Day) == (kind == PeriodKind::Day)
            && !matches!(old.kind, PeriodKind::Relative | PeriodKind::LastUnits)
        {
            // "during 2023" becomes "during March 2023"; "in the year 2023" loses its noun.
            format!("{} ", before.slice(&old.lead.preposition_words))
        } else {
            default_preposition(language?, kind).to_owned()
        };
        Some(Edit::replace_words(before, &words, format!("{preposition}{core}")))
    };
    // "in Q3 2023" and "the fourth quarter": an ordinal has an article, a code has none.
    let with_article = |words: &Range<usize>| {
        let is_code = new_core.split_whitespace().next().is_some_and(|word| word.chars().any(|c| c.is_ascii_digit()));
        let is_french_of = is_in(&old.lead.preposition_text(before), &["de", "d'"]);
        match (old.lead.article, new.lead.article) {
            (None, None) if language == Some(Language::French) && is_french_of => {
                let written = format!("{}{new_core}", french_preposition(new_core));
                Some(Edit::replace_words(before, &(old.lead.words.start..words.end), written))
            }
            (None, Some(article)) => {
                Some(Edit::replace_words(before, words, text.slice(&(article..new.core.end)).to_owned()))
            }
            (Some(article), None) if is_code || new.kind == PeriodKind::Month => {
                Some(Edit::replace_words(before, &(article..words.end), new_core.to_owned()))
            }
            _ => Some(Edit::replace_words(before, words, new_core.to_owned())),
        }
    };
    let in_place = |words: &Range<usize>, core: &str| Some(Edit::replace_words(before, words, core.to_owned()));
    let with_lead = || {
        let said = text.slice(&(new.lead.words.start..new.core.end));
        in_place(&(old.lead.words.start..old.core.end), &format!("{said}{missing_year}"))
    };
    // "March" or "Q3" alone: the year of the previous question is kept.
    let is_open = new.lacks_year(text);

    match (old.lead.preposition == Directional, new.lead.preposition) {
        // "since 2020" and "since May" may refer to different years.
        (true, Directional) if is_open && old.part.is_none() => return None,
        (_, Directional) => return with_lead(),
        (true, Specific) if new.kind == PeriodKind::Relative => {
            return in_place(&(old.lead.words.start..old.core.end), new_core);
        }
        (true, Specific) if !is_open && (new.kind == PeriodKind::Day || new.year.is_some()) => {
            return whole(new_core, new.kind);
        }
        (true, _) => return None,
        (false, _) => {}
    }
    match (old.kind, new.kind) {
        // The difference between two years has no meaning for one.
        (PeriodKind::Range, new_kind)
            if new_kind != PeriodKind::Range && before.words.iter().any(|word| is_in(&word.low, COMPARED)) =>
        {
            None
        }
        (_, PeriodKind::Relative) => match new.lead.preposition {
            Specific => with_lead(),
            _ => {
                let words = old.lead.words.start..old.core.end;
                let article = new.lead.article.unwrap_or(new.core.start);
                in_place(&words, text.slice(&(article..new.core.end)))
            }
        },
        (PeriodKind::LastUnits, PeriodKind::LastUnits) => in_place(&old.core, new_core),
        (_, PeriodKind::LastUnits) => match (new.lead.preposition, new.lead.article, language?) {
            (Specific, ..) => with_lead(),
            (_, Some(article), Language::English) => {
                let words = old.lead.words.start..old.core.end;
                in_place(&words, &format!("in {}", text.slice(&(article..new.core.end))))
            }
            _ => None,
        },
        (PeriodKind::Range, PeriodKind::Range) => {
            let connector = |text: &Text<'_>, period: &Period| {
                let joins = |at: &usize| is_in(text.lowercase_word(*at), TO) || is_in(text.lowercase_word(*at), AND);
                period.core.clone().find(joins).map(|at| text.lowercase_word(at).to_owned())
            };
            let alike = connector(before, old) == connector(text, new);
            match (old.lead.preposition, new.lead.preposition) {
                (_, Specific) => with_lead(),
                (Preposition::None, _) => in_place(&old.core, full_core),
                _ if alike => in_place(&old.core, full_core),
                _ => None,
            }
        }
        (_, PeriodKind::Range) => {
            let from = matches!(
                text.lowercase_word(new.lead.words.start),
                "from" | "between" | "von" | "zwischen" | "de" | "d'" | "du" | "vom" | "entre"
            );
            if from && new.lead.preposition == Specific {
                return with_lead();
            }
            if new_core.chars().any(char::is_whitespace) && !new_core.contains(['-', '–']) {
                let opening = match language? {
                    Language::English => "from",
                    Language::German => "von",
                    Language::French => "de",
                };
                return in_place(&(old.lead.words.start..old.core.end), &format!("{opening} {full_core}"));
            }
            whole(full_core, PeriodKind::Range)
        }
        // "orders from 2021" may mean all orders since then, "in 2022" is one year.
        (PeriodKind::Year, PeriodKind::Year)
            if new.lead.preposition == Specific && old.lead.preposition_text(before) == "from" =>
        {
            with_lead()
        }
        (PeriodKind::Year, PeriodKind::Year) => in_place(&old.core, new_core),
        (PeriodKind::Range, PeriodKind::Year) if old.has_whole_years(before) => whole(new_core, new.kind),
        (PeriodKind::Relative | PeriodKind::LastUnits, PeriodKind::Year) => whole(new_core, new.kind),
        // "March 2023" and 2024: the month is kept.
        (_, PeriodKind::Year) => in_place(old.year.as_ref()?, new_core),
        (PeriodKind::Day, PeriodKind::Day) if is_open => in_place(old.part.as_ref()?, new_core),
        (_, PeriodKind::Day) if is_open && missing_year.is_empty() => None,
        (PeriodKind::Day, _) if is_open && (new.lead.preposition != Specific || missing_year.is_empty()) => None,
        (PeriodKind::Year | PeriodKind::Day, _) if is_open => whole(full_core, new.kind),
        (old_kind, new_kind) if old_kind.is_part() && new_kind.is_part() && is_open => {
            let part = old.part.as_ref()?;
            if part.start != old.core.start {
                in_place(part, new_core)
            } else if old_kind == new_kind || language != Some(Language::French) {
                with_article(part)
            } else {
                whole(full_core, new_kind)
            }
        }
        (_, _) if is_open && missing_year.is_empty() => None,
        (_, _) if is_open => whole(full_core, new.kind),
        (old_kind, new_kind) if old_kind == new_kind => with_article(&old.core),
        (_, new_kind) => whole(new_core, new_kind),
    }
}
