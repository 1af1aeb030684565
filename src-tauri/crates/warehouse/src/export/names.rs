//! Names of columns, each once.

use arrow::datatypes::Schema;
use std::collections::HashSet;

/// The names of a result's columns; a name that stands there already, in any case, gets a number.
pub(super) fn distinct(schema: &Schema) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for field in schema.fields() {
        let numbered = (1..).map(|number| match number {
            1 => field.name().clone(),
            number => format!("{}_{number}", field.name()),
        });
        let name = numbered.into_iter().find(|name| taken.insert(name.to_lowercase())).expect("numbers do not end");
        names.push(name);
    }
    names
}
