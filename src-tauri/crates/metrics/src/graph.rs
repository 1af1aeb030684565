//! Join paths between tables. A path follows entities, from a table that refers to an entity to one in which it is
//! unique.

use crate::definition::{Dimension, DimensionKind, Entity, EntityKind, MetricsFile, SemanticTable};
use crate::names::{DimensionName, SEPARATOR};
use crate::problem::MetricError;
use vitrine_words::tr;

/// Maximum number of joins in a path.
const MOST_HOPS: usize = 4;
/// Maximum number of paths from a table.
const MOST_PATHS: usize = 2_000;

/// A join from a table to another one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hop {
    /// The name of the entity.
    pub entity: String,
    /// The table that the join starts from, as an index of the file.
    pub from: usize,
    /// The table that is joined.
    pub to: usize,
}

/// A dimension or entity of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Element<'f> {
    Dimension(&'f Dimension),
    Entity(&'f Entity),
}

/// A dimension with the joins that lead to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resolved<'f> {
    pub path: Vec<Hop>,
    pub table: usize,
    pub element: Element<'f>,
}

impl<'f> Resolved<'f> {
    /// Returns the dimension, unless it is an entity.
    pub fn dimension(&self) -> Option<&'f Dimension> {
        match self.element {
            Element::Dimension(dimension) => Some(dimension),
            Element::Entity(_) => None,
        }
    }
}

/// A dimension by which a metric can be grouped.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AvailableDimension {
    /// The name in queries, without a grain.
    pub name: String,
    /// The kind: `category`, `time` or `entity`.
    pub kind: &'static str,
    /// The title for users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The name of the table that contains it.
    pub table: String,
}

impl Entity {
    /// Returns true if rows are unique by the entity.
    fn is_unique(&self) -> bool {
        matches!(self.kind, EntityKind::Primary | EntityKind::Unique)
    }

    /// Returns the column or expression of the entity.
    pub fn expression(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }
}

impl Dimension {
    /// Returns the column or expression of the dimension.
    pub fn expression(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }
}

impl SemanticTable {
    /// Finds an entity by its name, ignoring case.
    pub fn find_entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name.eq_ignore_ascii_case(name))
    }

    /// Finds a dimension by its name, ignoring case.
    pub fn find_dimension(&self, name: &str) -> Option<&Dimension> {
        self.dimensions.iter().find(|dimension| dimension.name.eq_ignore_ascii_case(name))
    }

    /// Returns the entities by which the table's own dimensions are named.
    pub(crate) fn own_links(&self) -> Vec<&str> {
        let own = self.entities.iter().filter(|e| e.kind != EntityKind::Foreign).map(|e| e.name.as_str());
        let mut links: Vec<&str> = self.primary_entity.as_deref().into_iter().chain(own).collect();
        links.dedup();
        links
    }

    fn find_element(&self, name: &str) -> Option<Element<'_>> {
        let dimension = self.find_dimension(name).map(Element::Dimension);
        dimension.or_else(|| self.find_entity(name).map(Element::Entity))
    }
}

/// Returns all paths from a table, the empty one first. No table occurs twice in a path.
pub(crate) fn find_paths(file: &MetricsFile, base: usize) -> Vec<Vec<Hop>> {
    let mut paths: Vec<Vec<Hop>> = vec![Vec::new()];
    let mut at = 0;
    while at < paths.len() && paths.len() < MOST_PATHS {
        let path = paths[at].clone();
        at += 1;
        if path.len() == MOST_HOPS {
            continue;
        }
        let from = path.last().map_or(base, |hop| hop.to);
        for entity in &file.tables[from].entities {
            for (to, table) in file.tables.iter().enumerate() {
                let is_new = to != base && path.iter().all(|hop| hop.to != to);
                if is_new && table.find_entity(&entity.name).is_some_and(Entity::is_unique) {
                    let mut longer = path.clone();
                    longer.push(Hop { entity: entity.name.clone(), from, to });
                    paths.push(longer);
                }
            }
        }
    }
    paths
}

/// A dimension with one of the names that lead to it.
struct Named<'f> {
    links: Vec<String>,
    resolved: Resolved<'f>,
}

impl Named<'_> {
    fn full_name(&self) -> String {
        let element = match self.resolved.element {
            Element::Dimension(dimension) => &dimension.name,
            Element::Entity(entity) => &entity.name,
        };
        self.links.iter().map(String::as_str).chain([element.as_str()]).collect::<Vec<_>>().join(SEPARATOR)
    }
}

