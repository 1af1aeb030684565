//! Keys of documents, which Snowflake accesses with a colon (`address:city`) and Databricks with `variant_get`, while
//! other engines use a dot. The key is written in the case of the stored documents, because another case is another key
//! and yields NULL. If the profile does not contain the key, the query is not changed.

use crate::RuleInput;
use crate::documents::by_dots;
use sqlparser::ast::{Expr, Ident, OrderBy, Select, SelectItem};
use vitrine_domain::ColumnProfile;
use vitrine_sql::DialectExt;
use vitrine_sql::ast::{InScope, Relation, each_own_expr, iter_relations, parse_expr};

/// Rewrites the keys in a SELECT and its ORDER BY. Returns them as they were written.
pub(super) fn by_stored_keys(
    select: &mut Select,
    order_by: &mut Option<OrderBy>,
    scope: &InScope<'_>,
    input: &RuleInput<'_>,
) -> Vec<String> {
    let Some(tables) = iter_relations(select, scope).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let fields = Fields { tables, input };
    for item in &mut select.projection {
        // Without an alias, the column name would become the whole expression.
        if let SelectItem::UnnamedExpr(Expr::CompoundIdentifier(path)) = item
            && fields.rewrite_field(path).is_some()
            && let Some(alias) = path.last().cloned()
        {
            *item = SelectItem::ExprWithAlias { expr: Expr::CompoundIdentifier(path.clone()), alias };
        }
    }
    let mut found = Vec::new();
    let mut write = |expr: &mut Expr| {
        if let Expr::CompoundIdentifier(path) = &*expr
            && let Some(written) = fields.rewrite_field(path)
        {
            found.push(expr.to_string());
            *expr = written;
        }
    };
    each_own_expr(select, &mut write);
    each_own_expr(order_by, &mut write);
    found
}

struct Fields<'a> {
    tables: Vec<Relation<'a>>,
    input: &'a RuleInput<'a>,
}

impl Fields<'_> {
    /// Rewrites a dotted path in the syntax of the dialect, with the profiled type.
    fn rewrite_field(&self, path: &[Ident]) -> Option<Expr> {
        let (relation, column, keys) = by_dots(path, &self.tables, self.input.catalog.dialect)?;
        let profile = self.input.profile.find_table(&relation.table.name)?.find_column(&column.value)?;
        let field = find_stored_field(profile, keys)?;
        let own = &path[..path.len() - keys.len()];
        let column = own.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
        let of = match field.data_type.as_str() {
            "text" => Some("STRING"),
            "integer" => Some("BIGINT"),
            "float" => Some("DOUBLE"),
            "boolean" => Some("BOOLEAN"),
            _ => None,
        };
        let dialect = self.input.catalog.dialect;
        parse_expr(&dialect.sql().document_field(&column, &field.name, of)?, dialect)
    }
}

