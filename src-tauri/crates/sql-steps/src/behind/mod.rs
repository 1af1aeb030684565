//! Traces a row of a result, or one of its cells, to the rows it was made from, step by step down to the tables.
//!
//! SQL rows have no identity, so the rows of every step are numbered and carry the numbers of the rows they were made
//! from ([`Numbered`]). The rows of a group are those with its keys. All of this is one query that computes each step
//! once.

mod made;
mod numbered;
mod rows;

use crate::names::Unique;
use crate::steps::{Step, Steps};
use numbered::{Numbered, keys_view};
use rows::{ROW, Source, key_column};
use vitrine_domain::{Catalog, CellType, Dialect, ResultColumn};
use vitrine_sql::{DialectExt, ReadOnlySql, quote_identifier, table_ref};

/// The rows behind a result row, in one step or table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// The name of the step or table.
    pub source: String,
    /// True if it is a table of the catalog.
    pub is_table: bool,
    /// The query that returns the rows.
    pub sql: String,
}

/// A row of a result, optionally with one of its cells.
#[derive(Debug, Clone, Copy)]
pub struct CellOf<'a> {
    /// The columns of the result.
    pub columns: &'a [ResultColumn],
    /// The cells of the row.
    pub row: &'a [Option<String>],
    /// The index of the cell; `None` for the whole row.
    pub column: Option<usize>,
}

impl Steps {
    /// Returns true if the rows of steps can be numbered. Views must be computed only once, otherwise the number of a
    /// row may change.
    pub fn can_be_numbered(&self) -> bool {
        self.dialect.sql().keeps_row_numbers_of_views()
    }

    /// Returns queries for the rows behind a row of the result of `sql`: first for the matching rows of the result,
    /// then for tables, then for the other steps, last step first. Also returns a one-row query that counts each. If
    /// `exact` is true, binary floats are compared too, although their text may not represent the exact number.
    /// Requires [`Steps::can_be_numbered`].
    pub fn rows_behind(
        &self,
        sql: &ReadOnlySql,
        catalog: &Catalog,
        cell: CellOf<'_>,
        exact: bool,
    ) -> (Vec<Behind>, String) {
        Search { steps: self, sql, catalog, dialect: self.dialect, views: Vec::new() }.trace_rows(cell, exact)
    }
}

struct Search<'a> {
    steps: &'a Steps,
    sql: &'a ReadOnlySql,
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Definitions of views, in the order of WITH.
    views: Vec<String>,
}

