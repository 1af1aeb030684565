//! Month names in several languages, and date formats with month names.

use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

/// A language of month names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the language of its name")]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Swedish,
    Polish,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Language {
    /// All languages. If two languages share a name, the first one is used.
    pub const ALL: [Self; 9] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Swedish,
        Self::Polish,
    ];

    /// Returns the forms of each month from January, long and abbreviated, in lower case. Polish includes the genitive
    /// forms used after a day.
    const fn month_name_forms(self) -> [&'static str; 12] {
        match self {
            Self::English => [
                "january jan",
                "february feb",
                "march mar",
                "april apr",
                "may",
                "june jun",
                "july jul",
                "august aug",
                "september sept sep",
                "october oct",
                "november nov",
                "december dec",
            ],
            Self::German => [
                "januar jänner jan",
                "februar feb",
                "märz mrz mär",
                "april apr",
                "mai",
                "juni jun",
                "juli jul",
                "august aug",
                "september sept sep",
                "oktober okt",
                "november nov",
                "dezember dez",
            ],
            Self::French => [
                "janvier janv",
                "février févr fév",
                "mars",
                "avril avr",
                "mai",
                "juin",
                "juillet juil",
                "août",
                "septembre sept",
                "octobre oct",
                "novembre nov",
                "décembre déc",
            ],
            Self::Spanish => [
                "enero ene",
                "febrero feb",
                "marzo mar",
                "abril abr",
                "mayo may",
                "junio jun",
                "julio jul",
                "agosto ago",
                "septiembre setiembre sept sep",
                "octubre oct",
                "noviembre nov",
                "diciembre dic",
            ],
            Self::Italian => [
                "gennaio gen",
                "febbraio feb",
                "marzo mar",
                "aprile apr",
                "maggio mag",
                "giugno giu",
                "luglio lug",
                "agosto ago",
                "settembre set",
                "ottobre ott",
                "novembre nov",
                "dicembre dic",
            ],
            Self::Portuguese => [
                "janeiro jan",
                "fevereiro fev",
                "março mar",
                "abril abr",
                "maio mai",
                "junho jun",
                "julho jul",
                "agosto ago",
                "setembro set",
                "outubro out",
                "novembro nov",
                "dezembro dez",
            ],
            Self::Dutch => [
                "januari jan",
                "februari feb",
                "maart mrt",
                "april apr",
                "mei",
                "juni jun",
                "juli jul",
                "augustus aug",
                "september sept sep",
                "oktober okt",
                "november nov",
                "december dec",
            ],
            Self::Swedish => [
                "januari jan",
                "februari feb",
                "mars mar",
                "april apr",
                "maj",
                "juni jun",
                "juli jul",
                "augusti aug",
                "september sept sep",
                "oktober okt",
                "november nov",
                "december dec",
            ],
            Self::Polish => [
                "stycznia styczeń sty",
                "lutego luty lut",
                "marca marzec mar",
                "kwietnia kwiecień kwi",
                "maja maj",
                "czerwca czerwiec cze",
                "lipca lipiec lip",
                "sierpnia sierpień sie",
                "września wrzesień wrz",
                "października październik paź",
                "listopada listopad lis",
                "grudnia grudzień gru",
            ],
        }
    }

    /// Returns all forms in which an engine's LOWER may return a month's name, with the month's two digits: with
    /// capital accented letters (in engines whose LOWER supports only ASCII), and without accents.
    pub fn month_names(self) -> Vec<(String, &'static str)> {
        let numbers = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"];
        let mut all = Vec::new();
        for (names, number) in self.month_name_forms().into_iter().zip(numbers) {
            for name in names.split(' ') {
                let capital = |c: char| if c.is_ascii() { c } else { c.to_uppercase().next().unwrap_or(c) };
                for way in [name.to_owned(), name.chars().map(capital).collect(), without_accents(name)] {
                    if all.iter().all(|(known, _)| *known != way) {
                        all.push((way, number));
                    }
                }
            }
        }
        all
    }
}

/// Returns the names of each month in all languages, without accents.
pub fn months_of_all_languages() -> [Vec<String>; 12] {
    std::array::from_fn(|month| {
        let mut names: Vec<String> = Vec::new();
        for name in Language::ALL.iter().flat_map(|language| language.month_name_forms()[month].split(' ')) {
            let plain = without_accents(name);
            if !names.contains(&plain) {
                names.push(plain);
            }
        }
        names
    })
}

