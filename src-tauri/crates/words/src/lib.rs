//! The language of the texts that the program writes for people. English stands in the sources, at its place; catalogs
//! hold German and French (`ui/locales/program`, whose README says how a text is written). They are given with the language, so
//! that a changed translation does not rebuild every crate.
//!
//! The language is a choice of the whole process, English until it is set. What a model, a file, a log or another program
//! reads is never written by these macros.

mod catalog;
mod fill;
mod language;
mod numbers;
mod said;
mod worded;

pub use catalog::{Entry, entries, given_language, set_language};
pub use fill::{chosen, fill, translated};
pub use language::{Language, in_english, language};
pub use numbers::{date, decimal, grouped, number, numeral, percent};
pub use said::{either, listed, neither, quoted};
pub use worded::Worded;

/// A text in the language of the program: `tr!("Takes all rows of {table}.", table = name)`. Each placeholder is named
/// and has a value; a value that is a variable of that name stands alone: `tr!("{count} places", count)`. A word that has
/// two meanings has a context: `tr!(context "of a join", "left")`.
#[macro_export]
macro_rules! tr {
    (context $context:literal, $text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::fill($crate::translated(Some($context), $text), &[$($crate::tr!(@value $name $(= $value)?)),*])
    };
    (@value $name:ident = $value:expr) => { (stringify!($name), &$value as &dyn ::std::fmt::Display) };
    (@value $name:ident) => { (stringify!($name), &$name as &dyn ::std::fmt::Display) };
    ($text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::fill($crate::translated(None, $text), &[$($crate::tr!(@value $name $(= $value)?)),*])
    };
}

/// A text about something counted, in the form that its number needs: `plural!(rows, "{n} row", "{n} rows")`. `{n}` is the
/// number as people write it; a form may go without it.
#[macro_export]
macro_rules! plural {
    ($count:expr, $one:literal, $many:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        let (text, n) = $crate::chosen($count, $one, $many);
        $crate::fill(text, &[("n", &n as &dyn ::std::fmt::Display) $(, $crate::tr!(@value $name $(= $value)?))*])
    }};
}

/// A text of a constant, which is made before a language is known: it is translated when it is read ([`told`]).
#[macro_export]
macro_rules! later {
    ($text:literal) => {
        $text
    };
}

/// A text that [`later!`] kept, in the language of the program.
pub fn told(text: &'static str) -> &'static str {
    translated(None, text)
}
