//! Selects the definitions that a question uses.

use crate::text::{LONGEST_MEANING, LONGEST_TEXT, to_single_line, truncate_text};
use vitrine_domain::{Definition, DefinitionSource, Definitions};

/// Maximum number of definitions for one question, and of their characters.
const MOST: usize = 24;
const LETTERS: usize = 4_000;
/// Maximum length of endings in which two forms of a word differ, and minimum length of their common prefix.
const ENDING: usize = 3;
const COMMON: usize = 4;

/// Returns the knowledge for a question: the connection's text, definitions that the question uses, and finally the
/// user's text for this question. Content of the user's text is not repeated. Returns `None` if there is nothing;
/// without definitions, the user's own text is returned unchanged.
pub fn collect_knowledge(known: &Definitions, question: &str, own: Option<&str>) -> Option<String> {
    let said = own.unwrap_or_default();
    let words = QuestionWords::from_text(&format!("{question}\n{said}"));
    let mut parts: Vec<String> = Vec::new();
    let text = known.text.trim();
    if !text.is_empty() && !said.contains(text) {
        parts.push(truncate_text(text, LONGEST_TEXT));
    }
    let mut letters = 0;
    let mut taken = 0;
    for entry in find_used_definitions(known, &words) {
        let line = format_definition(entry);
        letters += line.chars().count();
        if taken == MOST || letters > LETTERS {
            break;
        }
        if !said.lines().any(|own| own.trim() == line) && !parts.contains(&line) {
            parts.push(line);
            taken += 1;
        }
    }
    if parts.is_empty() {
        return own.map(str::to_owned);
    }
    parts.extend(own.filter(|own| !own.trim().is_empty()).map(str::to_owned));
    Some(parts.join("\n"))
}

/// Returns true if the user wrote a definition that a question uses, or if the connection's text names one of the terms
/// that the question also names. Imported descriptions do not count.
pub fn defines_words_of(known: &Definitions, question: &str, terms: &[&str]) -> bool {
    let words = QuestionWords::from_text(question);
    let text = QuestionWords::from_text(&known.text);
    find_used_definitions(known, &words).any(|entry| entry.source == DefinitionSource::User)
        || terms.iter().any(|term| words.contains_term(term) && text.contains_term(term))
}

/// Returns matching definitions, the user's own first. Definitions that always apply are excluded, since they are added
/// to each query automatically.
fn find_used_definitions<'d>(known: &'d Definitions, words: &QuestionWords) -> impl Iterator<Item = &'d Definition> {
    let uses =
        |entry: &&Definition| std::iter::once(&entry.term).chain(&entry.synonyms).any(|term| words.contains_term(term));
    let mut found: Vec<&Definition> = known.entries.iter().filter(|entry| !entry.always).filter(uses).collect();
    found.sort_by_key(|entry| match entry.source {
        DefinitionSource::User => 0,
        DefinitionSource::Dbt => 1,
        DefinitionSource::Comment => 2,
    });
    found.into_iter()
}

fn format_definition(entry: &Definition) -> String {
    let mut text = to_single_line(&entry.term, 80);
    if !entry.synonyms.is_empty() {
        text.push_str(&format!(" (also: {})", to_single_line(&entry.synonyms.join(", "), 200)));
    }
    if let Some(subject) = &entry.subject {
        text.push_str(&format!(" [{}]", to_single_line(subject, 160)));
    }
    if !entry.meaning.is_empty() {
        text.push_str(&format!(": {}", to_single_line(&entry.meaning, LONGEST_MEANING)));
    }
    if let Some(condition) = &entry.condition {
        text.push_str(&format!("; in SQL: {}", to_single_line(condition, LONGEST_MEANING)));
    }
    text
}

/// The words of a question, and its letters without separators for languages that are written without blanks.
struct QuestionWords {
    words: Vec<String>,
    letters: String,
}

impl QuestionWords {
    fn from_text(text: &str) -> Self {
        let words = split_words(text);
        Self { letters: words.concat(), words }
    }

    /// Returns true if each word of a term occurs, possibly with another ending.
    fn contains_term(&self, term: &str) -> bool {
        let term = split_words(term);
        if term.is_empty() {
            return false;
        }
        if term.iter().all(|word| word.chars().all(written_without_blanks)) {
            return self.letters.contains(&term.concat());
        }
        term.iter().all(|word| self.words.iter().any(|other| differ_only_in_ending(word, other)))
    }
}