/// Returns true for the name of a month in any of the languages, in lower case, with or without accents.
pub fn is_month_name(word: &str) -> bool {
    static NAMES: LazyLock<HashSet<String>> =
        LazyLock::new(|| months_of_all_languages().into_iter().flatten().collect());
    NAMES.contains(&without_accents(word))
}

fn without_accents(name: &str) -> String {
    let plain = |c: char| match c {
        'ä' => 'a',
        'é' => 'e',
        'û' => 'u',
        'ç' => 'c',
        'ń' => 'n',
        'ś' => 's',
        'ź' => 'z',
        c => c,
    };
    name.chars().map(plain).collect()
}

/// A date format with month names in a language: `%d %B %Y in German`. Full stops and commas after a day or a month,
/// and `de` in Spanish and Portuguese, are optional; month names may be long or abbreviated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedMonths<'a> {
    /// The format in strptime syntax; `%B` is the month name.
    pub format: &'a str,
    /// The language of the month names.
    pub language: Language,
}

/// Characters that may surround a month name in all formats.
pub const AROUND_MONTHS: &str = "0123456789 -/:";

impl<'a> NamedMonths<'a> {
    /// Parses the format from a profile's `hidden`; `None` if it is of another kind.
    pub fn from_hidden(hidden: &'a str) -> Option<Self> {
        let (format, language) = hidden.split_once(" in ")?;
        let language = Language::ALL.into_iter().find(|known| known.to_string() == language)?;
        Some(Self { format, language })
    }

    /// Formats the value of a profile's `hidden`.
    pub fn to_hidden(self) -> String {
        format!("{} in {}", self.format, self.language)
    }

    /// Returns the format with numbers instead of month names.
    pub fn in_numbers(self) -> String {
        self.format.replace("%B", "%m")
    }

    /// Returns the replacements, in order, that reduce a lower-case text to the month name between digits.
    pub fn replacement_pairs(self) -> Vec<(&'static str, &'static str)> {
        let mut pairs = vec![(". ", " ")];
        if self.format.starts_with("%B") {
            pairs.push((", ", " "));
        }
        match self.language {
            Language::French => pairs.push(("1er ", "1 ")),
            Language::Spanish | Language::Portuguese => pairs.push((" de ", " ")),
            _ => {}
        }
        pairs
    }

    /// Replaces the month name of a text by its number, to be parsed with [`Self::in_numbers`]; `None` without a month
    /// name.
    pub fn replace_month_name(self, text: &str) -> Option<String> {
        let small = text.trim().to_lowercase();
        let plain = self.replacement_pairs().into_iter().fold(small, |text, (from, to)| text.replace(from, to));
        let name = plain.trim_matches(|c| AROUND_MONTHS.contains(c));
        let (_, number) = self.language.month_names().into_iter().find(|(known, _)| known == name)?;
        Some(plain.replace(name, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_for_two_months() {
        let months = months_of_all_languages();
        let mut names: Vec<&String> = months.iter().flatten().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase())), "{names:?}");
    }

    #[test]
    fn months_are_numbered_in_their_language() {
        let numbered =
            |hidden: &str, text: &str| NamedMonths::from_hidden(hidden).expect("a format").replace_month_name(text);
        for (hidden, text, plain) in [
            ("%d %B %Y in German", "12. März 2024", "12 03 2024"),
            ("%d %B %Y in German", " 12. MÄRZ 2024 ", "12 03 2024"),
            ("%d %B %Y in German", "3. Jan. 2024", "3 01 2024"),
            ("%d %B %Y in French", "1er août 2024", "1 08 2024"),
            ("%d %B %Y in Spanish", "3 de mayo de 2024", "3 05 2024"),
            ("%d-%B-%y in Polish", "05-paź-24", "05-10-24"),
            ("%B %d %Y in English", "Sept. 5, 2024", "09 5 2024"),
        ] {
            assert_eq!(numbered(hidden, text).as_deref(), Some(plain), "{text}");
        }
        for (hidden, text) in [
            ("%d %B %Y in German", "12 03 2024"),
            ("%d %B %Y in German", "12. Mars 2024"),
            ("%d %B %Y in German", "12. Marzipan 2024"),
            ("%d %B %Y in German", "Mai Mai"),
            ("%d %B %Y in German", ""),
        ] {
            assert_eq!(numbered(hidden, text), None, "{text}");
        }
        assert_eq!(NamedMonths::from_hidden("%d %B %Y"), None);
        assert_eq!(NamedMonths::from_hidden("%d %B %Y in Klingon"), None);
        let format = NamedMonths { format: "%d %B %Y", language: Language::Dutch };
        assert_eq!(NamedMonths::from_hidden(&format.to_hidden()), Some(format));
    }
}
