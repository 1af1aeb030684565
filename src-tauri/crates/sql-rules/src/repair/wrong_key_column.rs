//! Foreign key joined to the wrong column of its target table.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{Expr, JoinConstraint, JoinOperator, Query, Select};
use vitrine_domain::ForeignKey;
use vitrine_sql::ast::{
    InScope, Relation, inner_join_condition, is_in_key, iter_relations, qualified_column, resolve_join_sides, same_name,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| {
        // Every repaired join changes the FROM clause, so it is examined again, at most once for each original join.
        let joins: usize = select.from.iter().map(|from| from.joins.len()).sum();
        (0..joins).map_while(|_| repair_key(select, scope)).collect()
    })
}

/// Replaces a non-key column that is joined with a foreign key by the column that the key refers to: `flight JOIN
/// airline ON flight.airline = airline.airline`, where the key refers to `airline.id`. A foreign key cannot hold the
/// values of two columns of a table that are not keys.
fn repair_key(select: &mut Select, catalog: &InScope<'_>) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let (at, on_left, alias, key, note) = from.joins.iter().enumerate().find_map(|(at, join)| {
        let ((a, left), (b, right)) = resolve_join_sides(inner_join_condition(join)?, &tables)?;
        // Returns the column with which the foreign key `column` of one table should be compared instead of `other`.
        let meant = |one: usize, column: &str, two: usize, other: &str| {
            let (from, to) = (tables[one].table, tables[two].table);
            let known = to.find_column(other).is_some() && from.name != to.name && !is_in_key(to, other);
            let refers = |key: &&ForeignKey| matches!(key.columns.as_slice(), [own] if same_name(own, column));
            let mut keys = from.foreign_keys.iter().filter(refers);
            let (Some(key), None) = (keys.next(), keys.next()) else { return None };
            match key.ref_columns.as_slice() {
                [target] if known && key.ref_table == to.name && !same_name(target, other) => {
                    let note = tr!(
                        "{table}.{column} refers to {target}, not to {other}",
                        table = tables[one].alias,
                        column,
                        target,
                        other
                    );
                    Some((tables[two].alias.clone(), target.clone(), note))
                }
                _ => None,
            }
        };
        let found = meant(a, left, b, right).map(|found| (false, found));
        let (on_left, (alias, key, note)) = found.or_else(|| meant(b, right, a, left).map(|found| (true, found)))?;
        Some((at, on_left, alias, key, note))
    })?;
    let (JoinOperator::Join(JoinConstraint::On(condition)) | JoinOperator::Inner(JoinConstraint::On(condition))) =
        &mut select.from[0].joins[at].join_operator
    else {
        return None;
    };
    let Expr::BinaryOp { left, right, .. } = condition else { return None };
    **(if on_left { left } else { right }) = qualified_column(&alias, &key, catalog.dialect);
    Some(note)
}
