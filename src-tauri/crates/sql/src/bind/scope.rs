//! The names that can be referenced at one position of a query.

use super::binding::{Binding, NameProblem};
use super::edit::Edit;
use super::join_path::ChoosePath;
use crate::ast::{Named, resolve_table_name};
use crate::dialect::DialectExt;
use crate::text::same_name;
use sqlparser::ast::{Expr, Ident};
use sqlparser::tokenizer::Span;
use std::collections::HashSet;
use vitrine_domain::{Catalog, Dialect, Table};

/// Returns true if every group of a table's rows by the given columns has many rows. Without columns, the whole table
/// is the group.
pub type HasManyRows<'a> = &'a dyn Fn(&str, &[String]) -> bool;

/// A base column as (table, column), by catalog names.
pub(super) type Source = (String, String);

/// A column of a FROM item or a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Col {
    pub name: String,
    pub sources: Vec<Source>,
    /// True if the engine generates the name, so that it may differ from this one.
    pub guessed: bool,
}

/// The columns of a query or view.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub cols: Vec<Col>,
    /// True if there may be further columns that are not listed.
    pub open: bool,
    /// Sources of the unlisted columns: a table function computes its rows from its arguments.
    pub unlisted: Vec<Source>,
    /// Sources that decide how many rows are computed.
    pub row_sources: Vec<Source>,
}

impl Rows {
    /// Returns the sources of all columns.
    pub fn all_sources(&self) -> Vec<Source> {
        distinct_sources(self.cols.iter().flat_map(|col| &col.sources).chain(&self.unlisted))
    }
}

/// Collects sources without duplicates.
pub(super) fn distinct_sources<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Vec<Source> {
    let mut all = Vec::new();
    for source in sources {
        merge_distinct(&mut all, std::slice::from_ref(source));
    }
    all
}

/// One item of a FROM clause.
#[derive(Debug, Clone)]
pub(super) struct Rel {
    /// The parts of its qualified name, innermost last; an alias hides the table's own name.
    pub parts: Vec<String>,
    pub rows: Rows,
    /// The catalog table, or `None` for other items.
    pub table: Option<String>,
    /// Index of the comma-separated item of the FROM clause.
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

    /// Returns the sources of a column: of all columns that an engine may mean by this name, if their letters differ or
    /// several have it.
    pub fn column_sources(&self, name: &str) -> Vec<Source> {
        let alike = self.rows.cols.iter().filter(|col| same_name(&col.name, name));
        let found = self.find_column(name).into_iter();
        distinct_sources(found.chain(alike).flat_map(|col| &col.sources))
    }

    /// Returns true if a qualifier, outermost part first, refers to this item.
    pub fn is_called(&self, qualifier: &[&str]) -> bool {
        let own = self.parts.iter().rev();
        qualifier.len() <= self.parts.len() && qualifier.iter().rev().zip(own).all(|(q, p)| same_name(q, p))
    }
}

fn strip_whitespace(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Restrictions that the context of a name places on its meaning.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameContext<'e> {
    /// True if the name is a whole sort or group key.
    pub bare: bool,
    /// True if a string would be valid here, so that double quotes may be a mistake for single quotes.
    pub text_possible: bool,
    /// True for an argument of a date function, where some dialects accept `day` or `month` as a keyword.
    pub date_part: bool,
    /// The expression that the name is compared with.
    pub against: Option<&'e Expr>,
}

/// The clause of a name: it determines whether aliases of the select list are visible.
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
    /// The merged columns of each join, with the item of the FROM clause.
    pub merges: Vec<(usize, Vec<String>)>,
    /// Aliases of the select list; the flag is true for aliases that the query defines with AS.
    pub aliases: Vec<(String, Vec<Source>, bool)>,
    /// Parameters of enclosing lambda expressions.
    pub locals: Vec<String>,
    pub clause: Clause,
    /// The position of the SELECT in the text, for added joins.
    pub select: Span,
    /// Pairs of (item, column) that an inner or left join sets equal.
    pub equal: Vec<[(String, String); 2]>,
    /// Qualifier and column of the select items that are plain columns, as written.
    pub selected: Vec<(String, String)>,
    /// True if its aggregates combine many rows of its only table.
    pub many: bool,
    /// The source that stands for the number of its rows, while values are followed.
    pub row_mark: Option<Source>,
    /// Sources of conditions that decide how many rows are computed.
    pub row_sources: Vec<Source>,
}

