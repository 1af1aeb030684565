//! Texts about a connection for users are in the language of the window, also if another process has written them.
//! Texts for models are not translated.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ConnectionTest, SafetyLayer};
use vitrine_warehouse::{OpenOptions, Warehouse, WarehouseUri, inspect_connection, open_with, proof_layer};
use vitrine_words::{Language, set_language};

const GERMAN: &str = include_str!("../../../../ui/locales/program/de.po");
const FRENCH: &str = include_str!("../../../../ui/locales/program/fr.po");

fn speak(language: Language) {
    let catalog = match language {
        Language::English => "",
        Language::German => GERMAN,
        Language::French => FRENCH,
    };
    set_language(language, catalog);
}

/// Creates a database, and a file that can be read in two ways.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let shop = rusqlite::Connection::open(folder.path().join("shop.db")).expect("SQLite");
    shop.execute_batch("CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1);").expect("a table");
    let sales = "day;price\n01/02/2024;1.234,50\n03/04/2024;99,00\n05/06/2024;7,25\n";
    std::fs::write(folder.path().join("sales.csv"), sales).expect("a file");
    folder
}

async fn tested(uri: &str) -> ConnectionTest {
    let (uri, options) = (WarehouseUri::parse(uri), OpenOptions::default());
    inspect_connection(uri, &options, Duration::from_secs(20), &|_| {}, CancellationToken::new()).await
}

/// Returns all texts of a connection test.
fn of_test(test: &ConnectionTest) -> Vec<String> {
    let steps = test.steps.iter();
    let texts = steps.flat_map(|step| [&step.message].into_iter().chain(&step.advice).chain(&step.detail).cloned());
    texts.collect()
}

fn of_layers(layers: &[SafetyLayer]) -> Vec<String> {
    layers
        .iter()
        .flat_map(|layer| [layer.says.clone(), layer.how.clone(), layer.kind.display_title().to_owned()])
        .collect()
}

/// Returns true for a sentence of this program, as opposed to paths, addresses and messages of the system.
fn is_sentence(text: &str) -> bool {
    let words = text.split(' ').filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic));
    words.count() > 1 && !text.contains("(os error")
}

/// Asserts that each text differs between the languages.
fn differ(told: &HashMap<&str, Vec<String>>) {
    let (english, german, french) = (&told["en"], &told["de"], &told["fr"]);
    assert!(!english.is_empty() && english.len() == german.len() && english.len() == french.len(), "{told:#?}");
    let all = english.iter().zip(german).zip(french);
    for ((english, german), french) in all.filter(|((english, _), _)| is_sentence(english)) {
        assert!(english != german && english != french && german != french, "{english} | {german} | {french}");
    }
}

async fn opened(path: &Path, scheme: &str) -> Arc<dyn Warehouse> {
    let uri = WarehouseUri::parse(&format!("{scheme}:{}", path.display())).expect("an address");
    let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
    open_with(&uri, &OpenOptions { engine, ..OpenOptions::default() }).await.expect("opens")
}

/// A single test, because the language applies to the whole process.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_found_of_a_connection_is_told_in_the_language_of_the_window() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let shop = opened(&at("shop.db"), "sqlite").await;
    let (mut tests, mut layers) = (HashMap::new(), HashMap::new());
    for language in Language::ALL {
        speak(language);
        let mut found = Vec::new();
        for uri in [
            format!("sqlite:{}", at("shop.db").display()),
            format!("sqlite:{}", at("gone.db").display()),
            "postgresql://ann@127.0.0.1:1/shop".to_owned(),
            "mysql://ann@no-such-host.invalid/shop".to_owned(),
        ] {
            found.extend(of_test(&tested(&uri).await));
        }
        tests.insert(language.code(), found);
        // The engine was started before, but writes its layers in the current language.
        let mut found = shop.safety_layers().await.expect("layers");
        found.push(proof_layer(vitrine_warehouse::WarehouseKind::Sqlite));
        layers.insert(language.code(), of_layers(&found));
    }
    differ(&tests);
    differ(&layers);
    let german = tests["de"].join("\n");
    assert!(german.contains("Der Server ist nicht erreichbar."), "{german}");
    assert!(german.contains("1 Tabelle kann gelesen werden."), "{german}");
    let french = layers["fr"].join("\n");
    assert!(
        french.contains("SQLite\u{a0}: le fichier n’est ouvert qu’en lecture, les écritures sont refusées"),
        "{french}"
    );

    let sales = opened(&at("sales.csv"), "file").await;
    let (mut doubts, mut comments) = (HashMap::new(), Vec::new());
    for language in Language::ALL {
        speak(language);
        let reading = sales.file_readings().await.expect("readings").remove(0);
        let how = reading.converted.iter().map(|converted| converted.how.clone());
        doubts.insert(language.code(), reading.doubts.into_iter().chain(how).collect());
        comments.push(sales.load_catalog().await.expect("a catalog").tables.remove(0).columns[1].comment.clone());
    }
    differ(&doubts);
    assert!(doubts["de"][0].starts_with("In day kann der Tag oder der Monat vorn stehen, etwa '"), "{doubts:?}");
    let english = Some("read as a number with a decimal comma from text such as '1.234,50'".to_owned());
    assert_eq!(comments, [english.clone(), english.clone(), english], "models read it");
    speak(Language::English);
}
