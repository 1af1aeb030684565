//! Catalog names that are keywords: `SELECT order FROM ticket`. This parser accepts many of them as names, but the
//! engines do not.

use crate::RuleInput;
use sqlparser::ast::{Expr, Ident, ObjectNamePart, Query, TableFactor, VisitorMut};
use std::collections::HashMap;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::visit_mut;
use vitrine_sql::{DialectExt, quote_identifier};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let dialect = input.catalog.dialect;
    let mut names: HashMap<String, Vec<&str>> = HashMap::new();
    for table in &input.catalog.tables {
        let columns = table.columns.iter().map(|column| column.name.as_str());
        for name in columns.chain([table.name.name.as_str()]) {
            if name.chars().all(|c| c.is_alphanumeric() || c == '_') && quote_identifier(name, dialect) != name {
                names.entry(name.to_lowercase()).or_default().push(name);
            }
        }
    }
    let mut quoter = Quoter { names, dialect, notes: Vec::new() };
    let _ = visit_mut(query, &mut quoter);
    quoter.notes
}

struct Quoter<'a> {
    /// Spellings in the catalog by lower-case name.
    names: HashMap<String, Vec<&'a str>>,
    dialect: Dialect,
    notes: Vec<String>,
}

impl Quoter<'_> {
    fn quote_identifier(&mut self, ident: &mut Ident) {
        if ident.quote_style.is_some() || quote_identifier(&ident.value, self.dialect) == ident.value {
            return;
        }
        let Some(names) = self.names.get(&ident.value.to_lowercase()) else { return };
        let Some(name) = names.iter().find(|name| **name == ident.value).or(names.first()) else { return };
        let note = tr!("{name} was read as {other}", name = ident.value, other = quote_identifier(name, self.dialect));
        ident.value = (*name).to_owned();
        ident.quote_style = Some(self.dialect.sql().identifier_quote());
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

impl VisitorMut for Quoter<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, .. } = factor {
            for part in &mut name.0 {
                if let ObjectNamePart::Identifier(ident) = part {
                    self.quote_identifier(ident);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(ident) => self.quote_identifier(ident),
            Expr::CompoundIdentifier(parts) => parts.iter_mut().for_each(|ident| self.quote_identifier(ident)),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
