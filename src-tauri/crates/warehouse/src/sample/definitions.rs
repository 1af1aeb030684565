//! What the sample's owner has defined.

use vitrine_domain::{Definition, DefinitionSource, Definitions};

/// What is known of the sample in words: what its description of the orders says, for every answer.
pub fn sample_definitions() -> Definitions {
    let sales = Definition {
        term: "orders".to_owned(),
        synonyms: Vec::new(),
        meaning: "cancelled orders do not count as sales".to_owned(),
        condition: Some("status <> 'cancelled'".to_owned()),
        always: true,
        subject: Some("orders".to_owned()),
        source: DefinitionSource::User,
    };
    Definitions { text: String::new(), entries: vec![sales] }
}
