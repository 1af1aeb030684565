//! The FROM clause of one SELECT: its tables, which of them a join may fill with NULLs, and the conditions on each.

use crate::catalog::{FoundTable, find_table, is_same_name};
use crate::condition::{Filter, read_filter};
use crate::source::Source;
use sqlparser::ast::{
    BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Select, SelectItem,
    TableFactor, TableWithJoins,
};
use vitrine_sql::ast::collect_conjuncts;
use vitrine_sql::{ColumnType, DialectExt};

/// An item of a FROM clause.
pub(crate) struct Item {
    /// The name by which columns refer to it, if it has one.
    pub binding: Option<String>,
    /// The name as written, without an alias: `SOURCE.TABLE`.
    full: Option<Vec<String>>,
    /// The table of a source; `None` for anything else.
    pub table: Option<FoundTable>,
    /// True if its rows may be replaced by NULLs.
    pub nullable: bool,
    /// True if conditions must not be applied before the rest of the clause: a sample, or renamed columns.
    pub opaque: bool,
    /// True if its columns are renamed by the alias.
    pub renamed: bool,
    /// The conditions on it.
    pub filters: Vec<Filter>,
    /// The columns that must equal columns of other tables for a row to matter.
    pub links: Vec<Link>,
}

/// A column that must equal a column of another table.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// The place of the column.
    pub column: usize,
    /// The other table.
    pub other: FoundTable,
    /// The place of its column.
    pub other_column: usize,
}

/// A column that joins with USING merge.
pub(crate) struct MergedColumn {
    /// The name in lower case.
    pub name: String,
    /// The places of the items whose columns are merged.
    members: Vec<usize>,
    /// The members whose own column has the value of the merged column in every row of the clause.
    equal: Vec<usize>,
    /// True if the value may come from either side of a FULL JOIN.
    is_coalesced: bool,
}

/// The FROM clause of a SELECT with the conditions that concern single tables.
pub(crate) struct FromClause<'q> {
    pub items: Vec<Item>,
    /// True if a join compares all columns of equal names.
    pub has_natural: bool,
    /// True if no condition may be applied before a join.
    pub is_opaque: bool,
    /// Columns that joins merge.
    pub merged: Vec<MergedColumn>,
    /// True if the clause consists of tables, subqueries and ordinary joins, without parentheses.
    pub only_simple: bool,
    /// The aliases of the select list, in lower case.
    pub aliases: Vec<String>,
    conditions: Vec<(&'q Expr, Vec<usize>)>,
}

impl<'q> FromClause<'q> {
    /// Reads the clause. Items other than tables of sources have unknown columns.
    pub fn from_select(select: &'q Select, sources: &[Source]) -> Self {
        let mut from = Self {
            items: Vec::new(),
            has_natural: false,
            is_opaque: select.prewhere.is_some() || !select.connect_by.is_empty() || !select.lateral_views.is_empty(),
            merged: Vec::new(),
            only_simple: true,
            aliases: select.projection.iter().filter_map(alias_of).collect(),
            conditions: Vec::new(),
        };
        for tables in &select.from {
            from.add_tables(tables, sources);
        }
        if !from.is_opaque {
            if let Some(condition) = &select.selection {
                let open: Vec<usize> = (0..from.items.len()).filter(|at| !from.items[*at].nullable).collect();
                from.add_condition(condition, &open);
            }
            for (condition, among) in std::mem::take(&mut from.conditions) {
                from.add_links(condition, &among, sources);
                for at in among {
                    if let Some(filter) = from.filter_of(condition, at, sources) {
                        from.items[at].filters.push(filter);
                    }
                }
            }
        }
        from
    }

    fn add_tables(&mut self, tables: &'q TableWithJoins, sources: &[Source]) -> Vec<usize> {
        let mut left = self.add_factor(&tables.relation, sources);
        for join in &tables.joins {
            left = self.add_join(left, join, sources);
        }
        left
    }

    fn add_join(&mut self, left: Vec<usize>, join: &'q Join, sources: &[Source]) -> Vec<usize> {
        let right = self.add_factor(&join.relation, sources);
        let both: Vec<usize> = left.iter().chain(&right).copied().collect();
        let open = |from: &Self, side: &[usize]| -> Vec<usize> {
            side.iter().copied().filter(|at| !from.items[*at].nullable).collect()
        };
        use JoinOperator as J;
        let (constraint, among, padded) = match &join.join_operator {
            // The parser reads POSITIONAL JOIN as an alias and a join without a condition.
            J::Join(JoinConstraint::None) | J::Inner(JoinConstraint::None) => {
                self.is_opaque = true;
                self.only_simple = false;
                return both;
            }
            J::Join(constraint) | J::Inner(constraint) | J::CrossJoin(constraint) => {
                (constraint, open(self, &both), Vec::new())
            }
            J::Left(constraint) | J::LeftOuter(constraint) => (constraint, open(self, &right), right.clone()),
            J::Right(constraint) | J::RightOuter(constraint) => (constraint, open(self, &left), left.clone()),
            J::FullOuter(constraint) => (constraint, Vec::new(), both.clone()),
            _ => {
                self.is_opaque = true;
                self.only_simple = false;
                return both;
            }
        };
        match constraint {
            JoinConstraint::On(condition) => self.add_condition(condition, &among),
            JoinConstraint::Using(columns) => {
                let names: Vec<String> = columns.iter().filter_map(last_name).collect();
                for name in &names {
                    self.link_using(name, &left, &right, &among, sources);
                    self.merge_using(name, (&left, &right), &join.join_operator, sources);
                }
            }
            JoinConstraint::Natural => self.has_natural = true,
            JoinConstraint::None => {}
        }
        for at in padded {
            self.items[at].nullable = true;
        }
        both
    }

