//! Compares names of columns and tables: `orders.customer_id` names the table `customers`.
//!
//! Names alone never make a key. They are compared word by word, so that most rules hold in any language; English
//! plurals and words such as `id` only add to them.

use crate::names::split_words;

/// Words at the end of a name that mark a key without describing it.
const KEY_WORDS: [&str; 15] =
    ["id", "ids", "key", "pk", "fk", "code", "cd", "no", "nr", "num", "number", "ref", "uuid", "guid", "hash"];
/// Key words that are recognized without a separator: `stuid`, `pnumber`.
const KEY_ENDINGS: [&str; 4] = ["id", "number", "code", "key"];
/// Words that mark a key and also describe it.
const KINDS_OF_KEYS: [&str; 8] = ["uid", "uin", "ssn", "isbn", "ean", "sku", "iban", "barcode"];
/// Words of references to rows of the same table.
const SELF_WORDS: [&str; 14] = [
    "parent",
    "manager",
    "supervisor",
    "superior",
    "boss",
    "mentor",
    "leader",
    "predecessor",
    "previous",
    "prev",
    "report",
    "reply",
    "root",
    "prereq",
];
/// Minimum length of an abbreviation.
const SHORTEST_ABBREVIATION: usize = 3;

/// The words of a name in singular form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    words: Vec<String>,
    /// Number of words before the key words.
    stem: usize,
    plural: bool,
}

impl Name {
    /// Parses a column's name; `stuid` is split like `stu_id`.
    pub(super) fn of_column(name: &str) -> Self {
        let mut words = split_words(name);
        // `club_id_2` is one of several references to a club.
        while words.len() > 1 && words.last().is_some_and(|last| last.chars().all(char::is_numeric)) {
            words.pop();
        }
        let mut stem = words.len();
        while stem > 0 && KEY_WORDS.contains(&words[stem - 1].as_str()) {
            stem -= 1;
        }
        if stem == words.len()
            && let Some(last) = words.pop()
        {
            let ending = KEY_ENDINGS.iter().find(|ending| last.len() > ending.len() && last.ends_with(**ending));
            let (head, tail) = last.split_at(last.len() - ending.map_or(0, |ending| ending.len()));
            words.extend([head, tail].into_iter().filter(|word| !word.is_empty()).map(str::to_owned));
            stem = words.len() - usize::from(!tail.is_empty());
        }
        let plural = words.last().is_some_and(|last| last.ends_with('s') && !to_singular(last).ends_with('s'));
        for word in &mut words[..stem] {
            *word = to_singular(word);
        }
        Self { words, stem, plural }
    }

    /// Parses a table's name, with its words in singular form.
    pub(super) fn of_table(name: &str) -> Self {
        let words: Vec<String> = split_words(name).iter().map(|word| to_singular(word)).collect();
        Self { stem: words.len(), words, plural: false }
    }

    /// Returns true if the name ends with key words.
    pub(super) fn says_key(&self) -> bool {
        let last = self.words.last().map(String::as_str).unwrap_or_default();
        self.stem < self.words.len() || KINDS_OF_KEYS.contains(&last)
    }

    /// Returns true if the name consists of key words only: `id`, `code`.
    pub(super) fn is_bare(&self) -> bool {
        self.stem == 0
    }

    /// Returns true if a word describes a relation between rows of one table.
    pub(super) fn says_self(&self) -> bool {
        self.words.iter().any(|word| SELF_WORDS.contains(&word.as_str()))
    }

    /// Returns true if the name is a plural and no key, such as the count `home_games`.
    pub(super) fn is_plural(&self) -> bool {
        self.plural && !self.says_key()
    }

    /// Returns the number of words that two names share.
    pub(super) fn count_shared_words(&self, other: &Name) -> usize {
        self.words.iter().filter(|word| other.words.contains(word)).count()
    }

    /// Returns the whole name as one word.
    pub(super) fn join_words(&self) -> String {
        self.words.concat()
    }

