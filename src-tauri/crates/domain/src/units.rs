//! Signs and letters of money and percent, beside a number.

/// Money in letters, behind or before a number.
pub const MONEY: [&str; 31] = [
    "EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "UAH", "JPY", "CNY",
    "INR", "BRL", "MXN", "CAD", "AUD", "NZD", "ZAR", "kr", "zł", "Kč", "Ft", "lei", "лв", "грн", "TL",
];

/// Whether a character is a sign of money, percent or per mille. Signs of money need no list.
pub fn is_unit_sign(c: char) -> bool {
    matches!(c, '%' | '‰' | '$' | '¢'..='¥' | '\u{58f}' | '\u{60b}' | '฿' | '\u{20a0}'..='\u{20cf}')
}

/// What a number counts: money, or percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A sign.
    Sign(char),
    /// One of [`MONEY`].
    Word(&'static str),
}

impl Unit {
    /// The unit that a text is.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(sign), None) if is_unit_sign(sign) => Some(Self::Sign(sign)),
            _ => MONEY.into_iter().find(|word| *word == text).map(Self::Word),
        }
    }

    /// As it is written.
    pub fn to_text(self) -> String {
        match self {
            Self::Sign(sign) => sign.to_string(),
            Self::Word(word) => word.to_owned(),
        }
    }
}

/// A unit and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnitPlace {
    /// The unit.
    pub unit: Unit,
    /// Whether it stands before the number.
    pub before: bool,
    /// The blank between both, where there is one.
    pub blank: Option<char>,
}
