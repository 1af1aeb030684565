//! FROM clauses: sources, joins and columns.

use crate::branch::{Branch, Read, Target};
use crate::chain::Chain;
use crate::names::{Unique, same_name};
use crate::slots::{Column, Slot};
use crate::steps::{JoinKind, Origin};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};
use std::collections::{BTreeSet, HashMap};
use vitrine_sql::DialectExt;
use vitrine_sql::ast::last_part;
use vitrine_words::tr;

/// A source, and the names of slots in it.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    pub read: Read,
    pub names: HashMap<Slot, String>,
}

/// An item of a FROM clause.
pub(crate) struct Source {
    /// Its alias, or its name if it has none.
    pub name: String,
    pub stage: Stage,
    /// Its columns by name, in order.
    pub columns: Vec<(String, Slot)>,
    /// The slots of its primary key.
    pub key: Vec<Slot>,
    /// True if an outer join may leave it without a row.
    pub optional: bool,
    /// The conditions that only use this source.
    pub filters: Vec<Expr>,
}

impl Source {
    pub fn find_slot(&self, name: &str) -> Option<Slot> {
        let found = self.columns.iter().find(|(own, _)| own == name);
        found.or_else(|| self.columns.iter().find(|(own, _)| same_name(own, name))).map(|(_, slot)| *slot)
    }
}

/// A join of a FROM clause, which adds one source to everything before it.
pub(crate) struct Joined {
    pub kind: JoinKind,
    pub right: usize,
    pub conditions: Vec<Expr>,
}

/// A FROM clause with resolved sources.
#[derive(Default)]
pub(crate) struct Frame {
    pub sources: Vec<Source>,
    /// The joins, one for each source after the first.
    pub joins: Vec<Joined>,
    /// The columns to which `*` expands.
    pub star: Vec<(String, Slot)>,
    /// Columns merged by a join, by their lower-case names.
    merged: HashMap<String, Slot>,
}

/// The outcome of a lookup.
pub(crate) enum NameLookup {
    Slot(Slot),
    Several,
    Nothing,
}

impl Frame {
    /// Creates a frame with one source.
    pub fn from_source(source: Source) -> Self {
        Self { sources: vec![source], ..Self::default() }
    }

    /// Looks up an unqualified name in the first `visible` sources.
    pub fn find_column(&self, name: &str, visible: usize) -> NameLookup {
        if let Some(slot) = self.merged.get(&name.to_lowercase()) {
            return NameLookup::Slot(*slot);
        }
        let mut found = self.sources.iter().take(visible).filter_map(|source| source.find_slot(name));
        match (found.next(), found.next()) {
            (Some(slot), None) => NameLookup::Slot(slot),
            (None, _) => NameLookup::Nothing,
            _ => NameLookup::Several,
        }
    }

    /// Looks up a qualified name.
    pub fn find_qualified_column(&self, qualifier: &str, name: &str) -> NameLookup {
        let mut called = self.sources.iter().filter(|source| same_name(&source.name, qualifier));
        match (called.next(), called.next()) {
            (Some(source), None) => source.find_slot(name).map_or(NameLookup::Nothing, NameLookup::Slot),
            (None, _) => NameLookup::Nothing,
            _ => NameLookup::Several,
        }
    }

    /// Returns the sources that slots belong to.
    pub fn sources_of(&self, slots: &BTreeSet<Slot>) -> Vec<usize> {
        let holds = |source: &Source| source.columns.iter().any(|(_, slot)| slots.contains(slot));
        (0..self.sources.len()).filter(|&at| holds(&self.sources[at])).collect()
    }
}