impl Search<'_> {
    fn trace_rows(mut self, cell: CellOf<'_>, exact: bool) -> (Vec<Behind>, String) {
        let steps = self.steps.steps();
        let Some(last) = steps.last() else { return (Vec::new(), String::new()) };
        // A result may have two columns with the same name; a view must not.
        let mut last = last.clone();
        let mut given = Unique::default();
        last.columns.iter_mut().for_each(|column| column.name = given.unique_name(&column.name));
        let steps: Vec<Step> = steps[..steps.len() - 1].iter().cloned().chain([last.clone()]).collect();
        for step in &steps[..steps.len() - 1] {
            self.views.push(self.steps.view_definition_as(step, "AS"));
        }
        self.views.push(format!(
            "{}{} AS (\n{}\n)",
            quote_identifier(&last.name, self.dialect),
            self.column_list(&last, &[]),
            last.sql
        ));
        let numbered: Vec<Numbered> =
            steps.iter().map(|step| Numbered::from_step(step, self.sql, &steps, self.catalog)).collect();
        let mut tables: Vec<&Source> = Vec::new();
        for table in numbered.iter().flat_map(|own| &own.reads).filter(|source| source.is_table) {
            if !tables.contains(&table) {
                tables.push(table);
                self.number_table(table);
            }
        }
        for (step, own) in steps.iter().zip(&numbered) {
            self.define_view(
                &Source::from_step(&step.name).rows_view(),
                &self.column_list(step, &own.beside),
                &own.sql,
            );
        }
        let mut of_cell = cell.column.and_then(|at| last.columns.get(at)).map(|c| (last.name.clone(), c.name.clone()));
        // For each source, the queries for row numbers from all steps that read it.
        let mut found: Vec<(Source, Vec<String>)> =
            vec![(Source::from_step(&last.name), vec![self.matching_rows_sql(&last, cell, exact)])];
        let mut marked: Vec<Source> = Vec::new();
        for (step, own) in steps.iter().zip(&numbered).rev() {
            let source = Source::from_step(&step.name);
            let Some(at) = found.iter().position(|(known, _)| *known == source) else { continue };
            let (_, parts) = found.remove(at);
            self.define_view(&source.behind_view(), &format!("({ROW})"), &parts.join("\nUNION\n"));
            let in_cell = of_cell.as_ref().filter(|(name, _)| *name == step.name).map(|(_, column)| column.clone());
            self.define_keys(&source, own, in_cell.as_deref());
            for (read, part) in own.source_row_queries(in_cell.as_deref()) {
                match found.iter_mut().find(|(known, _)| *known == read) {
                    Some((_, parts)) => parts.push(part),
                    None => found.push((read, vec![part])),
                }
            }
            if let Some(column) = in_cell {
                of_cell = own.copied_from(&column);
            }
            marked.push(source);
        }
        for (source, parts) in found {
            self.define_view(&source.behind_view(), &format!("({ROW})"), &parts.join("\nUNION\n"));
            marked.push(source);
        }
        self.build_queries(&marked)
    }

    /// Returns the columns that a step's view declares.
    fn column_list(&self, step: &Step, beside: &[String]) -> String {
        let own = step.columns.iter().map(|column| quote_identifier(&column.name, self.dialect));
        format!("({})", own.chain(beside.iter().cloned()).collect::<Vec<_>>().join(", "))
    }

    fn define_view(&mut self, name: &str, columns: &str, sql: &str) {
        self.views.push(format!("{}{columns} AS MATERIALIZED (\n{sql}\n)", quote_identifier(name, self.dialect)));
    }

    fn define_keys(&mut self, source: &Source, own: &Numbered, cell: Option<&str>) {
        let Some(keys) = own.key_columns(cell) else { return };
        let names: Vec<String> = (0..keys.len()).map(key_column).collect();
        let (rows, behind) = (
            quote_identifier(&source.rows_view(), self.dialect),
            quote_identifier(&source.behind_view(), self.dialect),
        );
        let sql = format!("SELECT {}\nFROM {rows}\nWHERE {ROW} IN (SELECT {ROW} FROM {behind})", keys.join(", "));
        self.define_view(&keys_view(&source.name), &format!("({})", names.join(", ")), &sql);
    }

    fn number_table(&mut self, table: &Source) {
        let Some(own) = self.catalog.find_table(&table.name) else { return };
        let columns = self.source_columns(table).join(", ");
        let name = table_ref(&own.name, self.dialect);
        self.define_view(
            &table.rows_view(),
            "",
            &format!("SELECT {columns}, ROW_NUMBER() OVER () AS {ROW}\nFROM {name}"),
        );
    }

    fn source_columns(&self, source: &Source) -> Vec<String> {
        let of_step = self.steps.steps().iter().find(|step| step.name == source.name && !source.is_table);
        let names: Vec<&str> = match of_step {
            Some(step) => step.columns.iter().map(|column| column.name.as_str()).collect(),
            None => {
                self.catalog.find_table(&source.name).iter().flat_map(|t| &t.columns).map(|c| c.name.as_str()).collect()
            }
        };
        names.into_iter().map(|name| quote_identifier(name, self.dialect)).collect()
    }

    /// Returns a query for the rows of the result with the given cells.
    fn matching_rows_sql(&self, last: &Step, cell: CellOf<'_>, exact: bool) -> String {
        let cells = last.columns.iter().zip(cell.columns).zip(cell.row);
        let condition = |((column, shown), value): ((&crate::StepColumn, &ResultColumn), &Option<String>)| {
            let column = quote_identifier(&column.name, self.dialect);
            match (value, shown.cell_type) {
                (None, _) => Some(format!("{column} IS NULL")),
                (_, CellType::Binary | CellType::Nested | CellType::Null) => None,
                (_, CellType::Float) if !exact => None,
                (Some(text), CellType::Integer | CellType::Decimal | CellType::Float) => {
                    is_number(text).then(|| format!("{column} = {text}"))
                }
                (Some(text), _) => Some(format!("{column} = '{}'", text.replace('\'', "''"))),
            }
        };
        let conditions: Vec<String> = cells.filter_map(condition).collect();
        let condition =
            if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) };
        format!(
            "SELECT {ROW}\nFROM {}{condition}",
            quote_identifier(&Source::from_step(&last.name).rows_view(), self.dialect)
        )
    }

    fn build_queries(&self, marked: &[Source]) -> (Vec<Behind>, String) {
        let recursive = self.steps.steps().iter().any(|step| step.recursive);
        let with = format!("{} {}", if recursive { "WITH RECURSIVE" } else { "WITH" }, self.views.join(",\n"));
        let name = |name: String| quote_identifier(&name, self.dialect);
        let Some((result, rest)) = marked.split_first() else { return (Vec::new(), String::new()) };
        let (tables, steps): (Vec<&Source>, Vec<&Source>) = rest.iter().partition(|source| source.is_table);
        let shown: Vec<&Source> = std::iter::once(result).chain(tables).chain(steps).collect();
        let count = |source: &&Source| format!("(SELECT COUNT(*) FROM {})", name(source.behind_view()));
        let counts: Vec<String> = shown.iter().map(count).collect();
        let rows = |source: &Source| {
            let (columns, rows, behind) =
                (self.source_columns(source).join(", "), name(source.rows_view()), name(source.behind_view()));
            format!("{with}\nSELECT {columns}\nFROM {rows}\nWHERE {ROW} IN (SELECT {ROW} FROM {behind})")
        };
        let behind =
            |source: &&Source| Behind { source: source.name.clone(), is_table: source.is_table, sql: rows(source) };
        (shown.iter().map(behind).collect(), format!("{with}\nSELECT {}", counts.join(", ")))
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}
