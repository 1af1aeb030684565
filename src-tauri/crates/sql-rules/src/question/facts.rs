//! Facts about a question: numbers, names of tables and columns, negation. Facts based on English words are extracted
//! only from English questions; numbers and names from all.

use crate::words::singular_words;
use regex::Regex;
use std::sync::OnceLock;
use vitrine_domain::{Catalog, Table, TableName};

/// Facts about a question that its query has to match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionFacts {
    /// The question as the user wrote it.
    pub asked: String,
    /// The question in lower case.
    pub question: String,
    /// True for an English question; rules based on English words ignore other questions.
    pub english: bool,
    /// Columns with multi-word names that the question contains in full: `LifeExpectancy` for "life expectancy".
    pub named: Vec<String>,
    /// Tables whose number of rows the question asks for: "how many stores".
    pub counted: Vec<TableName>,
    /// For a negation in the question ("do not have", "never", "without"), the tables mentioned before it.
    pub denied: Option<Vec<TableName>>,
    /// Numbers of the question as digits: years, limits, amounts.
    pub numbers: Vec<String>,
    /// Tables and columns with one of these numbers in their name: `budget_2024`.
    pub numbered: Vec<String>,
}

impl QuestionFacts {
    /// Extracts the facts of a question, given the names of a database.
    pub fn from_question(question: &str, catalog: &Catalog) -> Self {
        let asked = singular_words(question);
        let english = is_english(question);
        let of = |meant: &dyn Fn(&[String]) -> bool| {
            let mut tables: Vec<&Table> = catalog.tables.iter().collect();
            tables.retain(|table| meant(&singular_words(&table.name.name)));
            tables.into_iter().map(|table| table.name.clone()).collect::<Vec<_>>()
        };
        let before = find_negation(question).filter(|_| english).map(|at| singular_words(&question[..at.start]));
        let numbers = plain_numbers(question);
        Self {
            asked: question.to_owned(),
            question: question.to_lowercase(),
            english,
            named: mentioned_columns(question, catalog),
            counted: if english { of(&|name| asks_for_count(&asked, name)) } else { Vec::new() },
            denied: before.map(|before| of(&|name| shares_word(&before, name))),
            numbered: names_with_numbers(&numbers, catalog),
            numbers,
        }
    }

    /// Returns true if the question has this number.
    pub fn has_number(&self, number: &str) -> bool {
        has_number(&self.question, number)
    }
}

/// Returns true if a question is in English, judged by its function words.
fn is_english(question: &str) -> bool {
    const ENGLISH: &str = "the of and which what how many much who whose is are was were do does did for each every with by from \
        show list find give me all per to their that than have has had there where when any not number";
    const OTHERS: &str = "der die das und wie viele welche welcher welches wer ist sind war waren mit von pro jede jeder jedes im \
        zum zur ein eine einen nicht kein keine ohne gibt haben hat nach für aus bei el los las una uno que qué cuántos cuántas \
        cuáles cuál quién es son fue con por para cada del sin tienen hay más le les des du est sont combien quels quelles avec \
        pour sans chaque dans il lo gli che quanti quante sono per ogni di het een van hoeveel welke zijn met voor";
    let asked: Vec<String> = question.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    let count = |list: &str| asked.iter().filter(|word| list.split_whitespace().any(|known| known == *word)).count();
    let (english, others) = (count(ENGLISH), count(OTHERS));
    english > others
}

/// Returns the tables and columns with one of the numbers in their name: a year may have its own table or column.
pub(crate) fn names_with_numbers(numbers: &[String], catalog: &Catalog) -> Vec<String> {
    let names =
        catalog.tables.iter().flat_map(|t| std::iter::once(&t.name.name).chain(t.columns.iter().map(|c| &c.name)));
    let mut found: Vec<String> =
        names.filter(|name| numbers.iter().any(|number| has_number(name, number))).cloned().collect();
    found.sort();
    found.dedup();
    found
}

/// Returns true if the number is one of the digit runs of a name.
pub(crate) fn has_number(name: &str, number: &str) -> bool {
    name.split(|c: char| !c.is_ascii_digit()).any(|run| run == number)
}

/// Returns true if a name occurs in a text as a whole word, in any case.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(&name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

