//! The definitions of the sample.

use vitrine_domain::{Definition, DefinitionSource, Definitions};

/// Returns the definitions of the sample, such as the description of its orders, which apply to every answer.
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
