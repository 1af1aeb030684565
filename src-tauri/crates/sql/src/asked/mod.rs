//! Slips that only the question shows: the query runs, its SQL could be meant, but not by who asked this.
//!
//! No rule may touch a query that is right: `npm run bench -- repairs` tries them on gold SQL (docs/benchmarks.md).

mod joins;
mod label;
mod lacking;
mod namesake;
mod referred;
#[cfg(test)]
mod tests;
mod things;
mod twice;

use crate::{ReadOnlySql, Repaired, text};
use sqlparser::ast::SetExpr;
use vitrine_domain::{Catalog, TableName};

/// What a question says that its query has to follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The question, in lower case.
    pub question: String,
    /// Columns that it names in full.
    pub columns: Vec<String>,
    /// Tables that the question names in full.
    pub tables: Vec<TableName>,
    /// Tables that it asks the number of: "how many stores".
    pub counted: Vec<TableName>,
    /// Tables of which it names a word.
    pub mentioned: Vec<TableName>,
    /// Where the question denies something ("do not have", "never", "without"): the tables of which it names a word before
    /// it does.
    pub denied: Option<Vec<TableName>>,
}

/// Fits a query to what the question says. The names of `sql` have to be bound already. `None` when there is nothing to change.
///
/// - One table is read that the question does not mention, where one that it names has the very columns, too.
/// - One value that the question says once, set for two columns of which it names one.
/// - Rows of a join counted where the question asks how many things of one table there are.
/// - Groups that show nothing but their sums, where the question asks for each of something.
/// - "Do not have X" written as "have something other than X", where one thing may have several, with the things joined or
///   read off the rows that refer to them.
pub fn fit(sql: &ReadOnlySql, catalog: &Catalog, said: &Said) -> Option<Repaired> {
    let (written, notes) = sql.with_query(|mut query| {
        let mut notes = Vec::from_iter(namesake::take_named(&mut query, catalog, said));
        let order_by = query.order_by.clone();
        // A limit or a place in the order would mean something else with more columns.
        let whole = query.limit_clause.is_none() && query.fetch.is_none() && order_by.is_none();
        if let SetExpr::Select(select) = query.body.as_mut() {
            notes.extend(twice::say_once(select, said));
            notes.extend(things::count_things(select, catalog, &said.counted));
            if whole {
                notes.extend(label::name_groups(select, said));
            }
            if let Some(before) = &said.denied {
                let note = lacking::keep_those_without(select, &order_by, catalog, before).or_else(|| {
                    let mut with = referred::with_referred(select, catalog, before)?;
                    let note = lacking::keep_those_without(&mut with, &order_by, catalog, before)?;
                    **select = with;
                    Some(note)
                });
                notes.extend(note);
            }
        }
        (query.to_string(), notes)
    })?;
    if notes.is_empty() {
        return None;
    }
    let sql = ReadOnlySql::parse(&text::format(&written, sql.dialect()), sql.dialect()).ok()?;
    crate::bind(&sql, catalog).problems.is_empty().then_some(Repaired { sql, notes })
}
