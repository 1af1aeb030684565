use super::Duckdb;
use crate::dialect::NameResolution;
use crate::dialect::names::{is_in_schema, json_function_columns};
use sqlparser::ast::{CastKind, DuplicateTreatment, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

impl NameResolution for Duckdb {
    fn quotes_strings_in_dollars(&self) -> bool {
        true
    }

    fn hidden_columns(&self) -> &'static [&'static str] {
        &["rowid"]
    }

    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema", "pg_catalog", "system"])
            || table.starts_with("duckdb_")
            || table == "sqlite_master"
            || table == "dual"
    }

    fn table_function_columns(&self, function: &str) -> &'static [&'static str] {
        json_function_columns(function)
    }

    fn rejects_fields_of_lists(&self) -> bool {
        true
    }

    fn has_method_calls(&self) -> bool {
        true
    }

    fn computed_column_name(&self, expr: &Expr) -> Option<String> {
        Some(format_expression(expr))
    }

    fn values_column_name(&self, index: usize) -> String {
        format!("col{index}")
    }

    fn column_functions(&self) -> &'static [&'static str] {
        &["columns", "unnest"]
    }

    fn select_list_sees_aliases(&self) -> bool {
        true
    }

    fn where_sees_aliases(&self) -> bool {
        true
    }

    fn subqueries_in_from_are_lateral(&self) -> bool {
        true
    }

    fn materialized_view_keyword(&self) -> &'static str {
        "AS MATERIALIZED"
    }

    fn keeps_row_numbers_of_views(&self) -> bool {
        true
    }
}

/// Formats an expression like DuckDB.
fn format_expression(expr: &Expr) -> String {
    match expr {
        Expr::Nested(inner) => format_expression(inner),
        Expr::BinaryOp { left, op, right } => {
            format!("({} {op} {})", format_expression(left), format_expression(right))
        }
        Expr::Cast { expr, data_type, kind: CastKind::Cast | CastKind::DoubleColon, .. } => {
            let text = data_type.to_string().to_uppercase();
            let name = match text.as_str() {
                "INT" => "INTEGER",
                "REAL" => "FLOAT",
                "TEXT" => "VARCHAR",
                other => other,
            };
            format!("CAST({} AS {name})", format_expression(expr))
        }
        Expr::Function(function) if function.over.is_none() && function.filter.is_none() => {
            let name = function.name.to_string().to_lowercase();
            let FunctionArguments::List(list) = &function.args else { return expr.to_string() };
            let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
            let argument = |arg: &FunctionArg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => format_expression(expr),
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
