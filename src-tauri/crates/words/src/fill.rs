//! Translates a text of the sources to the program's language and inserts its values.

use crate::catalog::find_translations;
use crate::{current_language, format_number};
use std::fmt::{Display, Write};

/// Returns the translation of a text, or the text if there is none.
pub fn translate_text(context: Option<&str>, text: &'static str) -> &'static str {
    let known = find_translations(current_language(), context, text).and_then(<[String]>::first);
    known.map_or(text, String::as_str)
}

/// Returns the form of a text for a number, and the formatted number.
pub fn select_plural_form(count: impl TryInto<u64>, one: &'static str, many: &'static str) -> (&'static str, String) {
    let count = count.try_into().unwrap_or(u64::MAX);
    let (language, english) = (current_language(), if count == 1 { one } else { many });
    let known = find_translations(language, None, one);
    let form = known.and_then(|forms| if language.is_one(count) { forms.first() } else { forms.get(1) });
    (form.map_or(english, String::as_str), format_number(count))
}

/// Replaces placeholders of a text by values. Braces within values are not interpreted.
pub fn fill_placeholders(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16 * values.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        filled.push_str(&rest[..open]);
        let name = &rest[open + 1..open + length];
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => write!(filled, "{value}").expect("texts take all that is written"),
            None => filled.push_str(&rest[open..=open + length]),
        }
        rest = &rest[open + length + 1..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use crate::{Language, in_english, plural, set_language, tr};

    #[test]
    fn values_take_their_places_and_are_not_read() {
        let name = "{other}";
        let other = 2;
        assert_eq!(tr!("{other} of {name}", name, other), "2 of {other}");
        assert_eq!(tr!("a {thing that is open", other), "a {thing that is open");
        assert_eq!(tr!("“{text}”", text = "a"), "“a”");
    }

    #[test]
    fn what_is_counted_has_the_form_of_its_number() {
        let said = |count: u64| plural!(count, "{n} row", "{n} rows");
        assert_eq!([0, 1, 2, 1200].map(said), ["0 rows", "1 row", "2 rows", "1,200 rows"]);
        let catalog = |translation: [&str; 2]| {
            let [one, many] = translation.map(|text| format!("\"{text}\""));
            format!(
                "msgid \"\"\nmsgstr \"\"\n\nmsgid \"{{n}} row\"\nmsgid_plural \"{{n}} rows\"\nmsgstr[0] {one}\nmsgstr[1] {many}\n"
            )
        };
        set_language(Language::German, &catalog(["{n} Zeile", "{n} Zeilen"]));
        assert_eq!([0, 1, 2, 1200].map(said), ["0 Zeilen", "1 Zeile", "2 Zeilen", "1.200 Zeilen"]);
        set_language(Language::French, &catalog(["{n} ligne", "{n} lignes"]));
        assert_eq!([0, 1, 2, 1200].map(said), ["0 ligne", "1 ligne", "2 lignes", "1\u{202f}200 lignes"]);
        assert_eq!(in_english(|| said(0)), "0 rows");
        assert_eq!(said(0), "0 ligne");
        set_language(Language::English, "");
    }
}
