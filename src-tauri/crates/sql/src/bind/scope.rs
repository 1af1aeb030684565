//! What a name can refer to at one place of a query.

use super::binding::{Binding, NameProblem};
use super::edit::Edit;
use crate::ast::{Named, resolve_table_name};
use crate::text::same_name;
use sqlparser::ast::{Expr, Ident};
use sqlparser::tokenizer::Span;
use std::collections::HashSet;
use vitrine_domain::{Catalog, Dialect, Table};

/// Answers for a table and columns of it whether every group of its rows by them has many; for no columns the whole table.
pub type HasManyRows<'a> = &'a dyn Fn(&str, &[String]) -> bool;

/// A base column as (table, column), by catalog names.
pub(super) type Source = (String, String);

/// A column of a FROM item or of a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Col {
    pub name: String,
    pub sources: Vec<Source>,
    /// The engine chose the name, so it may differ from this one.
    pub guessed: bool,
}

/// The columns of a query or view.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub cols: Vec<Col>,
    /// There may be more columns than those listed.
    pub open: bool,
    /// What the unlisted columns come from: a table function takes its rows from its arguments.
    pub unlisted: Vec<Source>,
}

/// One item of a FROM clause.
#[derive(Debug, Clone)]
pub(super) struct Rel {
    /// The names by which it can be called, innermost last; an alias hides the table's own name.
    pub parts: Vec<String>,
    pub rows: Rows,
    /// The table of the catalog that it is.
    pub table: Option<String>,
    /// Which comma-separated item of the FROM clause it belongs to.
    pub item: usize,
}

impl Rel {
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    pub fn find_column(&self, name: &str) -> Option<&Col> {
        let cols = || self.rows.cols.iter();
        // PostgreSQL may have two columns that differ only in case.
        cols().find(|c| c.name == name).or_else(|| cols().find(|c| same_name(&c.name, name))).or_else(|| {
            let folded = strip_whitespace(name);
            let like_code = name.contains(|c: char| !c.is_alphanumeric() && c != '_');
            self.rows.cols.iter().find(|c| c.guessed && like_code && strip_whitespace(&c.name) == folded)
        })
    }

    /// Returns the sources of all columns.
    pub fn all_sources(&self) -> impl Iterator<Item = &Source> {
        self.rows.cols.iter().flat_map(|column| &column.sources).chain(&self.rows.unlisted)
    }

    /// Whether a qualifier, outermost part first, means this item.
    pub fn is_called(&self, qualifier: &[&str]) -> bool {
        let own = self.parts.iter().rev();
        qualifier.len() <= self.parts.len() && qualifier.iter().rev().zip(own).all(|(q, p)| same_name(q, p))
    }
}

fn strip_whitespace(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// What the context of a name allows it to be.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameContext<'e> {
    /// It is a whole sort or group key.
    pub bare: bool,
    /// It stands where a text could, so that double quotes may be a mistake for single ones.
    pub text_possible: bool,
    /// It is an argument of a date function, where some dialects take `day` or `month` as a word.
    pub date_part: bool,
    /// What it is compared with.
    pub against: Option<&'e Expr>,
}

/// The clause of a name: it decides whether aliases of the select list can be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clause {
    From,
    Columns,
    Where,
    GroupBy,
    Having,
    OrderBy,
}

/// The names that one SELECT defines.
#[derive(Debug)]
pub(super) struct Scope {
    pub rels: Vec<Rel>,
    /// Columns merged by USING or NATURAL, lower case.
    pub merged: HashSet<String>,
    /// Aliases of the select list; the flag marks those that the query itself gives with AS.
    pub aliases: Vec<(String, Vec<Source>, bool)>,
    /// Parameters of enclosing lambdas.
    pub locals: Vec<String>,
    pub clause: Clause,
    /// The position of the SELECT in the text, for adding joins to it.
    pub select: Span,
    /// Pairs of (item, column) that an inner or left join sets equal.
    pub equal: Vec<[(String, String); 2]>,
    /// The select list as written: qualifier and column of the items that are plain columns.
    pub selected: Vec<(String, String)>,
    /// Whether its aggregates are over many rows of its one table each.
    pub many: bool,
}

impl Scope {
    pub fn new(select: Span) -> Self {
        Self {
            rels: Vec::new(),
            merged: HashSet::new(),
            aliases: Vec::new(),
            locals: Vec::new(),
            clause: Clause::From,
            select,
            equal: Vec::new(),
            selected: Vec::new(),
            many: false,
        }
    }

