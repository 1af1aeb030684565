use super::Postgres;
use crate::dialect::names::is_in_schema;
use crate::dialect::{ImplicitNames, NameResolution, UngroupedColumns};
use sqlparser::ast::{Expr, ObjectNamePart, SelectItem, SetExpr};

impl NameResolution for Postgres {
    fn column_names_are_case_sensitive(&self) -> bool {
        true
    }

    fn table_names_are_case_sensitive(&self) -> bool {
        true
    }

    fn quotes_strings_in_dollars(&self) -> bool {
        true
    }

    fn hidden_columns(&self) -> &'static [&'static str] {
        &["ctid", "tableoid", "oid", "xmin"]
    }

    fn merged_columns_come_first(&self) -> bool {
        true
    }

    fn recursive_views_see_later_views(&self) -> bool {
        true
    }

    fn recursive_views_start_from_tables(&self) -> bool {
        false
    }

    fn is_omitted_from_catalogs(&self, qualifiers: &[&str], table: &str) -> bool {
        is_in_schema(qualifiers, &["information_schema", "pg_catalog"]) || table.starts_with("pg_")
    }

    fn implicit_names(&self) -> ImplicitNames {
        ImplicitNames::Function
    }

    fn computed_column_name(&self, expr: &Expr) -> Option<String> {
        Some(figure_column_name(expr).unwrap_or_else(|| "?column?".to_owned()))
    }

    fn star_begins_with_merged_columns(&self) -> bool {
        true
    }

    fn having_sees_aliases(&self) -> bool {
        false
    }

    fn having_prefers_columns(&self) -> bool {
        true
    }

    fn materialized_view_keyword(&self) -> &'static str {
        "AS MATERIALIZED"
    }

    fn keeps_row_numbers_of_views(&self) -> bool {
        true
    }

    fn set_operations_convert_constants(&self) -> bool {
        true
    }

    fn ungrouped_columns(&self) -> UngroupedColumns {
        UngroupedColumns::DeterminedByKey
    }
}

/// Names a column like PostgreSQL's `FigureColname`.
fn figure_column_name(expr: &Expr) -> Option<String> {
    let name = |name: &str| Some(name.to_owned());
    match expr {
        Expr::Identifier(ident) => Some(ident.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map(|part| part.value.clone()),
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => figure_column_name(inner),
        Expr::Function(function) => {
            function.name.0.last().and_then(ObjectNamePart::as_ident).map(|name| name.value.clone())
        }
        Expr::Cast { expr, data_type, .. } => figure_column_name(expr).or_else(|| {
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
        Expr::Case { else_result, .. } => else_result.as_deref().and_then(figure_column_name).or_else(|| name("case")),
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
                SelectItem::UnnamedExpr(expr) => figure_column_name(expr),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