/// Returns the only profiled path that matches the keys in any case.
fn find_stored_field<'a>(profile: &'a ColumnProfile, keys: &[Ident]) -> Option<&'a ColumnProfile> {
    let asked = keys.iter().map(|key| key.value.to_lowercase()).collect::<Vec<_>>().join(".");
    let mut found = profile.fields.iter().filter(|field| field.name.to_lowercase() == asked);
    // A dot within a key would be read as a path separator.
    found.next().filter(|field| found.next().is_none() && field.name.split('.').count() == keys.len())
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{catalog_with, rule_input, typed_table};
    use crate::{QuestionFacts, apply_safe_rules};
    use vitrine_domain::{ColumnProfile, Dialect, Profile, TableName, TableProfile};
    use vitrine_sql::ReadOnlySql;

    /// Rewrites a query about customers with profiled documents. `None` if it does not change.
    fn rewritten_sql(sql: &str, dialect: Dialect) -> Option<String> {
        let place = |(name, data_type): &(&str, &str)| ColumnProfile {
            name: (*name).into(),
            data_type: (*data_type).into(),
            ..ColumnProfile::default()
        };
        let of = |name: &str, fields: &[(&str, &str)]| ColumnProfile {
            name: name.into(),
            fields: fields.iter().map(place).collect(),
            ..ColumnProfile::default()
        };
        let address = [("country", "text"), ("geo", "dict"), ("geo.Lat", "float"), ("Since", "integer")];
        let items = [("[].sku", "text"), ("2x", "integer"), ("2X", "integer")];
        let profile = Profile {
            tables: vec![TableProfile {
                table: TableName::from_unqualified("customers"),
                row_count: Some(6),
                profiled_rows: 6,
                columns: vec![of("address", &address), of("items", &items)],
            }],
            ..Profile::default()
        };
        let columns =
            [("id", "NUMBER"), ("address", "VARIANT"), ("items", "VARIANT"), ("home", "STRUCT<city: STRING>")];
        let catalog = catalog_with(
            dialect,
            vec![
                typed_table("customers", &columns, &["id"], &[]),
                typed_table("address", &[("id", "NUMBER")], &["id"], &[]),
            ],
        );
        let sql = ReadOnlySql::parse(sql, dialect).unwrap();
        let changed = apply_safe_rules(&sql, &rule_input(&catalog, &profile, &QuestionFacts::default()))?;
        assert!(changed.changes.iter().all(|change| change.rule == "R016"), "{changed:?}");
        Some(changed.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_field_of_a_document_is_asked_for_by_its_stored_key() {
        for (sql, snowflake, databricks) in [
            (
                "SELECT c.address.COUNTRY, COUNT(*) FROM customers c GROUP BY c.address.COUNTRY ORDER BY c.address.COUNTRY",
                "SELECT c.address:country::STRING AS COUNTRY, COUNT(*) FROM customers c \
                 GROUP BY c.address:country::STRING ORDER BY c.address:country::STRING",
                "SELECT variant_get(c.address, '$.country', 'STRING') AS COUNTRY, COUNT(*) FROM customers c \
                 GROUP BY variant_get(c.address, '$.country', 'STRING') ORDER BY variant_get(c.address, '$.country', 'STRING')",
            ),
            (
                "SELECT AVG(address.geo.lat) AS mean FROM customers WHERE address.since > 2020",
                "SELECT AVG(address:geo.Lat::DOUBLE) AS mean FROM customers WHERE address:Since::BIGINT > 2020",
                "SELECT AVG(variant_get(address, '$.geo.Lat', 'DOUBLE')) AS mean FROM customers \
                 WHERE variant_get(address, '$.Since', 'BIGINT') > 2020",
            ),
            (
                "SELECT id FROM customers WHERE id IN (SELECT k.id FROM customers k WHERE k.address.country = 'Peru')",
                "SELECT id FROM customers WHERE id IN ( SELECT k.id FROM customers k WHERE k.address:country::STRING = 'Peru' )",
                "SELECT id FROM customers WHERE id IN ( SELECT k.id FROM customers k \
                 WHERE variant_get(k.address, '$.country', 'STRING') = 'Peru' )",
            ),
            (
                "SELECT c.address.geo AS g FROM customers c",
                "SELECT c.address:geo AS g FROM customers c",
                "SELECT variant_get(c.address, '$.geo') AS g FROM customers c",
            ),
        ] {
            assert_eq!(rewritten_sql(sql, Dialect::Snowflake).as_deref(), Some(snowflake));
            assert_eq!(rewritten_sql(sql, Dialect::Databricks).as_deref(), Some(databricks));
        }
    }

    #[test]
    fn what_nobody_knows_or_what_is_right_stays() {
        for (sql, dialect) in [
            // Keys that no row has, a list member used as a key, and two keys that differ only in case.
            ("SELECT c.address.town FROM customers c", Dialect::Snowflake),
            ("SELECT c.items.sku FROM customers c", Dialect::Snowflake),
            ("SELECT c.items.\"2x\" FROM customers c", Dialect::Snowflake),
            // Already correct.
            ("SELECT c.address:country::VARCHAR FROM customers c", Dialect::Snowflake),
            ("SELECT variant_get(c.address, '$.country', 'STRING') FROM customers c", Dialect::Databricks),
            ("SELECT c.home.city FROM customers c", Dialect::Databricks),
            ("SELECT address.id FROM customers c JOIN address ON address.id = c.id", Dialect::Snowflake),
            // BigQuery uses dots.
            ("SELECT c.address.country FROM customers c", Dialect::Bigquery),
        ] {
            assert_eq!(rewritten_sql(sql, dialect), None, "{sql}");
        }
    }
}
