//! Classifies the text of a cell: empty, a number, a date, or words.

use vitrine_domain::{DecimalSign, MONEY, is_unit_sign};

/// The kind of a cell's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Empty,
    Number,
    Date,
    Words,
}

impl Shape {
    pub fn classify(text: &str) -> Self {
        match text.trim() {
            "" => Self::Empty,
            text if is_date(text) => Self::Date,
            text if is_number(text) || without_exponent(text).is_some_and(is_number) => Self::Number,
            _ => Self::Words,
        }
    }
}

fn is_number(text: &str) -> bool {
    [DecimalSign::Comma, DecimalSign::Point].into_iter().any(|sign| Figure::parse(text, sign).is_some())
}

/// Returns the text before an exponent: `1,5` of `1,5E+03`.
fn without_exponent(text: &str) -> Option<&str> {
    let (mantissa, exponent) = text.rsplit_once(['e', 'E'])?;
    let digits = exponent.strip_prefix(['-', '+', '−']).unwrap_or(exponent);
    let is_exponent = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    (is_exponent && mantissa.ends_with(|c: char| c.is_ascii_digit())).then_some(mantissa)
}

/// Returns true for digits in three groups, optionally followed by a time.
fn is_date(text: &str) -> bool {
    let date = text.split(['T', ' ', ',']).next().unwrap_or_default();
    let sign = date.chars().find(|c| !c.is_ascii_digit());
    let parts: Vec<&str> = sign.map(|sign| date.split(sign).collect()).unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let is_time = matches!(sign, Some(':')) && (2..=3).contains(&parts.len());
    let is_day = matches!(sign, Some('.' | '/' | '-')) && parts.len() == 3;
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    parts.iter().all(|part| digits(part))
        && (is_time || is_day && matches!(lengths[..], [1 | 2, 1 | 2, 2 | 4] | [4, 1 | 2, 1 | 2]))
}

/// An exact number as users write it: `units` divided by 10 to the power of `scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Figure {
    pub units: i128,
    pub scale: u32,
}

impl Figure {
    /// Parses a number with this decimal sign; returns `None` for other texts.
    pub fn parse(text: &str, decimal: DecimalSign) -> Option<Self> {
        let mut text = text.trim();
        let mut negative = false;
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            (text, negative) = (inner.trim(), true);
        }
        let minus = ['-', '−', '–'];
        for _ in 0..2 {
            text = without_unit(text);
            if let Some(rest) = text.strip_prefix(minus) {
                (text, negative) = (rest.trim(), true);
            } else if let Some(rest) = text.strip_prefix('+') {
                text = rest.trim();
            } else if let Some(rest) = text.strip_suffix(minus) {
                (text, negative) = (rest.trim(), true);
            }
        }
        let (sign, other) = if decimal == DecimalSign::Comma { (',', '.') } else { ('.', ',') };
        let (whole, fraction) = text.split_once(sign).unwrap_or((text, ""));
        if text.ends_with(sign) || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let whole = whole_digits(whole, other)?;
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { units: if negative { -units } else { units }, scale: fraction.len() as u32 })
    }

    /// Returns the units of the same number at a larger scale.
    pub fn units_at_scale(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    /// Returns the number of digits without trailing zeros, as a measure of how unlikely a coincidence is.
    pub fn significant_digits(self) -> u32 {
        let digits = self.units.unsigned_abs().to_string();
        digits.trim_end_matches('0').len() as u32
    }

    /// Returns the place of the last digit that is not zero: 1 for tenths, -2 for hundreds.
    pub fn finest_place(self) -> i32 {
        let digits = self.units.unsigned_abs().to_string();
        let zeros = digits.len() - digits.trim_end_matches('0').len();
        if self.units == 0 { i32::MIN } else { self.scale as i32 - zeros as i32 }
    }

    /// Returns the number of digits from the first one to this place.
    pub fn digits_down_to(self, place: i32) -> u32 {
        let length = self.units.unsigned_abs().to_string().len() as i32;
        if self.units == 0 { 0 } else { (length - self.scale as i32).saturating_add(place).clamp(0, length) as u32 }
    }

    pub fn as_f64(self) -> f64 {
        self.units as f64 / 10_f64.powi(self.scale as i32)
    }
}

