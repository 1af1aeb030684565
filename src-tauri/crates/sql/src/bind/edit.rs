//! Edits of a syntax tree at positions in the text.

use crate::ast::{table_factor, visit_mut};
use crate::text::{build_identifier, same_name, text_value};
use sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Select,
    TableAlias, TableFactor, VisitorMut,
};
use sqlparser::tokenizer::Span;
use std::collections::HashSet;
use std::ops::ControlFlow;
use vitrine_domain::{Dialect, TableName};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    /// Replaces the name that begins at `at` by `parts`.
    Name { at: Span, parts: Vec<String>, note: String },
    /// Replaces the name at `at` by a string.
    Text { at: Span, text: String, note: String },
    /// Replaces the table at `at`; `keep` is an alias that preserves the old name for references in the query.
    Table { at: Span, name: Vec<String>, keep: Option<String>, note: String },
    /// Adds joins to the SELECT at `select`, after the given item of its FROM clause.
    Join { select: Span, item: usize, steps: Vec<JoinStep>, note: String },
}

/// One join along a foreign key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JoinStep {
    pub table: TableName,
    /// Column pairs of the join condition, each as (qualifier, column): a column in scope, and a column of the joined
    /// table.
    pub on: Vec<[(String, String); 2]>,
}

#[derive(Debug, Default)]
pub(super) struct Made {
    pub notes: Vec<String>,
    /// Tables that were joined, by their catalog names.
    pub joined: Vec<String>,
    /// True if a comparison of two tables became one within a single table, so that the join it expressed would be
    /// lost.
    pub unlinked: bool,
    /// Qualifiers of names that were resolved to another table.
    pub wrong_qualifiers: Vec<String>,
}

/// Applies all edits to `query`.
pub(super) fn apply_edits(query: &mut Query, edits: Vec<Edit>, dialect: Dialect) -> Made {
    let mut editor = Editor { edits, dialect, made: Made::default(), joined: HashSet::new(), comparisons: Vec::new() };
    let _ = visit_mut(query, &mut editor);
    editor.made
}

struct Editor {
    edits: Vec<Edit>,
    dialect: Dialect,
    made: Made,
    /// (SELECT, table) pairs already joined.
    joined: HashSet<(Span, String)>,
    /// For each enclosing comparison: true if its sides belong to two different tables, or to unnamed ones.
    comparisons: Vec<bool>,
}

fn starts_at(idents: &[&Ident], at: Span) -> bool {
    at != Span::empty() && idents.first().is_some_and(|i| i.span == at)
}

/// Returns the qualifiers of both sides if both are qualified columns.
fn comparison_qualifiers(expr: &Expr) -> Option<(&str, &str)> {
    fn column_qualifier(expr: &Expr) -> Option<&str> {
        match expr {
            Expr::CompoundIdentifier(parts) if parts.len() > 1 => Some(&parts[parts.len() - 2].value),
            Expr::Nested(inner) => column_qualifier(inner),
            _ => None,
        }
    }
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            Some((column_qualifier(left)?, column_qualifier(right)?))
        }
        _ => None,
    }
}

impl Editor {
    fn add_note(&mut self, note: &str) {
        if !self.made.notes.iter().any(|n| n == note) {
            self.made.notes.push(note.to_owned());
        }
    }

    fn qualified_column(&self, qualifier: &str, column: &str) -> Expr {
        Expr::CompoundIdentifier(vec![
            build_identifier(qualifier, self.dialect),
            build_identifier(column, self.dialect),
        ])
    }

    fn object_name(&self, parts: &[String]) -> ObjectName {
        ObjectName(parts.iter().map(|p| ObjectNamePart::Identifier(build_identifier(p, self.dialect))).collect())
    }

    fn build_join(&self, step: &JoinStep) -> Option<Join> {
        let equal = |[left, right]: &[(String, String); 2]| Expr::BinaryOp {
            left: Box::new(self.qualified_column(&left.0, &left.1)),
            op: BinaryOperator::Eq,
            right: Box::new(self.qualified_column(&right.0, &right.1)),
        };
        let on = step.on.iter().map(equal).reduce(|left, right| Expr::BinaryOp {
            left: Box::new(left),
            op: BinaryOperator::And,
            right: Box::new(right),
        })?;
        let relation = table_factor(&step.table, self.dialect);
        Some(Join { relation, global: false, join_operator: JoinOperator::Join(JoinConstraint::On(on)) })
    }
}

impl VisitorMut for Editor {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let here = select.select_token.0.span;
        let edits = self.edits.clone();
        for edit in &edits {
            let Edit::Join { select: at, item, steps, note } = edit else { continue };
            if *at != here {
                continue;
            }
            for step in steps {
                let key = (here, step.table.to_string());
                if self.joined.contains(&key) {
                    continue;
                }
                if let (Some(join), Some(from)) = (self.build_join(step), select.from.get_mut(*item)) {
                    from.joins.push(join);
                    self.made.joined.push(key.1.clone());
                    self.joined.insert(key);
                    self.add_note(note);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, alias, .. } = factor else { return ControlFlow::Continue(()) };
        let idents: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        let found = self.edits.iter().find(|e| matches!(e, Edit::Table { at, .. } if starts_at(&idents, *at))).cloned();
        if let Some(Edit::Table { name: parts, keep, note, .. }) = found {
            *name = self.object_name(&parts);
            if let (None, Some(keep)) = (&alias, keep) {
                *alias = Some(TableAlias {
                    explicit: true,
                    name: build_identifier(&keep, self.dialect),
                    columns: Vec::new(),
                    at: None,
                });
            }
            self.add_note(&note);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { op: BinaryOperator::Eq, .. } = expr {
            let linked = comparison_qualifiers(expr).is_none_or(|(left, right)| !same_name(left, right));
            self.comparisons.push(linked);
        }
        let idents: Vec<&Ident> = match &*expr {
            Expr::Identifier(one) => vec![one],
            Expr::CompoundIdentifier(parts) => parts.iter().collect(),
            _ => return ControlFlow::Continue(()),
        };
        let found = self.edits.iter().find(|edit| match edit {
            Edit::Name { at, .. } | Edit::Text { at, .. } => starts_at(&idents, *at),
            _ => false,
        });
        match found.cloned() {
            Some(Edit::Name { parts, note, .. }) => {
                if let [.., qualifier, _] = idents.as_slice()
                    && !parts.iter().rev().skip(1).any(|new| same_name(new, &qualifier.value))
                {
                    self.made.wrong_qualifiers.push(qualifier.value.clone());
                }
                let mut idents: Vec<Ident> = parts.iter().map(|p| build_identifier(p, self.dialect)).collect();
                *expr = match idents.len() {
                    1 => idents.pop().map_or_else(|| expr.clone(), Expr::Identifier),
                    _ => Expr::CompoundIdentifier(idents),
                };
                self.add_note(&note);
            }
            Some(Edit::Text { text, note, .. }) => {
                *expr = Expr::Value(text_value(&text, self.dialect).with_empty_span());
                self.add_note(&note);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { op: BinaryOperator::Eq, .. } = expr {
            let linked = self.comparisons.pop().unwrap_or_default();
            self.made.unlinked |=
                linked && comparison_qualifiers(expr).is_some_and(|(left, right)| same_name(left, right));
        }
        ControlFlow::Continue(())
    }
}
