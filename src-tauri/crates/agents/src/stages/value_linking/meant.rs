//! Decides if a stored value is meant by a phrase of the question.

use super::phrase::{LETTERS_OF_A_WORD, Phrase, is_syllable, is_upper};
use crate::schema::selection::names_table;
use std::collections::HashSet;
use vitrine_domain::{Catalog, ColumnProfile, Profile, ValueMatch};
use vitrine_sql::normalize_name;
use vitrine_sql_rules::singular_words as words_of;
use vitrine_values::is_variant;

/// Minimum surface similarity of a name whose stored spelling differs from the question's.
const ALIKE: f64 = 0.75;
/// Minimum surface similarity if the column has many values: then some value resembles almost every common word ("times" resembles the city
/// Timis).
const ALIKE_AMONG_MANY: f64 = 0.85;
/// Minimum semantic similarity of a phrase that paraphrases a value.
const MEANT: f64 = 0.75;

/// Rules for models that do not deliberate.
impl Phrase {
    /// Returns true if the phrase is a word for a table's rows: "Which store" asks for a store, even if a column has the value `store`. It
    /// is a value only beside a word of that column or its table ("the store channel"), or beside another value of the column.
    pub(super) fn asks_for_table(&self, catalog: &Catalog) -> bool {
        !self.is_name && names_table(&self.text, catalog)
    }

    /// Returns true if the phrase means a stored value. A plain word must be one of the values of a category, because any word occurs
    /// somewhere in a column of free text. In scripts whose letters are syllables, two letters suffice.
    pub(super) fn matches_value(&self, found: &ValueMatch, named: &Named<'_>) -> bool {
        let same = normalize_name(&found.value) == normalize_name(&self.text);
        if self.is_name {
            // "The platform ID" does not mean Independence Day.
            let short_for = || is_variant(&found.value, &self.text) && !named.has_each_word_of(&self.text);
            return same || short_for() || (found.edit >= ALIKE && self.text.contains(' '));
        }
        let singular = |text: &str| normalize_name(text).strip_suffix('s').map(str::to_owned);
        let plural = singular(&self.text).is_some_and(|one| one == normalize_name(&found.value));
        // "How many stores" asks for the table's rows, even if some column stores the word `store`.
        if !same && names_table(&self.text, named.catalog) {
            return false;
        }
        (same || plural) && (self.text.contains(' ') || self.is_unparted() || named.is_category(found))
    }
}

/// Names of a database's tables and columns. A word of a name usually refers to the table or column, not to a value.
pub(super) struct Named<'a> {
    catalog: &'a Catalog,
    profile: &'a Profile,
    /// Words of the names in lower case and the singular.
    words: HashSet<String>,
}

impl<'a> Named<'a> {
    pub(super) fn from_catalog(catalog: &'a Catalog, profile: &'a Profile) -> Self {
        let columns = catalog.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
        let names = catalog.tables.iter().map(|table| table.name.name.as_str()).chain(columns);
        Self { catalog, profile, words: names.flat_map(words_of).collect() }
    }

    /// Returns true if the column of a value has few values, or contains this value often, so that the question probably means it.
    fn is_usual(&self, found: &ValueMatch) -> bool {
        let again = |c: &ColumnProfile| c.top.iter().any(|(value, count)| *value == found.value && *count > 1);
        column_of(found, self.catalog, self.profile).is_some_and(|c| c.complete || again(c))
    }

    /// Returns true if the column of a match has few values, all known to the profile.
    fn is_category(&self, found: &ValueMatch) -> bool {
        column_of(found, self.catalog, self.profile).is_some_and(|c| c.complete)
    }

    /// Returns true if each word of the text occurs in the name of a table or column.
    fn has_each_word_of(&self, text: &str) -> bool {
        words_of(text).iter().all(|word| self.words.contains(word))
    }

    /// Returns true if a word of the text occurs in the name of a table or column.
    fn has_word_of(&self, text: &str) -> bool {
        words_of(text).iter().any(|word| self.words.contains(word))
    }
}

