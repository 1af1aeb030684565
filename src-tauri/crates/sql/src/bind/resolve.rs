//! Looks up one name: innermost scope first, columns and aliases in the order that its clause defines.

use super::binding::NameProblem;
use super::scope::{Clause, NameContext, Rel, Rows, Scope, Source, Walk, distinct_sources, merge_distinct};
use crate::dialect::{DialectExt, ImplicitNames};
use crate::text::{find_similar_names, quote_identifier, same_name};
use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, TableAlias};

/// The outcome of a lookup.
pub(super) enum LookupResult {
    Sources(Vec<Source>),
    /// Undecided because some columns are unknown. Contains their source columns if known.
    Silent(Vec<Source>),
    Ambiguous(Vec<usize>, usize),
    Unknown,
}

const DATE_PARTS: &[&str] = &[
    "century",
    "day",
    "dayofweek",
    "dayofyear",
    "days",
    "decade",
    "dow",
    "doy",
    "epoch",
    "friday",
    "hour",
    "hours",
    "isoweek",
    "isoyear",
    "microsecond",
    "millisecond",
    "minute",
    "minutes",
    "monday",
    "month",
    "months",
    "nanosecond",
    "quarter",
    "saturday",
    "second",
    "seconds",
    "sunday",
    "thursday",
    "tuesday",
    "wednesday",
    "week",
    "weekday",
    "weeks",
    "year",
    "years",
];

impl<'a> Walk<'a> {
    /// Looks up an unqualified name, and reports it if it does not resolve.
    pub(super) fn resolve_name(&mut self, ident: &Ident, place: NameContext<'_>) -> Vec<Source> {
        match self.look_up(&ident.value, place) {
            LookupResult::Sources(sources) => {
                self.in_its_letters(std::slice::from_ref(ident), &sources);
                self.mark_used(&sources);
                sources
            }
            LookupResult::Silent(sources) => sources,
            LookupResult::Ambiguous(rels, depth) => {
                self.report_ambiguous(ident, &rels, depth, place);
                Vec::new()
            }
            LookupResult::Unknown => {
                let word = place.date_part
                    && ident.quote_style.is_none()
                    && DATE_PARTS.iter().any(|p| same_name(p, &ident.value));
                if word && self.dialect.sql().has_date_part_keywords() {
                    return Vec::new();
                }
                self.unknown_column(ident, place, word);
                Vec::new()
            }
        }
    }

    /// Looks up a path without reporting.
    pub(super) fn resolve_silently(&mut self, path: &[Ident]) -> Vec<Source> {
        let sources = match path {
            [one] => match self.look_up(&one.value, NameContext::default()) {
                LookupResult::Sources(sources) | LookupResult::Silent(sources) => sources,
                _ => Vec::new(),
            },
            parts => {
                let parts: Vec<&str> = parts.iter().map(|i| i.value.as_str()).collect();
                match self.look_up_path(&parts) {
                    LookupResult::Sources(sources) | LookupResult::Silent(sources) => sources,
                    _ => Vec::new(),
                }
            }
        };
        self.mark_used(&sources);
        sources
    }

    fn look_up(&self, name: &str, place: NameContext<'_>) -> LookupResult {
        for (depth, scope) in self.scopes.iter().enumerate().rev() {
            if scope.locals.iter().any(|l| same_name(l, name)) {
                return LookupResult::Silent(Vec::new());
            }
            let alias = self.alias_of(scope, name, place);
            if let (true, Some(sources)) = (scope.clause == Clause::OrderBy && place.bare, &alias) {
                return LookupResult::Sources(sources.clone());
            }
            let holders: Vec<usize> =
                (0..scope.rels.len()).filter(|&i| scope.rels[i].find_column(name).is_some()).collect();
            match holders.as_slice() {
                [] => {}
                [one] => return LookupResult::Sources(self.sources_of(&scope.rels[*one], name)),
                [first, ..] if scope.merged.contains(&name.to_lowercase()) => {
                    // An outer join fills the missing side.
                    let sides = if self.follows_values() { holders.as_slice() } else { std::slice::from_ref(first) };
                    let all: Vec<Source> =
                        sides.iter().flat_map(|&side| self.sources_of(&scope.rels[side], name)).collect();
                    return LookupResult::Sources(distinct_sources(&all));
                }
                many => {
                    // Several columns of one table with the same name (a view with duplicates) are left to the engine.
                    return LookupResult::Ambiguous(many.to_vec(), depth);
                }
            }
            if let Some(sources) = alias {
                return LookupResult::Sources(sources);
            }
            if self.is_column_position(name) || self.is_search_column(scope, name) {
                return LookupResult::Silent(all_sources(scope));
            }
            if self.is_hidden_column(name) && scope.rels.iter().any(|r| r.table.is_some()) {
                return LookupResult::Silent(scope.rels.iter().flat_map(|rel| self.row_key(rel)).collect());
            }
            if self.dialect.sql().has_nested_values()
                && let Some(rel) = scope.rels.iter().find(|r| same_name(r.name(), name))
            {
                // A table's name alone is its row as one value.
                return LookupResult::Sources(rel.rows.all_sources());
            }
            let guessed = scope.rels.iter().any(|r| r.rows.cols.iter().any(|c| c.guessed));
            if guessed && (self.follows_values() || self.may_be_implicit(name)) {
                return LookupResult::Silent(all_sources(scope));
            }
            if scope.has_unlisted_columns() {
                return LookupResult::Silent(distinct_sources(scope.rels.iter().flat_map(|r| &r.rows.unlisted)));
            }
            if self.ends_at(scope) {
                break;
            }
        }
        LookupResult::Unknown
    }

