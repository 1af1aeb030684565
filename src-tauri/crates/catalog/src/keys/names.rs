//! What names say: `orders.customer_id` names the table `customers`.
//!
//! Names alone never make a key. They are compared word by word, so that most of it holds in any language; English plurals
//! and words like `id` only add to it.

use crate::names::words;

/// Words at the end of a name that say "this is a key" and nothing else.
const KEY_WORDS: [&str; 15] =
    ["id", "ids", "key", "pk", "fk", "code", "cd", "no", "nr", "num", "number", "ref", "uuid", "guid", "hash"];
/// The same where no sign stands before them: `stuid`, `pnumber`.
const KEY_ENDINGS: [&str; 4] = ["id", "number", "code", "key"];
/// Words that say so, and what the key is of, too.
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
/// Shorter beginnings of words abbreviate too much.
const SHORTEST_ABBREVIATION: usize = 3;

/// A name in words, without plurals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    words: Vec<String>,
    /// How many words stand before those that only say "key".
    stem: usize,
    plural: bool,
}

impl Name {
    /// A column's name; `stuid` comes apart like `stu_id`.
    pub(super) fn of_column(name: &str) -> Self {
        let mut words = words(name);
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
        let plural = words.last().is_some_and(|last| last.ends_with('s') && !singular(last).ends_with('s'));
        for word in &mut words[..stem] {
            *word = singular(word);
        }
        Self { words, stem, plural }
    }

    /// A table's name.
    pub(super) fn of_table(name: &str) -> Self {
        let words: Vec<String> = words(name).iter().map(|word| singular(word)).collect();
        Self { stem: words.len(), words, plural: false }
    }

    /// Whether words at its end say "key".
    pub(super) fn says_key(&self) -> bool {
        let last = self.words.last().map(String::as_str).unwrap_or_default();
        self.stem < self.words.len() || KINDS_OF_KEYS.contains(&last)
    }

    /// Whether it says "key" and nothing else: `id`, `code`.
    pub(super) fn is_bare(&self) -> bool {
        self.stem == 0
    }

    /// Whether one of its words names a relation among rows of one table.
    pub(super) fn says_self(&self) -> bool {
        self.words.iter().any(|word| SELF_WORDS.contains(&word.as_str()))
    }

    /// Whether it says how many of something there are, or names several, and no key: `home_games`.
    pub(super) fn is_plural(&self) -> bool {
        self.plural && !self.says_key()
    }

    /// How many words two names share.
    pub(super) fn shared(&self, other: &Name) -> usize {
        self.words.iter().filter(|word| other.words.contains(word)).count()
    }

    /// The whole name as one word.
    pub(super) fn joined(&self) -> String {
        self.words.concat()
    }

    /// All ends of the name, the longest first, each as one word: what a role in front of a key's name leaves.
    pub(super) fn ends(&self) -> impl Iterator<Item = String> {
        (0..self.words.len()).map(|from| self.words[from..].concat())
    }

    /// What the name says before it says "key", as one word.
    pub(super) fn stem(&self) -> String {
        self.words[..self.stem].concat()
    }

    /// All ends of the stem, the longest first.
    pub(super) fn stem_ends(&self) -> impl Iterator<Item = String> {
        (0..self.stem).map(|from| self.words[from..self.stem].concat())
    }

    /// All beginnings of the stem, the longest first, without the whole of it.
    pub(super) fn stem_beginnings(&self) -> impl Iterator<Item = String> {
        (1..self.stem).rev().map(|to| self.words[..to].concat())
    }

    /// How well a column's name names a table, from 0 to 1.
    pub(super) fn names(&self, table: &Name) -> f64 {
        let (stem, whole) = (self.stem(), table.joined());
        if stem.is_empty() || whole.is_empty() {
            0.0
        } else if stem == whole {
            1.0
        } else if self.stem_ends().any(|end| end == whole) {
            0.95
        } else if table.ends().any(|end| end == stem) {
            0.9
        } else if table.stem_beginnings().any(|beginning| beginning == stem) {
            0.8
        } else if abbreviates(&stem, &whole) {
            0.75
        } else {
            0.0
        }
    }
}

/// Whether a word is the beginning of another, and long enough to say something.
pub(super) fn abbreviates(short: &str, long: &str) -> bool {
    short.chars().count() >= SHORTEST_ABBREVIATION && long.starts_with(short)
}

/// A word without the ending of an English plural, and without an `e` that may belong to it: `campuses` as `campus`,
/// `houses` and `house` as `hous`. It is compared and never shown.
fn singular(word: &str) -> String {
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

    fn names(column: &str, table: &str) -> f64 {
        Name::of_column(column).names(&Name::of_table(table))
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
            assert!(names(column, table) >= 0.75, "{column} names {table}");
        }
    }

    #[test]
    fn other_columns_name_no_table() {
        for (column, table) in [("id", "customers"), ("paid", "customers"), ("year", "orders"), ("c_id", "customers")] {
            assert_eq!(names(column, table), 0.0, "{column} does not name {table}");
        }
    }

    #[test]
    fn the_closer_name_is_worth_more() {
        assert!(names("order_id", "orders") > names("order_id", "cust_orders"));
        assert!(names("order_id", "cust_orders") > names("order_id", "order_lines"));
    }

    #[test]
    fn bare_names_say_key_and_nothing_else() {
        assert!(Name::of_column("ID").is_bare() && Name::of_column("code").says_key());
        assert!(!Name::of_column("customer_id").is_bare());
        assert!(!Name::of_column("name").says_key());
    }
}
