//! The FROM clause of a leaf: its table and the tables that dimensions need.

use super::compiler::Compiler;
use crate::definition::Dimension;
use crate::expression::write_columns;
use crate::graph::{Element, Hop, Resolved};
use crate::names::SEPARATOR;
use crate::problem::MetricError;
use vitrine_sql::{ColumnType, table_ref};
use vitrine_words::tr;

/// An expression over columns in scope.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub sql: String,
    pub family: ColumnType,
    /// The declared type, or an empty text.
    pub stored_type: String,
}

/// A table with the joins that were needed so far.
pub(crate) struct Scope<'c, 'p, 'f> {
    pub compiler: &'c Compiler<'p, 'f>,
    base: usize,
    alias: String,
    joins: Vec<Join>,
}

struct Join {
    path: Vec<Hop>,
    alias: String,
    sql: String,
}

impl<'c, 'p, 'f> Scope<'c, 'p, 'f> {
    pub fn new(compiler: &'c Compiler<'p, 'f>, base: usize) -> Result<Self, MetricError> {
        let alias = compiler.stored_table(base)?.name.name.clone();
        Ok(Self { compiler, base, alias, joins: Vec::new() })
    }

    /// Returns an expression over columns of the base table.
    pub fn base_column(&self, text: &str) -> Result<Column, MetricError> {
        self.write_expression(self.base, &self.alias, text)
    }

    /// Returns the column of a dimension and adds the joins that it needs.
    pub fn dimension_column(&mut self, resolved: &Resolved<'_>) -> Result<Column, MetricError> {
        let alias = self.alias_of(&resolved.path)?;
        let text = match resolved.element {
            Element::Dimension(dimension) => dimension.expression(),
            Element::Entity(entity) => entity.expression(),
        };
        self.write_expression(resolved.table, &alias, text)
    }

    /// Returns the FROM clause.
    pub fn render_from(&self) -> Result<String, MetricError> {
        let table = self.compiler.stored_table(self.base)?;
        let mut from = format!("FROM {}", self.aliased(&table_ref(&table.name, self.compiler.dialect()), &self.alias));
        for join in &self.joins {
            from += &join.sql;
        }
        Ok(from)
    }

    fn aliased(&self, table: &str, alias: &str) -> String {
        let alias = self.compiler.quote(alias);
        if table == alias { alias } else { format!("{table} AS {alias}") }
    }

    fn write_expression(&self, table: usize, alias: &str, text: &str) -> Result<Column, MetricError> {
        let stored = self.compiler.stored_table(table)?;
        let (sql, family, stored_type) =
            write_columns(text, stored, alias, self.compiler.dialect()).map_err(|error| MetricError {
                message: tr!(
                    "Table '{table}' of the metrics: {problem}",
                    table = self.compiler.file.tables[table].name,
                    problem = error.message
                ),
                ..error
            })?;
        Ok(Column { sql, family, stored_type })
    }

    /// Returns the alias of the table at the end of a path, and joins the tables on the way.
    fn alias_of(&mut self, path: &[Hop]) -> Result<String, MetricError> {
        let Some((hop, before)) = path.split_last() else { return Ok(self.alias.clone()) };
        if let Some(known) = self.joins.iter().find(|join| join.path == path) {
            return Ok(known.alias.clone());
        }
        let left_alias = self.alias_of(before)?;
        let mut alias = path.iter().map(|hop| hop.entity.as_str()).collect::<Vec<_>>().join(SEPARATOR);
        while self.alias.eq_ignore_ascii_case(&alias) || self.joins.iter().any(|j| j.alias.eq_ignore_ascii_case(&alias))
        {
            alias.push('_');
        }
        let (from, to) = (&self.compiler.file.tables[hop.from], &self.compiler.file.tables[hop.to]);
        let missing = || MetricError::missing(tr!("There is no entity '{name}'", name = hop.entity));
        let left = from.find_entity(&hop.entity).ok_or_else(missing)?;
        let right = to.find_entity(&hop.entity).ok_or_else(missing)?;
        let left_key = self.write_expression(hop.from, &left_alias, left.expression())?;
        let right_key = self.write_expression(hop.to, &alias, right.expression())?;
        let mut on = vec![format!("{} = {}", left_key.sql, right_key.sql)];
        let partitions = from.dimensions.iter().filter(|dimension| dimension.partition);
        let shared: Vec<(&Dimension, &Dimension)> = partitions
            .filter_map(|own| Some((own, to.find_dimension(&own.name).filter(|other| other.partition)?)))
            .collect();
        let mut keys = vec![right.expression()];
        for (own, other) in shared {
            let own = self.write_expression(hop.from, &left_alias, own.expression())?;
            on.push(format!("{} = {}", own.sql, self.write_expression(hop.to, &alias, other.expression())?.sql));
            keys.push(other.expression());
        }
        self.check_key(hop.to, &keys)?;
        let stored = self.compiler.stored_table(hop.to)?;
        let table = self.aliased(&table_ref(&stored.name, self.compiler.dialect()), &alias);
        let sql = format!("\nLEFT JOIN {table} ON {}", on.join(" AND "));
        self.joins.push(Join { path: path.to_vec(), alias: alias.clone(), sql });
        Ok(alias)
    }

    /// Adds a query that checks a key, unless the database ensures that it is unique.
    fn check_key(&self, table: usize, keys: &[&str]) -> Result<(), MetricError> {
        let stored = self.compiler.stored_table(table)?;
        let sql = self.compiler.sql();
        let declared = keys.iter().any(|key| stored.is_unique(key));
        if declared && sql.enforces_unique_keys() {
            return Ok(());
        }
        let mut columns = Vec::new();
        for key in keys {
            columns.push(self.write_expression(table, &stored.name.name, key)?.sql);
        }
        let from = self.aliased(&table_ref(&stored.name, self.compiler.dialect()), &stored.name.name);
        let known: Vec<String> = columns.iter().map(|column| format!("{column} IS NOT NULL")).collect();
        let columns = columns.join(", ");
        let limit = sql.sort_and_limit_clauses(&[], Some(1));
        let text = format!(
            "SELECT {columns}\nFROM {from}\nWHERE {}\nGROUP BY {columns}\nHAVING COUNT(*) > 1{limit}",
            known.join(" AND ")
        );
        self.compiler.require_unique_key(stored, &keys.join(", "), text);
        Ok(())
    }
}
