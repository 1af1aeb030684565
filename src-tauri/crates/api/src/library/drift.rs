//! Drift: comparison of a schema with the tables and columns that a query was written for.

use vitrine_domain::Catalog;
use vitrine_sql::ReadOnlySql;
use vitrine_store::UsedSchema;
use vitrine_words::tr;

/// Returns the tables and columns that a query uses; `None` if its text does not determine them.
pub(super) fn collect_used_schema(sql: &ReadOnlySql, catalog: &Catalog) -> Option<UsedSchema> {
    let bound = vitrine_sql::bind_names(sql, catalog);
    if !bound.problems.is_empty() || bound.tables.is_empty() {
        return None;
    }
    let mut schema: UsedSchema = bound.tables.iter().map(|table| (table.clone(), Default::default())).collect();
    for (table, column) in bound.columns {
        let declared = catalog.find_table(&table)?.find_column(&column)?.data_type.clone();
        schema.entry(table).or_default().insert(column, declared);
    }
    Some(schema)
}

/// Describes the changes of these tables and columns, one sentence each, in the order of the tables.
pub(super) fn describe_changes(schema: &UsedSchema, catalog: &Catalog) -> Vec<String> {
    let mut changes = Vec::new();
    for (name, columns) in schema {
        let Some(table) = catalog.find_table(name) else {
            changes.push(tr!("The table {name} no longer exists", name));
            continue;
        };
        for (column, declared) in columns {
            match table.find_column(column) {
                None => changes.push(tr!("The column {name}.{column} no longer exists", name, column)),
                Some(now) if !now.data_type.eq_ignore_ascii_case(declared) => {
                    changes.push(tr!(
                        "The column {name}.{column} is now {now}, declared as {declared}",
                        name,
                        column,
                        now = now.data_type,
                        declared
                    ));
                }
                Some(_) => {}
            }
        }
    }
    changes
}
