//! Pages on a dialect for models that deliberate, where the schema that they see has such columns: nested data, dates, and
//! matching of texts (ReFoRCE, appendix C). A small model copies what it does not need, and is told less.

use crate::prompt::request::{opening, opening_with};
use vitrine_domain::{Catalog, Column, ColumnProfile, ModelProfile, Profile};
use vitrine_llm::Request;

/// A request's beginning over a part of the schema, with the pages that its columns ask for.
pub fn opening_with_pages(model: &ModelProfile, profile: &Profile, text: &str, visible: &Catalog) -> Request {
    match model.deliberates {
        true => opening_with(visible.dialect, text, &pages(profile, visible)),
        false => opening(visible.dialect, text),
    }
}

/// The lines of the pages for columns of `visible`.
fn pages(profile: &Profile, visible: &Catalog) -> Vec<&'static str> {
    let dialect = visible.dialect;
    let any = |is: &dyn Fn(&Column, Option<&ColumnProfile>) -> bool| {
        visible.tables.iter().any(|table| {
            let known = profile.table(&table.name);
            table.columns.iter().any(|column| is(column, known.and_then(|known| known.column(&column.name))))
        })
    };
    let mut lines: Vec<&str> = dialect.page().lines().collect();
    if any(&|column, known| vitrine_catalog::holds_dates(column, known, dialect)) {
        lines.extend(dialect.date_page().lines());
    }
    if any(&|column, known| vitrine_catalog::holds_words(column, known, dialect)) {
        lines.extend(dialect.text_page().lines());
    }
    if any(&|column, known| vitrine_catalog::is_nested(column, known, dialect)) {
        lines.extend(dialect.nested_page().lines());
    }
    lines
}
