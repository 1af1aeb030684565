//! Compares the question with the query: words that the query covers, items of the question that it does not use, and
//! conditions that no word mentions. Only names, numbers, quotes and stored values are compared, so no language is
//! assumed. The result is shown without a judgement.

use crate::known::Known;
use std::ops::Range;
use vitrine_domain::{Catalog, QuestionMatch, QuestionPart, UsedTable, ValueMatch};
use vitrine_sql::{ReadOnlySql, collect_query_constants, is_limited, is_restated, parse_number_word};
use vitrine_sql_steps::{Expression, StepKind, Steps, constants_of, describe_sql};
use vitrine_words::tr;

/// Minimum length of a word that can have other forms.
const STEM: usize = 4;
/// Numbers that are often implicit: a half, twice, in percent.
const PLAIN: [&str; 5] = ["0", "1", "2", "0.5", "100"];
/// Maximum number of letters by which one form of a word may be longer than another.
const ENDING: usize = 2;

/// Words that exclude the name after them, in the languages of the interface and their neighbours.
const EXCLUDING: [&str; 21] = [
    "without",
    "excluding",
    "except",
    "excl",
    "ohne",
    "außer",
    "ausgenommen",
    "abzüglich",
    "sans",
    "hors",
    "sauf",
    "hormis",
    "sin",
    "excepto",
    "salvo",
    "senza",
    "escluso",
    "sem",
    "exceto",
    "zonder",
    "behalve",
];
/// Maximum distance of such a word from the name, in words: "without the freight".
const EXCLUDING_DISTANCE: usize = 2;

/// Compares the question with the query; `None` without a question.
pub(crate) fn compare_question(
    sql: &ReadOnlySql,
    steps: Option<&Steps>,
    known: Known<'_>,
    catalog: &Catalog,
    used: &[UsedTable],
) -> Option<QuestionMatch> {
    let text = known.question.map(str::trim).filter(|text| !text.is_empty())?;
    let (values, wanted) = (known.values, known.wanted);
    let knowledge = known.knowledge.unwrap_or_default();
    let (words, constants, is_limited, sql) =
        (split_words(text), collect_query_constants(sql), is_limited(sql), sql.as_str());
    let beside = Beside { text, knowledge, sql, is_limited, words, constants, values, wanted, used, catalog };
    let answers = beside.word_answers();
    Some(QuestionMatch {
        unanswered: beside.list_unanswered(&answers),
        unsaid: steps.map(|steps| beside.list_unmentioned(steps)).unwrap_or_default(),
        parts: beside.question_parts(answers),
    })
}

/// A word of a text: its position, and its letters in lower case.
struct TextWord {
    at: Range<usize>,
    text: String,
}

struct Beside<'a> {
    text: &'a str,
    knowledge: &'a str,
    sql: &'a str,
    is_limited: bool,
    words: Vec<TextWord>,
    /// Constants of the query, including limits.
    constants: Vec<String>,
    values: &'a [ValueMatch],
    wanted: &'a [(String, String)],
    used: &'a [UsedTable],
    catalog: &'a Catalog,
}

