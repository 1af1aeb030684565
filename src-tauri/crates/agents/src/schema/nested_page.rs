//! The page on nested data (ReFoRCE, appendix C), whose examples contain the names of the columns that a query uses, because a small model
//! copies an example literally, including `column` and `key`.

use vitrine_domain::{Column, Dialect, Profile, Table};
use vitrine_sql::{DialectExt, field_names, member_type, quote_identifier};

/// Names in the examples of a page: `prompts/dialect/nested-*.txt`.
struct ExampleNames {
    /// Table that contains the list.
    table: String,
    /// A column with fields or keys, and one of these.
    column: String,
    key: String,
    /// A column with a list, the first field or key of its members, and all of these.
    list: String,
    field: String,
    fields: String,
}

impl Default for ExampleNames {
    fn default() -> Self {
        let [table, column, key, list, field, fields] =
            ["t", "column", "key", "column", "field", "field, price"].map(str::to_owned);
        Self { table, column, key, list, field, fields }
    }
}

/// Returns the page for any schema, one fact per line.
pub fn general_lines(dialect: Dialect) -> Vec<String> {
    ExampleNames::default().fill_page(dialect.sql().nested_page())
}

/// Returns the page for a query, about the first list and the first column with keys that it uses.
pub fn of_query(used: &[(&Table, &Column)], profile: &Profile, dialect: Dialect) -> Vec<String> {
    let mut names = ExampleNames::default();
    // In reverse order, so that the first columns overwrite the others.
    for (table, column) in used.iter().rev() {
        match NestedParts::from_column(table, column, profile, dialect) {
            Some(NestedParts::Members(fields)) => {
                names.table = quote_identifier(&table.name.name, dialect);
                names.list = quote_identifier(&column.name, dialect);
                let general = ExampleNames::default();
                names.field = fields.first().cloned().unwrap_or(general.field);
                names.fields = if fields.is_empty() { general.fields } else { fields.join(", ") };
            }
            Some(NestedParts::Keys(key)) => {
                names.column = quote_identifier(&column.name, dialect);
                names.key = key;
            }
            None => {}
        }
    }
    names.fill_page(dialect.sql().nested_page())
}

impl ExampleNames {
    fn fill_page(&self, page: &str) -> Vec<String> {
        let Self { table, column, key, list, field, fields } = self;
        let mut page = page.to_owned();
        for (place, name) in [
            ("{t}", table),
            ("{column}", column),
            ("{key}", key),
            ("{list}", list),
            ("{field}", field),
            ("{fields}", fields),
        ] {
            page = page.replace(place, name);
        }
        page.lines().map(str::to_owned).collect()
    }
}

/// Structure of a nested column.
enum NestedParts {
    /// Members of a list, with these fields or keys.
    Members(Vec<String>),
    /// A field or a key of the column.
    Keys(String),
}

impl NestedParts {
    fn from_column(table: &Table, column: &Column, profile: &Profile, dialect: Dialect) -> Option<Self> {
        let fields = |data_type: &str| {
            field_names(data_type).iter().map(|name| quote_identifier(name, dialect)).collect::<Vec<_>>()
        };
        if let Some(member) = member_type(&column.data_type) {
            return Some(Self::Members(fields(member)));
        }
        if let Some(first) = fields(&column.data_type).into_iter().next() {
            return Some(Self::Keys(first));
        }
        if dialect.sql().nested_page_has_lists() {
            return None;
        }
        let places = &profile.find_table(&table.name)?.find_column(&column.name)?.paths;
        if places.first()?.0.starts_with("[]") {
            let keys = places.iter().filter_map(|(path, _)| first_key(path.strip_prefix("[].")?));
            return Some(Self::Members(keys.map(str::to_owned).collect()));
        }
        places.iter().find_map(|(path, _)| first_key(path)).map(|key| Self::Keys(key.to_owned()))
    }
}

/// Returns the first key of a path if it needs no quotation marks.
fn first_key(path: &str) -> Option<&str> {
    let key = path.split('.').next()?;
    let plain = key.chars().all(|c| c.is_alphanumeric() || c == '_') && !key.is_empty();
    plain.then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_table::one_table;
    use vitrine_domain::{ColumnProfile, TableProfile};

    /// Returns the page for a query on orders that uses these columns: name, type, paths in its JSON.
    fn page_lines(dialect: Dialect, columns: &[(&str, &str, &[&str])]) -> String {
        let names: Vec<&str> = columns.iter().map(|(name, ..)| *name).collect();
        let mut table = one_table(dialect, "orders", &names).tables.remove(0);
        for (column, (_, data_type, _)) in table.columns.iter_mut().zip(columns) {
            (*data_type).clone_into(&mut column.data_type);
        }
        let known = |(name, _, paths): &(&str, &str, &[&str])| ColumnProfile {
            name: (*name).into(),
            paths: paths.iter().map(|path| ((*path).to_owned(), "text".to_owned())).collect(),
            ..ColumnProfile::default()
        };
        let profile = Profile {
            tables: vec![TableProfile {
                table: table.name.clone(),
                row_count: None,
                profiled_rows: 1,
                columns: columns.iter().map(known).collect(),
            }],
            ..Profile::default()
        };
        let used: Vec<(&Table, &Column)> = table.columns.iter().map(|column| (&table, column)).collect();
        of_query(&used, &profile, dialect).join("\n")
    }

    #[test]
    fn examples_have_the_names_of_the_columns_that_the_query_uses() {
        let json: &[(&str, &str, &[&str])] = &[
            ("ADDRESS", "VARIANT", &["geo.lat", "country"]),
            ("ITEMS", "VARIANT", &["[].sku", "[].price"]),
            ("more", "VARIANT", &["[].other"]),
        ];
        let told = page_lines(Dialect::Snowflake, json);
        assert!(told.contains("ADDRESS:geo::STRING") && told.contains("f.value:sku::STRING FROM \"orders\""), "{told}");
        assert!(told.contains("FLATTEN(input => \"orders\".ITEMS)") && !told.contains("other"), "{told}");
        let typed: &[(&str, &str, &[&str])] = &[
            ("items", "array(row(sku varchar, price double))", &[]),
            ("address", "row(city varchar, zip varchar)", &[]),
        ];
        let told = page_lines(Dialect::Trino, typed);
        assert!(told.contains("UNNEST(orders.items) AS u(sku, price)") && told.contains("address.city"), "{told}");
        // No keys are invented for members without keys.
        let told = page_lines(Dialect::Sqlite, &[("tags", "TEXT", &["[]"])]);
        assert!(told.contains("json_each(orders.tags)") && told.contains("'$.field'"), "{told}");
    }

    #[test]
    fn no_page_has_a_place_that_nothing_fills() {
        let typed = [Dialect::Duckdb, Dialect::Bigquery, Dialect::Clickhouse, Dialect::Databricks, Dialect::Trino];
        for dialect in typed.into_iter().chain([
            Dialect::Sqlite,
            Dialect::Snowflake,
            Dialect::Postgres,
            Dialect::Mysql,
            Dialect::Mssql,
        ]) {
            for line in general_lines(dialect) {
                assert!(!line.contains(['{', '}']), "{line}");
            }
        }
        assert!(general_lines(Dialect::Snowflake)[0].contains("column:key::STRING"));
    }
}