    /// Links the column that a join merges.
    fn link_using(&mut self, name: &str, left: &[usize], right: &[usize], among: &[usize], sources: &[Source]) {
        let place = |from: &Self, at: usize| from.place_of(at, name, sources).filter(|_| !from.items[at].opaque);
        let [right] = right else { return };
        let Some(left) = left.iter().find(|at| self.items[**at].table.is_none() || place(self, **at).is_some()) else {
            return;
        };
        if let (Some(own), Some(other)) = (place(self, *left), place(self, *right))
            && !self.items[*left].nullable
        {
            self.link((*left, own), (*right, other), among);
        }
    }

    /// Notes the column that a join merges. Its value is that of the left side, of the right side in a RIGHT JOIN, and of
    /// either side in a FULL JOIN.
    fn merge_using(
        &mut self,
        name: &str,
        (left, right): (&[usize], &[usize]),
        operator: &JoinOperator,
        sources: &[Source],
    ) {
        let left = self.take_side(name, left, sources);
        let right = self.take_side(name, right, sources);
        use JoinOperator as J;
        let (equal, is_coalesced) = match operator {
            J::Left(_) | J::LeftOuter(_) => (left.equal, left.is_coalesced),
            J::Right(_) | J::RightOuter(_) => (right.equal, right.is_coalesced),
            J::FullOuter(_) => (Vec::new(), true),
            _ => {
                let classes = |side: &[usize]| -> Vec<ColumnType> {
                    side.iter().filter_map(|at| self.class_of(*at, name, sources)).collect()
                };
                let (own, others) = (classes(&left.members), classes(&right.members));
                // Values of different types may be equal, but compare differently with a constant.
                let is_same = own.iter().all(|class| others.iter().all(|other| class == other));
                let right_equal = if is_same { right.equal } else { Vec::new() };
                ([left.equal, right_equal].concat(), left.is_coalesced || right.is_coalesced)
            }
        };
        let equal = if is_coalesced { Vec::new() } else { equal };
        let members = [left.members, right.members].concat();
        self.merged.push(MergedColumn { name: name.to_owned(), members, equal, is_coalesced });
    }

    /// Removes and returns the merged column of one side of a join, or builds one from the columns of its items.
    fn take_side(&mut self, name: &str, side: &[usize], sources: &[Source]) -> MergedColumn {
        let is_of_side =
            |merged: &MergedColumn| merged.name == name && merged.members.iter().any(|at| side.contains(at));
        if let Some(known) = self.merged.iter().position(is_of_side) {
            return self.merged.swap_remove(known);
        }
        let holds = |at: &usize| !self.items[*at].opaque && self.place_of(*at, name, sources).is_some();
        let members: Vec<usize> = side.iter().copied().filter(holds).collect();
        MergedColumn { name: name.to_owned(), equal: members.clone(), members, is_coalesced: false }
    }

    fn place_of(&self, at: usize, name: &str, sources: &[Source]) -> Option<usize> {
        let table = self.items[at].table.as_ref()?.table(sources);
        table.columns.iter().position(|column| is_same_name(&column.name, name))
    }

    fn class_of(&self, at: usize, name: &str, sources: &[Source]) -> Option<ColumnType> {
        let found = self.items[at].table.as_ref()?;
        let column = &found.table(sources).columns[self.place_of(at, name, sources)?];
        Some(sources[found.source].catalog.dialect.sql().column_type(&column.data_type))
    }