/// Returns the columns with multi-word names whose words occur in sequence in the question; for a flag (`is_active`)
/// the words after the first suffice. Key names are excluded because the key of another table has the same name.
pub(crate) fn mentioned_columns(question: &str, catalog: &Catalog) -> Vec<String> {
    let asked = singular_words(question);
    let mut found: Vec<String> = Vec::new();
    for column in catalog.tables.iter().flat_map(|t| &t.columns) {
        let name = singular_words(&column.name);
        let is_key = name.last().is_some_and(|last| matches!(last.as_str(), "id" | "key" | "code" | "no" | "number"));
        let said = match name.split_first() {
            Some((first, rest)) if !rest.is_empty() && matches!(first.as_str(), "is" | "has") => rest,
            _ => &name,
        };
        if name.len() > 1
            && !is_key
            && contains_phrase(&asked, said)
            && !found.iter().any(|other| other.eq_ignore_ascii_case(&column.name))
        {
            found.push(column.name.clone());
        }
    }
    // If "song release year" is named, `release_year` is not meant in addition.
    let within = |short: &str, long: &str| {
        let (short, long) = (singular_words(short), singular_words(long));
        long.len() > short.len() && long.windows(short.len()).any(|run| run == short)
    };
    found.iter().filter(|name| !found.iter().any(|other| within(name, other))).cloned().collect()
}

/// Returns true if one of a name's words is among others, ignoring linking words (`has_pet`).
pub(crate) fn shares_word(asked: &[String], name: &[String]) -> bool {
    const LINKS: [&str; 10] = ["has", "of", "in", "to", "the", "by", "and", "is", "for", "with"];
    name.iter().any(|word| asked.contains(word) && !LINKS.contains(&word.as_str()))
}

/// Returns true if words occur in sequence among others.
pub(crate) fn contains_phrase(asked: &[String], name: &[String]) -> bool {
    !name.is_empty() && asked.windows(name.len()).any(|run| run == name)
}

/// Returns true if a question asks for the number of entities: their name follows after at most one other word.
fn asks_for_count(asked: &[String], name: &[String]) -> bool {
    const BEGINNINGS: [[&str; 2]; 3] = [["how", "many"], ["number", "of"], ["count", "the"]];
    let begins = |at: usize| BEGINNINGS.iter().any(|two| asked[at..].iter().take(2).eq(two.iter()));
    let follows = |at: usize| (2..=3).any(|skip| asked.get(at + skip..).is_some_and(|rest| rest.starts_with(name)));
    !name.is_empty() && (0..asked.len()).any(|at| begins(at) && follows(at))
}

/// Returns the position at which a question first says that something is not done or does not exist. A negated property
/// ("not cancelled", "no more than 5") is left to the conditions.
pub(crate) fn find_negation(question: &str) -> Option<std::ops::Range<usize>> {
    static DENIAL: OnceLock<Regex> = OnceLock::new();
    const COMPARED: [&str; 8] = ["more", "less", "fewer", "later", "earlier", "longer", "sooner", "matter"];
    let denial = DENIAL.get_or_init(|| {
        let verbs = "do|does|did|has|have|had|can|could|will";
        Regex::new(&format!(
            r"(?i)\b(?:(?:{verbs})\s+not|(?:{verbs}|ca|wo)n['’]t|never|without|not\s+(?:\w+\s+)?any|not\s+\w+ing|(no)\s+([a-z]+))\b"
        ))
        .expect("regex")
    });
    let mut found = denial
        .captures_iter(question)
        .filter(|found| found.get(2).is_none_or(|next| !COMPARED.contains(&next.as_str().to_lowercase().as_str())))
        // "No Colour" within a sentence is a name.
        .filter(|found| !found.get(1).is_some_and(|no| no.start() > 0 && no.as_str().starts_with(char::is_uppercase)));
    found.next().and_then(|found| found.get(0)).map(|found| found.range())
}

/// Returns true if SQL contains a negation or exclusion in any of its notations.
pub(crate) fn contains_negation(sql: &str) -> bool {
    static WAYS: OnceLock<Regex> = OnceLock::new();
    let ways = WAYS.get_or_init(|| {
        Regex::new(r"(?i)\b(?:not|except|null|left|min|asc|false|no)\b|<|!=|=\s*'?(?:0|n|f)\b|=\s*''|\b(?:coalesce|ifnull|nvl)\b|\belse\s+0\b").expect("regex")
    });
    ways.is_match(sql)
}

/// Words that change the notation of a preceding number in SQL.
const SCALES: [&str; 14] =
    ["million", "billion", "thousand", "percent", "k", "m", "bn", "st", "nd", "rd", "th", "am", "pm", "pct"];