impl Scope {
    pub fn new(select: Span) -> Self {
        Self {
            rels: Vec::new(),
            merged: HashSet::new(),
            merges: Vec::new(),
            aliases: Vec::new(),
            locals: Vec::new(),
            clause: Clause::From,
            select,
            equal: Vec::new(),
            selected: Vec::new(),
            many: false,
            row_mark: None,
            row_sources: Vec::new(),
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
    /// Tables that an earlier repair joined. A name that became ambiguous through such a join keeps its meaning.
    pub joined: &'a [String],
    /// Chooses among several paths of joins for a repair.
    pub choose: Option<ChoosePath<'a>>,
    pub scopes: Vec<Scope>,
    /// The views in scope, innermost last.
    pub views: Vec<(String, Rows)>,
    pub tables: Vec<String>,
    pub columns: Vec<Source>,
    pub seen: HashSet<Source>,
    pub issues: Vec<Issue>,
    /// Set if only the sources of values are computed: returns true if every group of a table's rows by these columns
    /// has many rows.
    pub has_many: Option<HasManyRows<'a>>,
    /// Columns in conditions whose outcome can affect a value.
    pub conditions: Vec<Source>,
    /// Sets of sources that reveal one another through a condition.
    pub ties: Vec<Vec<Source>>,
    /// What the number of rows of each SELECT reveals.
    pub row_ties: Vec<(Source, Vec<Source>)>,
    /// Number of sources created for values that are not stored.
    pub marks: usize,
    /// True while the innermost expression is a condition: its subqueries' conditions are not its values.
    pub in_condition: bool,
    /// True if the query reads a table that the catalog does not contain.
    pub reads_unknown: bool,
    /// True if the next SELECT only tests for existence: its `*` uses no column.
    pub only_exists: bool,
}

impl<'a> Walk<'a> {
    pub fn new(catalog: &'a Catalog, dialect: Dialect, joined: &'a [String]) -> Self {
        Self {
            catalog,
            dialect,
            joined,
            choose: None,
            scopes: Vec::new(),
            views: Vec::new(),
            tables: Vec::new(),
            columns: Vec::new(),
            seen: HashSet::new(),
            issues: Vec::new(),
            has_many: None,
            conditions: Vec::new(),
            ties: Vec::new(),
            row_ties: Vec::new(),
            marks: 0,
            in_condition: false,
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

    /// Returns true if only the sources of values are computed.
    pub fn follows_values(&self) -> bool {
        self.has_many.is_some()
    }

    /// Records the columns that a condition uses.
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

    /// Returns the catalog table that a name in a FROM clause refers to.
    pub fn find_table(&self, parts: &[&str]) -> Option<&'a Table> {
        match resolve_table_name(self.catalog, parts) {
            Named::Table(table) | Named::OneOf(table) => Some(table),
            Named::Elsewhere | Named::Nothing => None,
        }
    }

    /// Returns true if a name in a FROM clause refers to a table of another database or schema that the catalog does
    /// not contain.
    pub fn is_elsewhere(&self, parts: &[&str]) -> bool {
        resolve_table_name(self.catalog, parts) == Named::Elsewhere
    }
}

/// Returns the parts of an identifier, several if it is a qualified name in one pair of quotes.
pub(super) fn split_ident(ident: &Ident, dialect: Dialect) -> Vec<String> {
    if dialect.sql().has_quoted_paths() && ident.quote_style == Some('`') {
        ident.value.split('.').map(str::to_owned).collect()
    } else {
        vec![ident.value.clone()]
    }
}

/// Appends the sources that are not present yet.
pub(super) fn merge_distinct<T: PartialEq + Clone>(into: &mut Vec<T>, from: &[T]) {
    for item in from {
        if !into.contains(item) {
            into.push(item.clone());
        }
    }
}

/// Renames columns from the left, as in `t(a, b)`. Beside unlisted columns, the places of the listed ones are unknown.
pub(super) fn rename_columns<'n>(rows: &mut Rows, names: impl Iterator<Item = &'n str>) {
    let any = rows.open.then(|| rows.all_sources());
    for (i, name) in names.enumerate() {
        let own = rows.cols.get_mut(i).map(|own| std::mem::take(&mut own.sources));
        let sources = any.clone().or(own).unwrap_or_else(|| rows.unlisted.clone());
        let col = Col { name: name.to_owned(), sources, guessed: false };
        match rows.cols.get_mut(i) {
            Some(own) => *own = col,
            None => rows.cols.push(col),
        }
    }
}
