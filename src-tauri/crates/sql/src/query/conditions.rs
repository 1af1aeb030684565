//! The conditions of a query that a user may change or remove one by one.

use super::condition_guards::{
    FromClause, SelectPlace, condition_key, count_keys, count_reads, find_restricting_selects, print_with, select_at,
    select_at_mut,
};
use super::literals::only_column_path;
use super::parameters::{Parameter, ParameterPositions, constant_ranges};
use crate::ast::{InScope, build_and, collect_conjuncts};
use crate::read_only::{ReadOnlySql, rewrite_query};
use crate::text::build_identifier;
use sqlparser::ast::{BinaryOperator, Expr, Query, Select};
use std::collections::HashMap;
use std::ops::Range;
use vitrine_domain::{Catalog, Dialect};

/// Maximum number of conditions.
const MOST_CONDITIONS: usize = 30;
/// Maximum number of values of a condition that can be changed.
const MOST_VALUES: usize = 20;
/// Maximum number of operands of one WHERE; generated queries may have thousands.
const MOST_OPERANDS: usize = 200;

/// A condition on one column in WHERE.
#[derive(Debug, Clone)]
pub struct RowCondition {
    /// The condition as SQL: one text, or the two bounds of a range. Columns are qualified by their table if the SELECT reads several.
    pub texts: Vec<String>,
    /// The same with other qualifiers, for comparison with other descriptions of the condition.
    pub variants: Vec<Vec<String>>,
    /// The parameters whose constants are only in this condition; empty if there are many.
    pub parameters: Vec<Parameter>,
    /// The query without the condition. `None` if more rows could multiply those of other tables.
    pub without: Option<ReadOnlySql>,
}

