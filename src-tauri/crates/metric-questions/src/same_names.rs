//! Columns with the names of things, in which two things may have the same name. A group by such a column would add them.

use crate::terms::nouns_of;
use crate::words::{is_same_word, split_words};
use vitrine_domain::{Catalog, Table, TableName};
use vitrine_metrics::{Dimension, EntityKind, MetricQuery, MetricsFile, SemanticTable, find_dimension_column};
use vitrine_sql::{ColumnType, DialectExt, ReadOnlySql, name_words, quote_identifier, table_ref};

/// A query that returns a row if a name occurs several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameCheck {
    /// The table of the things.
    pub table: TableName,
    /// The column with their names.
    pub column: String,
    /// The query.
    pub sql: ReadOnlySql,
}

/// Lists the checks of the names by which a query groups. A column is the name of its rows if it is called so, or like
/// the rows themselves: "products" are grouped by the column with their names, which another column identifies.
pub fn list_name_checks(file: &MetricsFile, catalog: &Catalog, query: &MetricQuery) -> Vec<NameCheck> {
    let Some(metric) = query.metrics.first() else { return Vec::new() };
    let mut checks: Vec<NameCheck> = Vec::new();
    for name in &query.by {
        let Ok(found) = find_dimension_column(file, catalog, metric, name) else { continue };
        let Some((table, column)) = found.column else { continue };
        let is_text = matches!(found.column_type, ColumnType::Text | ColumnType::Unknown);
        let Some(stored) = catalog.tables.iter().find(|stored| stored.name == table) else { continue };
        let of_things = |table: &SemanticTable| describes_table(table, stored) && names_things(table, &column);
        if !is_text || found.is_time || !file.tables.iter().any(of_things) {
            continue;
        }
        if let Some(check) = check_names(catalog, stored, &column)
            && !checks.contains(&check)
        {
            checks.push(check);
        }
    }
    checks
}

/// Returns true if a table of the file describes a table of the database. A name without a schema may mean several.
pub(crate) fn describes_table(table: &SemanticTable, stored: &Table) -> bool {
    let own = table.stored_name().rsplit('.').next().unwrap_or_default();
    own.trim_matches(|c| matches!(c, '"' | '`' | '[' | ']')).eq_ignore_ascii_case(&stored.name.name)
}

/// Returns the query that checks a column, unless the database ensures that its values differ.
fn check_names(catalog: &Catalog, stored: &Table, column: &str) -> Option<NameCheck> {
    let dialect = catalog.dialect;
    if stored.is_unique(column) && dialect.sql().enforces_unique_keys() {
        return None;
    }
    let (from, name) = (table_ref(&stored.name, dialect), quote_identifier(column, dialect));
    let limit = dialect.sql().sort_and_limit_clauses(&[], Some(1));
    let text =
        format!("SELECT {name}\nFROM {from}\nWHERE {name} IS NOT NULL\nGROUP BY {name}\nHAVING COUNT(*) > 1{limit}");
    let sql = ReadOnlySql::parse(&text, dialect).ok()?;
    Some(NameCheck { table: stored.name.clone(), column: column.to_owned(), sql })
}

/// Returns true if a column has the names of the things that another column of the table identifies.
fn names_things(table: &SemanticTable, column: &str) -> bool {
    let is_column = |expression: &str| expression.trim().eq_ignore_ascii_case(column);
    let mut keys = table.entities.iter().filter(|entity| entity.kind == EntityKind::Primary);
    let has_key = keys.any(|entity| !is_column(entity.expression()));
    let mut dimensions = table.dimensions.iter().filter(|dimension| is_column(dimension.expression()));
    has_key && dimensions.any(|dimension| is_name(table, dimension))
}

fn is_name(table: &SemanticTable, dimension: &Dimension) -> bool {
    if name_words(&dimension.name).last().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        return true;
    }
    let words = |text: &str| split_words(text).into_iter().map(|word| word.folded).collect::<Vec<String>>();
    let own_name = words(&name_words(&dimension.name).join(" "));
    let own = dimension.label.iter().chain(&dimension.synonyms).map(|text| words(text)).chain([own_name]);
    let nouns: Vec<Vec<String>> =
        nouns_of(table).iter().flat_map(|noun| [words(noun), words(&name_words(noun).join(" "))]).collect();
    let is_same = |one: &Vec<String>, other: &Vec<String>| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_word(one, other))
    };
    own.into_iter().any(|own| nouns.iter().any(|noun| is_same(&own, noun)))
}
