//! The grain of a FROM clause: the entity that one of its rows represents. Keys, unique keys and equalities determine
//! how many rows of one table match a row of another. A join multiplies rows if it links a table by columns that
//! contain none of its keys.

use super::conditions::{collect_conjuncts, match_constant_equality};
use super::tables::{Relation, resolve_column_index};
use crate::parse::last_part;
use crate::text::same_name;
use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, Select};

/// Number of rows of some tables that may match one row of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matches {
    /// At most one, guaranteed by a key.
    One,
    /// Several: the tables have keys, but the linking columns contain none of them.
    Several,
    /// Unknown, because no key is declared.
    Unknown,
}

/// A column with the index of its table in the FROM clause.
type TableColumn = (usize, String);

/// The equalities of a SELECT over its tables.
pub struct Grain<'t, 'c> {
    tables: &'t [Relation<'c>],
    /// Columns that are set equal to each other.
    equal: Vec<(TableColumn, TableColumn)>,
    /// Columns set to a constant in the rows that match.
    fixed: Vec<TableColumn>,
    /// The columns of `fixed` whose value is constant in every row of the result. Columns that an outer join may fill
    /// with NULL are excluded.
    constant: Vec<TableColumn>,
}

impl<'t, 'c> Grain<'t, 'c> {
    /// Collects the equalities of join conditions and WHERE. `tables` are all tables in FROM, in order. Other
    /// conditions than `a = b` and `a = 'x'` are ignored because they may remove rows but never add any.
    pub fn from_select(select: &Select, tables: &'t [Relation<'c>]) -> Self {
        let mut grain = Self { tables, equal: Vec::new(), fixed: Vec::new(), constant: Vec::new() };
        for join in select.from.iter().flat_map(|from| &from.joins) {
            match join_constraint(&join.join_operator) {
                Some((JoinConstraint::On(on), inner)) => grain.add_condition(on, inner),
                Some((JoinConstraint::Using(columns), _)) => {
                    for column in columns.iter().filter_map(last_part) {
                        grain.add_using_column(&column.value);
                    }
                }
                _ => {}
            }
        }
        select.selection.iter().for_each(|condition| grain.add_condition(condition, true));
        grain
    }

    fn add_condition(&mut self, condition: &Expr, in_every_row: bool) {
        let mut parts = Vec::new();
        collect_conjuncts(condition, &mut parts);
        for part in parts {
            let own =
                |expr: &Expr| resolve_column_index(expr, self.tables).map(|(table, name)| (table, name.to_owned()));
            if let Some((column, _)) = match_constant_equality(part) {
                self.constant.extend(own(column).filter(|_| in_every_row));
                self.fixed.extend(own(column));
            } else if let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = part
                && let (Some(left), Some(right)) = (own(left), own(right))
            {
                self.equal.push((left, right));
            }
        }
    }

    /// Adds the equalities of a USING column in all tables that have it.
    fn add_using_column(&mut self, column: &str) {
        let mut having = (0..self.tables.len()).filter(|&at| self.tables[at].table.find_column(column).is_some());
        let Some(first) = having.next() else { return };
        self.equal.extend(having.map(|other| ((first, column.to_owned()), (other, column.to_owned()))));
    }

    /// Returns the number of rows of the tables `among` that may match one row of the tables `of`. Tables are given by
    /// index.
    pub fn count_matches(&self, of: &[usize], among: &[usize]) -> Matches {
        let mut known = of.to_vec();
        let mut unknown = false;
        loop {
            known = self.add_determined_tables(known, among);
            let left: Vec<usize> = among.iter().copied().filter(|table| !known.contains(table)).collect();
            let Some(&first) = left.first() else { break };
            // Continues with a table that is linked to the known ones, even if no key determines it.
            let linked = left.iter().copied().find(|&table| !self.determined_columns(table, &known).is_empty());
            let table = linked.unwrap_or(first);
            match self.is_known_non_key(table, &self.determined_columns(table, &known)) {
                true => return Matches::Several,
                false => unknown = true,
            }
            known.push(table);
        }
        if unknown { Matches::Unknown } else { Matches::One }
    }

    /// Extends `known` by the tables of `among` for which a key guarantees at most one matching row.
    fn add_determined_tables(&self, mut known: Vec<usize>, among: &[usize]) -> Vec<usize> {
        let one = |known: &[usize]| {
            let mut left = among.iter().copied().filter(|table| !known.contains(table));
            left.find(|&table| self.has_key(table, &self.determined_columns(table, known)))
        };
        while let Some(table) = one(&known) {
            known.push(table);
        }
        known
    }

    /// Returns the number of times that one row of a table may occur in the rows of the FROM clause.
    pub fn count_repeats(&self, table: usize) -> Matches {
        self.count_matches(&[table], &self.table_indexes())
    }

    /// Returns true if a column has the same value in all rows: it equals a constant, or belongs to a row that
    /// constants determine.
    pub fn is_constant(&self, column: &Expr) -> bool {
        let Some((table, name)) = resolve_column_index(column, self.tables) else { return false };
        self.constant.iter().any(|(at, own)| *at == table && same_name(own, name))
            || self.add_determined_tables(Vec::new(), &self.table_indexes()).contains(&table)
    }

    fn table_indexes(&self) -> Vec<usize> {
        (0..self.tables.len()).collect()
    }

    /// Returns the columns of a table that are determined by constants and by the rows of other tables.
    fn determined_columns(&self, table: usize, known: &[usize]) -> Vec<&str> {
        let fixed = self.fixed.iter().filter(|(at, _)| *at == table).map(|(_, name)| name.as_str());
        let equal = self.equal.iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        let equal = equal.filter(|(own, other)| own.0 == table && known.contains(&other.0));
        fixed.chain(equal.map(|(own, _)| own.1.as_str())).collect()
    }

    /// Returns true if `columns` contain a key of their table.
    fn has_key(&self, table: usize, columns: &[&str]) -> bool {
        let table = self.tables[table].table;
        let mut keys = table.unique_keys.iter().chain([&table.primary_key]).filter(|key| !key.is_empty());
        keys.any(|key| key.iter().all(|own| columns.iter().any(|column| same_name(column, own))))
    }

    /// Returns true if the declared keys show that `columns` are not a key: the table has another key, or the columns
    /// are a foreign key.
    fn is_known_non_key(&self, table: usize, columns: &[&str]) -> bool {
        let table = self.tables[table].table;
        let refers =
            |column: &&str| table.foreign_keys.iter().any(|key| key.columns.iter().any(|own| same_name(own, column)));
        !table.primary_key.is_empty() || !table.unique_keys.is_empty() || columns.iter().any(refers)
    }
}

/// Returns the constraint of a join, and true if it holds in every row of the result.
fn join_constraint(join: &JoinOperator) -> Option<(&JoinConstraint, bool)> {
    match join {
        JoinOperator::Join(on) | JoinOperator::Inner(on) => Some((on, true)),
        JoinOperator::Left(on)
        | JoinOperator::LeftOuter(on)
        | JoinOperator::Right(on)
        | JoinOperator::RightOuter(on)
        | JoinOperator::FullOuter(on) => Some((on, false)),
        _ => None,
    }
}
