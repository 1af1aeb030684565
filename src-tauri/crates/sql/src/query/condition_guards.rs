//! Tells which conditions restrict the rows of the answer, and which can be removed without counting rows several times.

use crate::ast::{Grain, InScope, Matches, Relation, iter_relations, iter_table_factors, visit_exprs_mut, visit_tree};
use crate::parse::last_part;
use sqlparser::ast::{
    BinaryOperator, Expr, Join, JoinOperator, Query, Select, SetExpr, TableFactor, TableWithJoins, Visitor,
};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// A SELECT of the outermost query: the number of its CTE, or `None` for the outermost SELECT.
pub(super) type SelectPlace = Option<usize>;

/// Returns the SELECT at a place.
pub(super) fn select_at(query: &Query, place: SelectPlace) -> Option<&Select> {
    let body = match place {
        None => &query.body,
        Some(at) => &query.with.as_ref()?.cte_tables.get(at)?.query.body,
    };
    match body.as_ref() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

/// Same as [`select_at`], with mutable references.
pub(super) fn select_at_mut(query: &mut Query, place: SelectPlace) -> Option<&mut Select> {
    let body = match place {
        None => &mut query.body,
        Some(at) => &mut query.with.as_mut()?.cte_tables.get_mut(at)?.query.body,
    };
    match body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

/// Returns the SELECTs whose conditions restrict the rows of the answer, in the order of the text: the outermost one, and the CTEs that it
/// reads through FROM and inner joins. The value is false if rows of the CTE are joined to others, so that more of its rows could multiply
/// them. A CTE that is read several times is omitted: one of the reads may be a total or an exclusion.
pub(super) fn find_restricting_selects(query: &Query, reads: &HashMap<String, usize>) -> Vec<(SelectPlace, bool)> {
    let ctes = query.with.iter().filter(|with| !with.recursive).flat_map(|with| &with.cte_tables);
    let names: Vec<String> = ctes.clone().map(|cte| cte.alias.name.value.to_lowercase()).collect();
    let own_ctes: Vec<bool> = ctes.map(|cte| cte.query.with.is_some()).collect();
    let mut found: BTreeMap<usize, bool> = BTreeMap::new();
    let mut open: Vec<(SelectPlace, bool)> = vec![(None, true)];
    while let Some((place, alone)) = open.pop() {
        let Some(select) = select_at(query, place) else { continue };
        let alone = alone && iter_table_factors(select).count() == 1;
        for name in iter_restricting_factors(select).filter_map(read_name) {
            let Some(at) = names.iter().position(|known| *known == name) else { continue };
            if reads.get(&name) == Some(&1) && !own_ctes[at] && found.insert(at, alone).is_none() {
                open.push((Some(at), alone));
            }
        }
    }
    let outermost = select_at(query, None).map(|_| (None, true));
    found.into_iter().map(|(at, alone)| (Some(at), alone)).chain(outermost).collect()
}

/// Returns the lower-case name of a table or CTE, without its schema. `None` for anything else.
pub(super) fn read_name(factor: &TableFactor) -> Option<String> {
    match factor {
        TableFactor::Table { name, .. } => Some(last_part(name)?.value.to_lowercase()),
        _ => None,
    }
}

/// Counts how often a query reads each table and CTE, by lower-case names without schemas.
pub(super) fn count_reads(query: &Query) -> HashMap<String, usize> {
    #[derive(Default)]
    struct Reads(HashMap<String, usize>);
    impl Visitor for Reads {
        type Break = ();
        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
            if let Some(name) = read_name(factor) {
                *self.0.entry(name).or_default() += 1;
            }
            ControlFlow::Continue(())
        }
    }
    let mut reads = Reads::default();
    let _ = visit_tree(query, &mut reads);
    reads.0
}

/// Iterates over the items of FROM whose rows all rows of the SELECT need.
fn iter_restricting_factors(select: &Select) -> impl Iterator<Item = &TableFactor> {
    iter_table_factors(select).zip(find_optional_factors(select)).filter(|(_, optional)| !optional).map(|(it, _)| it)
}

/// Returns for each item of FROM whether an outer join may lack its rows, or whether it is joined in another unusual way.
pub(super) fn find_optional_factors(select: &Select) -> Vec<bool> {
    let of_item = |TableWithJoins { joins, .. }: &TableWithJoins| {
        let mut optional = vec![false];
        for Join { join_operator, .. } in joins {
            use JoinOperator as J;
            match join_operator {
                J::Join(_) | J::Inner(_) | J::CrossJoin(_) | J::StraightJoin(_) => optional.push(false),
                J::Right(_) | J::RightOuter(_) => {
                    optional.fill(true);
                    optional.push(false);
                }
                J::Left(_) | J::LeftOuter(_) | J::LeftSemi(_) | J::LeftAnti(_) | J::Semi(_) | J::Anti(_) => {
                    optional.push(true);
                }
                _ => {
                    optional.fill(true);
                    optional.push(true);
                }
            }
        }
        optional
    };
    select.from.iter().flat_map(of_item).collect()
}

/// The items of a FROM clause.
pub(super) struct FromClause<'q, 'c> {
    factors: Vec<&'q TableFactor>,
    optional: Vec<bool>,
    /// The tables of the catalog, in the same order.
    relations: Vec<Option<Relation<'c>>>,
    is_cte: Vec<bool>,
}

impl<'q, 'c> FromClause<'q, 'c> {
    pub(super) fn from_select(select: &'q Select, scope: &InScope<'c>, query: &Query) -> Self {
        let factors: Vec<&TableFactor> = iter_table_factors(select).collect();
        let ctes = || query.with.iter().flat_map(|with| &with.cte_tables);
        let is_cte = |factor: &&TableFactor| {
            read_name(factor).is_none_or(|name| ctes().any(|cte| cte.alias.name.value.to_lowercase() == name))
        };
        Self {
            is_cte: factors.iter().map(is_cte).collect(),
            factors,
            optional: find_optional_factors(select),
            relations: iter_relations(select, scope).collect(),
        }
    }

    /// Returns true if there are several tables.
    pub(super) fn is_joined(&self) -> bool {
        self.factors.len() > 1
    }

    /// Returns the lower-case name of an item, without its schema.
    pub(super) fn name_of(&self, at: usize) -> Option<String> {
        self.factors.get(at).copied().and_then(read_name)
    }

    /// Returns the name of an item as written, without its schema.
    pub(super) fn written_name(&self, at: usize) -> Option<&str> {
        match self.factors.get(at)? {
            TableFactor::Table { name, .. } => last_part(name).map(|last| last.value.as_str()),
            _ => None,
        }
    }

    /// Returns the item that a column belongs to. `None` if that is not certain.
    pub(super) fn find_item(&self, path: &[String]) -> Option<usize> {
        let (name, qualifier) = path.split_last()?;
        if qualifier.is_empty() && self.factors.len() == 1 {
            return Some(0);
        }
        let has_column =
            |at: usize| -> Option<bool> { Some(self.relations[at].as_ref()?.table.find_column(name).is_some()) };
        let mut found = Vec::new();
        for (at, factor) in self.factors.iter().enumerate() {
            if if qualifier.is_empty() { has_column(at)? } else { is_qualified_by(factor, qualifier) } {
                found.push(at);
            }
        }
        match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns true if more rows of an item add rows to the result, without repeating those of other tables. `without` is the SELECT without
    /// the condition on the item: an equality may be what makes its rows unique.
    pub(super) fn can_take_more_rows(&self, at: usize, without: &Select) -> bool {
        if self.is_cte[at] || self.optional[at] {
            return false;
        }
        if self.factors.len() == 1 {
            return true;
        }
        let relation = |relation: &Option<Relation<'c>>| {
            relation.as_ref().map(|known| Relation { alias: known.alias.clone(), table: known.table })
        };
        let Some(tables) = self.relations.iter().map(relation).collect::<Option<Vec<_>>>() else { return false };
        let grain = Grain::from_select(without, &tables);
        let others: Vec<usize> = (0..tables.len()).filter(|other| *other != at).collect();
        let has_entity = (0..tables.len()).any(|table| grain.count_repeats(table) == Matches::One);
        // Without declared keys, the first table is the one that is counted or summed.
        let may_be_entity = at == 0 && grain.count_repeats(at) != Matches::Several;
        has_entity || may_be_entity || grain.count_matches(&others, &[at]) == Matches::One
    }
}

/// Returns true if a qualifier refers to an item: to its alias, or to the last parts of its name.
fn is_qualified_by(factor: &TableFactor, qualifier: &[String]) -> bool {
    match factor {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            matches!(qualifier, [only] if alias.name.value.eq_ignore_ascii_case(only))
        }
        TableFactor::Table { name, .. } => {
            let parts: Option<Vec<&str>> =
                name.0.iter().map(|part| part.as_ident().map(|part| part.value.as_str())).collect();
            let Some(parts) = parts else { return false };
            let same = |(part, own): (&&str, &String)| part.eq_ignore_ascii_case(own);
            qualifier.len() <= parts.len() && parts.iter().rev().zip(qualifier.iter().rev()).all(same)
        }
        _ => false,
    }
}

