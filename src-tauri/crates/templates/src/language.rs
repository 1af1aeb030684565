//! Words without a meaning of their own, by language. A word of one language may be a value in another: "die", "war", "US".

/// The words of a language that may differ between equal questions.
pub(crate) struct Language {
    /// Articles, definite and indefinite.
    pub articles: &'static [&'static str],
    /// Phrases that ask, at the beginning of a question.
    pub asking: &'static [&'static str],
    /// Verbs that ask only before an article, because they may also be nouns: "list price".
    pub asking_before_article: &'static [&'static str],
    /// Polite words at the end of a question.
    pub polite: &'static [&'static str],
    /// Phrases of existence in the present.
    pub present: &'static [&'static str],
    /// Phrases of existence in the past, which a period explains.
    pub past: &'static [&'static str],
    /// Prepositions of places; the verb of existence before them may be omitted.
    pub places: &'static [&'static str],
    /// Prepositions before the only period of a question.
    pub before_period: &'static [&'static str],
    /// Words that ask for a number of things.
    pub counts: &'static [&'static str],
    /// Words that ask for a number of things if one of [`Language::after_count`] follows.
    pub counts_of: &'static [&'static str],
    /// Prepositions between such a word and the things.
    pub after_count: &'static [&'static str],
    /// Prepositions before a group.
    pub groups: &'static [&'static str],
    /// Words for each member of a group.
    pub members: &'static [&'static str],
    /// Prepositions before words for each member.
    pub before_member: &'static [&'static str],
    /// Further frequent words, which identify the language.
    pub others: &'static [&'static str],
}

const ENGLISH: Language = Language {
    articles: &["the"],
    asking: &[
        "show",
        "show me",
        "show us",
        "give me",
        "give us",
        "tell me",
        "list me",
        "please",
        "can you",
        "could you",
        "i want to see",
        "i would like to see",
        "what is",
        "what was",
        "what are",
        "what were",
        "what",
        "which",
    ],
    asking_before_article: &["list", "display", "give", "find"],
    polite: &["please"],
    present: &["are there", "is there", "do we have"],
    past: &["were there", "was there", "did we have", "were", "was"],
    places: &["in", "from", "at"],
    before_period: &["in", "for", "of", "during"],
    counts: &["how many"],
    counts_of: &["number", "count"],
    after_count: &["of"],
    groups: &["by", "per"],
    members: &["each", "every"],
    before_member: &["for", "of", "in"],
    others: &["a", "and", "with", "is", "are", "to", "did", "do", "how", "many", "number"],
};

const GERMAN: Language = Language {
    articles: &["der", "die", "das", "den", "dem", "des"],
    asking: &[
        "zeige",
        "zeig",
        "zeige mir",
        "zeig mir",
        "zeige uns",
        "zeigen sie",
        "zeigen sie mir",
        "zeigen sie uns",
        "bitte",
        "nenne",
        "nenne mir",
        "nennen sie",
        "nennen sie mir",
        "was ist",
        "was war",
        "was sind",
        "was waren",
        "welche",
        "welcher",
        "welches",
        "welchen",
    ],
    asking_before_article: &[],
    polite: &["bitte"],
    present: &["gibt es", "haben wir"],
    past: &["gab es", "hatten wir", "waren", "war"],
    places: &["in", "im", "aus"],
    before_period: &["in", "im", "für", "von"],
    counts: &["wie viele", "anzahl"],
    counts_of: &["zahl"],
    after_count: &["von", "der"],
    groups: &["pro", "je", "nach"],
    members: &["jede", "jeder", "jedes", "jeden", "jedem"],
    before_member: &["für", "von", "in"],
    others: &["und", "mit", "ein", "eine", "einen", "sind", "ist", "es", "wie", "viele", "wir", "zu"],
};

const FRENCH: Language = Language {
    articles: &["le", "les"],
    asking: &[
        "montre",
        "montrez",
        "montre moi",
        "montrez moi",
        "montre nous",
        "montrez nous",
        "donne moi",
        "donnez moi",
        "quel est",
        "quelle est",
        "quels sont",
        "quelles sont",
        "quel était",
        "quelle était",
        "quels étaient",
        "quelles étaient",
        "quel",
        "quelle",
        "quels",
        "quelles",
        "la",
        "l",
    ],
    asking_before_article: &[],
    polite: &["s il vous plaît", "s il te plaît"],
    present: &["y a t il"],
    past: &[],
    places: &["à", "en", "dans"],
    before_period: &["en", "pour", "de", "pendant"],
    counts: &[],
    counts_of: &["nombre"],
    after_count: &["de", "d", "des"],
    groups: &["par"],
    members: &["chaque"],
    before_member: &["pour", "de", "dans"],
    others: &["du", "des", "d", "un", "une", "et", "avec", "est", "sont", "nous", "au", "aux"],
};

const SPANISH: Language = Language {
    articles: &["el", "los", "las"],
    asking: &[
        "muestra",
        "muestre",
        "muéstrame",
        "cuál es",
        "cuál fue",
        "cuál era",
        "cuáles son",
        "cuáles fueron",
        "cuál",
        "cuáles",
        "qué",
        "la",
    ],
    asking_before_article: &[],
    polite: &["por favor"],
    present: &["hay"],
    past: &[],
    places: &["en"],
    before_period: &["en", "de", "para", "durante"],
    counts: &["cuántos", "cuántas"],
    counts_of: &["número"],
    after_count: &["de"],
    groups: &["por", "según"],
    members: &["cada"],
    before_member: &["para", "de", "en"],
    others: &["del", "un", "una", "y", "con", "es", "son", "al"],
};

const LANGUAGES: [&Language; 4] = [&ENGLISH, &GERMAN, &FRENCH, &SPANISH];

impl Language {
    /// Returns the language with the most of these words; `None` if two have equally many.
    pub fn detect(words: &[&str]) -> Option<&'static Self> {
        let mut counts: Vec<(usize, &'static Self)> = LANGUAGES
            .into_iter()
            .map(|language| (words.iter().filter(|word| language.has_word(word)).count(), language))
            .collect();
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        match counts.as_slice() {
            [(most, language), (second, _), ..] if most > second => Some(language),
            _ => None,
        }
    }

    /// Returns true if this is the other language.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    fn has_word(&self, word: &str) -> bool {
        let lists = [
            self.articles,
            self.asking,
            self.asking_before_article,
            self.places,
            self.before_period,
            self.counts_of,
            self.after_count,
            self.groups,
            self.members,
            self.others,
        ];
        lists.iter().flat_map(|list| list.iter()).any(|phrase| phrase.split(' ').any(|part| part == word))
    }
}
