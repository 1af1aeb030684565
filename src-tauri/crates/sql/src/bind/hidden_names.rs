//! Names that are not columns of the catalog but return values of columns: hidden names of full-text search, positions, and
//! paths with more qualifiers than the catalog lists.

use super::scope::{Scope, Source, Walk, merge_distinct};
use crate::dialect::DialectExt;
use crate::text::same_name;
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

impl Walk<'_> {
    /// Returns true for a column by its position (`$3`).
    pub(super) fn is_column_position(&self, name: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        self.dialect.sql().has_column_positions() && name.strip_prefix('$').is_some_and(is_number)
    }

    /// Returns the sources of a full-text table that is named like a column: `docs MATCH 'word'`.
    pub(super) fn search_sources(&self, expr: &Expr) -> Option<Vec<Source>> {
        let Expr::Identifier(name) = expr else { return None };
        let rels = &self.scopes.last()?.rels;
        let is_column = rels.iter().any(|rel| rel.find_column(&name.value).is_some());
        let table = rels.iter().find(|rel| rel.table.is_some() && same_name(rel.name(), &name.value))?;
        (self.dialect.sql().has_full_text_tables() && !is_column).then(|| table.rows.all_sources())
    }

    /// Returns the sources of a call of an auxiliary function of full-text search.
    pub(super) fn search_call_sources(&self, function: &Function, name: &str) -> Option<Vec<Source>> {
        let FunctionArguments::List(list) = &function.args else { return None };
        match list.args.first()? {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(first))
                if self.dialect.sql().full_text_functions().contains(&name) =>
            {
                self.search_sources(first)
            }
            _ => None,
        }
    }

    /// Returns true for hidden columns of full-text search: the table's own name and `rank`. With an auxiliary
    /// function they return text of any column.
    pub(super) fn is_search_column(&self, scope: &Scope, name: &str) -> bool {
        self.dialect.sql().has_full_text_tables()
            && scope.rels.iter().any(|rel| {
                rel.table.is_some()
                    && (same_name(rel.name(), name) || same_name("rank", name))
                    && scope.has_unlisted_columns()
            })
    }

    /// Returns the sources of a path with more qualifiers than the catalog lists: `main.customers.email`.
    pub(super) fn qualified_sources(&self, parts: &[&str]) -> Vec<Source> {
        let mut found = Vec::new();
        for rel in self.scopes.iter().flat_map(|scope| &scope.rels) {
            for at in (0..parts.len()).filter(|&at| same_name(rel.name(), parts[at])) {
                match parts.get(at + 1).and_then(|column| rel.find_column(column)) {
                    Some(column) => merge_distinct(&mut found, &column.sources),
                    None => merge_distinct(&mut found, &rel.rows.all_sources()),
                }
            }
        }
        found
    }
}
