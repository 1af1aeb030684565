//! Reads catalogs, which are GNU gettext files (`.po`).

use crate::language::{Language, process_language, store_language};
use std::collections::HashMap;
use std::sync::OnceLock;

/// An entry of a catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The context that distinguishes entries with the same text.
    pub context: Option<String>,
    /// The English text; for countable texts, the singular.
    pub text: String,
    /// The English plural, for countable texts.
    pub many: Option<String>,
    /// The translations: one text, or singular and plural.
    pub translations: Vec<String>,
}

/// Parses the entries of a catalog, without its header. Ignores syntax that our catalogs do not use.
pub fn parse_entries(catalog: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut entry = Entry::default();
    let mut field = "";
    for line in catalog.lines().map(str::trim).chain([""]) {
        if line.is_empty() {
            let done = std::mem::take(&mut entry);
            entries.extend((!done.text.is_empty()).then_some(done));
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let (word, quoted) = match line.split_once(' ') {
            Some((word, quoted)) if !line.starts_with('"') => (word, quoted),
            _ => ("", line),
        };
        if !word.is_empty() {
            field = word;
            match field {
                "msgctxt" => entry.context = Some(String::new()),
                "msgid_plural" => entry.many = Some(String::new()),
                _ if field.starts_with("msgstr") => entry.translations.push(String::new()),
                _ => {}
            }
        }
        let place = match field {
            "msgctxt" => entry.context.as_mut(),
            "msgid" => Some(&mut entry.text),
            "msgid_plural" => entry.many.as_mut(),
            _ => entry.translations.last_mut(),
        };
        place.into_iter().for_each(|place| place.push_str(&unquote_string(quoted)));
    }
    entries
}

fn unquote_string(quoted: &str) -> String {
    let inner = quoted.trim().trim_start_matches('"');
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                other => text.extend(other),
            },
            letter => text.push(letter),
        }
    }
    text
}

type Texts = HashMap<(Option<String>, String), Vec<String>>;

/// A catalog as a text and its parsed entries.
struct Catalog {
    given: String,
    texts: Texts,
}

fn index_translations(catalog: &str) -> Texts {
    let whole =
        parse_entries(catalog).into_iter().filter(|entry| entry.translations.iter().all(|text| !text.is_empty()));
    whole.map(|entry| ((entry.context, entry.text), entry.translations)).collect()
}

fn catalog_cell(language: Language) -> Option<&'static OnceLock<Catalog>> {
    static GERMAN: OnceLock<Catalog> = OnceLock::new();
    static FRENCH: OnceLock<Catalog> = OnceLock::new();
    match language {
        Language::English => None,
        Language::German => Some(&GERMAN),
        Language::French => Some(&FRENCH),
    }
}

/// Sets the language of the process and its catalog: the text of a `.po` file, empty for English. The first catalog of
/// each language is kept.
pub fn set_language(language: Language, catalog: &str) {
    if let Some(place) = catalog_cell(language) {
        place.get_or_init(|| Catalog { given: catalog.to_owned(), texts: index_translations(catalog) });
    }
    store_language(language);
}

/// Returns the arguments of [`set_language`], for child processes that also write texts for users.
pub fn given_language() -> (Language, &'static str) {
    let language = process_language();
    let catalog = catalog_cell(language).and_then(OnceLock::get);
    (language, catalog.map_or("", |catalog| &catalog.given))
}

/// Returns the translations of a text; `None` for English.
pub(crate) fn find_translations(language: Language, context: Option<&str>, text: &str) -> Option<&'static [String]> {
    let texts = &catalog_cell(language)?.get()?.texts;
    texts.get(&(context.map(str::to_owned), text.to_owned())).map(Vec::as_slice)
}
