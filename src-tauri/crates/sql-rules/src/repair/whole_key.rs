//! Two tables joined by a part of the key between them: each row of one then matches all rows that share this part.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Query, Select};
use vitrine_sql::ast::{
    InScope, Link, Relation, build_and, collect_conjuncts, iter_relations, qualified_column, resolve_join_sides,
    same_name,
};
use vitrine_words::tr;

/// The sides of an equality: `(table, column, table, column)`.
type Pair<'e> = (usize, &'e str, usize, &'e str);

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| complete_join_keys(select, scope))
}

/// Adds the missing key columns to joins by a part of the key.
fn complete_join_keys(select: &mut Select, catalog: &InScope<'_>) -> Vec<String> {
    let Some(tables) = iter_relations(select, catalog).collect::<Option<Vec<Relation<'_>>>>() else {
        return Vec::new();
    };
    let mut conditions = Vec::new();
    let joins = || select.from.iter().flat_map(|from| &from.joins);
    joins().filter_map(join_condition).chain(&select.selection).for_each(|on| collect_conjuncts(on, &mut conditions));
    let pairs: Vec<Pair<'_>> = conditions.iter().filter_map(|on| equated_columns(on, &tables)).collect();
    let missing: Vec<(usize, Expr, String)> = joins()
        .enumerate()
        .filter_map(|(at, join)| {
            let mut own = Vec::new();
            collect_conjuncts(join_condition(join)?, &mut own);
            let (a, _, b, _) = own.iter().find_map(|on| equated_columns(on, &tables))?;
            let ((from, to), rest) = [(a, b), (b, a)]
                .into_iter()
                .find_map(|(from, to)| Some(((from, to), rest_of_key(from, to, &tables, &pairs)?)))?;
            let dialect = catalog.dialect;
            let equal = |(own, target): &Link| Expr::BinaryOp {
                left: Box::new(qualified_column(&tables[from].alias, own, dialect)),
                op: BinaryOperator::Eq,
                right: Box::new(qualified_column(&tables[to].alias, target, dialect)),
            };
            let names: Vec<&str> = rest.iter().map(|(own, _)| own.as_str()).collect();
            let note = tr!(
                "{one} refers to {other} by {columns}, too: compared as well",
                one = tables[from].table.name,
                other = tables[to].table.name,
                columns = names.join(", ")
            );
            Some((at, rest.iter().map(equal).reduce(build_and)?, note))
        })
        .collect();
    let mut notes = Vec::new();
    for (at, rest, note) in missing {
        let join = select.from.iter_mut().flat_map(|from| from.joins.iter_mut()).nth(at);
        let Some(on) = join.and_then(condition_mut) else { continue };
        *on = build_and(on.clone(), rest);
        notes.push(note);
    }
    notes
}

/// Returns the remaining columns of the only key by which a table refers to another. `None` if all or none of them are
/// compared, if another column is compared as well, or if there are several keys.
fn rest_of_key(from: usize, to: usize, tables: &[Relation<'_>], pairs: &[Pair<'_>]) -> Option<Vec<Link>> {
    let (one, other) = (tables[from].table, tables[to].table);
    let mut keys = one.foreign_keys.iter().filter(|key| key.ref_table == other.name);
    let (Some(key), None) = (keys.next(), keys.next()) else { return None };
    let parts = || key.columns.iter().zip(&key.ref_columns);
    let compared = |(own, target): (&String, &String)| {
        pairs.iter().any(|&(a, left, b, right)| {
            (a, b) == (from, to) && same_name(left, own) && same_name(right, target)
                || (b, a) == (from, to) && same_name(right, own) && same_name(left, target)
        })
    };
    let between = pairs.iter().filter(|(a, _, b, _)| (*a, *b) == (from, to) || (*b, *a) == (from, to)).count();
    let known = parts().filter(|part| compared(*part)).count();
    let rest: Vec<Link> =
        parts().filter(|part| !compared(*part)).map(|(own, target)| (own.clone(), target.clone())).collect();
    (known > 0 && known == between && !rest.is_empty()).then_some(rest)
}

