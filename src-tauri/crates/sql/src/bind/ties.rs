//! Columns that reveal one another: a condition that compares a stored value with another one reveals it through the
//! other, and the number of computed rows reveals the values that they are computed from.

use super::scope::{Rows, Source, Walk, merge_distinct};
use sqlparser::ast::{BinaryOperator, Expr, Query, UnaryOperator};

/// Begins the table names of sources that are no stored columns: the mark of computed values, the columns of an item that
/// is generated, and the number of rows of a SELECT.
const MARK: char = '\0';
const COMPUTED: &str = "\0computed";
const GENERATED: &str = "\0generated";
const ROWS: &str = "\0rows";

fn is_stored((table, _): &Source) -> bool {
    !table.starts_with(MARK)
}

fn is_generated((table, _): &Source) -> bool {
    table == GENERATED
}

/// Returns true if the sources contain the mark of a computed value.
pub(super) fn is_computed(sources: &[Source]) -> bool {
    sources.iter().any(|(table, _)| table == COMPUTED)
}

/// Returns the stored columns among sources.
pub(super) fn stored_sources(sources: &[Source]) -> Vec<Source> {
    sources.iter().filter(|source| is_stored(source)).cloned().collect()
}

impl Walk<'_> {
    /// Marks the sources of a value as computed if it has any, while values are followed.
    pub(super) fn mark_computed(&self, sources: &mut Vec<Source>) {
        if self.follows_values() && !sources.is_empty() {
            merge_distinct(sources, &[(COMPUTED.to_owned(), String::new())]);
        }
    }

    fn next_mark(&mut self, kind: &str) -> Source {
        self.marks += 1;
        (kind.to_owned(), self.marks.to_string())
    }

    /// Returns the source for the number of rows of a new SELECT, while values are followed.
    pub(super) fn next_row_mark(&mut self) -> Option<Source> {
        self.follows_values().then(|| self.next_mark(ROWS))
    }

    /// Gives the columns of an item that come from no stored column a common source, which a condition can tie to one.
    pub(super) fn mark_generated(&mut self, rows: &mut Rows) {
        if !self.follows_values() {
            return;
        }
        let mark = self.next_mark(GENERATED);
        for col in rows.cols.iter_mut().filter(|col| !col.sources.iter().any(is_stored)) {
            col.sources.push(mark.clone());
        }
        if rows.open && !rows.unlisted.iter().any(is_stored) {
            rows.unlisted.push(mark);
        }
    }

    /// Walks a condition, and ties the columns of each comparison in it to one another.
    pub(super) fn walk_condition(&mut self, condition: &Expr) -> Vec<Source> {
        let mut sources = Vec::new();
        match condition {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => {
                return self.walk_condition(inner);
            }
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor, right } => {
                sources = self.walk_condition(left);
                merge_distinct(&mut sources, &self.walk_condition(right));
            }
            Expr::BinaryOp { left, right, .. } if self.follows_values() => match (members(left), members(right)) {
                (Some(left), Some(right)) if left.len() == right.len() => {
                    for (left, right) in left.iter().zip(right) {
                        let mut pair = self.walk_compared(left);
                        merge_distinct(&mut pair, &self.walk_compared(right));
                        self.tie(&pair);
                        merge_distinct(&mut sources, &pair);
                    }
                }
                _ => {
                    sources = self.walk_compared(condition);
                    self.tie(&sources);
                }
            },
            Expr::InSubquery { expr, subquery, .. } if self.follows_values() => {
                let rows = self.walk_compared_rows(subquery);
                let compared = members(expr).filter(|members| members.len() == rows.cols.len() && !rows.open);
                let one = std::slice::from_ref(&**expr);
                let all = rows.all_sources();
                for (at, member) in compared.unwrap_or(one).iter().enumerate() {
                    let mut pair = self.walk_compared(member);
                    merge_distinct(&mut pair, compared.map_or(&all, |_| &rows.cols[at].sources));
                    self.tie(&pair);
                    merge_distinct(&mut sources, &pair);
                }
            }
            other => {
                sources = self.walk_compared(other);
                self.tie(&sources);
            }
        }
        sources
    }

    /// Walks an expression of a condition. The conditions of its subqueries are not its values.
    fn walk_compared(&mut self, expr: &Expr) -> Vec<Source> {
        let outside = std::mem::replace(&mut self.in_condition, self.has_many.is_some());
        let sources = self.walk_expr(expr);
        self.in_condition = outside;
        sources
    }

    fn walk_compared_rows(&mut self, query: &Query) -> Rows {
        let outside = std::mem::take(&mut self.in_condition);
        let rows = self.walk_query(query);
        self.in_condition = outside;
        rows
    }

    /// Passes on the conditions of a subquery: the presence of its rows depends on them.
    pub(super) fn pass_conditions(&mut self, inside: &[Source], out: &mut Vec<Source>) {
        if self.in_condition {
            merge_distinct(&mut self.conditions, inside);
        } else {
            merge_distinct(out, inside);
        }
    }

    /// Records that the sources reveal one another, and whether they decide how many rows a SELECT has.
    pub(super) fn tie(&mut self, sources: &[Source]) {
        if !self.follows_values() {
            return;
        }
        let tied = sources.iter().filter(|source| is_stored(source) || is_generated(source));
        let tied: Vec<Source> = tied.cloned().collect();
        if tied.len() < 2 {
            return;
        }
        if let Some(scope) = self.scopes.last_mut().filter(|_| tied.iter().any(is_generated)) {
            merge_distinct(&mut scope.row_sources, &tied);
        }
        self.ties.push(tied);
    }

    /// Adds the source for the number of rows of the innermost SELECT, which its aggregates and windows reveal.
    pub(super) fn add_row_mark(&self, out: &mut Vec<Source>) {
        if let Some(mark) = self.scopes.last().and_then(|scope| scope.row_mark.as_ref()) {
            merge_distinct(out, std::slice::from_ref(mark));
        }
    }

    /// Returns the sources that decide how many rows the innermost SELECT computes. Its aggregates reveal them.
    pub(super) fn finish_row_sources(&mut self) -> Vec<Source> {
        let Some(scope) = self.scopes.last().filter(|_| self.follows_values()) else { return Vec::new() };
        let mut sources = scope.row_sources.clone();
        scope.rels.iter().for_each(|rel| merge_distinct(&mut sources, &rel.rows.row_sources));
        if let Some(mark) = scope.row_mark.clone().filter(|_| !sources.is_empty()) {
            self.row_ties.push((mark, sources.clone()));
        }
        sources
    }

    /// Adds all sources that the given ones reveal.
    pub(super) fn add_tied(&self, sources: &mut Vec<Source>) {
        loop {
            let before = sources.len();
            for tied in &self.ties {
                if tied.iter().any(|source| sources.contains(source)) {
                    merge_distinct(sources, tied);
                }
            }
            for (mark, tied) in &self.row_ties {
                if sources.contains(mark) {
                    merge_distinct(sources, tied);
                }
            }
            if sources.len() == before {
                break;
            }
        }
    }
}

/// Returns the members of a row such as `(a, b)`.
fn members(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(members) => Some(members),
        Expr::Nested(inner) => members(inner),
        _ => None,
    }
}