/// Returns the digits of a number with thousands groups, which must use one separator; Indian groups have two digits
/// before the last three.
fn whole_digits(text: &str, other: char) -> Option<String> {
    let is_sign =
        |c: char| c == other || matches!(c, '\'' | '’' | 'ʼ' | ' ' | '\u{a0}' | '\u{2007}'..='\u{200a}' | '\u{202f}');
    let Some(sign) = text.chars().find(|c| is_sign(*c)) else {
        return (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.to_owned());
    };
    let groups: Vec<&str> = text.split(sign).collect();
    let digits = |group: &&str| group.bytes().all(|b| b.is_ascii_digit());
    let (first, rest) = (groups[0].len(), &groups[1..]);
    let thousands = (1..=3).contains(&first) && rest.iter().all(|group| group.len() == 3);
    let sized = thousands || sign == ',' && (1..=2).contains(&first) && is_indian(rest);
    (sized && groups.iter().all(digits)).then(|| groups.concat())
}

fn is_indian(groups: &[&str]) -> bool {
    matches!(groups, [pairs @ .., last] if last.len() == 3 && !pairs.is_empty() && pairs.iter().all(|pair| pair.len() == 2))
}

/// Returns a text without the currency or percent sign around it.
fn without_unit(text: &str) -> &str {
    let longest = |fits: &dyn Fn(&str) -> bool| MONEY.into_iter().filter(|word| fits(word)).map(str::len).max();
    let text = match longest(&|word| text.starts_with(word)) {
        Some(length) => &text[length..],
        None => text.trim_start_matches(is_unit_sign),
    };
    let text = match longest(&|word| text.ends_with(word)) {
        Some(length) => &text[..text.len() - length],
        None => text.trim_end_matches(is_unit_sign),
    };
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        let comma = |text| Figure::parse(text, DecimalSign::Comma).map(|figure| (figure.units, figure.scale));
        assert_eq!(comma("1.200,50 €"), Some((120_050, 2)));
        assert_eq!(comma("-0,99"), Some((-99, 2)));
        assert_eq!(comma("€ -5"), Some((-5, 0)));
        assert_eq!(comma("R$ 1.200,50"), Some((120_050, 2)));
        assert_eq!(comma("5 US$"), Some((5, 0)));
        assert_eq!(comma("(2,25)"), Some((-225, 2)));
        assert_eq!(comma("1 234 567,0 EUR"), Some((12_345_670, 1)));
        assert_eq!(comma("12,5 %"), Some((125, 1)));
        for text in ["", "1.20,5", "a1", "1,2,3", "1.2", "12:30", "-", "EUR"] {
            assert_eq!(comma(text), None, "{text}");
        }
        assert_eq!(Figure::parse("1,200.5", DecimalSign::Point).map(|f| f.units), Some(12_005));
        assert_eq!(Figure::parse("1,23,456.50", DecimalSign::Point).map(|f| f.units), Some(12_345_650));
        assert_eq!(Figure::parse("1,2,345", DecimalSign::Point), None);
        let point = |text| Figure::parse(text, DecimalSign::Point).unwrap();
        assert_eq!(["250.50", "1200", "0", "7"].map(|text| point(text).finest_place()), [1, -2, i32::MIN, 0]);
        assert_eq!([1, 2, 0, -2, i32::MIN].map(|place| point("400.00").digits_down_to(place)), [4, 5, 3, 1, 0]);
    }

    #[test]
    fn shapes_are_told_apart() {
        for (text, shape) in [
            ("", Shape::Empty),
            ("31.12.2024", Shape::Date),
            ("2024-01-31T10:00:00", Shape::Date),
            ("12/31/24 10:15", Shape::Date),
            ("10:15", Shape::Date),
            ("1.200,00", Shape::Number),
            ("1,200.00", Shape::Number),
            ("1,5E+03", Shape::Number),
            ("E5", Shape::Words),
            ("DE12 3456", Shape::Words),
            ("192.168.1.1", Shape::Words),
        ] {
            assert_eq!(Shape::classify(text), shape, "{text}");
        }
    }
}
