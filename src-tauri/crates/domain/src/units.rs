//! Signs and abbreviations of currencies and percent next to numbers.

/// Abbreviations of currencies, which may precede or follow a number.
pub const MONEY: [&str; 46] = [
    "EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "UAH", "JPY", "CNY",
    "INR", "BRL", "MXN", "CAD", "AUD", "NZD", "ZAR", "kr", "zł", "Kč", "Ft", "lei", "лв", "грн", "TL", "R$", "US$",
    "A$", "AU$", "C$", "CA$", "HK$", "NT$", "NZ$", "S$", "MX$", "SGD", "HKD", "KRW", "THB",
];

/// Returns true for signs of currencies, percent and per mille.
pub fn is_unit_sign(c: char) -> bool {
    matches!(c, '%' | '‰' | '$' | '¢'..='¥' | '\u{58f}' | '\u{60b}' | '฿' | '\u{20a0}'..='\u{20cf}')
}

/// The unit of a number: a currency or percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A sign such as `€` or `%`.
    Sign(char),
    /// One of the abbreviations in [`MONEY`].
    Word(&'static str),
}

impl Unit {
    /// Parses a text that is a unit; `None` for any other text.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(sign), None) if is_unit_sign(sign) => Some(Self::Sign(sign)),
            _ => MONEY.into_iter().find(|word| *word == text).map(Self::Word),
        }
    }

    /// Returns the unit as written in text.
    pub fn to_text(self) -> String {
        match self {
            Self::Sign(sign) => sign.to_string(),
            Self::Word(word) => word.to_owned(),
        }
    }
}

/// A unit with its position relative to the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnitPlace {
    /// The unit of the number.
    pub unit: Unit,
    /// True if the unit precedes the number.
    pub before: bool,
    /// The white space between unit and number, if any.
    pub blank: Option<char>,
}
