//! SQL expressions that convert text to numbers in each dialect: text with decimal commas, thousands separators, or a
//! currency or percent sign.

use super::quote::text_value;
use crate::dialect::DialectExt;
use vitrine_domain::{Dialect, NumberForm, Unit, UnitPlace};

/// Builds an expression for the number that a text contains in that form. It is NULL if the text has another form, so
/// that a date among amounts is not read as a number.
pub fn written_number(expr: &str, form: NumberForm, dialect: Dialect) -> String {
    let by_regex = dialect.sql().regex_condition(expr, &number_pattern(form));
    let has_form = by_regex.unwrap_or_else(|| by_patterns(expr, form, dialect));
    format!("CASE WHEN {has_form} THEN {} END", cast_plain_number(expr, form, dialect))
}

/// Builds the same expression without a check of the form, as short as a person or a model would write it.
pub fn cast_plain_number(expr: &str, form: NumberForm, dialect: Dialect) -> String {
    let text = |sign: char| text_value(&sign.to_string(), dialect);
    let mut plain = unit_taken(expr, form, dialect);
    if let Some(group) = form.group {
        plain = format!("REPLACE({plain}, {}, '')", text(group));
    }
    if form.decimal != '.' {
        plain = format!("REPLACE({plain}, {}, '.')", text(form.decimal));
    }
    dialect.sql().number_from_text(&plain)
}

/// Builds an expression that removes the unit, including spaces that TRIM leaves.
fn unit_taken(expr: &str, form: NumberForm, dialect: Dialect) -> String {
    let Some(place) = form.unit else { return format!("TRIM({expr})") };
    let unit = place.unit.to_text();
    let joined =
        odd_blank(place).map(|blank| if place.before { format!("{unit}{blank}") } else { format!("{blank}{unit}") });
    let taken = joined
        .into_iter()
        .chain([unit])
        .fold(expr.to_owned(), |text, part| format!("REPLACE({text}, {}, '')", text_value(&part, dialect)));
    format!("TRIM({taken})")
}

/// Returns the space next to the unit if it is not an ordinary one.
fn odd_blank(place: UnitPlace) -> Option<char> {
    place.blank.filter(|blank| *blank != ' ')
}

/// Returns a regular expression for the form. Separators are in brackets, where none is a metacharacter.
fn number_pattern(form: NumberForm) -> String {
    let groups = form.group.map(|group| format!("[0-9]{{1,3}}([{group}][0-9]{{3}})+|")).unwrap_or_default();
    let number = format!("({groups}[0-9]+)([{}][0-9]+)?", form.decimal);
    let Some(place) = form.unit else { return format!("[-+]?{number}") };
    let unit = match place.unit {
        Unit::Sign(sign) => format!("[{sign}]"),
        Unit::Word(word) => word.to_owned(),
    };
    let blank = format!("[ {}]*", odd_blank(place).map(String::from).unwrap_or_default());
    match place.before {
        true => format!("([-+]?({unit})?|{unit}{blank}[-+]?){number}"),
        false => format!("[-+]?{number}({blank}{unit})?"),
    }
}

/// Builds the check for dialects without regular expressions: one negated pattern for each violation.
fn by_patterns(expr: &str, form: NumberForm, dialect: Dialect) -> String {
    let text = unit_taken(expr, form, dialect);
    let (group, decimal) = (form.group.map(String::from).unwrap_or_default(), form.decimal);
    let syntax = dialect.sql();
    let mut tests = vec![syntax.glob_condition(&text, "*[0-9]")];
    let mut never = |text: &str, pattern: String| tests.push(format!("NOT {}", syntax.glob_condition(text, &pattern)));
    never(&text, format!("*[^-+0-9{group}{decimal}]*"));
    never(&text, "?*[-+]*".to_owned());
    never(&text, format!("*{decimal}*[{group}{decimal}]*"));
    never(&text, format!("[{group}{decimal}]*"));
    never(&text, format!("[-+][{group}{decimal}]*"));
    if !group.is_empty() {
        // Exactly three digits follow each thousands separator, and at most three precede the first.
        let ended = syntax.append_to_text(&text, decimal);
        for digits in ["[^0-9]", "[0-9][^0-9]", "[0-9][0-9][^0-9]", "[0-9][0-9][0-9][0-9]"] {
            never(&ended, format!("*{group}{digits}*"));
        }
        never(&text, format!("*[0-9][0-9][0-9][0-9]*{group}*"));
    }
    if let Some(place) = form.unit {
        // The unit occurs once, at its end of the text.
        let (whole, unit) = (format!("TRIM({expr})"), place.unit.to_text());
        never(&whole, if place.before { format!("*[^-+]{unit}*") } else { format!("*{unit}?*") });
    }
    tests.join(" AND ")
}