    /// Returns all suffixes of the name, longest first, each as one word. They are what remains without a role before a
    /// key's name.
    pub(super) fn word_suffixes(&self) -> impl Iterator<Item = String> {
        (0..self.words.len()).map(|from| self.words[from..].concat())
    }

    /// Returns the part before the key words as one word.
    pub(super) fn stem(&self) -> String {
        self.words[..self.stem].concat()
    }

    /// Returns all suffixes of the stem, longest first.
    pub(super) fn stem_ends(&self) -> impl Iterator<Item = String> {
        (0..self.stem).map(|from| self.words[from..self.stem].concat())
    }

    /// Returns all proper prefixes of the stem, longest first.
    pub(super) fn stem_beginnings(&self) -> impl Iterator<Item = String> {
        (1..self.stem).rev().map(|to| self.words[..to].concat())
    }

    /// Scores from 0 to 1 how well a column's name matches a table.
    pub(super) fn table_match_score(&self, table: &Name) -> f64 {
        let (stem, whole) = (self.stem(), table.join_words());
        if stem.is_empty() || whole.is_empty() {
            0.0
        } else if stem == whole {
            1.0
        } else if self.stem_ends().any(|end| end == whole) {
            0.95
        } else if table.word_suffixes().any(|end| end == stem) {
            0.9
        } else if table.stem_beginnings().any(|beginning| beginning == stem) {
            0.8
        } else if is_abbreviation(&stem, &whole) {
            0.75
        } else {
            0.0
        }
    }
}

/// Returns true if a word is a prefix of another and long enough to be an abbreviation.
pub(super) fn is_abbreviation(short: &str, long: &str) -> bool {
    short.chars().count() >= SHORTEST_ABBREVIATION && long.starts_with(short)
}

/// Removes the ending of an English plural, including an `e` that may belong to it: `campuses` becomes `campus`,
/// `houses` and `house` become `hous`. The result is only compared, never shown.
fn to_singular(word: &str) -> String {
    let ends = |end: &str| word.strip_suffix(end).filter(|head| head.chars().count() >= 2);
    if let Some(head) = ends("ies") {
        return format!("{head}y");
    }
    let single = ends("s").filter(|head| !head.ends_with(['s', 'u', 'i'])).unwrap_or(word);
    single.strip_suffix('e').filter(|head| head.chars().count() >= 3).unwrap_or(single).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score_match(column: &str, table: &str) -> f64 {
        Name::of_column(column).table_match_score(&Name::of_table(table))
    }

    #[test]
    fn columns_name_tables_by_all_conventions() {
        for (column, table) in [
            ("customer_id", "customers"),
            ("CustomerID", "Customer"),
            ("category_code", "Categories"),
            ("dest_address_id", "address"),
            ("maker", "car_makers"),
            ("status_id", "order_status"),
            ("claim_id", "Claim_Headers"),
            ("StuID", "Student"),
            ("stuid", "student"),
            ("kunde_nr", "kunden"),
        ] {
            assert!(score_match(column, table) >= 0.75, "{column} names {table}");
        }
    }

    #[test]
    fn other_columns_name_no_table() {
        for (column, table) in [("id", "customers"), ("paid", "customers"), ("year", "orders"), ("c_id", "customers")] {
            assert_eq!(score_match(column, table), 0.0, "{column} does not name {table}");
        }
    }

    #[test]
    fn the_closer_name_is_worth_more() {
        assert!(score_match("order_id", "orders") > score_match("order_id", "cust_orders"));
        assert!(score_match("order_id", "cust_orders") > score_match("order_id", "order_lines"));
    }

    #[test]
    fn bare_names_say_key_and_nothing_else() {
        assert!(Name::of_column("ID").is_bare() && Name::of_column("code").says_key());
        assert!(!Name::of_column("customer_id").is_bare());
        assert!(!Name::of_column("name").says_key());
    }
}