/// Counts the expressions of a query by their keys.
pub(super) fn count_keys(query: &Query) -> HashMap<String, usize> {
    #[derive(Default)]
    struct Keys(HashMap<String, usize>);
    impl Visitor for Keys {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            use BinaryOperator as B;
            match expr {
                // The inner expression is counted.
                Expr::Nested(_) | Expr::Value(_) | Expr::BinaryOp { op: B::And | B::Or, .. } => {}
                Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => {}
                expr => *self.0.entry(condition_key(expr)).or_default() += 1,
            }
            ControlFlow::Continue(())
        }
    }
    let mut keys = Keys::default();
    let _ = visit_tree(query, &mut keys);
    keys.0
}

/// Returns a key that is the same for conditions that differ only in qualifiers, case, quotes and the order of their sides.
pub(super) fn condition_key(condition: &Expr) -> String {
    use BinaryOperator as B;
    let plain = |expr: &Expr| {
        let text = print_with(expr, None).to_lowercase();
        text.chars()
            .filter(|letter| !matches!(letter, '"' | '`' | '[' | ']') && !letter.is_whitespace())
            .collect::<String>()
    };
    match condition {
        Expr::Nested(inner) => condition_key(inner),
        Expr::InList { expr, list, negated: false } if list.len() == 1 => {
            equality_key(plain(expr), list.iter().map(plain).collect())
        }
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (plain(left), plain(right));
            match op {
                B::Eq => equality_key(left, right),
                // `5 > a` is `a < 5`.
                B::Gt => format!("{right}<{left}"),
                B::GtEq => format!("{right}<={left}"),
                _ => format!("{left}{op}{right}"),
            }
        }
        other => plain(other),
    }
}

fn equality_key(left: String, right: String) -> String {
    if left <= right { format!("{left}={right}") } else { format!("{right}={left}") }
}

/// Prints a condition with its columns qualified by `table`, or without qualifiers.
pub(super) fn print_with(condition: &Expr, table: Option<&sqlparser::ast::Ident>) -> String {
    let mut condition = condition.clone();
    let _ = visit_exprs_mut(&mut condition, |expr| {
        let name = match expr {
            Expr::Identifier(name) => Some(name.clone()),
            Expr::CompoundIdentifier(parts) => parts.pop(),
            _ => None,
        };
        match (name, table) {
            (Some(name), None) => *expr = Expr::Identifier(name),
            (Some(name), Some(table)) => *expr = Expr::CompoundIdentifier(vec![table.clone(), name]),
            (None, _) => {}
        }
        ControlFlow::<()>::Continue(())
    });
    condition.to_string()
}
