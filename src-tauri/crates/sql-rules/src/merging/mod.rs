//! Values of one column that count as one: a query with `USA`, `US` and `United States` in one group, and in each comparison
//! that names one of them.
//!
//! ```text
//! columns   which column of the catalog an expression holds, through views of the query
//! compare   comparisons with texts: which values they take
//! put       columns of a part, and the merged value in their place
//! walk      a query, view by view: groups and comparisons, found or changed
//! ```

mod columns;
mod compare;
mod put;
#[cfg(test)]
mod tests;
mod walk;

use sqlparser::ast::{GroupByExpr, Query, SelectItem, SetExpr};
use vitrine_domain::{Catalog, Definition, DefinitionSource, Dialect, TableName};
use vitrine_sql::ast::parse_expr;
use vitrine_sql::{ReadOnlySql, bind, rewrite};
use vitrine_words::{quoted, tr};
use walk::Walk;

/// Values of a column that count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueMerge {
    /// The column's table.
    pub table: TableName,
    /// The column, as the catalog writes it.
    pub column: String,
    /// The value that stands for all of them.
    pub kept: String,
    /// The others.
    pub others: Vec<String>,
}

/// A column by which a query groups, or whose values it compares with texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// The column's table.
    pub table: TableName,
    /// The column, as the catalog writes it.
    pub column: String,
    /// Whether each of its values has a group of its own.
    pub grouped: bool,
    /// Texts that it is compared with.
    pub compared: Vec<String>,
}

/// A query in which values count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merging {
    /// It neither groups by the column, nor takes some of the values without the others.
    Unneeded,
    /// It uses the column in a way that cannot be changed safely.
    Unfit,
    /// The changed query, and which of the merges it needs.
    Changed(ReadOnlySql, Vec<ValueMerge>),
}

impl ValueMerge {
    /// Whether a definition says that values count as one, for every answer.
    pub fn is_defined_by(definition: &Definition) -> bool {
        let has_condition = definition.condition.as_deref().is_some_and(|text| !text.is_empty());
        definition.always && !has_condition && !definition.synonyms.is_empty()
    }

    /// Reads a definition that says so.
    ///
    /// # Errors
    /// Why it cannot be kept to, as a sentence.
    pub fn read(definition: &Definition, catalog: &Catalog) -> Result<Self, String> {
        let subject = definition.subject.as_deref().unwrap_or_default();
        let column = subject.rsplit_once('.').and_then(|(table, column)| {
            let table = catalog.table(table)?;
            Some((table, table.column(column)?))
        });
        let Some((table, column)) = column else { return Err(tr!("There is no column {subject}", subject)) };
        let others = definition.synonyms.iter().filter(|other| **other != definition.term).cloned().collect();
        let (table, column, kept) = (table.name.clone(), column.name.clone(), definition.term.clone());
        Ok(Self { table, column, kept, others })
    }

    /// The definition that says so.
    pub fn definition(&self) -> Definition {
        Definition {
            term: self.kept.clone(),
            synonyms: self.others.clone(),
            meaning: String::new(),
            condition: None,
            always: true,
            subject: Some(format!("{}.{}", self.table, self.column)),
            source: DefinitionSource::User,
        }
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.kept).chain(&self.others).map(String::as_str)
    }

    /// `customers.country: “US”, “USA” and “U.S.” count as one`
    pub fn note(&self) -> String {
        let values: Vec<String> = self.values().map(quoted).collect();
        let (table, column) = (&self.table, &self.column);
        tr!("{table}.{column}: {values} count as one", table, column, values = values.join(", "))
    }
}

/// Returns the columns by which a query groups, or whose values it compares with texts.
pub fn categories(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<Category> {
    let found = sql.with_query(|mut query| {
        let mut walk = Walk::new(&query, catalog, sql.dialect(), &[]);
        walk.run(&mut query);
        walk.found
    });
    found.unwrap_or_default()
}

/// Merges values wherever a query groups by their column or takes one of them without the others.
pub fn merge_values(sql: &ReadOnlySql, catalog: &Catalog, merges: &[ValueMerge]) -> Merging {
    let mut is_unfit = false;
    let changed = rewrite(sql, |query| match merge(query, catalog, sql.dialect(), merges) {
        Some(used) => (!used.is_empty()).then_some(used),
        None => {
            is_unfit = true;
            None
        }
    });
    match changed {
        Some((sql, used)) if bind(&sql, catalog).problems.is_empty() => Merging::Changed(sql, used),
        None if !is_unfit => Merging::Unneeded,
        _ => Merging::Unfit,
    }
}

/// Returns a query that counts the rows which a query takes before it groups and limits them; `None` where it is more than one
/// SELECT.
pub fn count_of_rows(sql: &ReadOnlySql) -> Option<ReadOnlySql> {
    let (counting, ()) = rewrite(sql, |query| {
        let SetExpr::Select(select) = query.body.as_mut() else { return None };
        let count = parse_expr("COUNT(*)", sql.dialect())?;
        select.projection = vec![SelectItem::UnnamedExpr(count)];
        (select.distinct, select.having, select.qualify, select.top) = (None, None, None, None);
        select.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
        (query.order_by, query.limit_clause, query.fetch) = (None, None, None);
        Some(())
    })?;
    Some(counting)
}

/// Merges values within a tree. Returns the merges that were needed; `None` where the query cannot be
/// changed safely.
pub(crate) fn merge(
    query: &mut Query,
    catalog: &Catalog,
    dialect: Dialect,
    merges: &[ValueMerge],
) -> Option<Vec<ValueMerge>> {
    let mut walk = Walk::new(query, catalog, dialect, merges);
    walk.run(query);
    (!walk.unfit).then(|| walk.used.iter().map(|&at| merges[at].clone()).collect())
}
