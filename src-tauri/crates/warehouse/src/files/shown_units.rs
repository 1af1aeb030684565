//! Numbers of one column that a workbook shows in several units: some in percent and some not, or in several
//! currencies. Their values are kept as stored, without the unit.

use vitrine_domain::{MONEY, is_unit_sign};
use vitrine_words::tr;

/// The units in which a column's numbers are shown.
#[derive(Debug, Default)]
pub(super) struct ShownUnits {
    percent: bool,
    /// A number that is not zero and not shown in percent.
    plain: Option<String>,
    currencies: Vec<String>,
}

impl ShownUnits {
    /// Records a number as stored and its format.
    pub fn record_number(&mut self, number: &str, format: &str) {
        match format.contains('%') {
            true => self.percent = true,
            false if number != "0" => {
                self.plain.get_or_insert_with(|| number.to_owned());
            }
            false => {}
        }
        if let Some(currency) = currency_of(format).filter(|currency| !self.currencies.contains(currency)) {
            self.currencies.push(currency);
        }
    }

    /// Returns the doubt about a column with several units, if any.
    pub fn describe_doubt(&self, name: &str) -> Option<String> {
        if let [first, second, ..] = &self.currencies[..] {
            return Some(tr!(
                "{name} contains amounts that the workbook shows in several currencies, such as {first} and {second}; all are read alike.",
                name,
                first,
                second
            ));
        }
        let example = self.plain.as_ref().filter(|_| self.percent)?;
        Some(tr!(
            "{name} contains numbers that the workbook shows in percent and others, such as {example}; 5 % is read as 0.05.",
            name,
            example
        ))
    }
}

/// Returns the currency of a number format: `€` of `#,##0.00 "€"`, `$` of `[$$-409]#,##0.00`.
fn currency_of(format: &str) -> Option<String> {
    let section = format.split(';').next().unwrap_or_default();
    let mut rest = section;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let (inside, after) = after.split_once(']').unwrap_or((after, ""));
        // The sign precedes the language: `$€-407`. A language alone has no sign.
        let sign = inside.strip_prefix('$').map(|inside| inside.split('-').next().unwrap_or_default());
        if let Some(sign) = sign.map(str::trim).filter(|sign| !sign.is_empty()) {
            return Some(sign.to_owned());
        }
        rest = after;
    }
    plain.push_str(rest);
    let words = || plain.split(|c: char| !c.is_alphabetic());
    let sign = plain.chars().find(|c| is_unit_sign(*c) && !matches!(c, '%' | '‰')).map(String::from);
    sign.or_else(|| words().find(|word| MONEY.contains(word)).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_name_their_currency() {
        for (format, currency) in [
            ("#,##0.00 \"€\"", Some("€")),
            ("#,##0.00\\ \"EUR\"", Some("EUR")),
            ("[$$-409]#,##0.00", Some("$")),
            ("[$€-407]\\ #,##0.00;[Red]-[$€-407]", Some("€")),
            ("_-* #,##0.00 [$CHF-807]_-", Some("CHF")),
            ("\"$\"#,##0", Some("$")),
            ("[$-409]mmm yy", None),
            ("[Red]0.00", None),
            ("0.00%", None),
            ("General", None),
        ] {
            assert_eq!(currency_of(format).as_deref(), currency, "{format}");
        }
    }

    #[test]
    fn only_several_units_are_in_doubt() {
        let doubt = |numbers: &[(&str, &str)]| {
            let mut units = ShownUnits::default();
            numbers.iter().for_each(|(number, format)| units.record_number(number, format));
            units.describe_doubt("p").is_some()
        };
        assert!(doubt(&[("0.05", "0%"), ("12", "General")]));
        assert!(doubt(&[("5", "#,##0 \"€\""), ("5", "[$$-409]#,##0")]));
        assert!(!doubt(&[("0.05", "0%"), ("0", "General"), ("0.1", "0.0%")]));
        assert!(!doubt(&[("5", "#,##0 \"€\""), ("5", "General")]));
    }
}
