//! Counts by a column that is unique: "How many members are in each party?" over the table of parties counts each party
//! once.

use crate::fixed::{Aggregate, group_keys, normalize_expr};
use sqlparser::ast::{Expr, SelectItem};
use vitrine_domain::{Catalog, Profile, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Relation, each_select};

/// Rows of one table that are counted by a column with a different value in each row.
pub(crate) struct CountedSingles {
    /// Name of the unique column.
    pub column: String,
    /// Name of the column's table.
    pub table: String,
    /// Names of tables that refer to it, whose rows may be meant.
    pub referring: Vec<String>,
}

/// Returns the first SELECT over one table that counts its rows by a column with unique values, if other tables refer
/// to that table.
pub(crate) fn counted_singles(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Option<CountedSingles> {
    let mut found = None;
    each_select(sql, catalog, |_, select, tables| {
        let keys = group_keys(select, tables);
        let ([from], [relation], [key], None) = (select.from.as_slice(), tables, keys.as_slice(), &found) else {
            return;
        };
        let counts = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                Aggregate::from_expr(&normalize_expr(expr, tables))
                    .is_some_and(|aggregate| aggregate.name == "count" && !aggregate.distinct)
            }
            _ => false,
        };
        if from.joins.is_empty() && select.having.is_none() && select.projection.iter().any(counts) {
            found = find_counted_singles(key, relation, catalog, profile);
        }
    });
    found
}

fn find_counted_singles(
    key: &Expr,
    relation: &Relation<'_>,
    catalog: &Catalog,
    profile: &Profile,
) -> Option<CountedSingles> {
    let Expr::Identifier(name) = key else { return None };
    let column = name.value.strip_prefix(&format!("{}.", relation.alias.to_lowercase()))?;
    let known = profile.find_table(&relation.table.name).filter(|read| read.is_whole())?.find_column(column)?;
    let apart = known.null_ratio == 0.0 && known.top.first().is_some_and(|(_, times)| *times == 1);
    let refers = |table: &&Table| {
        table.name != relation.table.name && table.foreign_keys.iter().any(|key| key.ref_table == relation.table.name)
    };
    let referring: Vec<String> = catalog.tables.iter().filter(refers).map(|table| table.name.to_string()).collect();
    let table = relation.table.name.to_string();
    (apart && !referring.is_empty()).then(|| CountedSingles { column: known.name.clone(), table, referring })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{catalog_with, typed_table};
    use vitrine_domain::{ColumnProfile, Dialect, TableName, TableProfile};

    #[test]
    fn rows_that_are_counted_by_what_tells_them_apart_are_found() {
        let party = typed_table("party", &[("id", "INTEGER"), ("name", "TEXT"), ("region", "TEXT")], &["id"], &[]);
        let member = typed_table(
            "member",
            &[("id", "INTEGER"), ("party_id", "INTEGER")],
            &["id"],
            &[("party_id", "party", "id")],
        );
        let catalog = catalog_with(Dialect::Sqlite, vec![party, member]);
        let column = |name: &str, times: u64| ColumnProfile {
            name: name.into(),
            top: vec![("a".into(), times), ("b".into(), 1)],
            ..ColumnProfile::default()
        };
        let read = |name: &str, rows: u64, columns| TableProfile {
            table: TableName::from_unqualified(name),
            row_count: Some(rows),
            profiled_rows: 3,
            columns,
        };
        let of = |rows: u64| Profile {
            tables: vec![
                read("party", rows, vec![column("id", 1), column("name", 1), column("region", 2)]),
                read("member", 3, vec![column("id", 1), column("party_id", 1)]),
            ],
            ..Profile::default()
        };
        let found = |select: &str, rows: u64| {
            let sql = ReadOnlySql::parse(select, Dialect::Sqlite).unwrap();
            counted_singles(&sql, &catalog, &of(rows)).map(|found| (found.column, found.referring.join(", ")))
        };
        let by_name = "SELECT p.name, COUNT(*) AS members FROM party AS p GROUP BY p.name";
        assert_eq!(found(by_name, 3), Some(("name".to_owned(), "member".to_owned())));
        assert_eq!(found(by_name, 4), None, "not every row was read");
        for right in [
            "SELECT region, COUNT(*) FROM party GROUP BY region",
            "SELECT p.name, COUNT(*) FROM party p JOIN member m ON m.party_id = p.id GROUP BY p.name",
            // No table refers to members, so they are the counted entities, even if each has a different party in the
            // current data.
            "SELECT party_id, COUNT(*) FROM member GROUP BY party_id",
            "SELECT name FROM party GROUP BY name HAVING COUNT(*) > 1",
            "SELECT name, SUM(id) FROM party GROUP BY name",
            "SELECT COUNT(*) FROM party",
        ] {
            assert_eq!(found(right, 3), None, "{right}");
        }
    }
}