    pub fn has_unlisted_columns(&self) -> bool {
        self.rels.iter().any(|r| r.rows.open)
    }
}

/// A name that does not resolve, and the edit that would repair it.
pub(super) struct Issue {
    pub problem: NameProblem,
    pub repair: Option<Edit>,
}

/// The outcome of a walk over a query.
pub(super) struct Outcome {
    pub binding: Binding,
    pub issues: Vec<Issue>,
}

/// A walk over a query.
pub(super) struct Walk<'a> {
    pub catalog: &'a Catalog,
    pub dialect: Dialect,
    /// Tables that an earlier repair joined: a name that became ambiguous by that keeps its meaning.
    pub joined: &'a [String],
    pub scopes: Vec<Scope>,
    /// The views in scope, innermost last.
    pub views: Vec<(String, Rows)>,
    pub tables: Vec<String>,
    pub columns: Vec<Source>,
    pub seen: HashSet<Source>,
    pub issues: Vec<Issue>,
    /// Set where only sources of values count: answers whether every group of a table's rows by these columns has many.
    pub has_many: Option<HasManyRows<'a>>,
    /// Columns that conditions look at, as far as their outcome can be part of a value.
    pub conditions: Vec<Source>,
    /// Whether a table is read of which the catalog says nothing.
    pub reads_unknown: bool,
    /// The next SELECT only tests for existence: its `*` uses no column.
    pub only_exists: bool,
}

impl<'a> Walk<'a> {
    pub fn new(catalog: &'a Catalog, dialect: Dialect, joined: &'a [String]) -> Self {
        Self {
            catalog,
            dialect,
            joined,
            scopes: Vec::new(),
            views: Vec::new(),
            tables: Vec::new(),
            columns: Vec::new(),
            seen: HashSet::new(),
            issues: Vec::new(),
            has_many: None,
            conditions: Vec::new(),
            reads_unknown: false,
            only_exists: false,
        }
    }

    pub fn current_scope(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut()
    }

    pub fn set_clause(&mut self, clause: Clause) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.clause = clause;
        }
    }

    /// Whether only sources of values count.
    pub fn follows_values(&self) -> bool {
        self.has_many.is_some()
    }

    /// Notes what a condition looks at.
    pub fn add_condition_sources(&mut self, sources: &[Source]) {
        if self.follows_values() {
            merge_distinct(&mut self.conditions, sources);
        }
    }

    /// Records that base columns are used.
    pub fn mark_used(&mut self, sources: &[Source]) {
        for source in sources {
            if self.seen.insert(source.clone()) {
                self.columns.push(source.clone());
            }
        }
    }

    pub fn add_issue(&mut self, problem: NameProblem, repair: Option<Edit>) {
        self.issues.push(Issue { problem, repair });
    }

    /// The table of the catalog that a name in a FROM clause means.
    pub fn find_table(&self, parts: &[&str]) -> Option<&'a Table> {
        match resolve_table_name(self.catalog, parts) {
            Named::Table(table) | Named::OneOf(table) => Some(table),
            Named::Elsewhere | Named::Nothing => None,
        }
    }

    /// Whether a name in a FROM clause means a table of another database or schema, of which the catalog says nothing.
    pub fn is_elsewhere(&self, parts: &[&str]) -> bool {
        resolve_table_name(self.catalog, parts) == Named::Elsewhere
    }
}

/// The parts of an identifier: BigQuery quotes a whole path at once.
pub(super) fn split_ident(ident: &Ident, dialect: Dialect) -> Vec<String> {
    if dialect == Dialect::Bigquery && ident.quote_style == Some('`') {
        ident.value.split('.').map(str::to_owned).collect()
    } else {
        vec![ident.value.clone()]
    }
}

/// Appends the sources that are not there yet.
pub(super) fn merge_distinct<T: PartialEq + Clone>(into: &mut Vec<T>, from: &[T]) {
    for item in from {
        if !into.contains(item) {
            into.push(item.clone());
        }
    }
}

/// Renames columns from the left, as `t(a, b)` does.
pub(super) fn rename_columns<'n>(rows: &mut Rows, names: impl Iterator<Item = &'n str>) {
    for (i, name) in names.enumerate() {
        let col = Col { name: name.to_owned(), ..Col::default() };
        match rows.cols.get_mut(i) {
            Some(own) => *own = Col { sources: std::mem::take(&mut own.sources), ..col },
            None => rows.cols.push(Col { sources: rows.unlisted.clone(), ..col }),
        }
    }
}