/// Finds the dimension that a name means for rows of a table. A name that spells out the entities of a path is
/// preferred to a name that is only its end.
///
/// # Errors
/// Fails if no path leads to such a dimension, or several do.
pub(crate) fn resolve_dimension<'f>(
    file: &'f MetricsFile,
    base: usize,
    name: &DimensionName,
    written: &str,
) -> Result<Resolved<'f>, MetricError> {
    let mut exact: Vec<Named<'f>> = Vec::new();
    let mut by_ending: Vec<Named<'f>> = Vec::new();
    for path in find_paths(file, base) {
        let table = path.last().map_or(base, |hop| hop.to);
        let Some(element) = file.tables[table].find_element(&name.element) else { continue };
        let links: Vec<String> = path.iter().map(|hop| hop.entity.clone()).collect();
        let resolved = Resolved { path, table, element };
        if resolved.path.is_empty() {
            let is_own = |link: &str| file.tables[base].own_links().iter().any(|own| own.eq_ignore_ascii_case(link));
            match name.links.as_slice() {
                [] => exact.push(Named { links, resolved }),
                [link] if is_own(link) => exact.push(Named { links: vec![link.clone()], resolved }),
                _ => {}
            }
            continue;
        }
        // The key of the joined table equals the key that leads to it.
        let is_key = resolved.path.last().is_some_and(|hop| hop.entity.eq_ignore_ascii_case(&name.element));
        if is_key && matches!(element, Element::Entity(_)) {
            continue;
        }
        if same_names(&links, &name.links) {
            exact.push(Named { links, resolved });
        } else if links.len() > name.links.len() && same_names(&links[links.len() - name.links.len()..], &name.links) {
            by_ending.push(Named { links, resolved });
        }
    }
    let mut found = if exact.is_empty() { by_ending } else { exact };
    match found.len() {
        0 => Err(no_path_error(file, base, name, written)),
        1 => Ok(found.remove(0).resolved),
        _ => Err(several_paths_error(file, base, &found, written)),
    }
}

fn same_names(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.eq_ignore_ascii_case(b))
}

fn several_paths_error(file: &MetricsFile, base: usize, found: &[Named<'_>], written: &str) -> MetricError {
    let mut names: Vec<String> = found.iter().map(Named::full_name).collect();
    names.sort();
    names.dedup();
    let describe = |one: &Named<'_>| {
        let tables: Vec<&str> = std::iter::once(base)
            .chain(one.resolved.path.iter().map(|hop| hop.to))
            .map(|table| file.tables[table].name.as_str())
            .collect();
        format!("{} ({})", one.full_name(), tables.join(" → "))
    };
    let paths: Vec<String> = found.iter().map(describe).collect();
    let error = MetricError::new(tr!(
        "Several join paths lead from table {table} to '{name}': {paths}",
        table = file.tables[base].name,
        name = written,
        paths = paths.join(", ")
    ));
    error.with_hint(match names.len() == found.len() {
        true => tr!("Name one of them: {names}", names = names.join(", ")),
        false => tr!("Rename the dimension or the entity in one of the tables, so that the names differ"),
    })
}

fn no_path_error(file: &MetricsFile, base: usize, name: &DimensionName, written: &str) -> MetricError {
    let table = &file.tables[base];
    let has = |table: &SemanticTable| table.find_element(&name.element).is_some();
    let elsewhere: Vec<&SemanticTable> = file.tables.iter().filter(|other| has(other)).collect();
    let available: Vec<String> = list_available(file, base).into_iter().map(|one| one.name).collect();
    let hint = tr!("Dimensions of table {table}: {names}", table = table.name, names = shorten_list(&available, 30));
    if elsewhere.is_empty() {
        return MetricError::missing(tr!("There is no dimension '{name}'", name = written)).with_hint(hint);
    }
    let shared = elsewhere.iter().find_map(|other| {
        let entity = other.entities.iter().find(|e| table.find_entity(&e.name).is_some() && !e.is_unique())?;
        Some((other, entity))
    });
    let tables: Vec<&str> = elsewhere.iter().map(|other| other.name.as_str()).collect();
    let message = match shared {
        Some((other, entity)) => tr!(
            "No join path leads from table {table} to '{name}': table {other} has several rows per {entity}, and joining it would repeat rows",
            table = table.name,
            name = written,
            other = other.name,
            entity = entity.name
        ),
        None => tr!(
            "No join path leads from table {table} to '{name}', which table {tables} contains",
            table = table.name,
            name = written,
            tables = tables.join(", ")
        ),
    };
    MetricError::new(message).with_hint(hint)
}

fn shorten_list(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > most { format!("{shown}, …") } else { shown }
}

/// Lists the dimensions that unambiguous paths from a table lead to, by their shortest names.
pub(crate) fn list_available(file: &MetricsFile, base: usize) -> Vec<AvailableDimension> {
    let mut found: Vec<AvailableDimension> = Vec::new();
    for path in find_paths(file, base).into_iter().filter(|path| path.len() <= 2) {
        let at = path.last().map_or(base, |hop| hop.to);
        let table = &file.tables[at];
        let own = table.own_links().first().map(|link| (*link).to_owned());
        let links: Vec<String> = match path.is_empty() {
            true => own.into_iter().collect(),
            false => path.iter().map(|hop| hop.entity.clone()).collect(),
        };
        let full = |name: &str| links.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(SEPARATOR);
        let mut add = |name: String, kind, label: &Option<String>| {
            let one = AvailableDimension { name, kind, label: label.clone(), table: table.name.clone() };
            match found.iter().position(|known| known.name == one.name) {
                None => found.push(one),
                // Two tables give the dimension the same name, so that a query would be rejected.
                Some(known) if found[known].table != one.table => {
                    found.remove(known);
                }
                Some(_) => {}
            }
        };
        if path.is_empty() {
            for entity in &table.entities {
                add(entity.name.clone(), "entity", &entity.label);
            }
        }
        for dimension in &table.dimensions {
            let kind = if dimension.kind == DimensionKind::Time { "time" } else { "category" };
            add(full(&dimension.name), kind, &dimension.label);
        }
    }
    found
}
