//! Resolves select lists: stars, aliases and column names.

use super::scope::{Clause, Col, Rows, Scope, Source, Walk, merge_distinct};
use super::summary::plain_column_path;
use crate::dialect::{DialectExt, ImplicitNames};
use crate::parse::last_part;
use crate::text::same_name;
use sqlparser::ast::{
    ExcludeSelectItem, Expr, Function, RenameSelectItem, Select, SelectItem, SelectItemQualifiedWildcardKind,
    WildcardAdditionalOptions,
};
use vitrine_domain::Dialect;

impl Walk<'_> {
    pub(super) fn walk_projection(&mut self, select: &Select, only_exists: bool) -> Rows {
        self.set_clause(Clause::Columns);
        let explicit = select.projection.iter().filter_map(|item| match item {
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) if parts.len() == 2 => {
                Some((parts[0].value.clone(), parts[1].value.clone()))
            }
            _ => None,
        });
        let explicit: Vec<_> = explicit.collect();
        if let Some(scope) = self.current_scope() {
            scope.selected = explicit;
        }
        let mut rows = Rows { open: select.projection.is_empty() && select.from.is_empty(), ..Rows::default() };
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    if let Expr::Function(function) = expr
                        && expands_to_columns(function, self.dialect)
                    {
                        let sources = self.walk_expr(expr);
                        merge_distinct(&mut rows.unlisted, &sources);
                        rows.open = true;
                        continue;
                    }
                    let sources = self.walk_value(expr);
                    let (name, mut guessed) = output_name(expr, self.dialect.sql().implicit_names());
                    // Values are followed by names only where these are certain.
                    guessed |=
                        self.follows_values() && !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_));
                    self.add_alias(&name, &sources, false);
                    rows.cols.push(Col { name, sources, guessed });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let sources = self.walk_value(expr);
                    self.add_alias(&alias.value, &sources, true);
                    rows.cols.push(Col { name: alias.value.clone(), sources, guessed: false });
                }
                SelectItem::ExprWithAliases { expr, aliases } => {
                    let sources = self.walk_value(expr);
                    for alias in aliases {
                        self.add_alias(&alias.value, &sources, true);
                        rows.cols.push(Col { name: alias.value.clone(), sources: sources.clone(), guessed: false });
                    }
                }
                SelectItem::Wildcard(options) => self.walk_star(None, options, only_exists, &mut rows),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                    self.walk_star(Some(name), options, only_exists, &mut rows);
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                    let sources = self.walk_expr(expr);
                    merge_distinct(&mut rows.unlisted, &sources);
                    rows.open = true;
                }
            }
        }
        // FROM t without a SELECT means all columns.
        if select.projection.is_empty() && !select.from.is_empty() {
            self.walk_star(None, &WildcardAdditionalOptions::default(), only_exists, &mut rows);
        }
        rows
    }

    /// Walks the expression of a value, and marks it as computed unless it is a stored column.
    pub(super) fn walk_value(&mut self, expr: &Expr) -> Vec<Source> {
        let mut sources = self.walk_expr(expr);
        if plain_column_path(expr).is_none() {
            self.mark_computed(&mut sources);
        }
        sources
    }

    fn add_alias(&mut self, name: &str, sources: &[Source], explicit: bool) {
        if let Some(scope) = self.current_scope() {
            scope.aliases.push((name.to_owned(), sources.to_vec(), explicit));
        }
    }

    fn walk_star(
        &mut self,
        qualifier: Option<&sqlparser::ast::ObjectName>,
        options: &WildcardAdditionalOptions,
        only_exists: bool,
        rows: &mut Rows,
    ) {
        let mut cols = match qualifier {
            None => {
                let Some(scope) = self.scopes.last() else { return };
                rows.open |= scope.has_unlisted_columns();
                scope.rels.iter().for_each(|rel| merge_distinct(&mut rows.unlisted, &rel.rows.unlisted));
                star_columns(scope, self.dialect)
            }
            Some(name) => match self.expand_qualified_star(name) {
                Some(found) => {
                    rows.open |= found.open;
                    merge_distinct(&mut rows.unlisted, &found.unlisted);
                    found.cols
                }
                None => {
                    rows.open = true;
                    Vec::new()
                }
            },
        };
        let dropped: Vec<&str> = excluded_columns(options);
        cols.retain(|c| !dropped.iter().any(|d| same_name(d, &c.name)));
        for element in options.opt_replace.iter().flat_map(|replace| &replace.items) {
            let sources = self.walk_value(&element.expr);
            match cols.iter_mut().find(|c| same_name(&c.name, &element.column_name.value)) {
                Some(own) => own.sources = sources,
                None => rows.open = true,
            }
        }
        let renames = match &options.opt_rename {
            Some(RenameSelectItem::Single(one)) => std::slice::from_ref(one),
            Some(RenameSelectItem::Multiple(many)) => many,
            None => &[],
        };
        for rename in renames {
            if let Some(own) = cols.iter_mut().find(|c| same_name(&c.name, &rename.ident.value)) {
                own.name.clone_from(&rename.alias.value);
            }
        }
        rows.open |= options.opt_ilike.is_some();
        if !only_exists {
            for col in &cols {
                self.mark_used(&col.sources);
            }
        }
        rows.cols.extend(cols);
    }
}