impl Chain<'_> {
    pub fn from(&mut self, tables: &[TableWithJoins]) -> Outcome<Frame> {
        let mut frame = Frame::default();
        for (at, item) in tables.iter().enumerate() {
            self.source(&item.relation, &mut frame)?;
            if at > 0 {
                let right = frame.sources.len() - 1;
                frame.joins.push(Joined { kind: JoinKind::Cross, right, conditions: Vec::new() });
            }
            for join in &item.joins {
                self.add_join(join, at > 0, &mut frame)?;
            }
        }
        self.set_labels(&mut frame);
        Ok(frame)
    }

    fn source(&mut self, factor: &TableFactor, frame: &mut Frame) -> Outcome<()> {
        let source = match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_hints,
                version: None,
                with_ordinality: false,
                partitions,
                json_path: None,
                sample: None,
                index_hints,
            } if with_hints.is_empty() && partitions.is_empty() && index_hints.is_empty() => {
                self.table_or_view(name, alias.as_ref())?
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let branch = self.build_branch(subquery, Target::Rows)?;
                let name = alias.as_ref().map(|alias| alias.name.value.clone()).unwrap_or_default();
                self.branch_source(name, branch)
            }
            TableFactor::Table { args: Some(_), .. } | TableFactor::Function { .. } | TableFactor::UNNEST { .. } => {
                return unsupported_part(tr!("a function gives rows"));
            }
            TableFactor::Derived { lateral: true, .. } => return unsupported_part(tr!("a LATERAL query")),
            TableFactor::NestedJoin { .. } => return unsupported_part(tr!("joins in brackets")),
            _ => return unsupported_part(tr!("a kind of table expression that is not known here")),
        };
        let mut source = source;
        if let TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } = factor
        {
            rename_source_columns(&mut source, alias);
        }
        frame.star.extend(source.columns.iter().cloned());
        frame.sources.push(source);
        Ok(())
    }

    fn table_or_view(&mut self, name: &ObjectName, alias: Option<&TableAlias>) -> Outcome<Source> {
        let Some(last) = last_part(name) else { return unsupported_part(tr!("a name that is computed")) };
        let called = alias.map_or(&last.value, |alias| &alias.name.value).clone();
        let view = self.views.iter().rev().find(|view| name.0.len() == 1 && same_name(&view.name, &last.value));
        if let Some(view) = view {
            let Some(columns) = view.columns.clone() else {
                return unsupported_part(tr!("a view whose columns cannot be told"));
            };
            let read = Read::Step(view.name.clone());
            let outputs = columns.into_iter().map(|c| (c.name.clone(), c.name, c.origin)).collect();
            return Ok(self.source_of(called, read, outputs, &[]));
        }
        let Some(table) = self.find_table(name) else {
            return unsupported_part(tr!("the table {name} is not in the catalog", name));
        };
        let table_name = table.name.clone();
        let origin = |column: &str| Origin { table: table_name.to_string(), column: column.to_owned() };
        let outputs = table.columns.iter().map(|c| (c.name.clone(), c.name.clone(), Some(origin(&c.name)))).collect();
        let key = table.primary_key.clone();
        let alias = Some(called.clone()).filter(|called| !same_name(called, &table_name.name));
        Ok(self.source_of(called, Read::Table { table: table_name, alias }, outputs, &key))
    }

    /// Converts a branch's result to an item of a FROM clause.
    pub fn branch_source(&mut self, name: String, branch: Branch) -> Source {
        let outputs = branch.outputs.into_iter().map(|output| (output.name, output.column, output.origin)).collect();
        self.source_of(name, branch.read, outputs, &[])
    }

    /// Creates a source; `outputs` contains for each column its name in the query, its name in the source, and its
    /// origin.
    fn source_of(
        &mut self,
        name: String,
        read: Read,
        outputs: Vec<(String, String, Option<Origin>)>,
        key: &[String],
    ) -> Source {
        let mut stage = Stage { read, names: HashMap::new() };
        let mut columns = Vec::with_capacity(outputs.len());
        for (known_as, column, origin) in outputs {
            let slot = self.add_column(Column {
                name: known_as.clone(),
                label: String::new(),
                shown: known_as.clone(),
                sources: origin.iter().cloned().collect(),
                origin,
            });
            stage.names.insert(slot, column);
            columns.push((known_as, slot));
        }
        let mut source = Source { name, stage, columns, key: Vec::new(), optional: false, filters: Vec::new() };
        source.key = key.iter().filter_map(|column| source.find_slot(column)).collect();
        source
    }

    /// Qualifies columns for the user as far as needed: by the table if it occurs once, otherwise by the alias.
    fn set_labels(&mut self, frame: &mut Frame) {
        let mut seen = Unique::default();
        let mut twice = Unique::default();
        let shown = |source: &Source| match &source.stage.read {
            Read::Table { table, .. } => table.name.clone(),
            // A view's name is more informative than a one-letter alias.
            Read::Step(step) if self.views.iter().any(|view| same_name(&view.name, step)) => step.clone(),
            Read::Step(_) => source.name.clone(),
        };
        for source in &frame.sources {
            if seen.is_taken(&shown(source)) {
                twice.reserve_name(&shown(source));
            }
            seen.reserve_name(&shown(source));
        }
        for source in &frame.sources {
            let label =
                Some(shown(source)).filter(|label| !twice.is_taken(label)).unwrap_or_else(|| source.name.clone());
            for (name, slot) in &source.columns {
                let column = &mut self.columns[*slot];
                if frame.sources.len() > 1 {
                    column.shown = format!("{label}.{name}");
                }
                column.label.clone_from(&label);
            }
        }
    }

    fn add_join(&mut self, join: &Join, later_item: bool, frame: &mut Frame) -> Outcome<()> {
        let before = frame.star.len();
        self.source(&join.relation, frame)?;
        let right = frame.sources.len() - 1;
        use JoinOperator as J;
        let (kind, constraint) = match &join.join_operator {
            J::Join(on) | J::Inner(on) => (JoinKind::Inner, on),
            J::Left(on) | J::LeftOuter(on) => (JoinKind::Left, on),
            J::Right(on) | J::RightOuter(on) => (JoinKind::Right, on),
            J::FullOuter(on) => (JoinKind::Full, on),
            J::CrossJoin(on) => (JoinKind::Cross, on),
            _ => return unsupported_part(tr!("a kind of join that is not known here")),
        };
        let keeps_right = matches!(kind, JoinKind::Right | JoinKind::Full);
        // The part before a comma would be joined last, and wrongly left without rows.
        if keeps_right && later_item {
            return unsupported_part(tr!("an outer join after a comma"));
        }
        if keeps_right {
            frame.sources[..right].iter_mut().for_each(|source| source.optional = true);
        }
        frame.sources[right].optional = matches!(kind, JoinKind::Left | JoinKind::Full);
        let shared: Vec<String> = match constraint {
            JoinConstraint::On(condition) => {
                frame.joins.push(Joined { kind, right, conditions: vec![condition.clone()] });
                return Ok(());
            }
            JoinConstraint::None => {
                let kind = if kind == JoinKind::Inner { JoinKind::Cross } else { kind };
                frame.joins.push(Joined { kind, right, conditions: Vec::new() });
                return Ok(());
            }
            JoinConstraint::Using(names) => {
                names.iter().filter_map(|name| last_part(name).map(|ident| ident.value.clone())).collect()
            }
            JoinConstraint::Natural => {
                let left: Vec<String> = frame.star[..before].iter().map(|(name, _)| name.clone()).collect();
                left.into_iter().filter(|name| frame.sources[right].find_slot(name).is_some()).collect()
            }
        };
        if keeps_right && !shared.is_empty() {
            return unsupported_part(tr!("columns that an outer join makes one"));
        }
        let mut conditions = Vec::new();
        let mut merged = Vec::new();
        for name in &shared {
            let left = match frame.find_column(name, right) {
                NameLookup::Slot(slot) => slot,
                NameLookup::Several if self.dialect.sql().using_takes_first_column() => {
                    let mut first = frame.sources[..right].iter().filter_map(|source| source.find_slot(name));
                    match first.next() {
                        Some(slot) => slot,
                        None => return unsupported_part(tr!("a column of USING that is not there")),
                    }
                }
                _ => return unsupported_part(tr!("a column of USING that is not clear")),
            };
            let Some(own) = frame.sources[right].find_slot(name) else {
                return unsupported_part(tr!("a column of USING that is not there"));
            };
            frame.merged.insert(name.to_lowercase(), left);
            frame.star.retain(|(_, slot)| *slot != own);
            merged.push((name.clone(), left));
            conditions.push(equality(crate::slots::slot_marker(left), crate::slots::slot_marker(own)));
        }
        if self.dialect.sql().star_begins_with_merged_columns() {
            frame.star.retain(|(_, slot)| !merged.iter().any(|(_, own)| own == slot));
            frame.star.splice(0..0, merged);
        }
        let kind = if conditions.is_empty() && kind == JoinKind::Inner { JoinKind::Cross } else { kind };
        frame.joins.push(Joined { kind, right, conditions });
        Ok(())
    }
}

fn equality(left: Expr, right: Expr) -> Expr {
    let op = sqlparser::ast::BinaryOperator::Eq;
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// Renames columns by an alias's list, from the left.
fn rename_source_columns(source: &mut Source, alias: &TableAlias) {
    let names: Vec<&Ident> = alias.columns.iter().map(|column| &column.name).collect();
    for (column, name) in source.columns.iter_mut().zip(names) {
        column.0.clone_from(&name.value);
    }
}