/// Rules for models that deliberate.
impl Phrase {
    /// Returns true if a value is stored in the phrase's spelling, ignoring case, in the singular or as a variant.
    pub(super) fn is_stored(&self, found: &ValueMatch, named: &Named<'_>) -> bool {
        let (phrase, value) = (normalize_name(&self.text), normalize_name(&found.value));
        let small = |word: &str| word.chars().next().is_some_and(char::is_lowercase);
        if phrase == value {
            // Among many values, almost every short word is stored: 'and' as a code, 'price' as a family name.
            let may_be_chance = !self.is_name
                && !self.text.contains(' ')
                && !self.is_marked()
                && (phrase.chars().count() < fewest_letters(&phrase) || named.has_word_of(&self.text));
            return !may_be_chance || named.is_usual(found) || self.stands_beside(found);
        }
        // "Has" is not the plural of a language called Ha, and "was" not of the state WA; the plural of a code of two capital letters
        // begins with these capitals ("TVs").
        let is_code = value.chars().count() == 2 && is_upper(&found.value);
        let says = |value: &str| match is_code {
            true => self.text.starts_with(&found.value),
            false => value.chars().count() >= fewest_letters(value) || named.is_usual(found),
        };
        let plural = phrase.strip_suffix('s').is_some_and(|one| one == value && says(one))
            && !names_table(&self.text, named.catalog);
        // The letters of a code occur in many words ("from" contains FR, "growth rate" GR). A phrase that a code abbreviates is a name,
        // whose words begin with capitals where the script has them. Two letters also begin many short words ("Wie" begins with WI).
        let letters = |text: &str| normalize_name(text).chars().count();
        let chance = letters(&found.value) == 2 && letters(&self.text) < LETTERS_OF_A_WORD && !is_upper(&self.text);
        // Next to a word of the schema, a small word is usually a function word: "among the countries" contains AT, "united states"
        // contains US.
        let binds = |word: &str| small(word) && normalize_name(word).chars().count() < LETTERS_OF_A_WORD;
        // "Dan Harris" is two values, a first name and a family name.
        let first = self.text.split_once(' ').is_some_and(|(first, _)| normalize_name(first) == value);
        let variant = is_variant(&found.value, &self.text)
            && !(chance || first || self.text.split_whitespace().any(binds))
            && (!self.text.split_whitespace().any(small) || self.stands_beside(found))
            && (self.is_name || !named.has_word_of(&self.text));
        plural || variant
    }

    /// Returns true if the phrase is next to a word of the table or column that stores a value: "customer acme".
    pub(super) fn stands_beside(&self, found: &ValueMatch) -> bool {
        // "Kunde" is a word of `kunden`, and "клиента" of `клиент`: endings have at most two letters.
        let extends = |long: &str, short: &str| {
            let letters = short.chars().count();
            letters >= 4 && long.starts_with(short) && long.chars().count() <= letters + 2
        };
        let names: Vec<String> = [&found.table, &found.column].into_iter().flat_map(|name| words_of(name)).collect();
        let is_named =
            |word: &String| names.iter().any(|name| name == word || extends(name, word) || extends(word, name));
        self.beside.iter().any(is_named)
    }

    /// Returns true if the phrase may be misspelled, or paraphrase a stored value: it is in quotes or has a sufficiently long word, and it
    /// does not refer to a table or column.
    pub(super) fn may_be_like(&self, named: &Named<'_>) -> bool {
        self.is_name || (self.long_words().next().is_some() && !named.has_word_of(&self.text))
    }

    /// Returns true if a misspelled or paraphrasing phrase may mean a value.
    pub(super) fn is_like(&self, found: &ValueMatch, named: &Named<'_>) -> bool {
        // A code that consists of the phrase's initials also has similar letters ("the most populated" resembles TMP); it is meant only if
        // the phrase spells it.
        let least = if named.is_usual(found) { ALIKE } else { ALIKE_AMONG_MANY };
        let spelt = found.edit >= least && !is_variant(&found.value, &self.text);
        let alike = spelt || found.semantic.is_some_and(|cosine| cosine >= MEANT);
        alike && self.may_be_like(named)
    }
}

/// Minimum number of letters of a word that is not stored by chance, by its script. A letter that is a syllable or more carries more
/// information, and in scripts without capitals function words have one or two letters.
fn fewest_letters(word: &str) -> usize {
    let has_capitals = word.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    match word.chars().any(is_syllable) {
        true => 2,
        false if has_capitals => LETTERS_OF_A_WORD,
        false => 3,
    }
}

/// Returns the profile of the column of a match.
fn column_of<'p>(found: &ValueMatch, catalog: &Catalog, profile: &'p Profile) -> Option<&'p ColumnProfile> {
    profile.find_table(&catalog.find_table(&found.table)?.name)?.find_column(&found.column)
}

#[cfg(test)]
mod tests {
    use super::super::phrase::every_phrase;
    use super::*;
    use crate::one_table::one_table;
    use vitrine_domain::Dialect;

    fn value_match(value: &str, edit: f64, semantic: Option<f64>) -> ValueMatch {
        let (table, column) = ("country".into(), "code".into());
        ValueMatch { literal: String::new(), table, column, value: value.into(), edit, semantic }
    }

    /// Returns a profile in which the column with the found values has few of them.
    fn few_values() -> Profile {
        let column = vitrine_domain::ColumnProfile { name: "code".into(), complete: true, ..Default::default() };
        let table = vitrine_domain::TableProfile {
            table: vitrine_domain::TableName::from_unqualified("country"),
            row_count: Some(0),
            profiled_rows: 0,
            columns: vec![column],
        };
        Profile { tables: vec![table], ..Profile::default() }
    }