impl Beside<'_> {
    /// Returns for each word the part of the query that covers it.
    fn word_answers(&self) -> Vec<Option<String>> {
        let mut answers: Vec<Option<String>> = vec![None; self.words.len()];
        for constant in self.constants.iter().filter(|constant| !constant.is_empty()) {
            self.word_positions(constant).into_iter().for_each(|at| answers[at] = Some(constant.clone()));
        }
        for found in self.values.iter().filter(|found| self.has_constant(&found.value)) {
            self.word_positions(&found.literal).into_iter().for_each(|at| answers[at] = Some(found.value.clone()));
        }
        for (answer, word) in answers.iter_mut().zip(&self.words).filter(|(answer, _)| answer.is_none()) {
            *answer = self.constant_with(&word.text).or_else(|| self.used_name(&word.text));
        }
        answers
    }

    /// Returns the indices of the words at which a text occurs.
    fn word_positions(&self, text: &str) -> Vec<usize> {
        let wanted: Vec<String> = split_words(text).into_iter().map(|word| word.text).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let starts = self.words.windows(wanted.len()).enumerate().filter(|(_, window)| is_run(window, &wanted));
        starts.flat_map(|(start, _)| start..start + wanted.len()).collect()
    }

    /// Returns true if the words of a value are in a constant of the query. Scripts without spaces are compared by letters.
    fn has_constant(&self, value: &str) -> bool {
        let wanted: Vec<String> = split_words(value).into_iter().map(|word| word.text).collect();
        if wanted.is_empty() || !value.is_ascii() {
            let value = value.to_lowercase();
            return self.constants.iter().any(|constant| constant.to_lowercase().contains(&value));
        }
        let contains_run =
            |constant: &String| split_words(constant).windows(wanted.len()).any(|run| is_run(run, &wanted));
        self.constants.iter().any(contains_run)
    }

    /// Returns a constant that contains a word, such as the year of a date or a part of a name.
    fn constant_with(&self, word: &str) -> Option<String> {
        let number = plain_number(word);
        let is_part = |part: &TextWord| match &number {
            Some(number) => plain_number(&part.text).as_ref() == Some(number),
            None => is_form(&part.text, word),
        };
        self.constants.iter().find(|constant| split_words(constant).iter().any(is_part)).cloned()
    }

    /// Returns a used table or column that a word names, by its whole name or by a part of it.
    fn used_name(&self, word: &str) -> Option<String> {
        let whole = |name: &str| matches!(split_words(name).as_slice(), [only] if is_form(&only.text, word));
        let part = |name: &str| split_words(name).iter().any(|part| is_form(&part.text, word));
        self.used_table(whole)
            .or_else(|| self.used_column(whole))
            .or_else(|| self.used_column(part))
            .or_else(|| self.used_table(part))
    }

    fn used_table(&self, names: impl Fn(&str) -> bool) -> Option<String> {
        self.used.iter().find(|table| names(&table.table)).map(|table| table.table.clone())
    }

    fn used_column(&self, names: impl Fn(&str) -> bool) -> Option<String> {
        let columns = self.used.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column)));
        let (table, column) = columns.into_iter().find(|(_, column)| names(&column.column))?;
        Some(format!("{}.{}", table.table, column.column))
    }

    fn question_parts(&self, answers: Vec<Option<String>>) -> Vec<QuestionPart> {
        let mut parts: Vec<QuestionPart> = Vec::new();
        let mut end = 0;
        for (word, answer) in self.words.iter().zip(answers) {
            let between = &self.text[end..word.at.start];
            let said = &self.text[word.at.clone()];
            end = word.at.end;
            match parts.last_mut() {
                // Adjacent words covered by the same part are joined.
                Some(last) if last.answered_by == answer => last.text.push_str(&format!("{between}{said}")),
                last => {
                    match last {
                        Some(last) if last.answered_by.is_none() => last.text.push_str(between),
                        _ if between.is_empty() => {}
                        _ => parts.push(QuestionPart { text: between.to_owned(), answered_by: None }),
                    }
                    match parts.last_mut() {
                        Some(last) if last.answered_by == answer => last.text.push_str(said),
                        _ => parts.push(QuestionPart { text: said.to_owned(), answered_by: answer }),
                    }
                }
            }
        }
        match (&self.text[end..], parts.last_mut()) {
            ("", _) => {}
            (rest, Some(last)) if last.answered_by.is_none() => last.text.push_str(rest),
            (rest, _) => parts.push(QuestionPart { text: rest.to_owned(), answered_by: None }),
        }
        parts
    }

    /// Lists items that the question names and the query does not use.
    fn list_unanswered(&self, answers: &[Option<String>]) -> Vec<String> {
        let open = |at: usize| answers[at].is_none();
        let mut told: Vec<String> = Vec::new();
        let mut tell = |text: String| {
            if !told.contains(&text) {
                told.push(text);
            }
        };
        for (at, word) in self.words.iter().enumerate().filter(|(at, _)| open(*at)) {
            let number = plain_number(&word.text);
            if number.is_some_and(|number| !self.is_restated(&number)) {
                let number = &self.text[self.words[at].at.clone()];
                tell(tr!("The number {number} is not in the query", number));
            }
        }
        // Punctuation may be inside of the quotation marks: the song "Love," is Love.
        const SIGNS: [char; 13] = [',', '.', ';', ':', '!', '?', '，', '。', '；', '：', '！', '？', '、'];
        let bare = |quoted: &str| quoted.trim_end_matches(SIGNS).to_owned();
        let looks_for = |quoted: &str| self.has_constant(quoted) || self.has_constant(&bare(quoted));
        for quoted in extract_quotes(self.text).into_iter().filter(|quoted| !looks_for(quoted)) {
            tell(tr!("“{text}” is not in the query", text = quoted));
        }
        // A question without upper-case letters also writes names in lower case.
        let writes_small = !self.text.chars().skip(1).any(char::is_uppercase);
        for found in self.values {
            let places = self.word_positions(&found.literal);
            let same = found.literal.to_lowercase() == found.value.to_lowercase();
            // A lower-case word is a common word, even if the code AND or the city Independence is stored.
            let named = writes_small || found.literal == found.value || found.literal.chars().any(char::is_uppercase);
            if same && named && !places.is_empty() && places.iter().all(|at| open(*at)) {
                let column = format!("{}.{}", found.table, found.column);
                tell(tr!(
                    "“{value}” is a value of {column}, which the query does not look for",
                    value = found.value,
                    column
                ));
            }
        }
        for table in &self.catalog.tables {
            for column in &table.columns {
                let places = self.word_positions(&column.name);
                if !places.is_empty() && places.iter().all(|at| open(*at) && !self.is_excluded(*at)) {
                    let column = format!("{}.{}", table.name, column.name);
                    tell(tr!("The query does not use {column}", column));
                }
            }
        }
        told
    }

    /// Returns true if the words before a name exclude it: "revenue without freight".
    fn is_excluded(&self, at: usize) -> bool {
        self.words[at.saturating_sub(EXCLUDING_DISTANCE)..at].iter().any(|word| EXCLUDING.contains(&word.text.as_str()))
    }

    /// Lists conditions whose value and column no word mentions.
    fn list_unmentioned(&self, steps: &Steps) -> Vec<String> {
        let dialect = self.catalog.dialect;
        let mut told: Vec<String> = Vec::new();
        for condition in steps.steps().iter().flat_map(|step| step_conditions(&step.kind)) {
            let values = constants_of(&condition.text, dialect);
            let columns = condition.columns.iter().map(|origin| origin.column.as_str());
            let said = values.iter().any(|value| self.says_value(value) || self.says_end(&condition.text, value))
                || columns.into_iter().any(|c| self.mentions_name(c));
            let said = said || self.is_wanted(condition, &values) || self.is_guard(condition, &values);
            let said = said || self.is_first_place(condition, &values) || self.mentions_computed(condition, &values);
            // Comparisons with a subquery's result or a common multiple of it; conditions of the subquery are checked
            // separately.
            let said = said || has_query(&condition.text) && values.iter().all(|value| PLAIN.contains(&value.as_str()));
            let text = describe_sql(&condition.text, dialect);
            if !said && !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }

    /// Returns true if a condition only excludes rows for which a value cannot be computed: NULL or zero of a column
    /// that the query divides by, or NULL of a column that a limited result is sorted by.
    fn is_guard(&self, condition: &Expression, values: &[String]) -> bool {
        let text = condition.text.to_uppercase();
        let (filled, not_zero) = match values {
            [] => (text.ends_with(" IS NOT NULL"), false),
            [zero] => (false, zero == "0" && ["<>", "!="].iter().any(|sign| text.contains(sign))),
            _ => return false,
        };
        let [origin] = condition.columns.as_slice() else { return false };
        // An unlimited list would lose the rows that it sorts last.
        let sorts = self.is_limited && sorts_by(self.sql, &origin.column);
        filled && sorts || (filled || not_zero) && divides_by(self.sql, &origin.column)
    }

    /// Returns true if a condition keeps the first place of a ranking, which questions express by a superlative.
    fn is_first_place(&self, condition: &Expression, values: &[String]) -> bool {
        let sql = self.sql.to_uppercase();
        let ranks = ["ROW_NUMBER(", "RANK("].iter().any(|function| sql.contains(function));
        ranks && condition.columns.is_empty() && values == ["1"]
    }

    /// Returns true if the question mentions the name of a computed column that a condition without constants compares.
    fn mentions_computed(&self, condition: &Expression, values: &[String]) -> bool {
        const SQL_WORDS: [&str; 12] =
            ["and", "or", "not", "is", "null", "in", "between", "like", "case", "when", "then", "end"];
        let names = || split_words(&condition.text).into_iter().filter(|word| !SQL_WORDS.contains(&word.text.as_str()));
        condition.columns.is_empty()
            && values.is_empty()
            && names().any(|name| self.words.iter().any(|word| is_form(&name.text, &word.text)))
    }

    /// Returns true if the knowledge expresses a number of the question in another way that the query uses.
    fn is_restated(&self, number: &str) -> bool {
        let numbers = |text: &str| split_words(text).iter().filter_map(|word| plain_number(&word.text)).collect();
        is_restated(number, self.knowledge, numbers, |other| self.constant_with(other).is_some())
    }

    /// Returns true if a condition has the columns and values of one that the user always applies.
    fn is_wanted(&self, condition: &Expression, values: &[String]) -> bool {
        self.wanted.iter().any(|(table, wanted)| {
            let names = split_words(wanted);
            let is_named =
                |column: &str| split_words(column).iter().all(|word| names.iter().any(|name| name.text == word.text));
            !condition.columns.is_empty()
                && condition.columns.iter().all(|origin| origin.table == *table && is_named(&origin.column))
                && constants_of(wanted, self.catalog.dialect) == values
        })
    }

    /// Returns true if the question mentions a year whose end is a condition's bound: "in 2024" for a condition before
    /// `2025-01-01`.
    fn says_end(&self, condition: &str, value: &str) -> bool {
        let year = year_before(value).filter(|_| condition.contains('<'));
        year.is_some_and(|year| self.words.iter().any(|word| word.text == year))
    }

    fn says_value(&self, value: &str) -> bool {
        let parts = split_words(value);
        let of_value = |found: &&ValueMatch| found.value.to_lowercase() == value.to_lowercase();
        parts.iter().any(|part| match plain_number(&part.text) {
            Some(number) => self.words.iter().any(|word| spoken_number(&word.text).as_ref() == Some(&number)),
            None => self.mentions_name(&part.text),
        }) || self.values.iter().filter(of_value).any(|found| !self.word_positions(&found.literal).is_empty())
            || contains_apart(&self.text.to_lowercase(), &value.to_lowercase())
    }

    fn mentions_name(&self, name: &str) -> bool {
        split_words(name).iter().any(|part| self.words.iter().any(|word| is_form(&part.text, &word.text)))
    }
}

