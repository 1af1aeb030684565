//! Tests which definitions are kept.

use vitrine_domain::{Definition, DefinitionSource, Definitions};

fn define(synonyms: &[&str], subject: Option<&str>) -> Definition {
    Definition {
        term: "channel".to_owned(),
        synonyms: synonyms.iter().map(|word| (*word).to_owned()).collect(),
        meaning: String::new(),
        condition: None,
        always: false,
        subject: subject.map(str::to_owned),
        source: DefinitionSource::User,
    }
}

#[test]
fn other_words_for_a_column_are_kept_without_a_meaning_and_told() {
    let named = define(&["Kanal"], Some("orders.chan_cd"));
    let nothing = [define(&["Kanal"], None), define(&[" "], Some("orders.chan_cd"))];
    let entries = nothing.into_iter().chain([named.clone()]).collect();
    let kept = vitrine_glossary::normalize_definitions(Definitions { text: String::new(), entries });
    assert_eq!(kept.entries, [named]);
    let told = vitrine_glossary::collect_knowledge(&kept, "Umsatz je Kanal", None);
    assert_eq!(told.as_deref(), Some("channel (also: Kanal) [orders.chan_cd]"));
}
