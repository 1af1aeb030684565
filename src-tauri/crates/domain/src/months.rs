//! Names of months in the languages that files and databases are read in, and formats of dates that use them.

use std::fmt;

/// A language with its own names of months.
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
    /// All of them; where a name is in two, the first one is meant.
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

    /// January to December, each long and short, in small letters. Polish has the forms that stand behind a day, too.
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

    /// Every way in which a month's name may come out of an engine's LOWER, with the month's two digits: accents that stay capital
    /// where an engine knows small letters of ASCII alone, and no accents.
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

/// The names of each month in all languages, without accents.
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

/// A format of dates whose months are names in a language: `%d %B %Y in German`. Full stops and commas behind a day or a month, and
/// the `de` of Spanish and Portuguese, are not told apart; a month may be long or short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedMonths<'a> {
    /// In strptime letters; `%B` is the name.
    pub format: &'a str,
    /// Of the names.
    pub language: Language,
}

/// What stands around a name in any of the formats.
pub const AROUND_MONTHS: &str = "0123456789 -/:";

impl<'a> NamedMonths<'a> {
    /// The format that a profile's `hidden` says; `None` for others.
    pub fn from_hidden(hidden: &'a str) -> Option<Self> {
        let (format, language) = hidden.split_once(" in ")?;
        let language = Language::ALL.into_iter().find(|known| known.to_string() == language)?;
        Some(Self { format, language })
    }

    /// The word of a profile's `hidden`.
    pub fn to_hidden(self) -> String {
        format!("{} in {}", self.format, self.language)
    }

    /// The same format with months as numbers.
    pub fn in_numbers(self) -> String {
        self.format.replace("%B", "%m")
    }

    /// What is replaced in a text of small letters, in this order, before the name alone stands between digits.
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

    /// A text with its month as a number, for [`Self::in_numbers`]; `None` where it has no name of a month.
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