/// Returns true if a condition compares with the result of a subquery that is a separate step. A correlated subquery
/// keeps its conditions in this text.
fn has_query(condition: &str) -> bool {
    let text = condition.to_uppercase();
    text.contains("(SELECT ") && ![" WHERE ", " ON "].iter().any(|word| text.contains(word))
}

/// Returns the column that a text begins with, after parentheses, functions and qualifiers: `GNP` of `NULLIF(c.GNP,
/// 0)`.
fn leading_column(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '`');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    match text[end..].starts_with('(') && end > 0 {
        true => leading_column(&text[end..]),
        false => text[..end].rsplit('.').next().unwrap_or_default().trim_matches(['"', '`']),
    }
}

/// Returns true if a query divides by a column.
fn divides_by(sql: &str, column: &str) -> bool {
    sql.split('/').skip(1).any(|divisor| leading_column(divisor).eq_ignore_ascii_case(column))
}

/// Returns true if a query sorts by a column or by an expression that begins with it.
fn sorts_by(sql: &str, column: &str) -> bool {
    let flat = sql.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    flat.split("ORDER BY ").skip(1).any(|keys| leading_column(keys).eq_ignore_ascii_case(column))
}

/// Returns the year that ends at a date: 2024 for `2025-01-01`.
fn year_before(value: &str) -> Option<String> {
    let (year, rest) = value.split_at_checked(4)?;
    rest.starts_with("-01-01").then(|| year.parse::<u32>().ok()?.checked_sub(1)).flatten().map(|year| year.to_string())
}

