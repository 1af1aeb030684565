//! Names of steps and of computed columns, and the names that engines give to unnamed columns.

use crate::texts::Texts;
use sqlparser::ast::{
    CastKind, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query,
    Select, SelectItem, SetExpr, VisitorMut,
};
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{last_part, visit_mut};
pub(crate) use vitrine_sql::same_name;
use vitrine_sql::{fold_identifier, folds_identifiers};

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
        SelectItem::UnnamedExpr(expr) => match (of_expr(expr, texts.dialect()), texts.dialect()) {
            (Some(name), _) => name,
            (None, Dialect::Sqlite) => texts.select_item_text(select, at).unwrap_or_else(|| expr.to_string()),
            (None, _) => expr.to_string(),
        },
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
        _ => match dialect {
            Dialect::Postgres => Some(postgres_column_name(expr).unwrap_or_else(|| "?column?".to_owned())),
            Dialect::Duckdb => Some(duckdb_expression_text(expr)),
            _ => None,
        },
    }
}

/// Names a column like PostgreSQL's `FigureColname`.
fn postgres_column_name(expr: &Expr) -> Option<String> {
    let name = |name: &str| Some(name.to_owned());
    match expr {
        Expr::Identifier(ident) => Some(ident.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map(|part| part.value.clone()),
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => postgres_column_name(inner),
        Expr::Function(function) => last_part(&function.name).map(|name| name.value.clone()),
        Expr::Cast { expr, data_type, .. } => postgres_column_name(expr).or_else(|| {
            let text = data_type.to_string().to_lowercase();
            let word = text.split(['(', ' ']).next().unwrap_or_default();
            Some(match word {
                "int" | "integer" => "int4".to_owned(),
                "bigint" => "int8".to_owned(),
                "float" | "double" => "float8".to_owned(),
                "real" => "float4".to_owned(),
                "decimal" => "numeric".to_owned(),
                "boolean" => "bool".to_owned(),
                other => other.to_owned(),
            })
        }),
        Expr::Case { else_result, .. } => {
            else_result.as_deref().and_then(postgres_column_name).or_else(|| name("case"))
        }
        Expr::Extract { .. } => name("extract"),
        Expr::Exists { .. } => name("exists"),
        Expr::Substring { .. } => name("substring"),
        Expr::Position { .. } => name("position"),
        Expr::Trim { .. } => name("btrim"),
        Expr::Ceil { .. } => name("ceil"),
        Expr::Floor { .. } => name("floor"),
        Expr::Overlay { .. } => name("overlay"),
        Expr::Array(_) => name("array"),
        Expr::Tuple(_) => name("row"),
        Expr::Subquery(query) => match &*query.body {
            SetExpr::Select(select) => match select.projection.first()? {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
                SelectItem::UnnamedExpr(expr) => postgres_column_name(expr),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Formats an expression like DuckDB.
fn duckdb_expression_text(expr: &Expr) -> String {
    match expr {
        Expr::Nested(inner) => duckdb_expression_text(inner),
        Expr::BinaryOp { left, op, right } => {
            format!("({} {op} {})", duckdb_expression_text(left), duckdb_expression_text(right))
        }
        Expr::Cast { expr, data_type, kind: CastKind::Cast | CastKind::DoubleColon, .. } => {
            let text = data_type.to_string().to_uppercase();
            let name = match text.as_str() {
                "INT" => "INTEGER",
                "REAL" => "FLOAT",
                "TEXT" => "VARCHAR",
                other => other,
            };
            format!("CAST({} AS {name})", duckdb_expression_text(expr))
        }
        Expr::Function(function) if function.over.is_none() && function.filter.is_none() => {
            let name = function.name.to_string().to_lowercase();
            let FunctionArguments::List(list) = &function.args else { return expr.to_string() };
            let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
            let argument = |arg: &FunctionArg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => duckdb_expression_text(expr),
                other => other.to_string(),
            };
            let arguments: Vec<String> = list.args.iter().map(argument).collect();
            match arguments.join(", ").as_str() {
                "*" if name == "count" => "count_star()".to_owned(),
                joined => format!("{name}({}{joined})", if distinct { "DISTINCT " } else { "" }),
            }
        }
        other => other.to_string(),
    }
}
