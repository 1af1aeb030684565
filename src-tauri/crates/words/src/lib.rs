//! The language of texts for users. English texts are part of the sources; catalogs contain German and French
//! (`ui/locales/program`, whose README describes how texts are written). Catalogs are loaded when the language is set,
//! so that a changed translation does not rebuild every crate.
//!
//! The language applies to the whole process and is English until it is set. Texts for models, files, logs and other
//! programs are not written with these macros.

mod catalog;
mod fill;
mod language;
mod numbers;
mod said;
mod worded;

pub use catalog::{Entry, given_language, parse_entries, set_language};
pub use fill::{fill_placeholders, select_plural_form, translate_text};
pub use language::{Language, current_language, in_english};
pub use numbers::{
    format_date, format_decimal, format_english_number, format_number, format_percent, is_ambiguous_number,
    localize_decimal_mark,
};
pub use said::{join_with_and, join_with_nor, join_with_or, quote_text};
pub use worded::Worded;

/// A text in the program's language: `tr!("Takes all rows of {table}.", table = name)`. Each placeholder has a name and
/// a value; the name alone suffices for a variable of the same name: `tr!("{count} places", count)`. A word with two
/// meanings needs a context: `tr!(context "of a join", "left")`.
#[macro_export]
macro_rules! tr {
    (context $context:literal, $text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::fill_placeholders($crate::translate_text(Some($context), $text), &[$($crate::tr!(@value $name $(= $value)?)),*])
    };
    (@value $name:ident = $value:expr) => { (stringify!($name), &$value as &dyn ::std::fmt::Display) };
    (@value $name:ident) => { (stringify!($name), &$name as &dyn ::std::fmt::Display) };
    ($text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::fill_placeholders($crate::translate_text(None, $text), &[$($crate::tr!(@value $name $(= $value)?)),*])
    };
}

/// A countable text in the form for its number: `plural!(rows, "{n} row", "{n} rows")`. `{n}` is the formatted number;
/// a form may omit it.
#[macro_export]
macro_rules! plural {
    ($count:expr, $one:literal, $many:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        let (text, n) = $crate::select_plural_form($count, $one, $many);
        $crate::fill_placeholders(text, &[("n", &n as &dyn ::std::fmt::Display) $(, $crate::tr!(@value $name $(= $value)?))*])
    }};
}

/// Marks a constant text that is created before the language is known. [`translate_constant`] translates it when it is
/// read.
#[macro_export]
macro_rules! later {
    ($text:literal) => {
        $text
    };
}

/// Translates a text marked with [`later!`] to the program's language.
pub fn translate_constant(text: &'static str) -> &'static str {
    translate_text(None, text)
}
