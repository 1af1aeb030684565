//! Names for computed columns of a view.

use crate::parse::own_name;
use crate::read_only::{ReadOnlySql, rewrite_unformatted};
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query, SelectItem, SetExpr,
};
use std::collections::HashSet;

/// Names every computed column of the outermost query, so that a query over the view can refer to it: `COUNT(*)`
/// becomes `row_count`, `AVG(age)` becomes `avg_age`. `None` if all columns have names.
pub fn name_columns(sql: &ReadOnlySql) -> Option<ReadOnlySql> {
    rewrite_unformatted(sql, |query| name_computed_columns(query).then_some(())).map(|(sql, ())| sql)
}

/// Names the computed columns. Returns true if there were any.
fn name_computed_columns(query: &mut Query) -> bool {
    let SetExpr::Select(select) = query.body.as_mut() else { return false };
    let mut taken: HashSet<String> = select.projection.iter().filter_map(name_of).collect();
    let mut changed = false;
    for (index, item) in select.projection.iter_mut().enumerate() {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        if own_name(expr).is_some() {
            continue;
        }
        let wanted = computed_name(expr).unwrap_or_else(|| format!("column_{}", index + 1));
        let mut name = wanted.clone();
        let mut next = 2;
        while !taken.insert(name.to_lowercase()) {
            name = format!("{wanted}_{next}");
            next += 1;
        }
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::new(name) };
        changed = true;
    }
    changed
}

fn name_of(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::UnnamedExpr(expr) => own_name(expr).map(|name| name.to_lowercase()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    }
}

fn computed_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => computed_name(inner),
        Expr::Function(function) => Some(function_name(function)),
        _ => None,
    }
}

fn function_name(function: &Function) -> String {
    let name = function.name.0.last().and_then(|part| part.as_ident()).map(|i| i.value.to_lowercase());
    let name = name.unwrap_or_else(|| "value".to_owned());
    let arguments = match &function.args {
        FunctionArguments::List(list) => list.args.as_slice(),
        _ => &[],
    };
    match arguments.first() {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Wildcard)) if name == "count" => "row_count".to_owned(),
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => match own_name(expr) {
            Some(column) if column.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                format!("{name}_{}", column.to_lowercase())
            }
            _ => format!("{name}_value"),
        },
        _ => format!("{name}_value"),
    }
}

#[cfg(test)]
mod tests {
    use super::name_columns;
    use crate::read_only::ReadOnlySql;
    use vitrine_domain::Dialect;

    fn named_columns_sql(sql: &str) -> Option<String> {
        name_columns(&ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap()).map(|sql| sql.as_str().to_owned())
    }

    #[test]
    fn what_a_view_computes_can_be_named_by_its_readers() {
        assert_eq!(
            named_columns_sql(
                "SELECT Year, COUNT(*), AVG(t.Age), COUNT(*) FROM t GROUP BY Year ORDER BY COUNT(*) DESC"
            )
            .as_deref(),
            Some(
                "SELECT Year, COUNT(*) AS row_count, AVG(t.Age) AS avg_age, COUNT(*) AS row_count_2 FROM t GROUP BY \
                 Year ORDER BY COUNT(*) DESC"
            )
        );
        assert_eq!(
            named_columns_sql("SELECT a + 1, 'x' FROM t").as_deref(),
            Some("SELECT a + 1 AS column_1, 'x' AS column_2 FROM t")
        );
    }

    #[test]
    fn what_is_named_stays_as_written() {
        assert_eq!(named_columns_sql("SELECT a,  t.b, count(*) AS n FROM t"), None);
        assert_eq!(named_columns_sql("SELECT * FROM t"), None);
    }
}