/// Returns the conditions on rows and groups.
fn step_conditions(kind: &StepKind) -> &[Expression] {
    match kind {
        StepKind::Table { filters: conditions, .. }
        | StepKind::Filter { conditions }
        | StepKind::Having { conditions } => conditions,
        _ => &[],
    }
}

/// Splits a text or a name into words: letters and digits, split where a name changes from lower to upper case.
fn split_words(text: &str) -> Vec<TextWord> {
    let mut words: Vec<TextWord> = Vec::new();
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        let goes_on = words.last().is_some_and(|word| word.at.end == at);
        let cut = before.is_lowercase() && letter.is_uppercase() || before.is_numeric() != letter.is_numeric();
        // 1,200 and 2.5 are one number.
        let inside = matches!(letter, '.' | ',') && before.is_numeric();
        let inside = inside && text[end..].chars().next().is_some_and(char::is_numeric);
        if letter.is_alphanumeric() || inside {
            let joins = goes_on && (!cut || inside || matches!(before, '.' | ','));
            match words.last_mut().filter(|_| joins) {
                Some(word) => {
                    word.at.end = end;
                    word.text.extend(letter.to_lowercase());
                }
                None => words.push(TextWord { at: at..end, text: letter.to_lowercase().collect() }),
            }
        }
        before = letter;
    }
    words
}