fn equated_columns<'e>(on: &'e Expr, tables: &[Relation<'_>]) -> Option<Pair<'e>> {
    let ((a, left), (b, right)) = resolve_join_sides(on, tables)?;
    (a != b).then_some((a, left, b, right))
}

/// Returns the condition of an inner or left join.
fn join_condition(join: &Join) -> Option<&Expr> {
    use JoinOperator::{Inner, Join, Left, LeftOuter};
    match &join.join_operator {
        Join(JoinConstraint::On(on))
        | Inner(JoinConstraint::On(on))
        | Left(JoinConstraint::On(on))
        | LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    }
}

fn condition_mut(join: &mut Join) -> Option<&mut Expr> {
    use JoinOperator::{Inner, Join, Left, LeftOuter};
    match &mut join.join_operator {
        Join(JoinConstraint::On(on))
        | Inner(JoinConstraint::On(on))
        | Left(JoinConstraint::On(on))
        | LeftOuter(JoinConstraint::On(on)) => Some(on),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{catalog_with, rule_input, typed_table};
    use crate::{QuestionFacts, find_variants};
    use vitrine_domain::{Catalog, Dialect, ForeignKey, Profile, TableName};
    use vitrine_sql::ReadOnlySql;

    fn shop_catalog() -> Catalog {
        let item = typed_table(
            "item",
            &[("order_id", "INTEGER"), ("line", "INTEGER"), ("price", "REAL")],
            &["order_id", "line"],
            &[],
        );
        let columns = [("id", "INTEGER"), ("order_no", "INTEGER"), ("line_no", "INTEGER"), ("day", "TEXT")];
        let mut back = typed_table("back", &columns, &["id"], &[]);
        back.foreign_keys.push(ForeignKey {
            columns: vec!["order_no".into(), "line_no".into()],
            ref_table: TableName::from_unqualified("item"),
            ref_columns: vec!["order_id".into(), "line".into()],
        });
        catalog_with(Dialect::Sqlite, vec![item, back])
    }

    fn find_variant(sql: &str) -> Option<(String, String)> {
        let (shop, profile, facts) = (shop_catalog(), Profile::default(), QuestionFacts::default());
        let input = rule_input(&shop, &profile, &facts);
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        let made = find_variants(&sql, &input).into_iter().find(|variant| variant.rule == "R013")?;
        Some((made.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" "), made.note))
    }

    #[test]
    fn a_part_of_a_key_is_completed() {
        let (sql, note) =
            find_variant("SELECT SUM(i.price) FROM item i JOIN back b ON i.order_id = b.order_no").unwrap();
        let whole = "SELECT SUM(i.price) FROM item i JOIN back b ON i.order_id = b.order_no AND b.line_no = i.line";
        assert_eq!((sql.as_str(), note.as_str()), (whole, "back refers to item by line_no, too: compared as well"));
        let (sql, _) =
            find_variant("SELECT i.line, COUNT(b.id) FROM item i LEFT JOIN back b ON b.line_no = i.line GROUP BY 1")
                .unwrap();
        assert!(sql.contains("ON b.line_no = i.line AND b.order_no = i.order_id"), "{sql}");
    }

    #[test]
    fn a_whole_key_and_another_join_stay_alone() {
        for sql in [
            "SELECT 1 FROM item i JOIN back b ON i.order_id = b.order_no AND i.line = b.line_no",
            "SELECT 1 FROM item i JOIN back b ON i.order_id = b.order_no WHERE b.line_no = i.line",
            "SELECT 1 FROM item i JOIN back b ON i.order_id = b.id",
            "SELECT 1 FROM item i JOIN back b ON i.order_id = b.order_no AND i.price = b.id",
            "SELECT 1 FROM item i JOIN item j ON i.order_id = j.order_id",
            "SELECT 1 FROM item i CROSS JOIN back b",
        ] {
            assert_eq!(find_variant(sql), None, "{sql}");
        }
    }
}