fn split_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns true for scripts without blanks between words: Han, Kana, Thai, Lao, Khmer, Burmese.
fn written_without_blanks(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns true if two words differ only in their endings.
fn differ_only_in_ending(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (long, other) = (a.chars().count(), b.chars().count());
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    common >= COMMON
        && long - common <= ENDING
        && other - common <= ENDING
        && (long - common) + (other - common) <= ENDING
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_definition(term: &str, synonyms: &[&str], meaning: &str) -> Definition {
        Definition {
            term: term.to_owned(),
            synonyms: synonyms.iter().map(|word| (*word).to_owned()).collect(),
            meaning: meaning.to_owned(),
            condition: None,
            always: false,
            subject: None,
            source: DefinitionSource::User,
        }
    }

    fn build_definitions(entries: Vec<Definition>) -> Definitions {
        Definitions { text: String::new(), entries }
    }

    #[test]
    fn without_definitions_a_question_keeps_its_own_text_to_the_letter() {
        let nothing = Definitions::default();
        assert_eq!(collect_knowledge(&nothing, "How many?", None), None);
        assert_eq!(collect_knowledge(&nothing, "How many?", Some(" as \n typed ")).as_deref(), Some(" as \n typed "));
        let unused = build_definitions(vec![build_definition("churn", &[], "who left")]);
        assert_eq!(collect_knowledge(&unused, "How many orders?", Some(" own ")).as_deref(), Some(" own "));
    }

    #[test]
    fn a_definition_is_used_by_its_term_or_a_synonym_in_any_language() {
        let known = build_definitions(vec![
            build_definition("active customer", &["aktive Kunden", "顧客"], "ordered this year"),
            build_definition("GMV", &[], "all orders"),
        ]);
        let uses = |question: &str| collect_knowledge(&known, question, None).unwrap_or_default();
        assert_eq!(
            uses("How many customers are active?"),
            "active customer (also: aktive Kunden, 顧客): ordered this year"
        );
        assert!(uses("Wie viele aktive Kunde gibt es?").contains("this year"));
        assert!(uses("去年の顧客は何人ですか").contains("this year"));
        assert!(uses("gmv by month").contains("all orders"));
        for other in ["How many customers?", "GMVs", "What is the actual customer?"] {
            assert_eq!(uses(other), "", "{other}");
        }
    }

    #[test]
    fn only_the_users_own_words_define_a_question() {
        let mut known = build_definitions(vec![build_definition("revenue", &["Umsatz"], "with tax")]);
        let terms = ["revenue", "orders", "Umsatz"];
        assert!(defines_words_of(&known, "Umsatz 2024", &terms));
        assert!(!defines_words_of(&known, "orders by month", &terms));
        known.entries[0].source = DefinitionSource::Comment;
        assert!(!defines_words_of(&known, "Umsatz 2024", &terms));
        known.entries[0] = Definition { always: true, ..build_definition("revenue", &[], "with tax") };
        assert!(!defines_words_of(&known, "revenue by month", &terms), "it is added to every query");
        known.text = "Orders of employees do not count. The year begins in April.".to_owned();
        assert!(defines_words_of(&known, "orders by month", &terms));
        assert!(!defines_words_of(&known, "revenue by year", &terms));
    }

    #[test]
    fn what_is_told_is_bounded_and_said_once() {
        let mut many: Vec<Definition> =
            (0..500).map(|n| build_definition("orders", &[], &format!("rule {n} {}", "x".repeat(300)))).collect();
        many[0].meaning = "line\nbreak \u{1b}[2J".to_owned();
        let mut known = build_definitions(many);
        known.text = "t".repeat(9_000);
        let told = collect_knowledge(&known, "How many orders?", None).unwrap();
        assert!(told.chars().count() < LONGEST_TEXT + LETTERS + 100 && told.lines().count() < 30);
        assert!(told.contains("line break [2J"));
        let again = collect_knowledge(&known, "How many orders?", Some(&told)).unwrap();
        let lines = |text: &str| text.lines().filter(|line| line.contains("rule 5 ")).count();
        assert_eq!((lines(&told), lines(&again)), (1, 1), "a question that is asked again is told the same");
    }

    #[test]
    fn the_condition_and_the_column_stand_beside_the_meaning() {
        let mut entry = build_definition("net", &[], "without tax");
        entry.condition = Some("total - tax".to_owned());
        entry.subject = Some("orders.net".to_owned());
        let told = collect_knowledge(&build_definitions(vec![entry]), "net by year", Some("own")).unwrap();
        assert_eq!(told, "net [orders.net]: without tax; in SQL: total - tax\nown");
    }
}