    /// Returns the sources of a column. While values are followed, also of others that an engine may mean by the name.
    fn sources_of(&self, rel: &Rel, name: &str) -> Vec<Source> {
        if self.follows_values() {
            return rel.column_sources(name);
        }
        rel.find_column(name).map(|col| col.sources.clone()).unwrap_or_default()
    }

    /// Returns true if the names of a clause cannot refer to an outer query.
    fn ends_at(&self, scope: &Scope) -> bool {
        matches!(scope.clause, Clause::GroupBy | Clause::OrderBy) && !self.dialect.sql().keys_see_outer_query()
    }

    /// Returns true if an engine may have given this name to a column without an alias.
    fn may_be_implicit(&self, name: &str) -> bool {
        name.contains(|c: char| !c.is_alphanumeric() && c != '_')
            || self.dialect.sql().implicit_names() == ImplicitNames::Number
    }

    /// Returns the alias of the select list with this name, if the clause may use it.
    fn alias_of(&self, scope: &Scope, name: &str, place: NameContext<'_>) -> Option<Vec<Source>> {
        let dialect = self.dialect.sql();
        let allowed = match scope.clause {
            Clause::From => false,
            Clause::Columns => dialect.select_list_sees_aliases(),
            Clause::Where => dialect.where_sees_aliases(),
            Clause::GroupBy | Clause::Having | Clause::OrderBy => true,
        };
        let implicit = scope.clause == Clause::OrderBy && place.bare && dialect.order_by_sees_implicit_names();
        let found =
            scope.aliases.iter().rev().find(|(alias, _, explicit)| (*explicit || implicit) && same_name(alias, name));
        found.filter(|_| allowed).map(|(_, sources, _)| sources.clone())
    }

    /// Returns the primary key whose value the row id returns.
    fn row_key(&self, rel: &Rel) -> Vec<Source> {
        let key = |name: &str| {
            let table = self.catalog.tables.iter().find(|table| table.name.to_string() == name)?;
            match table.primary_key.as_slice() {
                [key] if self.dialect.sql().row_id_is_primary_key() => Some((name.to_owned(), key.clone())),
                _ => None,
            }
        };
        rel.table.as_deref().and_then(key).into_iter().collect()
    }

    /// Returns true for a hidden column that each table has.
    fn is_hidden_column(&self, name: &str) -> bool {
        let dialect = self.dialect.sql();
        dialect.hidden_columns().iter().any(|hidden| same_name(hidden, name))
            || (dialect.hidden_columns_begin_with_dollar() && name.starts_with('$'))
    }

    /// Looks up a qualified name, and reports it if it does not resolve.
    pub(super) fn resolve_path(&mut self, parts: &[Ident]) -> Vec<Source> {
        let short: Vec<&str> = parts.iter().map(|i| i.value.as_str()).collect();
        match self.look_up_path(&short) {
            LookupResult::Sources(sources) => {
                self.in_its_letters(parts, &sources);
                self.mark_used(&sources);
                return sources;
            }
            LookupResult::Silent(sources) => return sources,
            LookupResult::Ambiguous(..) => {
                self.add_issue(NameProblem::Ambiguous { name: short.join("."), candidates: Vec::new() }, None);
            }
            LookupResult::Unknown => self.unknown_path(parts),
        }
        Vec::new()
    }

