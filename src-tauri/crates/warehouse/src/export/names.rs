//! Unique names of columns.

use arrow::datatypes::Schema;
use std::collections::HashSet;

/// Returns unique names: a name that occurred before, ignoring case, gets a number.
pub(super) fn deduplicate_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut one = |name: &str| {
        let numbered = (1..).map(|number| match number {
            1 => name.to_owned(),
            number => format!("{name}_{number}"),
        });
        numbered.into_iter().find(|name| taken.insert(name.to_lowercase())).expect("numbers do not end")
    };
    names.into_iter().map(&mut one).collect()
}

/// Returns unique names for the columns of a result.
pub(super) fn of_schema(schema: &Schema) -> Vec<String> {
    deduplicate_names(schema.fields().iter().map(|field| field.name().as_str()))
}
