//! The tables that a SELECT reads, with the optional ones of outer joins, and the columns that it tests for NULL.

use sqlparser::ast::{Expr, JoinOperator, ObjectName, Select, TableFactor, TableWithJoins};
use vitrine_domain::Table;
use vitrine_sql::ast::{InScope, collect_columns, each_own_expr, last_part};

/// A column reference as written.
#[derive(Debug, Clone)]
pub(super) struct ColumnRef {
    pub qualifier: Option<String>,
    pub name: String,
}

impl ColumnRef {
    /// Parses a column reference. `None` for other expressions.
    pub fn from_expr(column: &Expr) -> Option<Self> {
        match column {
            Expr::Identifier(name) => Some(Self { qualifier: None, name: name.value.clone() }),
            Expr::CompoundIdentifier(parts) => {
                let (name, before) = parts.split_last()?;
                Some(Self { qualifier: before.last().map(|part| part.value.clone()), name: name.value.clone() })
            }
            _ => None,
        }
    }

    /// Returns true if both may refer to the same column of a SELECT.
    fn may_be(&self, other: &Self) -> bool {
        let same_source = match (&self.qualifier, &other.qualifier) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => true,
        };
        same_source && self.name.eq_ignore_ascii_case(&other.name)
    }
}

/// Returns the columns that an expression tests with IS NULL or IS NOT NULL.
pub(super) fn null_tested_columns(expr: &Expr) -> Vec<ColumnRef> {
    match expr {
        Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
            collect_columns(inner.as_ref()).iter().filter_map(ColumnRef::from_expr).collect()
        }
        _ => Vec::new(),
    }
}

/// One source of a FROM clause.
pub(super) struct Source<'a> {
    /// The alias, or the table's name if there is none.
    alias: String,
    /// The table in the catalog; `None` for a view of the query and other sources.
    pub table: Option<&'a Table>,
    /// True if an outer join keeps rows without a match in this source.
    pub is_optional: bool,
}

/// The sources and NULL tests of one SELECT.
#[derive(Default)]
pub(super) struct SelectScope<'a> {
    sources: Vec<Source<'a>>,
    tests: Vec<ColumnRef>,
}

impl<'a> SelectScope<'a> {
    /// Records the sources and NULL tests of a SELECT.
    pub fn from_select(select: &Select, names: &InScope<'a>) -> Self {
        let mut scope = Self::default();
        for from in &select.from {
            add_joined(from, names, &mut scope.sources);
        }
        each_own_expr(&mut select.clone(), |expr| scope.tests.extend(null_tested_columns(expr)));
        let is_tested: Vec<bool> = scope.sources.iter().map(|source| scope.tests_any_of(source)).collect();
        for (source, is_tested) in scope.sources.iter_mut().zip(is_tested) {
            source.is_optional &= !is_tested;
        }
        scope
    }

    /// Returns the source of a column. `None` if an outer query provides it, or if it is ambiguous.
    pub fn source_of(&self, column: &ColumnRef) -> Option<&Source<'a>> {
        let has = |source: &&Source<'a>| source.table.is_some_and(|table| table.find_column(&column.name).is_some());
        match &column.qualifier {
            Some(qualifier) => self.sources.iter().find(|source| source.alias.eq_ignore_ascii_case(qualifier)),
            None => match self.sources.as_slice() {
                [only] if only.table.is_none() => Some(only),
                sources => sources.iter().find(has),
            },
        }
    }

    /// Returns true if the SELECT tests a column for NULL.
    pub fn tests_column(&self, column: &ColumnRef) -> bool {
        self.tests.iter().any(|test| test.may_be(column))
    }

    /// Treats every source as matched: outside of WHERE, the outer join has not added rows yet, or their NULL values
    /// are intended.
    pub fn require_rows(&mut self) {
        self.sources.iter_mut().for_each(|source| source.is_optional = false);
    }

    /// Returns true if a test handles rows without a match in a source.
    fn tests_any_of(&self, source: &Source<'a>) -> bool {
        let alias = |test: &ColumnRef| self.source_of(test).map(|of| of.alias.as_str());
        self.tests.iter().any(|test| alias(test) == Some(source.alias.as_str()))
    }
}

fn add_joined<'a>(from: &TableWithJoins, names: &InScope<'a>, sources: &mut Vec<Source<'a>>) {
    use JoinOperator as Op;
    let begin = sources.len();
    add_factor(&from.relation, names, sources);
    for join in &from.joins {
        let keeps_left =
            matches!(join.join_operator, Op::Left(_) | Op::LeftOuter(_) | Op::FullOuter(_) | Op::OuterApply);
        let keeps_right = matches!(join.join_operator, Op::Right(_) | Op::RightOuter(_) | Op::FullOuter(_));
        let middle = sources.len();
        add_factor(&join.relation, names, sources);
        sources[begin..middle].iter_mut().for_each(|source| source.is_optional |= keeps_right);
        sources[middle..].iter_mut().for_each(|source| source.is_optional |= keeps_left);
    }
}

fn add_factor<'a>(factor: &TableFactor, names: &InScope<'a>, sources: &mut Vec<Source<'a>>) {
    let own_name = |name: &ObjectName| last_part(name).map(|name| name.value.clone());
    let (alias, name, table) = match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => return add_joined(table_with_joins, names, sources),
        TableFactor::Table { name, alias, args, .. } => {
            (alias.as_ref(), own_name(name), names.table_named(name).filter(|_| args.is_none()))
        }
        TableFactor::Derived { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::JsonTable { alias, .. } => (alias.as_ref(), None, None),
        _ => (None, None, None),
    };
    let alias = alias.map(|alias| alias.name.value.clone()).or(name).unwrap_or_default();
    sources.push(Source { alias, table, is_optional: false });
}