    /// Resolves `a.b.c` as table and column followed by fields, or as a column and its fields.
    fn look_up_path(&self, parts: &[&str]) -> LookupResult {
        for (depth, scope) in self.scopes.iter().enumerate().rev() {
            for cut in (1..parts.len().min(4)).rev() {
                let (qualifier, rest) = parts.split_at(cut);
                let holders: Vec<usize> = (0..scope.rels.len())
                    .filter(|&i| scope.rels[i].is_called(qualifier) && scope.rels[i].find_column(rest[0]).is_some())
                    .collect();
                if holders.len() > 1 && !scope.merged.contains(&rest[0].to_lowercase()) {
                    // Two items have the same name.
                    return LookupResult::Ambiguous(holders, depth);
                }
                if let Some(&first) = holders.first() {
                    return LookupResult::Sources(self.sources_of(&scope.rels[first], rest[0]));
                }
                for rel in scope.rels.iter().filter(|r| r.is_called(qualifier)) {
                    let guessed = rel.rows.cols.iter().any(|c| c.guessed);
                    if self.is_column_position(rest[0]) || guessed && self.follows_values() {
                        return LookupResult::Silent(rel.rows.all_sources());
                    }
                    if self.is_hidden_column(rest[0]) && rel.table.is_some() {
                        return LookupResult::Silent(self.row_key(rel));
                    }
                    if rel.rows.open || self.is_hidden_column(rest[0]) || (guessed && self.may_be_implicit(rest[0])) {
                        return LookupResult::Silent(rel.rows.unlisted.clone());
                    }
                }
            }
            if scope.locals.iter().any(|l| same_name(l, parts[0])) {
                return LookupResult::Silent(Vec::new());
            }
            if self.ends_at(scope) {
                break;
            }
        }
        let rels = || self.scopes.iter().flat_map(|s| &s.rels);
        let called = rels().any(|r| same_name(r.name(), parts[0]));
        let mut columns = rels().filter(|r| r.find_column(parts[0]).is_some()).peekable();
        let none = columns.peek().is_none();
        // These are fields of a nested value, unless the column has a scalar type.
        if !self.dialect.sql().has_nested_values()
            || (called && none)
            || (!none && columns.all(|r| self.is_plain(r, parts[0])))
        {
            return LookupResult::Unknown;
        }
        match self.look_up(parts[0], NameContext::default()) {
            LookupResult::Ambiguous(..) => LookupResult::Silent(self.qualified_sources(parts)),
            LookupResult::Silent(mut sources) => {
                merge_distinct(&mut sources, &self.qualified_sources(&parts[1..]));
                LookupResult::Silent(sources)
            }
            found => found,
        }
    }

    /// Returns true if a column is known to have scalar values.
    fn is_plain(&self, rel: &Rel, column: &str) -> bool {
        const PLAIN: &[&str] = &[
            "BIGINT", "BOOL", "BYTES", "CHAR", "DATE", "DEC", "DOUBLE", "FLOAT", "HUGEINT", "INT", "NUM", "REAL",
            "SMALLINT", "STRING", "TEXT", "TIME", "TINYINT", "UUID", "VARCHAR",
        ];
        self.data_type(rel, column)
            .map(str::to_ascii_uppercase)
            .is_some_and(|t| PLAIN.iter().any(|p| t.starts_with(p)) && !t.ends_with(']') && !t.starts_with("INTERVAL"))
    }

