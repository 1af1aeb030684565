//! Creates definitions from the comments of a database.

use crate::text::name_to_words;
use vitrine_domain::{Catalog, Definition, DefinitionSource};

/// Returns a definition for each comment on a table or a column, in catalog order.
pub fn from_comments(catalog: &Catalog) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut define = |name: &str, subject: String, comment: Option<&String>| {
        if let Some(comment) = comment.filter(|comment| !comment.trim().is_empty()) {
            found.push(Definition {
                term: name_to_words(name),
                synonyms: Vec::new(),
                meaning: comment.clone(),
                condition: None,
                always: false,
                subject: Some(subject),
                source: DefinitionSource::Comment,
            });
        }
    };
    for table in &catalog.tables {
        let label: Vec<&str> = table.name.name_parts().collect();
        let label = label.join(".");
        define(&table.name.name, label.clone(), table.comment.as_ref());
        for column in &table.columns {
            define(&column.name, format!("{label}.{}", column.name), column.comment.as_ref());
        }
    }
    found
}
