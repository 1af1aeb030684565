//! Checks that the catalogs are complete: each text for users has its translations, with the same values. The texts are
//! extracted from the sources. `VITRINE_TEXTS=write` adds new texts to the catalogs with empty translations and removes
//! obsolete ones.

mod sources;

use sources::{Text, texts};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use vitrine_words::{Entry, Language, parse_entries};

const TRANSLATED: [Language; 2] = [Language::German, Language::French];

type Key = (Option<String>, String);

fn path(language: Language) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    root.join("ui/locales/program").join(format!("{}.po", language.code()))
}

fn catalog(language: Language) -> String {
    std::fs::read_to_string(path(language)).expect("a catalog")
}

fn key_of(entry: &Entry) -> Key {
    (entry.context.clone(), entry.text.clone())
}

/// Returns the distinct texts of the sources with the files that contain them.
fn known() -> BTreeMap<Key, (Text, BTreeSet<String>)> {
    let mut known: BTreeMap<Key, (Text, BTreeSet<String>)> = BTreeMap::new();
    for text in texts() {
        let place =
            known.entry((text.context.clone(), text.text.clone())).or_insert_with(|| (text.clone(), BTreeSet::new()));
        assert_eq!(place.0.many, text.many, "{}: “{}” has two plurals", text.file, text.text);
        place.1.insert(text.file.clone());
    }
    known
}

#[test]
fn the_catalogs_hold_the_texts_of_the_program_and_no_others() {
    let known = known();
    if std::env::var_os("VITRINE_TEXTS").is_some() {
        TRANSLATED.into_iter().for_each(|language| write(language, &known));
    }
    for language in TRANSLATED {
        let held = parse_entries(&catalog(language));
        let keys: BTreeSet<Key> = held.iter().map(key_of).collect();
        let missing: Vec<&Key> = known.keys().filter(|key| !keys.contains(key)).collect();
        let gone: Vec<&Key> = keys.iter().filter(|key| !known.contains_key(key)).collect();
        assert!(missing.is_empty() && gone.is_empty(), "{language:?} lacks {missing:#?}, has besides {gone:#?}");
        assert_eq!(held.len(), keys.len(), "an entry stands twice");
        for entry in &held {
            assert_eq!(entry.many, known[&key_of(entry)].0.many, "{}", entry.text);
        }
    }
}

#[test]
fn each_text_has_a_translation_with_its_values() {
    for language in TRANSLATED {
        for entry in parse_entries(&catalog(language)) {
            let forms = if entry.many.is_some() { 2 } else { 1 };
            let whole =
                entry.translations.len() == forms && entry.translations.iter().all(|text| !text.trim().is_empty());
            assert!(whole, "{language:?}: “{}” has no translation", entry.text);
            let english = [Some(&entry.text), entry.many.as_ref()];
            let wanted: BTreeSet<String> = english.into_iter().flatten().flat_map(|text| values(text)).collect();
            for translation in &entry.translations {
                let mut found = values(translation);
                if entry.many.is_some() && wanted.contains("n") {
                    // “A row” needs no number, but the plural does.
                    found.insert("n".to_owned());
                }
                assert_eq!(found, wanted, "{language:?}: “{}” has other values than “{translation}”", entry.text);
            }
        }
    }
}

#[test]
fn each_text_gets_the_values_that_it_names() {
    for text in texts() {
        let forms = [Some(&text.text), text.many.as_ref()];
        let mut given: BTreeSet<String> = text.values.iter().cloned().collect();
        for form in forms.into_iter().flatten() {
            let mut named = values(form);
            if text.many.is_some() {
                named.insert("n".to_owned());
                given.insert("n".to_owned());
            }
            assert_eq!(named, given, "{}: “{form}”", text.file);
        }
    }
}

/// Returns the names in braces.
fn values(text: &str) -> BTreeSet<String> {
    let opened = text.split('{').skip(1);
    opened.filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect()
}

fn write(language: Language, known: &BTreeMap<Key, (Text, BTreeSet<String>)>) {
    let text = catalog(language);
    let held: BTreeMap<Key, Entry> = parse_entries(&text).into_iter().map(|entry| (key_of(&entry), entry)).collect();
    let head = text.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
    let mut blocks = vec![head];
    let mut sorted: Vec<_> = known.iter().collect();
    // Sorted by position in the sources, so that neighbouring texts are translated together.
    sorted.sort_by_key(|(_, (text, files))| (files.first().cloned(), text.place));
    for (key, (text, files)) in sorted {
        let translated = held.get(key).filter(|entry| entry.many == text.many);
        let translation =
            |at: usize| translated.and_then(|entry| entry.translations.get(at)).cloned().unwrap_or_default();
        let mut block: Vec<String> = files.iter().map(|file| format!("#: {file}")).collect();
        block.extend(text.context.as_ref().map(|context| format!("msgctxt {}", quoted(context))));
        block.push(format!("msgid {}", quoted(&text.text)));
        match &text.many {
            Some(many) => {
                block.push(format!("msgid_plural {}", quoted(many)));
                block.extend((0..2).map(|at| format!("msgstr[{at}] {}", quoted(&translation(at)))));
            }
            None => block.push(format!("msgstr {}", quoted(&translation(0)))),
        }
        blocks.push(block.join("\n"));
    }
    std::fs::write(path(language), blocks.join("\n\n") + "\n").expect("the catalog is written");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t"))
}