    fn plain_phrase(text: &str) -> Phrase {
        Phrase { text: text.into(), to: text.len(), ..Phrase::default() }
    }

    #[test]
    fn a_code_stands_for_a_name_and_not_for_words_that_have_its_letters() {
        let (catalog, profile) = (one_table(Dialect::Sqlite, "country", &["code", "game_id"]), Profile::default());
        let named = Named::from_catalog(&catalog, &profile);
        let stored =
            |phrase: &str, value: &str| plain_phrase(phrase).is_stored(&value_match(value, 0.75, None), &named);
        for (phrase, value) in
            [("United States", "US"), ("USA", "US"), ("California", "CA"), ("PSP", "Phantasy Star Portable")]
        {
            assert!(stored(phrase, value), "{phrase}");
        }
        let few = few_values();
        let named = Named::from_catalog(&catalog, &few);
        assert!(
            plain_phrase("us").is_stored(&value_match("US", 0.75, None), &named),
            "one of few values, all of which are known"
        );
        for (phrase, value) in [("was", "WA"), ("its", "IT"), ("has", "HA")] {
            assert!(
                !plain_phrase(phrase).is_stored(&value_match(value, 0.67, None), &named),
                "{phrase} is no plural of {value}"
            );
        }
        for (phrase, value) in [("TVs", "TV"), ("dvds", "DVD"), ("webs", "web")] {
            assert!(
                plain_phrase(phrase).is_stored(&value_match(value, 0.67, None), &named),
                "{phrase} is the plural of {value}"
            );
        }
        for (phrase, value) in [
            ("growth rate of", "GR"),
            ("that", "THA"),
            ("from", "FR"),
            ("Among the", "AT"),
            ("shortest life expectancy", "SLE"),
            ("ID", "Independence Day"),
            ("Wie", "WI"),
            ("Land", "LA"),
            ("Dan Harris", "DAN"),
        ] {
            assert!(!stored(phrase, value), "{phrase}");
        }
        assert!(stored("Dan", "DAN") && stored("Harris", "HARRIS") && stored("Cal Arts", "CA"));
        let beside = |phrase: &str, value: &str| {
            let phrase = Phrase { beside: vec!["country".into()], ..plain_phrase(phrase) };
            phrase.is_stored(&value_match(value, 0.75, None), &named)
        };
        for (phrase, value) in [("among the", "AT"), ("the most populated", "TMP"), ("has the", "HT"), ("that", "THA")]
        {
            assert!(!beside(phrase, value), "{phrase}, beside the name of a table");
        }
        assert!(beside("united states", "US") && beside("great britain", "GB"));
    }

    #[test]
    fn a_small_word_is_a_value_where_that_is_no_chance() {
        let (catalog, profile) =
            (one_table(Dialect::Sqlite, "orders", &["price", "publisher_name"]), Profile::default());
        let named = Named::from_catalog(&catalog, &profile);
        let stored = |phrase: &str, value: &str| plain_phrase(phrase).is_stored(&value_match(value, 1.0, None), &named);
        assert!(stored("kensington", "Kensington") && stored("Price", "Price") && stored("the who", "The Who"));
        assert!(stored("niederlande", "Niederlande") && stored("东京", "东京"));
        for chance in ["and", "are", "full", "price", "publishers"] {
            assert!(!stored(chance, chance), "{chance}");
        }
        assert!(stored("kensingtons", "Kensington") && !stored("has", "Ha"), "a plural says what its singular says");
        let (kinds, few) = (one_table(Dialect::Sqlite, "country", &["code"]), few_values());
        assert!(plain_phrase("cats").is_stored(&value_match("cat", 0.75, None), &Named::from_catalog(&kinds, &few)));
        let quoted = Phrase { is_name: true, ..plain_phrase("and") };
        assert!(quoted.is_stored(&value_match("AND", 1.0, None), &named), "what is in quotes is a value");
    }