    /// Returns true if an expression is the unqualified name of a merged column, whose value may differ from that of a table.
    pub fn is_merged(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Identifier(name) if self.merged.iter().any(|merged| is_same_name(&merged.name, &name.value)))
    }

    /// Links the columns of an equality.
    fn add_links(&mut self, condition: &Expr, among: &[usize], sources: &[Source]) {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return };
        let find = |from: &Self, expr: &Expr| {
            let alias = matches!(expr, Expr::Identifier(name) if from.aliases.contains(&name.value.to_lowercase()));
            let known = |at: &usize| !alias && !from.items[*at].opaque;
            let mut found =
                (0..from.items.len()).filter(known).filter_map(|at| Some((at, from.column_of(expr, at, sources)?)));
            found.next().filter(|_| found.next().is_none())
        };
        if let (Some(left), Some(right)) = (find(self, left), find(self, right))
            && left.0 != right.0
        {
            self.link(left, right, among);
        }
    }

    fn link(&mut self, left: (usize, usize), right: (usize, usize), among: &[usize]) {
        for ((at, column), (other, other_column)) in [(left, right), (right, left)] {
            if let Some(table) = self.items[other].table.clone().filter(|_| among.contains(&at)) {
                self.items[at].links.push(Link { column, other: table, other_column });
            }
        }
    }

    fn add_factor(&mut self, factor: &'q TableFactor, sources: &[Source]) -> Vec<usize> {
        let item = match factor {
            TableFactor::Table { name, alias, args: None, sample, version, .. } => {
                let parts = name_parts(name);
                let texts: Vec<&str> = parts.iter().map(String::as_str).collect();
                let table = if texts.len() > 1 { find_table(sources, &texts).ok() } else { None };
                let renamed = alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
                Item {
                    binding: alias.as_ref().map(|alias| alias.name.value.clone()).or_else(|| parts.last().cloned()),
                    full: alias.is_none().then_some(parts),
                    table,
                    nullable: false,
                    opaque: renamed || sample.is_some() || version.is_some(),
                    renamed,
                    filters: Vec::new(),
                    links: Vec::new(),
                }
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                self.only_simple = false;
                return self.add_tables(table_with_joins, sources);
            }
            TableFactor::Derived { alias, .. } => other_item(alias.as_ref().map(|alias| alias.name.value.clone())),
            _ => {
                self.only_simple = false;
                other_item(None)
            }
        };
        self.items.push(item);
        vec![self.items.len() - 1]
    }

    fn add_condition(&mut self, condition: &'q Expr, among: &[usize]) {
        let mut parts = Vec::new();
        collect_conjuncts(condition, &mut parts);
        self.conditions.extend(parts.into_iter().map(|part| (part, among.to_vec())));
    }

    fn filter_of(&self, condition: &Expr, at: usize, sources: &[Source]) -> Option<Filter> {
        let item = &self.items[at];
        if item.opaque || item.table.is_none() {
            return None;
        }
        read_filter(condition, &|expr| {
            let is_alias = matches!(expr, Expr::Identifier(name) if self.aliases.contains(&name.value.to_lowercase()));
            if is_alias { None } else { self.column_of(expr, at, sources) }
        })
    }

    /// Returns the place of a column if an expression is certainly a column of the item.
    pub fn column_of(&self, expr: &Expr, at: usize, sources: &[Source]) -> Option<usize> {
        let place = |at: usize, name: &str| self.place_of(at, name, sources);
        match expr {
            Expr::Identifier(name) => {
                let own = place(at, &name.value)?;
                let mut merged = self.merged.iter().filter(|merged| is_same_name(&merged.name, &name.value));
                let is_certain = match (merged.next(), merged.next()) {
                    (None, _) => !(0..self.items.len()).any(|other| other != at && place(other, &name.value).is_some()),
                    (Some(merged), None) => merged.equal.contains(&at),
                    (Some(_), Some(_)) => false,
                };
                is_certain.then_some(own)
            }
            Expr::CompoundIdentifier(parts) => {
                let (name, qualifier) = parts.split_last()?;
                let qualifier: Vec<&str> = qualifier.iter().map(|part| part.value.as_str()).collect();
                let mut meant = (0..self.items.len()).filter(|at| self.items[*at].is_named(&qualifier));
                (meant.next() == Some(at) && meant.next().is_none()).then(|| place(at, &name.value))?
            }
            _ => None,
        }
    }
}

impl Item {
    /// Returns true if a qualifier of a column refers to this item.
    pub fn is_named(&self, qualifier: &[&str]) -> bool {
        match qualifier {
            [name] => self.binding.as_ref().is_some_and(|own| is_same_name(own, name)),
            _ => self.full.as_ref().is_some_and(|full| {
                full.len() == qualifier.len() && full.iter().zip(qualifier).all(|(own, name)| is_same_name(own, name))
            }),
        }
    }
}

fn other_item(binding: Option<String>) -> Item {
    Item {
        binding,
        full: None,
        table: None,
        nullable: false,
        opaque: true,
        renamed: false,
        filters: Vec::new(),
        links: Vec::new(),
    }
}

/// Returns the parts of a name; empty if a part is computed.
pub(crate) fn name_parts(name: &ObjectName) -> Vec<String> {
    let parts: Option<Vec<String>> =
        name.0.iter().map(|part| ObjectNamePart::as_ident(part).map(|ident| ident.value.clone())).collect();
    parts.unwrap_or_default()
}

fn last_name(name: &ObjectName) -> Option<String> {
    name_parts(name).pop().map(|name| name.to_lowercase())
}

fn alias_of(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    }
}

/// Returns the condition of an ordinary join.
pub(crate) fn constraint_of(operator: &JoinOperator) -> Option<&JoinConstraint> {
    use JoinOperator as J;
    match operator {
        J::Join(constraint)
        | J::Inner(constraint)
        | J::Left(constraint)
        | J::LeftOuter(constraint)
        | J::Right(constraint)
        | J::RightOuter(constraint)
        | J::FullOuter(constraint)
        | J::CrossJoin(constraint) => Some(constraint),
        _ => None,
    }
}
