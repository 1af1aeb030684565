//! Splits names into words: `orderDate_2` is `order`, `date`, `2`.

/// Splits an identifier into words in lower case: at punctuation, at a change from lower to upper case, and between
/// letters and digits.
pub(crate) fn split_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    let chars: Vec<char> = name.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let next_is_lower = chars.get(at + 1).is_some_and(|n| n.is_lowercase());
        let boundary = !c.is_alphanumeric()
            || (c.is_uppercase() && (previous.is_lowercase() || (previous.is_uppercase() && next_is_lower)))
            || (c.is_numeric() != previous.is_numeric() && previous.is_alphanumeric());
        if boundary && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns true if a name is certainly the plural of an English word. Plurals of other languages are not recognized.
pub fn is_plural(label: &str) -> bool {
    const ALIKE: [&str; 4] = ["ss", "us", "is", "as"];
    const OTHERS: [&str; 4] = ["children", "men", "people", "women"];
    let last = split_words(label).pop().unwrap_or_default();
    let ends = last.len() > 3 && last.is_ascii() && last.ends_with('s') && !ALIKE.iter().any(|end| last.ends_with(end));
    ends || OTHERS.contains(&last.as_str())
}

/// Returns true if one of the words is in `wanted`.
pub(crate) fn has_word(words: &[String], wanted: &[&str]) -> bool {
    words.iter().any(|w| wanted.contains(&w.as_str()))
}

/// Words that mark an identifier. Only whole words match: `width` contains no `id`, `candidate` no `date`.
pub(crate) const ID_WORDS: [&str; 12] =
    ["id", "ids", "uin", "uuid", "guid", "key", "pk", "fk", "sku", "isbn", "ean", "hash"];
/// Words for numbers and codes that are not quantities.
pub(crate) const CODE_WORDS: [&str; 15] = [
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "phone",
    "telephone",
    "tel",
    "fax",
    "mobile",
    "ssn",
    "iban",
    "barcode",
    "code",
    "cd",
    "no",
];
/// Words for dates and times.
pub(crate) const TIME_WORDS: [&str; 20] = [
    "time",
    "date",
    "datetime",
    "stamp",
    "timestamp",
    "dt",
    "ts",
    "day",
    "at",
    "on",
    "year",
    "month",
    "yr",
    "epoch",
    "created",
    "updated",
    "modified",
    "dob",
    "birthday",
    "birthdate",
];
/// Words for quantities, which do not become categories because of few distinct values.
pub(crate) const QUANTITY_WORDS: [&str; 32] = [
    "qty",
    "quantity",
    "amount",
    "amt",
    "total",
    "sum",
    "count",
    "cnt",
    "num",
    "number",
    "price",
    "cost",
    "rate",
    "pct",
    "percent",
    "percentage",
    "ratio",
    "score",
    "points",
    "hours",
    "minutes",
    "seconds",
    "days",
    "weight",
    "height",
    "length",
    "age",
    "salary",
    "budget",
    "revenue",
    "sales",
    "units",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_come_apart_at_every_convention() {
        assert_eq!(split_words("order_date"), ["order", "date"]);
        assert_eq!(split_words("orderDate2"), ["order", "date", "2"]);
        assert_eq!(split_words("HTTPStatus"), ["http", "status"]);
        assert_eq!(split_words("CUSTOMER ID"), ["customer", "id"]);
        assert_eq!(split_words("Größe-cm"), ["größe", "cm"]);
        assert!(split_words("__").is_empty());
    }

    #[test]
    fn a_name_is_called_a_plural_only_where_that_is_sure() {
        for plural in ["customers", "order_items", "Orders", "people"] {
            assert!(is_plural(plural), "{plural}");
        }
        for other in ["customer", "status", "address", "Kunden", "cust_mst", "bus", "名簿"] {
            assert!(!is_plural(other), "{other}");
        }
    }

    #[test]
    fn width_is_not_an_identifier_and_candidate_is_not_a_date() {
        assert!(!has_word(&split_words("width"), &ID_WORDS));
        assert!(!has_word(&split_words("candidate"), &TIME_WORDS));
        assert!(has_word(&split_words("customerId"), &ID_WORDS));
    }
}