/// Returns true if words of a text are the wanted ones, in order.
fn is_run(words: &[TextWord], wanted: &[String]) -> bool {
    words.iter().zip(wanted).all(|(word, wanted)| word.text == *wanted)
}

/// Returns true if a text contains a value outside of longer Latin words and numbers. Other scripts may touch it.
fn contains_apart(text: &str, value: &str) -> bool {
    let is_apart = |neighbour: Option<char>| neighbour.is_none_or(|c| !c.is_ascii_alphanumeric());
    !value.trim().is_empty()
        && text.match_indices(value).any(|(at, _)| {
            is_apart(text[..at].chars().next_back()) && is_apart(text[at + value.len()..].chars().next())
        })
}

/// Returns the number that a word of a question stands for, in digits or in letters.
fn spoken_number(word: &str) -> Option<String> {
    plain_number(word).or_else(|| parse_number_word(word).map(|number| number.to_string()))
}

/// Normalizes a number: removes thousands separators and redundant zeros, and writes the decimal separator as a point.
fn plain_number(word: &str) -> Option<String> {
    if !word.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (whole, fraction) = split_number(word);
    let whole = whole.replace([',', '.'], "");
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// Splits a number at its decimal separator. A separator before three digits is a thousands separator, unless another kind precedes it, or
/// a zero or more than three digits stand before it.
fn split_number(word: &str) -> (&str, &str) {
    let Some(at) = word.rfind([',', '.']) else { return (word, "") };
    let (whole, fraction) = (&word[..at], &word[at + 1..]);
    let separator = word.as_bytes()[at] as char;
    let is_mixed = whole.contains([',', '.']) && !whole.contains(separator);
    let is_first = !whole.contains([',', '.']);
    let is_grouped = fraction.len() == 3 && !is_mixed && !(is_first && (whole == "0" || whole.len() > 3));
    if is_grouped || whole.contains(separator) { (word, "") } else { (whole, fraction) }
}

/// Returns true if two words are forms of one: equal, or one is slightly longer at its end, such as `order` and
/// `orders`, or `city` and `cities`.
fn is_form(one: &str, other: &str) -> bool {
    let length = |text: &str| text.chars().count();
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (short, long) = (length(one).min(length(other)), length(one).max(length(other)));
    let goes_on = shared == short && short >= STEM - 1 && long - short <= if short >= STEM { ENDING } else { 1 };
    let changes = shared >= STEM - 1 && shared + 1 == short && long == short + ENDING;
    one == other || goes_on || changes
}

/// Returns the texts in quotation marks.
fn extract_quotes(text: &str) -> Vec<String> {
    let pairs = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')];
    let mut found = Vec::new();
    for (open, close) in pairs {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, after)) = after.split_once(close) else { break };
            if !inside.trim().is_empty() {
                found.push(inside.trim().to_owned());
            }
            rest = after;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word_texts(text: &str) -> Vec<String> {
        split_words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_cut_as_a_reader_would() {
        assert_eq!(word_texts("orderDate_2 of 1,200 shops"), ["order", "date", "2", "of", "1,200", "shops"]);
        assert_eq!(word_texts("Größe 2.5, Maß."), ["größe", "2.5", "maß"]);
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        let same = [
            ("1,200", "1200"),
            ("1.200", "1200"),
            ("2,50", "2.5"),
            ("007", "7"),
            ("0.5", "0,5"),
            ("1,200.50", "1200.5"),
            ("1.200,50", "1200.5"),
            ("1,234,567.125", "1234567.125"),
            ("0.125", "0,1250"),
            ("1,200,300", "1200300"),
        ];
        for (one, other) in same {
            assert_eq!(plain_number(one), plain_number(other), "{one} {other}");
        }
        assert_ne!(plain_number("0.125"), plain_number("125"));
        assert_ne!(plain_number("12"), plain_number("120"));
        assert_eq!(plain_number("q4"), None);
    }

    #[test]
    fn forms_of_a_word_are_alike_and_other_words_are_not() {
        for (one, other) in
            [("order", "orders"), ("category", "categories"), ("city", "cities"), ("bestellung", "bestellungen")]
        {
            assert!(is_form(one, other), "{one} {other}");
        }
        for (one, other) in [("state", "status"), ("country", "county"), ("age", "average"), ("name", "number")] {
            assert!(!is_form(one, other), "{one} {other}");
        }
    }
}
