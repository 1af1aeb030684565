//! A time of the question before replaced by that of the follow-up.

use super::edit::Edit;
use super::lead::Preposition;
use super::period::{Period, PeriodKind};
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
];

/// The preposition that a time of some kind takes where none is given.
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

/// Replaces the time of the question before; `None` where it is not clear what is meant.
pub(super) fn replace_period(
    before: &Text<'_>,
    old: &Period,
    text: &Text<'_>,
    new: &Period,
    language: Option<Language>,
) -> Option<Edit> {
    use Preposition::{Directional, Specific};
    let new_core = text.slice(&new.core);
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
        Some(Edit::replace(before, &words, format!("{preposition}{core}")))
    };
    // "in Q3 2023" and "the fourth quarter": an ordinal has an article, a code has none.
    let with_article = |words: &Range<usize>| {
        let is_code = new_core.split_whitespace().next().is_some_and(|word| word.chars().any(|c| c.is_ascii_digit()));
        match (old.lead.article, new.lead.article) {
            (None, Some(article)) => {
                Some(Edit::replace(before, words, text.slice(&(article..new.core.end)).to_owned()))
            }
            (Some(article), None) if is_code => Some(Edit::replace(before, &(article..words.end), new_core.to_owned())),
            _ => Some(Edit::replace(before, words, new_core.to_owned())),
        }
    };
    let in_place = |words: &Range<usize>, core: &str| Some(Edit::replace(before, words, core.to_owned()));
    let with_lead =
        || in_place(&(old.lead.words.start..old.core.end), text.slice(&(new.lead.words.start..new.core.end)));

    match (old.lead.preposition == Directional, new.lead.preposition) {
        (_, Directional) => return with_lead(),
        (true, Preposition::None) => return None,
        (true, _) if new.kind == PeriodKind::Relative => {
            return in_place(&(old.lead.words.start..old.core.end), new_core);
        }
        (true, _) if matches!(new.kind, PeriodKind::Year | PeriodKind::Day) || new.year.is_some() => {
            return whole(new_core, new.kind);
        }
        (true, _) => return None,
        (false, _) => {}
    }
    // "March" or "Q3" alone: the year of the question before stays.
    let is_open = new.kind.is_part() && new.year.is_none() && new.part.is_some();
    let old_year = old.year.as_ref().map(|year| before.slice(year));
    match (old.kind, new.kind) {
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
                let words = text.slice(&period.core).to_lowercase();
                words.split_whitespace().find(|word| !word.chars().any(|c| c.is_ascii_digit())).map(str::to_owned)
            };
            let alike = connector(before, old) == connector(text, new);
            match (old.lead.preposition, new.lead.preposition) {
                (_, Specific) => with_lead(),
                (Preposition::None, _) => in_place(&old.core, new_core),
                _ => {
                    if alike {
                        in_place(&old.core, new_core)
                    } else {
                        None
                    }
                }
            }
        }
        (_, PeriodKind::Range) => {
            let from =
                matches!(text.low(new.lead.words.start), "from" | "between" | "von" | "zwischen" | "de" | "entre");
            if from && new.lead.preposition == Specific {
                return with_lead();
            }
            if new_core.chars().any(char::is_whitespace) && !new_core.contains(['-', '–']) {
                let opening = match language? {
                    Language::English => "from",
                    Language::German => "von",
                    Language::French => "de",
                };
                return in_place(&(old.lead.words.start..old.core.end), &format!("{opening} {new_core}"));
            }
            whole(new_core, PeriodKind::Range)
        }
        (PeriodKind::Year, PeriodKind::Year) => in_place(&old.core, new_core),
        // The difference between two years has no meaning for one.
        (PeriodKind::Range, PeriodKind::Year) if before.words.iter().any(|word| is_in(&word.low, COMPARED)) => None,
        (PeriodKind::Range, PeriodKind::Year) if old.part.is_none() => whole(new_core, new.kind),
        (PeriodKind::Relative | PeriodKind::LastUnits, PeriodKind::Year) => whole(new_core, new.kind),
        // "March 2023" and 2024: the month stays.
        (_, PeriodKind::Year) => in_place(old.year.as_ref()?, new_core),
        (PeriodKind::Year, _) if is_open => whole(&format!("{new_core} {}", old_year?), new.kind),
        (old_kind, new_kind) if old_kind.is_part() && is_open => {
            let part = old.part.as_ref()?;
            if part.start != old.core.start {
                in_place(part, new_core)
            } else if old_kind == new_kind || language != Some(Language::French) {
                with_article(part)
            } else {
                whole(&[new_core, old_year.unwrap_or_default()].join(" "), new_kind)
            }
        }
        (_, _) if is_open => None,
        (PeriodKind::Day, PeriodKind::Day) if new.year.is_none() && new.part.is_some() => {
            in_place(old.part.as_ref()?, new_core)
        }
        (_, PeriodKind::Day) if new.year.is_none() && new.part.is_some() => None,
        (old_kind, new_kind) if old_kind == new_kind => with_article(&old.core),
        (_, new_kind) => whole(new_core, new_kind),
    }
}
