//! Generates the JSON Schema of a view: a compact form for a small model, restricted to the names of a catalog, or the
//! whole language.
//!
//! It uses only keywords that constrained decoding supports: `anyOf`, `const`, `enum`, `pattern`, bounds of lists and
//! texts; for the whole language only keywords that strict servers accept. Listed columns have the form `table.column`.

mod names;
mod parts;
mod small;
mod whole;

use crate::model::relation::ViewRelation;
use names::SchemaNames;
use serde_json::{Map, Value};
use vitrine_domain::{Catalog, Profile};

/// The part of the language that a model is offered. Its output is parsed as the whole language in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// The part that most questions need, for models that more options confuse.
    Core,
    /// All parts of the language.
    Whole,
}

/// The schema of a view with its definitions, which belong to the root of the enclosing schema (`$defs`).
#[derive(Debug, Clone, PartialEq)]
pub struct ViewSchema {
    /// The schema of one view.
    pub view: Value,
    /// Schemas that the view refers to by name.
    pub definitions: Map<String, Value>,
}

/// Returns the schema of one view over the tables of `catalog` (those left after pruning) and earlier views.
pub fn json_schema(catalog: &Catalog, profile: &Profile, earlier: &[ViewRelation], offer: Offer) -> ViewSchema {
    match offer {
        Offer::Core => ViewSchema {
            view: SchemaNames::from_catalog(catalog, profile, earlier).view_schema(),
            definitions: Map::new(),
        },
        Offer::Whole => ViewSchema { view: whole::view_schema(), definitions: whole::schema_definitions() },
    }
}
