//! Lists the columns that a query uses, and their uses.

use vitrine_domain::{Catalog, ColumnUse, UsedColumn, UsedTable};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_sql_steps::{Expression, OrderKey, Origin, StepKind, Steps};

/// Returns columns with their uses in steps, and columns that are used only in parts that were not split.
pub(crate) fn collect_used_tables(steps: &Steps, sql: &ReadOnlySql, catalog: &Catalog) -> Vec<UsedTable> {
    let mut used = Used::default();
    let is_step = |name: &str| steps.steps().iter().any(|step| step.name == name);
    for step in steps.steps() {
        // Some tables contribute only rows.
        for table in step.reads.iter().filter(|name| !is_step(name)).filter_map(|name| catalog.find_table(name)) {
            used.table_entry(&table.name.to_string());
        }
        match &step.kind {
            StepKind::Table { table, filters } => {
                used.table_entry(table);
                used.add_expressions(filters, ColumnUse::Filtered);
            }
            StepKind::Join { condition, .. } => used.add_expressions(condition, ColumnUse::Joined),
            StepKind::Filter { conditions } | StepKind::Having { conditions } => {
                used.add_expressions(conditions, ColumnUse::Filtered);
            }
            StepKind::Group { keys, aggregates, order } => {
                used.add_expressions(keys.iter().map(|key| &key.value), ColumnUse::Grouped);
                used.add_expressions(aggregates.iter().map(|aggregate| &aggregate.value), ColumnUse::Computed);
                used.add_sort_keys(order);
            }
            StepKind::Window { outputs } | StepKind::Project { outputs } => {
                used.add_expressions(outputs.iter().map(|output| &output.value), ColumnUse::Computed);
            }
            StepKind::Order { keys, .. } => used.add_sort_keys(keys),
            _ => {}
        }
    }
    let result = steps.steps().last().into_iter().flat_map(|step| &step.columns);
    result.filter_map(|column| column.origin.as_ref()).for_each(|origin| used.add(origin, ColumnUse::Shown));
    // Tables and columns of parts that were not split.
    for table in collect_bound_tables(sql, catalog) {
        used.table_entry(&table.table);
        for column in table.columns {
            let origin = Origin { table: table.table.clone(), column: column.column };
            used.column_entry(&origin);
        }
    }
    used.tables
}

/// Returns tables and columns that a query names, without their uses.
pub(crate) fn collect_bound_tables(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<UsedTable> {
    let mut used = Used::default();
    for (table, column) in bind_names(sql, catalog).columns {
        used.column_entry(&Origin { table, column });
    }
    used.tables
}

#[derive(Default)]
struct Used {
    tables: Vec<UsedTable>,
}

impl Used {
    fn table_entry(&mut self, name: &str) -> &mut UsedTable {
        let place = self.tables.iter().position(|known| known.table.eq_ignore_ascii_case(name)).unwrap_or_else(|| {
            self.tables.push(UsedTable { table: name.to_owned(), rows: None, columns: Vec::new() });
            self.tables.len() - 1
        });
        &mut self.tables[place]
    }

    fn column_entry(&mut self, origin: &Origin) -> &mut UsedColumn {
        let columns = &mut self.table_entry(&origin.table).columns;
        let known = columns.iter().position(|known| known.column.eq_ignore_ascii_case(&origin.column));
        let place = known.unwrap_or_else(|| {
            columns.push(UsedColumn { column: origin.column.clone(), uses: Vec::new() });
            columns.len() - 1
        });
        &mut columns[place]
    }

    fn add(&mut self, origin: &Origin, used: ColumnUse) {
        let uses = &mut self.column_entry(origin).uses;
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    fn add_expressions<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expression>, used: ColumnUse) {
        expressions.into_iter().flat_map(|e| &e.columns).for_each(|origin| self.add(origin, used));
    }

    fn add_sort_keys(&mut self, keys: &[OrderKey]) {
        self.add_expressions(keys.iter().map(|key| &key.value), ColumnUse::Sorted);
    }
}