/// Returns the conditions on single columns in WHERE that restrict the rows of the answer, in the order of the text. A condition that occurs
/// in several SELECTs is removed everywhere. Conditions are omitted if a query without them could still contain half of them: their table
/// is read elsewhere, or the same condition or its constant remains at another position.
pub fn list_conditions(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<RowCondition> {
    let Some((found, keys)) =
        sql.with_query(|query| (collect_conditions(&query, sql.as_str(), catalog), count_keys(&query)))
    else {
        return Vec::new();
    };
    let positions = ParameterPositions::from_query(sql);
    let whole = found.into_iter().filter(|condition| condition.is_whole(&keys));
    let listed = whole.filter_map(|condition| {
        let mut parameters = positions.find_inside(&condition.ranges)?;
        if parameters.len() > MOST_VALUES {
            parameters.clear();
        }
        let without = condition.removable.then(|| condition.remove_from(sql)).flatten();
        Some(RowCondition { texts: condition.texts, variants: condition.variants, parameters, without })
    });
    listed.take(MOST_CONDITIONS).collect()
}

/// The operands of AND that make one condition.
struct FoundCondition {
    /// The table and the column.
    column: (String, String),
    is_bound: bool,
    /// The number of its item in FROM.
    item: usize,
    texts: Vec<String>,
    variants: Vec<Vec<String>>,
    keys: Vec<String>,
    /// The position of each operand: its SELECT, and its number there.
    operands: Vec<(SelectPlace, usize)>,
    ranges: Vec<Range<usize>>,
    removable: bool,
    /// How often the query reads the table, and how many of these reads the condition restricts.
    reads: (usize, usize),
}

impl FoundCondition {
    /// Returns true if it is a single bound, to which another bound of its column can be added.
    fn is_open_range(&self) -> bool {
        self.is_bound && self.texts.len() == 1
    }

    /// Returns true if nothing of the condition occurs elsewhere in the query.
    fn is_whole(&self, counts: &HashMap<String, usize>) -> bool {
        let own = |key: &String| self.keys.iter().filter(|other| *other == key).count();
        self.reads.0 == self.reads.1 && self.keys.iter().all(|key| counts.get(key).copied() == Some(own(key)))
    }

    /// Adds the other bound of a range.
    fn add_bound(&mut self, other: Self) {
        self.texts.extend(other.texts);
        self.variants.iter_mut().zip(other.variants).for_each(|(own, other)| own.extend(other));
        self.keys.extend(other.keys);
        self.operands.extend(other.operands);
        self.ranges.extend(other.ranges);
    }

    /// Returns its SELECT without it.
    fn without_in(&self, select: &Select) -> Select {
        let mut select = select.clone();
        remove_operands(&mut select, |at| self.operands.iter().any(|(_, own)| *own == at));
        select
    }

    fn merge(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.operands.extend(other.operands);
        self.ranges.extend(other.ranges);
        self.removable &= other.removable;
        self.reads.1 += other.reads.1;
    }

    fn remove_from(&self, sql: &ReadOnlySql) -> Option<ReadOnlySql> {
        let (without, ()) = rewrite_query(sql, |query| {
            let mut places: Vec<SelectPlace> = self.operands.iter().map(|(place, _)| *place).collect();
            places.dedup();
            for place in places {
                remove_operands(select_at_mut(query, place)?, |at| self.operands.contains(&(place, at)));
            }
            Some(())
        })?;
        Some(without)
    }
}

fn collect_conditions(query: &Query, text: &str, catalog: &Catalog) -> Vec<FoundCondition> {
    let reads = count_reads(query);
    let scope = InScope::from_query(query, catalog);
    let mut found: Vec<FoundCondition> = Vec::new();
    for (place, can_remove) in find_restricting_selects(query, &reads) {
        let Some(select) = select_at(query, place) else { continue };
        let from = FromClause::from_select(select, &scope, query);
        let mut own: Vec<FoundCondition> = Vec::new();
        let mut operands = Vec::new();
        select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut operands));
        if operands.len() > MOST_OPERANDS {
            continue;
        }
        for (at, operand) in operands.into_iter().enumerate() {
            let Some(mut condition) = read_condition(operand, &from, catalog.dialect) else { continue };
            condition.operands = vec![(place, at)];
            condition.ranges = constant_ranges(text, operand);
            condition.reads = (reads.get(&condition.column.0).copied().unwrap_or_default(), 1);
            let same =
                |one: &&mut FoundCondition| condition.is_bound && one.column == condition.column && one.is_open_range();
            match own.iter_mut().find(same) {
                Some(range) => range.add_bound(condition),
                None => own.push(condition),
            }
        }
        for mut condition in own {
            condition.removable = can_remove && from.can_take_more_rows(condition.item, &condition.without_in(select));
            let same = |known: &&mut FoundCondition| {
                known.column == condition.column && known.keys.starts_with(&condition.keys)
            };
            // In the same SELECT it would occur twice, which is not one condition.
            let elsewhere = |known: &&mut FoundCondition| known.operands.iter().all(|(other, _)| *other != place);
            match found.iter_mut().filter(elsewhere).find(same) {
                Some(known) => known.merge(condition),
                None => found.push(condition),
            }
        }
    }
    found
}

/// Reads an operand of AND as a condition on one column of an item in FROM.
fn read_condition(operand: &Expr, from: &FromClause<'_, '_>, dialect: Dialect) -> Option<FoundCondition> {
    let path = only_column_path(operand)?;
    let item = from.find_item(&path)?;
    let table = from.name_of(item)?;
    let (written, plain) = (operand.to_string(), print_with(operand, None));
    let qualified = print_with(operand, Some(&build_identifier(from.written_name(item)?, dialect)));
    Some(FoundCondition {
        is_bound: is_bound(operand),
        item,
        texts: vec![if from.is_joined() { qualified.clone() } else { plain.clone() }],
        variants: [written, plain, qualified].map(|text| vec![text]).into(),
        keys: vec![condition_key(operand)],
        column: (table, path.last()?.to_lowercase()),
        operands: Vec::new(),
        ranges: Vec::new(),
        removable: false,
        reads: (0, 0),
    })
}

fn remove_operands(select: &mut Select, is_removed: impl Fn(usize) -> bool) {
    let mut parts = Vec::new();
    select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut parts));
    let kept = parts.into_iter().enumerate().filter(|(at, _)| !is_removed(*at));
    let kept = kept.map(|(_, part)| part.clone()).reduce(build_and);
    select.selection = kept;
}

/// Returns true for a comparison with a lower or an upper bound.
fn is_bound(condition: &Expr) -> bool {
    use BinaryOperator as B;
    matches!(condition, Expr::BinaryOp { op: B::Gt | B::GtEq | B::Lt | B::LtEq, .. })
}

#[cfg(test)]
mod tests;
