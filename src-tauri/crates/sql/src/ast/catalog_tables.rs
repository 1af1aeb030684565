//! Resolves qualified names to tables of the catalog. A name may have more parts than the catalog records, such as a
//! schema, a database or a catalog. Each further part must match the connection's own schema, database or catalog at
//! its level: `main.sales.orders` is not the `orders` of `shop.sales`.

use crate::dialect::DialectExt;
use crate::text::same_name;
use vitrine_domain::{Catalog, Table};

/// The meaning of a name in a FROM clause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Named<'c> {
    /// A table of the catalog.
    Table(&'c Table),
    /// The first of several tables of the catalog: the name leaves the schema open.
    OneOf(&'c Table),
    /// A table of another schema, database or catalog that the connection may be able to read. Its columns are unknown.
    Elsewhere,
    /// No table is known by this name.
    Nothing,
}

/// Default schemas and databases of the dialects, for catalogs that do not record their own.
const USUAL: [&str; 5] = ["main", "public", "temp", "memory", "dbo"];

/// Looks up a name by its parts, ignoring case.
pub(crate) fn resolve_table_name<'c>(catalog: &'c Catalog, parts: &[&str]) -> Named<'c> {
    let mut found = catalog.tables.iter().filter(|table| ends_with(table, parts));
    let exact = catalog.tables.iter().find(|table| is_exactly(table, parts));
    match (exact, found.next(), found.next()) {
        (Some(table), ..) | (None, Some(table), None) => return Named::Table(table),
        (None, Some(first), Some(_)) => return Named::OneOf(first),
        (None, None, _) => {}
    }
    if let Some(group) = find_wildcard_group(catalog, parts) {
        return Named::Table(group);
    }
    // Tries the name without its leading parts, because the catalog may omit them; removes as few as possible.
    let found = (1..parts.len()).find_map(|more| {
        let (before, rest) = parts.split_at(more);
        let table = catalog.tables.iter().find(|table| is_exactly(table, rest));
        table.or_else(|| find_wildcard_group(catalog, rest)).map(|table| (before, rest.len(), table))
    });
    let Some((before, own, table)) = found else { return Named::Nothing };
    let mut places = before.iter().rev().enumerate().map(|(up, place)| (own + up, *place));
    if places.clone().all(|(above, place)| is_own(catalog, above, place)) {
        Named::Table(table)
    } else if places.all(|(_, place)| is_place(catalog, place)) {
        Named::Elsewhere
    } else {
        Named::Nothing
    }
}

/// Returns true if a name means a table of the catalog.
pub fn is_catalog_table(catalog: &Catalog, parts: &[&str]) -> bool {
    matches!(resolve_table_name(catalog, parts), Named::Table(_) | Named::OneOf(_))
}

/// Returns true if `place` is the connection's own schema (`behind` is 1), or the database or catalog that contains its
/// schemas.
fn is_own(catalog: &Catalog, behind: usize, place: &str) -> bool {
    let path = &catalog.search_path;
    let syntax = catalog.dialect.sql();
    let holds = syntax.lists_container_in_search_path();
    let usual = || is_place(catalog, place);
    match (behind, path.as_slice()) {
        (_, []) if syntax.names_container_in_database() => match catalog.database.split('.').next() {
            Some(holder) if behind >= 2 && !holder.is_empty() => same_name(holder, place),
            _ => usual(),
        },
        (_, []) => usual(),
        (1, [schema, ..]) if holds => same_name(schema, place),
        (_, [_, holder, ..]) if holds => same_name(holder, place),
        (1, _) => path.iter().any(|schema| same_name(schema, place)),
        _ if catalog.database.is_empty() => usual(),
        _ => same_name(&catalog.database, place),
    }
}

/// Returns true if a name may be that of a schema or database of this connection.
fn is_place(catalog: &Catalog, name: &str) -> bool {
    USUAL.iter().any(|usual| same_name(usual, name))
        || catalog.search_path.iter().any(|own| same_name(own, name))
        || same_name(name, &catalog.database)
}

fn ends_with(table: &Table, parts: &[&str]) -> bool {
    let own: Vec<&str> = table.name.name_parts().collect();
    own.len() >= parts.len() && own.iter().rev().zip(parts.iter().rev()).all(|(a, b)| same_name(a, b))
}

fn is_exactly(table: &Table, parts: &[&str]) -> bool {
    table.name.name_parts().count() == parts.len() && ends_with(table, parts)
}

/// Finds the entry of a group of tables (`events_*`) that contains the named tables (`events_202401*`,
/// `events_20240131`). They have the columns of the group.
fn find_wildcard_group<'c>(catalog: &'c Catalog, parts: &[&str]) -> Option<&'c Table> {
    let (named, outer) = parts.split_last().filter(|_| catalog.dialect.sql().has_wildcard_tables())?;
    let is_part = |own: &str| {
        let prefix = own.strip_suffix('*');
        prefix.is_some_and(|prefix| named.len() > prefix.len() && named.starts_with(prefix))
    };
    catalog.tables.iter().find(|table| {
        let own: Vec<&str> = table.name.name_parts().collect();
        own.split_last().is_some_and(|(last, rest)| {
            let is_there = rest.len() >= outer.len();
            is_there && rest.iter().rev().zip(outer.iter().rev()).all(|(a, b)| a == b) && is_part(last)
        })
    })
}