    #[test]
    fn what_tells_a_value_from_a_chance_needs_no_capitals() {
        let catalog = one_table(Dialect::Sqlite, "customers", &["name", "ग्राहक", "عدد", "고객"]);
        let stored_in = |profile: &Profile, question: &str, phrase: &str, value: &str| {
            let named = Named::from_catalog(&catalog, profile);
            let found = ValueMatch {
                literal: phrase.into(),
                table: "customers".into(),
                column: "name".into(),
                value: value.into(),
                edit: 1.0,
                semantic: None,
            };
            let phrases = every_phrase(question);
            phrases.iter().find(|p| p.text == phrase).is_some_and(|phrase| phrase.is_stored(&found, &named))
        };
        let nothing_known = Profile::default();
        let stored = |question: &str, phrase: &str, value: &str| stored_in(&nothing_known, question, phrase, value);
        // Short names without capitals, in stored or other case: the adjacent word identifies them.
        for (question, phrase, value) in [
            ("orders of customer acme in may", "acme", "acme"),
            ("orders of customer acme in may", "acme", "Acme"),
            ("what did the customer united states buy", "united states", "US"),
            ("كم طلب علي في مايو", "علي", "علي"),
            ("दिल्ली में कितने ग्राहक हैं", "दिल्ली", "दिल्ली"),
            ("서울 고객은 몇 명입니까", "서울", "서울"),
            ("北京有多少客户", "北京", "北京"),
            ("bestellungen des customers acme", "acme", "acme"),
        ] {
            assert!(stored(question, phrase, value), "{phrase}: {question}");
        }
        // Function words, and words of the schema, in scripts with and without capitals.
        for (question, phrase) in [
            ("orders and returns in may", "and"),
            ("acme orders in may", "acme"),
            ("كم عدد الطلبات في مايو", "عدد"),
            ("ग्राहक और आदेश", "ग्राहक"),
            ("고객 주문은 몇 건입니까", "고객"),
        ] {
            assert!(!stored(question, phrase, phrase), "{phrase}: {question}");
        }
        // A value that occurs often in its column is probably meant; one of thousands that occurs once is not.
        let often = |count: u64| Profile {
            tables: vec![vitrine_domain::TableProfile {
                table: vitrine_domain::TableName::from_unqualified("customers"),
                row_count: Some(9_000),
                profiled_rows: 9_000,
                columns: vec![vitrine_domain::ColumnProfile {
                    name: "name".into(),
                    top: vec![("acme".into(), count)],
                    ..Default::default()
                }],
            }],
            ..Profile::default()
        };
        let counted = [900, 1].map(|count| stored_in(&often(count), "acme orders in may", "acme", "acme"));
        assert_eq!(counted, [true, false]);
    }

    #[test]
    fn what_is_like_a_value_has_a_word_that_says_something_and_asks_for_no_column() {
        let (catalog, profile) =
            (one_table(Dialect::Sqlite, "books", &["title", "author_name", "city"]), Profile::default());
        let named = Named::from_catalog(&catalog, &profile);
        let like = |phrase: &str| plain_phrase(phrase).is_like(&value_match("x", 0.9, Some(0.8)), &named);
        for phrase in ["roterdam trading", "The queen of Egypt", "vereinigte staaten", "北京"] {
            assert!(like(phrase), "{phrase}");
        }
        for phrase in ["of the", "in the", "is a", "many books", "the city", "author_name", "names"] {
            assert!(!like(phrase), "{phrase}");
        }
        assert!(!plain_phrase("roterdam trading").is_like(&value_match("x", 0.5, Some(0.5)), &named));
        assert!(
            !plain_phrase("the most populated").is_like(&value_match("TMP", 0.9, None), &named),
            "a code by its initials"
        );
        let times = |profile: &Profile| {
            plain_phrase("times").is_like(&value_match("Timis", 0.8, None), &Named::from_catalog(&catalog, profile))
        };
        assert!(!times(&profile), "some value among many is spelled like every word");
        let says = |phrase: &str, known: &str| plain_phrase(phrase).shares_words(&plain_phrase(known));
        assert!(says("English refers", "English") && says("published by Kensington", "Kensington"));
        assert!(says("of Cyprus", "Cyprus") && !says("Cyprus North", "Norway") && !says("Norwegian", "Norway"));
    }

    #[test]
    fn a_plain_word_has_to_be_one_of_a_categorys_values() {
        let (catalog, profile) = (one_table(Dialect::Sqlite, "pets", &["kind", "pet_id"]), Profile::default());
        let named = Named::from_catalog(&catalog, &profile);
        let means =
            |phrase: Phrase, value: &str, edit: f64| phrase.matches_value(&value_match(value, edit, None), &named);
        let name = |text: &str| Phrase { is_name: true, ..plain_phrase(text) };
        assert!(!means(plain_phrase("dogs"), "dog", 0.8), "no profile says that it is a category");
        assert!(means(name("New Yrok"), "New York", 0.8));
        assert!(means(plain_phrase("东京"), "东京", 1.0), "a word of two letters says much");
        assert!(!means(plain_phrase("东京有"), "东京", 0.8));
        assert!(means(name("USA"), "United States", 0.3) && means(name("PSP"), "Phantasy Star Portable", 0.3));
        assert!(!means(name("ID"), "Independence Day", 0.3), "what columns are called stands for no value");
        assert!(means(name("ID"), "ID", 1.0), "but where it is stored itself");
    }
}
