//! Checks of identifier case. Lookup ignores case, as most engines do. Mismatches are reported in dialects where case
//! is significant.

use super::binding::NameProblem;
use super::edit::Edit;
use super::scope::{Source, Walk};
use crate::dialect::DialectExt;
use crate::text::{quote_identifier, same_name, table_ref};
use sqlparser::ast::Ident;
use vitrine_domain::Table;
use vitrine_words::tr;

impl Walk<'_> {
    /// Reports a column that the engine would not find in this spelling.
    pub(super) fn in_its_letters(&mut self, parts: &[Ident], sources: &[Source]) {
        let (Some((column, qualifiers)), [(table, own)]) = (parts.split_last(), sources) else { return };
        if !self.dialect.sql().column_names_are_case_sensitive()
            || !same_name(&column.value, own)
            || column.value == *own
        {
            return;
        }
        // Columns of views and aliases have their own names.
        let called: Vec<&str> = qualifiers.iter().map(|part| part.value.as_str()).collect();
        let mut rels = self.scopes.iter().flat_map(|scope| &scope.rels);
        let direct = rels.any(|rel| rel.table.as_ref() == Some(table) && rel.is_called(&called));
        let mut aliases = self.scopes.iter().flat_map(|scope| &scope.aliases);
        let alias = called.is_empty() && aliases.any(|(name, _, given)| *given && same_name(name, &column.value));
        if !direct || alias {
            return;
        }
        let parts_read = qualifiers.iter().map(|part| part.value.clone()).chain([own.clone()]).collect();
        let (problem, note) = misread_problem(column, quote_identifier(own, self.dialect), |name, suggestions| {
            NameProblem::UnknownColumn { name, qualifier: None, suggestions }
        });
        self.add_issue(problem, Some(Edit::Name { at: parts[0].span, parts: parts_read, note }));
    }

    /// Reports a table that the engine would not find in this spelling, or not without its schema.
    pub(super) fn table_in_its_letters(&mut self, idents: &[&Ident], table: &Table) {
        let (Some(first), Some(ident)) = (idents.first(), idents.last()) else { return };
        let qualifier = idents.len().checked_sub(2).map(|place| &idents[place].value);
        let unreached =
            table.name.schema.as_ref().is_some_and(|schema| qualifier.is_none_or(|named| !same_name(named, schema)));
        let exact = self.dialect.sql().table_names_are_case_sensitive();
        if !exact || (ident.value == table.name.name && !unreached) {
            return;
        }
        let shown = if unreached {
            table_ref(&table.name, self.dialect)
        } else {
            quote_identifier(&table.name.name, self.dialect)
        };
        let (problem, note) =
            misread_problem(ident, shown, |name, suggestions| NameProblem::UnknownTable { name, suggestions });
        let name = table.name.name_parts().map(str::to_owned).collect();
        // Keeps the old name as an alias because columns may be qualified by it.
        self.add_issue(problem, Some(Edit::Table { at: first.span, name, keep: Some(ident.value.clone()), note }));
    }
}

fn misread_problem(
    ident: &Ident,
    shown: String,
    problem: impl FnOnce(String, Vec<String>) -> NameProblem,
) -> (NameProblem, String) {
    let note = tr!("{name} was read as {other}", name = ident, other = shown);
    (problem(ident.to_string(), vec![shown]), note)
}
