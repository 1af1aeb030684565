//! The JSON Schema of a view, in a form that is short to write: for a small model restricted to a catalog's names.
//!
//! It uses only what constrained decoding supports: `anyOf`, `const`, `enum`, `pattern`, bounds of lists and texts; for a
//! model that is offered the whole language only what strict servers take, too. Listed columns are `table.column`, one by one.

mod names;
mod parts;
mod small;
mod whole;

use crate::model::relation::ViewRelation;
use names::Names;
use serde_json::{Map, Value};
use vitrine_domain::{Catalog, Profile};

/// How much of the language a model is offered. What it writes is read whole either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// What most questions need, for a model that loses its thread in more.
    Core,
    /// All of it.
    Whole,
}

/// The schema of a view, and what it refers to, which belongs to the root of the schema that it is put into (`$defs`).
#[derive(Debug, Clone, PartialEq)]
pub struct ViewSchema {
    /// The schema of one view.
    pub view: Value,
    /// What it refers to by name.
    pub definitions: Map<String, Value>,
}

/// The schema of one view over the tables of `catalog` (those left after pruning) and the views before it.
pub fn json_schema(catalog: &Catalog, profile: &Profile, earlier: &[ViewRelation], offer: Offer) -> ViewSchema {
    match offer {
        Offer::Core => ViewSchema { view: Names::of(catalog, profile, earlier).view(), definitions: Map::new() },
        Offer::Whole => ViewSchema { view: whole::view(), definitions: whole::definitions() },
    }
}
