//! Slips that run without an error and give a wrong number: a query that cannot have been meant as it is written.
//!
//! Every rule here follows from SQL, the catalog and the profile alone. Where a query may have been meant, it is left as it is.

mod bridge;
mod calendar;
mod chronology;
mod contradiction;
mod division;
mod fan_out;
mod grouping;
mod members;
mod mistaken;
mod numbers;
mod precedence;
#[cfg(test)]
mod tests;
mod unlinked;
mod unnest;
mod years;

pub(crate) use bridge::{on, path, sides};
pub(crate) use contradiction::query_of;
pub(crate) use fan_out::{Names, is_star, multiplies};

use crate::relations::table_named;
use crate::{ReadOnlySql, text};
use sqlparser::ast::{Query, Select, SetExpr, VisitMut, VisitorMut, visit_relations};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Dialect, Profile, Table};

/// A query that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The query.
    pub sql: ReadOnlySql,
    /// What was changed, one sentence each; empty when nothing was.
    pub notes: Vec<String>,
}

/// Mends slips. The names of `sql` have to be bound already. `None` when there is nothing to mend.
///
/// - `a = 1 AND a = 2` about one row: the rows that have both are meant.
/// - A sum or mean over rows that a join multiplies, where nothing else of the joined table is used.
/// - A join of a table that was there for a column only which it does not have: `left` names such tables as `rebind` does.
/// - Columns beside an aggregate, or an order by one, without a group.
/// - A quotient of whole numbers, in dialects that drop its fraction.
/// - Two tables without a condition between them.
/// - A foreign key set equal to the key of a table that it does not refer to, where the one that it does refer to leads on.
/// - A foreign key set equal to a column of the table that it refers to which is not the one that it refers to, nor a key.
/// - A list that is compared with a text, or asked for a field, as only its members can be.
/// - A member of a list that DuckDB takes for a row of its own.
/// - The year taken from a whole number that is a year already.
/// - `x = 1 OR x = 2 AND y = 3` without brackets, where `y` is meant for both.
/// - Groups of dates, or of parts of dates, in no order.
/// - Text that hides numbers compared with a number, in SQLite, which compares the letters.
pub(crate) fn mend(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile, left: &[String]) -> Option<Repaired> {
    let (written, notes) = sql.with_query(|mut query| {
        let mut mender = Mender { catalog, profile, left, divides: sql.dialect().drops_fractions(), notes: Vec::new() };
        let _ = query.visit(&mut mender);
        if let Some(note) = chronology::sort(&mut query, catalog) {
            mender.note(note);
        }
        (query.to_string(), mender.notes)
    })?;
    if notes.is_empty() {
        return None;
    }
    let sql = ReadOnlySql::parse(&text::format(&written, sql.dialect()), sql.dialect()).ok()?;
    crate::bind(&sql, catalog).problems.is_empty().then_some(Repaired { sql, notes })
}

/// Mends joins by columns that do not exist, where the catalog shows the one table that was meant or the one way in which
/// the tables are linked, and drops
/// conditions on dates that do not exist where the year is in a name. Unlike [`mend`] it is for queries whose names are not
/// bound yet. `None` when there is nothing to mend.
pub(crate) fn bridge(sql: &ReadOnlySql, catalog: &Catalog) -> Option<Repaired> {
    struct Builder<'a> {
        catalog: &'a Catalog,
        tables: Vec<&'a Table>,
        notes: Vec<String>,
    }
    impl VisitorMut for Builder<'_> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            self.notes.extend(mistaken::take_meant(query, self.catalog));
            ControlFlow::Continue(())
        }
        fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
            self.notes.extend(bridge::mend_links(select, self.catalog));
            self.notes.extend(years::drop_stated(select, &self.tables, self.catalog));
            ControlFlow::Continue(())
        }
    }
    let (written, notes) = sql.with_query(|mut query| {
        let mut tables = Vec::new();
        let _ = visit_relations(&query, |name| {
            tables.extend(table_named(name, catalog));
            ControlFlow::<()>::Continue(())
        });
        let mut builder = Builder { catalog, tables, notes: Vec::new() };
        let _ = VisitMut::visit(&mut query, &mut builder);
        (query.to_string(), builder.notes)
    })?;
    if notes.is_empty() {
        return None;
    }
    let sql = ReadOnlySql::parse(&text::format(&written, sql.dialect()), sql.dialect()).ok()?;
    Some(Repaired { sql, notes })
}

struct Mender<'a> {
    catalog: &'a Catalog,
    profile: &'a Profile,
    left: &'a [String],
    divides: bool,
    notes: Vec<String>,
}

impl Mender<'_> {
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

impl VisitorMut for Mender<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let alone = query.order_by.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
        if alone && let Some(note) = contradiction::split(&mut query.body) {
            self.note(note);
        }
        if self.catalog.dialect == Dialect::Duckdb
            && let Some(note) = unnest::name_members(query, self.catalog)
        {
            self.note(note);
        }
        for note in members::read_members(query, self.catalog) {
            self.note(note);
        }
        if let SetExpr::Select(select) = query.body.as_mut()
            && let Some(note) = calendar::take_years(select, &mut query.order_by, self.catalog, self.profile)
        {
            self.note(note);
        }
        let order_by = query.order_by.clone();
        if let SetExpr::Select(select) = query.body.as_mut() {
            if let Some(note) = precedence::bracket(select) {
                self.note(note);
            }
            if let Some(note) = unlinked::link(select, self.catalog) {
                self.note(note);
            }
            // Every mended join changes the FROM clause: look at it anew, at most once for each join there was.
            let joins: usize = select.from.iter().map(|from| from.joins.len()).sum();
            for _ in 0..joins {
                let mended = bridge::mend_key(select, self.catalog);
                let Some(note) = mended.or_else(|| bridge::mend_detour(select, self.catalog)) else { break };
                self.note(note);
            }
            if let Some(note) = fan_out::drop_join(select, &order_by, self.catalog, self.left) {
                self.note(note);
            }
            if let Some(note) = grouping::group(select, &order_by) {
                self.note(note);
            }
            if self.divides && division::keep_fractions(select, self.catalog) {
                self.note("Kept the fraction of a quotient of whole numbers".to_owned());
            }
            if self.catalog.dialect == Dialect::Sqlite
                && let Some(note) = numbers::compare_as_numbers(select, self.catalog, self.profile)
            {
                self.note(note);
            }
        }
        ControlFlow::Continue(())
    }
}