/// Returns the columns of `*` in the engine's order: each merged column once, in most engines before all others.
fn star_columns(scope: &Scope, dialect: Dialect) -> Vec<Col> {
    let mut all = Vec::new();
    for rels in scope.rels.chunk_by(|one, other| one.item == other.item) {
        let mut cols: Vec<Col> = Vec::new();
        for col in rels.iter().flat_map(|rel| &rel.rows.cols) {
            let merged = scope.merged.contains(&col.name.to_lowercase());
            match cols.iter_mut().find(|c| merged && same_name(&c.name, &col.name)) {
                Some(own) => merge_distinct(&mut own.sources, &col.sources),
                None => cols.push(col.clone()),
            }
        }
        let merges = scope.merges.iter().filter(|(item, _)| rels.first().is_some_and(|rel| rel.item == *item));
        if dialect.sql().merged_columns_come_first() {
            for (_, names) in merges {
                let is_merged = |col: &Col| names.iter().position(|name| same_name(name, &col.name));
                let rest = names.len();
                cols.sort_by_key(|col| is_merged(col).unwrap_or(rest));
            }
        }
        all.extend(cols);
    }
    all
}

/// Returns true if a function expands to any number of columns.
fn expands_to_columns(function: &Function, dialect: Dialect) -> bool {
    let dialect = dialect.sql();
    last_part(&function.name).is_some_and(|name| {
        dialect.column_functions().iter().any(|function| name.value.eq_ignore_ascii_case(function))
            || dialect.is_generator(&name.value.to_ascii_lowercase())
    })
}

fn excluded_columns(options: &WildcardAdditionalOptions) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    match &options.opt_exclude {
        Some(ExcludeSelectItem::Single(name)) => names.extend(last_part(name).map(|i| i.value.as_str())),
        Some(ExcludeSelectItem::Multiple(many)) => {
            names.extend(many.iter().filter_map(|n| last_part(n).map(|i| i.value.as_str())));
        }
        None => {}
    }
    if let Some(except) = &options.opt_except {
        names.push(&except.first_element.value);
        names.extend(except.additional_elements.iter().map(|i| i.value.as_str()));
    }
    names
}

/// Returns the name that an engine gives to a column without an alias, and true if it is a guess.
pub(super) fn output_name(expr: &Expr, names: ImplicitNames) -> (String, bool) {
    match expr {
        Expr::Identifier(ident) => (ident.value.clone(), false),
        Expr::CompoundIdentifier(parts) => (parts.last().map(|i| i.value.clone()).unwrap_or_default(), false),
        Expr::Nested(inner) if names != ImplicitNames::Text => output_name(inner, names),
        Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last() {
            Some(sqlparser::ast::AccessExpr::Dot(Expr::Identifier(ident))) => (ident.value.clone(), false),
            _ => (expr.to_string(), true),
        },
        Expr::Function(function) if names == ImplicitNames::Function => {
            (last_part(&function.name).map(|i| i.value.clone()).unwrap_or_default(), false)
        }
        Expr::Cast { expr, .. } if names == ImplicitNames::Function => output_name(expr, names),
        Expr::Case { .. } if names == ImplicitNames::Function => ("case".to_owned(), false),
        _ => (expr.to_string(), true),
    }
}
