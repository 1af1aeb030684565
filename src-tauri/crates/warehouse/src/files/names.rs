//! Table names derived from file and sheet names: unique plain words that need no quotes.

use std::collections::HashSet;

#[derive(Debug, Default)]
pub(super) struct TableNames {
    /// Assigned names in lower case.
    taken: HashSet<String>,
    given: Vec<String>,
}

impl TableNames {
    /// Returns a name that is not assigned yet.
    pub(super) fn claim_unique_name(&mut self, text: &str) -> String {
        let plain = to_plain_name(text);
        let mut name = plain.clone();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        self.given.push(name.clone());
        name
    }

    /// Returns the number of assigned names.
    pub(super) fn count(&self) -> usize {
        self.given.len()
    }

    /// Releases and returns the names after the first `count`.
    pub(super) fn take_from(&mut self, count: usize) -> Vec<String> {
        let given = self.given.split_off(count);
        for name in &given {
            self.taken.remove(&name.to_lowercase());
        }
        given
    }
}

/// Returns the words of a column's name in lower case, separated by blanks: `app version` for `appVersion2`.
pub(super) fn split_name_words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        words.extend((!c.is_alphabetic() || c.is_uppercase() && before.is_lowercase()).then_some(' '));
        words.extend(c.is_alphabetic().then_some(c));
        before = c;
    }
    words.to_lowercase()
}

/// Reduces a text to letters, digits and single underscores.
fn to_plain_name(text: &str) -> String {
    let mut name = String::new();
    for char in text.trim().chars() {
        if char.is_alphanumeric() {
            name.push(char);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "table_1".to_owned(),
        Some(first) if first.is_numeric() => format!("t_{name}"),
        Some(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_names_that_need_no_quotes() {
        let mut names = TableNames::default();
        let made: Vec<String> = ["Sales 2024 (final)", "sales-2024-final", "2024", "Übersicht", "___", "order.items"]
            .map(|text| names.claim_unique_name(text))
            .into();
        assert_eq!(made, ["Sales_2024_final", "sales_2024_final_2", "t_2024", "Übersicht", "table_1", "order_items"]);
    }
}