    /// Returns the declared type of a table's column.
    pub(super) fn data_type(&self, rel: &Rel, column: &str) -> Option<&'a str> {
        let catalog = self.catalog;
        let table = rel.table.as_deref().and_then(|name| catalog.tables.iter().find(|t| t.name.to_string() == name))?;
        table.find_column(column).map(|c| c.data_type.as_str())
    }

    /// Expands `t.*` to its columns, and reports `t` if it does not exist.
    pub(super) fn expand_qualified_star(&mut self, name: &ObjectName) -> Option<Rows> {
        let idents: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        let parts: Vec<&str> = idents.iter().map(|i| i.value.as_str()).collect();
        for scope in self.scopes.iter().rev() {
            if let Some(rel) = scope.rels.iter().find(|r| r.is_called(&parts)) {
                return Some(rel.rows.clone());
            }
        }
        if self.dialect.sql().has_nested_values()
            && let LookupResult::Sources(sources) | LookupResult::Silent(sources) =
                self.look_up(parts.first()?, NameContext::default())
        {
            // The fields of a nested column come from that column.
            return Some(Rows { open: true, unlisted: sources, ..Rows::default() });
        }
        let problem = NameProblem::NotInScope {
            qualifier: parts.join("."),
            name: "*".to_owned(),
            is_table: self.find_table(&parts).is_some(),
            suggestions: self.list_from_items().map(|c| format!("{c}.*")).collect(),
        };
        self.add_issue(problem, None);
        None
    }

    /// Returns the names of the items of the innermost FROM clause.
    fn list_from_items(&self) -> impl Iterator<Item = String> {
        let rels = self.scopes.last().map_or(&[][..], |s| s.rels.as_slice());
        let dialect = self.dialect;
        rels.iter().filter(|r| !r.name().is_empty()).map(move |r| quote_identifier(r.name(), dialect))
    }

    fn report_ambiguous(&mut self, ident: &Ident, rels: &[usize], depth: usize, place: NameContext<'_>) {
        let scope = &self.scopes[depth];
        let written = |i: &usize| {
            let rel = &scope.rels[*i];
            let col = rel.find_column(&ident.value).map_or(ident.value.as_str(), |c| c.name.as_str());
            format!("{}.{}", quote_identifier(rel.name(), self.dialect), quote_identifier(col, self.dialect))
        };
        let problem =
            NameProblem::Ambiguous { name: ident.value.clone(), candidates: rels.iter().map(written).collect() };
        let repair = self.repair_ambiguous(ident, rels, depth, place);
        self.add_issue(problem, repair);
    }

    fn unknown_column(&mut self, ident: &Ident, place: NameContext<'_>, date_part: bool) {
        let mut suggestions = self.suggest_columns(&ident.value, None);
        if date_part || (ident.quote_style == Some('"') && place.text_possible) {
            suggestions.insert(0, format!("'{}'", ident.value.replace('\'', "''")));
        }
        let repair = self.repair_column(ident, place, date_part);
        self.add_issue(NameProblem::UnknownColumn { name: ident.value.clone(), qualifier: None, suggestions }, repair);
    }

    /// Reports a name that had to be one of a given list.
    pub(super) fn unknown_among(&mut self, ident: &Ident, near: Vec<(String, String)>) {
        let suggestions = find_similar_names(&ident.value, near, 3);
        self.add_issue(NameProblem::UnknownColumn { name: ident.value.clone(), qualifier: None, suggestions }, None);
    }

    fn unknown_path(&mut self, parts: &[Ident]) {
        let Some((column, qualifier)) = parts.split_last() else { return };
        let short: Vec<&str> = qualifier.iter().map(|i| i.value.as_str()).collect();
        let shown = short.join(".");
        let called = self.scopes.iter().rev().any(|s| s.rels.iter().any(|r| r.is_called(&short)));
        let exists = !called && self.find_table(&short).is_some_and(|t| t.find_column(&column.value).is_some());
        // A table that exists and has the column only needs a join, so similar names would mislead.
        let suggestions =
            if exists { Vec::new() } else { self.suggest_columns(&column.value, called.then_some(&short)) };
        let repair = self.repair_path(parts, called);
        let name = column.value.clone();
        let problem = if called {
            NameProblem::UnknownColumn { name, qualifier: Some(shown), suggestions }
        } else {
            NameProblem::NotInScope { qualifier: shown, name, is_table: self.find_table(&short).is_some(), suggestions }
        };
        self.add_issue(problem, repair);
    }

    pub(super) fn unknown_table(&mut self, idents: &[&Ident], parts: &[&str], alias: Option<&TableAlias>) {
        let last = parts.last().copied().unwrap_or_default();
        let tables = self.catalog.tables.iter().map(|t| (t.name.name.clone(), t.name.to_string()));
        let views = self.views.iter().map(|(v, _)| (v.clone(), v.clone()));
        let suggestions = find_similar_names(last, views.chain(tables), 3);
        let repair = self.repair_table(idents, last, alias.is_some());
        self.add_issue(NameProblem::UnknownTable { name: parts.join("."), suggestions }, repair);
    }

    /// Returns candidates for an unresolved column: the same name in scope, then a similar name in scope, then the same
    /// name in a table that is not in scope.
    fn suggest_columns(&self, name: &str, qualifier: Option<&Vec<&str>>) -> Vec<String> {
        let mut exact = Vec::new();
        let mut near = Vec::new();
        for scope in self.scopes.iter().rev() {
            let plain = scope.rels.len() == 1;
            for rel in &scope.rels {
                for col in &rel.rows.cols {
                    let column = quote_identifier(&col.name, self.dialect);
                    let shown = if plain && qualifier.is_none() {
                        column
                    } else {
                        format!("{}.{column}", quote_identifier(rel.name(), self.dialect))
                    };
                    if same_name(&col.name, name) {
                        exact.push(shown);
                    } else {
                        near.push((col.name.clone(), shown));
                    }
                }
            }
        }
        let in_sight = exact.len();
        exact.extend(find_similar_names(name, near, 3));
        if in_sight == 0 {
            let elsewhere =
                self.catalog.tables.iter().filter(|t| t.find_column(name).is_some()).map(|t| t.name.to_string());
            exact.extend(elsewhere.map(|t| format!("{t}.{name}")).take(3));
        }
        exact.dedup();
        exact.truncate(5);
        exact
    }
}

/// Returns the sources of all columns of a FROM clause.
fn all_sources(scope: &Scope) -> Vec<Source> {
    let all: Vec<Source> = scope.rels.iter().flat_map(|rel| rel.rows.all_sources()).collect();
    distinct_sources(&all)
}