/// First letters of the names of months.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns the plain numbers of a question. Excludes numbers that SQL may write differently: 1.5 million, 20%, 9/11, 3
/// May.
pub(crate) fn plain_numbers(question: &str) -> Vec<String> {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    let number = NUMBER.get_or_init(|| Regex::new(r"\d[\d,]*(?:\.\d+)?").expect("regex"));
    let joined = |c: Option<char>| c.is_some_and(|c| matches!(c, '/' | ':' | '%'));
    let month = |word: &str| MONTHS.iter().any(|month| word.to_lowercase().starts_with(month));
    let mut found: Vec<String> = Vec::new();
    for hit in number.find_iter(question) {
        let (before, after) = (&question[..hit.start()], &question[hit.end()..]);
        let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let previous = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        // A part of a name such as `F16` is not a number; letters of other scripts may touch a number.
        if before.chars().next_back().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '.') {
            continue;
        }
        // "Title 1", "Platform 9": the number belongs to the name before it.
        let word_at = before.trim_end().len() - previous.len();
        let named =
            word_at > 0 && previous.starts_with(char::is_uppercase) && !month(previous) && before.ends_with(' ');
        let digits = hit.as_str().trim_end_matches(',').replace(',', "");
        let day = digits.len() <= 2 && (month(next) || month(previous));
        let scaled = SCALES.contains(&next.to_lowercase().as_str());
        let part = joined(before.chars().next_back()) || joined(after.chars().next());
        if !day && !scaled && !part && !named && !found.contains(&digits) {
            found.push(digits);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with as with_tables, typed_table};
    use vitrine_domain::Dialect;

    fn test_catalog() -> Catalog {
        with_tables(Dialect::Sqlite, vec![typed_table("t", &[("id", "INTEGER"), ("Name", "TEXT")], &[], &[])])
    }

    #[test]
    fn what_is_denied_is_told_from_what_is_not_such() {
        let before = |question: &str| find_negation(question).map(|at| question[..at.start].trim().to_owned());
        assert_eq!(before("Which customers don't have a card?").as_deref(), Some("Which customers"));
        assert_eq!(before("Channels that are not playing any cartoon").as_deref(), Some("Channels that are"));
        assert_eq!(before("Stores with no visit").as_deref(), Some("Stores with"));
        assert_eq!(before("Stores without visits that never closed").as_deref(), Some("Stores"));
        for question in [
            "Orders that are not cancelled",
            "Stores with no more than 5 visits",
            "A note on notes",
            "Which cars have No Colour?",
        ] {
            assert_eq!(before(question), None, "{question}");
        }
    }

    #[test]
    fn sql_denies_in_many_ways() {
        for sql in [
            "a <> 1",
            "NOT EXISTS (SELECT 1)",
            "x EXCEPT y",
            "b IS NULL",
            "n = 0",
            "COALESCE(n, 0)",
            "CASE WHEN b THEN 1 ELSE 0 END",
            "paid = 'n'",
            "n < 1",
        ] {
            assert!(contains_negation(sql), "{sql}");
        }
        for sql in ["status = 'cancelled'", "name = 'nothing' AND n = 10"] {
            assert!(!contains_negation(sql), "{sql}");
        }
    }

    #[test]
    fn tables_are_named_in_the_singular_or_the_plural() {
        let mut catalog = test_catalog();
        catalog.tables[0].name = TableName::from_unqualified("country");
        catalog.tables.push(Table { name: TableName::from_unqualified("StoreVisits"), ..catalog.tables[0].clone() });
        let said = QuestionFacts::from_question("Which countries do not have a store visit?", &catalog);
        assert_eq!(said.denied, Some(vec![TableName::from_unqualified("country")]));
        assert!(said.counted.is_empty());
        catalog.tables.push(Table { name: TableName::from_unqualified("has_card"), ..catalog.tables[0].clone() });
        let denied = QuestionFacts::from_question("Who has a pet but does not have a card?", &catalog).denied;
        assert_eq!(denied, Some(Vec::new()), "what only links says nothing");
        let said = QuestionFacts::from_question("How many different countries have a store visit?", &catalog);
        assert_eq!(said.counted, [TableName::from_unqualified("country")]);
    }

    #[test]
    fn what_is_english_is_told_by_the_words_that_hold_a_sentence() {
        for question in
            ["Which 5 products brought the most revenue?", "How many customers live in München?", "List all stores"]
        {
            assert!(is_english(question), "{question}");
        }
        for question in [
            "Wie viele Kunden gibt es in München?",
            "Welche Kunden haben keine Bestellung?",
            "¿Cuántos clientes no tienen pedidos?",
            "在2023年有多少订单?",
            "",
        ] {
            assert!(!is_english(question), "{question}");
            assert_eq!(QuestionFacts::from_question(question, &test_catalog()).denied, None, "{question}");
        }
    }

    #[test]
    fn numbers_are_seen_in_every_script_and_not_in_names() {
        assert_eq!(plain_numbers("Top 5 in 2023 over 1,500.50, in the 1980s?"), ["5", "2023", "1500.50", "1980"]);
        assert_eq!(plain_numbers("在2023年有多少订单超过500元?"), ["2023", "500"]);
        assert_eq!(plain_numbers("1.5 million, 20%, 3rd, 9/11, F16, 3 May, June 4"), [] as [&str; 0]);
        assert_eq!(plain_numbers("Which schools get Title 1 money in 2023?"), ["2023"]);
    }
}
