//! Names of steps and of computed columns, and the names that engines give to unnamed columns.

use crate::texts::Texts;
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query, Select,
    SelectItem, VisitorMut,
};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{last_part, visit_mut};
pub(crate) use vitrine_sql::same_name;
use vitrine_sql::{DialectExt, fold_identifier, folds_identifiers};

#[derive(Debug, Clone, Default)]
pub(crate) struct Unique(HashSet<String>);

impl Unique {
    /// Returns the name, with the first number that makes it unique if it is taken.
    pub fn unique_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut next = 2;
        while !self.0.insert(name.to_lowercase()) {
            name = format!("{wanted}_{next}");
            next += 1;
        }
        name
    }

    /// Returns true if a name is taken.
    pub fn is_taken(&self, name: &str) -> bool {
        self.0.contains(&name.to_lowercase())
    }

    /// Marks a name as taken.
    pub fn reserve_name(&mut self, name: &str) {
        self.0.insert(name.to_lowercase());
    }
}

/// Folds the case of all names of a query like the engine, so that names in steps refer to the same objects: Snowflake
/// reads `paid` as `PAID`, which differs from `"paid"`; PostgreSQL reads `Paid` as `paid`.
pub(crate) fn as_read(query: &mut Query, dialect: Dialect) {
    struct CaseFolder(Dialect);
    impl VisitorMut for CaseFolder {
        type Break = ();
        fn pre_visit_ident(&mut self, ident: &mut Ident) -> ControlFlow<()> {
            if ident.quote_style.is_none() {
                ident.value = fold_identifier(&ident.value, self.0);
            }
            ControlFlow::Continue(())
        }
    }
    if folds_identifiers(dialect) {
        let _ = visit_mut(query, &mut CaseFolder(dialect));
    }
}

/// Converts a name to a part of another: lower-case letters, digits and underscores.
pub(crate) fn to_snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars().take(40) {
        if c.is_alphanumeric() {
            snake.extend(c.to_lowercase());
        } else if !snake.ends_with('_') {
            snake.push('_');
        }
    }
    snake.trim_matches('_').to_owned()
}

/// Returns the name of a computed column in a step.
pub(crate) fn computed_column_name(expr: &Expr, name_of: &impl Fn(&Expr) -> Option<String>) -> String {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => computed_column_name(inner, name_of),
        Expr::Function(function) => of_function(function, name_of),
        _ => name_of(expr).unwrap_or_else(|| "value".to_owned()),
    }
}

fn of_function(function: &Function, name_of: &impl Fn(&Expr) -> Option<String>) -> String {
    let name = last_part(&function.name).map_or_else(|| "value".to_owned(), |name| to_snake_case(&name.value));
    let FunctionArguments::List(list) = &function.args else { return name };
    let different = if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) { "_distinct" } else { "" };
    match list.args.first() {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Wildcard)) if name == "count" => "row_count".to_owned(),
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => match name_of(expr) {
            Some(column) => format!("{name}{different}_{}", to_snake_case(&column)),
            None => format!("{name}{different}_value"),
        },
        _ => name,
    }
}

/// Returns the engine's name of a SELECT's column; empty for stars.
pub(crate) fn of_item(item: &SelectItem, at: usize, select: &Select, texts: &Texts) -> String {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => alias.value.clone(),
        SelectItem::UnnamedExpr(expr) => of_expr(expr, texts.dialect())
            .or_else(|| texts.select_item_text(select, at))
            .unwrap_or_else(|| expr.to_string()),
        _ => String::new(),
    }
}

/// Returns the engine's name for an unnamed column; `None` if it is the text as written.
fn of_expr(expr: &Expr, dialect: Dialect) -> Option<String> {
    match expr {
        Expr::Identifier(ident) => Some(ident.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map(|part| part.value.clone()),
        Expr::Nested(inner) if matches!(&**inner, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => {
            of_expr(inner, dialect)
        }
        _ => dialect.sql().computed_column_name(expr),
    }
}
