//! Generates the SQL of a step: its clauses, with names in place of slots.

use crate::branch::{Read, Target};
use crate::chain::Chain;
use crate::from::Stage;
use crate::names::{Unique, same_name, to_snake_case};
use crate::plan::Made;
use crate::slots::{Slot, replace_slots, slot_marker, slot_of};
use crate::steps::{NotTakenApart, StepColumn, StepKind};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::{BinaryOperator, Expr, TableFactor, Visit, VisitMut, Visitor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use vitrine_sql::ast::{build_and, build_identifier, last_part, own_name, visit_tree};
use vitrine_sql::{fold_identifier, quote_identifier};
use vitrine_words::tr;

/// The clauses of a step's query.
#[derive(Default)]
pub(crate) struct Body {
    pub distinct: Option<String>,
    pub from: Option<String>,
    pub conditions: Vec<Expr>,
    pub keys: Vec<String>,
    pub windows: Vec<String>,
    pub order: Vec<String>,
    pub limit: Option<String>,
}

/// A select item: a slot or a constant, and its name if it is fixed.
pub(crate) struct Item {
    pub value: Expr,
    pub name: Option<String>,
    /// Its expression in the query, if that gives no name.
    pub text: String,
}

/// A step to be generated.
pub(crate) struct Draft<'d> {
    pub kind: StepKind,
    pub what: String,
    pub body: Body,
    /// The sources that its FROM clause reads.
    pub stages: &'d [&'d Stage],
    /// The columns that it computes.
    pub made: &'d [&'d Made],
    pub items: Vec<Item>,
}

impl Chain<'_> {
    /// Generates one step and returns it as a source for later steps.
    pub fn render_step(&mut self, draft: Draft<'_>, target: &Target, last: bool) -> Outcome<Stage> {
        let Draft { kind, what, body, stages, made, items } = draft;
        if items.is_empty() {
            return unsupported_part(tr!("a step without columns"));
        }
        let mut given = Unique::default();
        // A computed column must not have the name of a column that is read.
        stages
            .iter()
            .filter(|_| !made.is_empty())
            .flat_map(|stage| stage.names.values())
            .for_each(|name| given.reserve_name(name));
        let fixed: Vec<String> = items.iter().filter_map(|item| item.name.clone()).collect();
        fixed.iter().for_each(|name| given.reserve_name(name));
        let mut names = HashMap::new();
        let mut written = Vec::with_capacity(items.len());
        let mut exprs = Vec::with_capacity(items.len());
        let mut columns = Vec::with_capacity(items.len());
        for item in items {
            let slot = slot_of(&item.value);
            let own = slot.and_then(|slot| made.iter().find(|(made, _)| *made == slot)).map(|(_, expr)| expr);
            let expr = self.render_copy(own.unwrap_or(&item.value), stages, stages.len() > 1)?;
            let name = match (item.name, slot) {
                (Some(name), _) => name,
                (None, Some(slot)) => self.free_name(slot, stages, own.is_some(), &fixed, &mut given),
                (None, None) => return unsupported_part(tr!("a constant without a name")),
            };
            let said = own_name(&expr).is_some_and(|said| said == name)
                || (own.is_some() || slot.is_none()) && !item.text.is_empty() && expr.to_string() == item.text;
            written.push(if said {
                expr.to_string()
            } else {
                format!("{expr} AS {}", quote_identifier(&name, self.dialect))
            });
            exprs.push(expr);
            let origin = slot.and_then(|slot| self.columns[slot].origin.clone());
            columns.push(StepColumn { name: name.clone(), origin });
            if let Some(slot) = slot {
                names.insert(slot, name);
            }
        }
        let conditions = self.rendered_all(&body.conditions, stages)?;
        let mut sql = format!("SELECT {}{}", body.distinct.unwrap_or_default(), written.join(", "));
        let mut clause = |word: &str, text: Option<String>| {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                sql.push_str(&format!("\n{word}{text}"));
            }
        };
        clause("FROM ", body.from);
        clause("WHERE ", join_conditions(&conditions).map(|condition| condition.to_string()));
        clause("GROUP BY ", Some(body.keys.join(", ")));
        clause("WINDOW ", Some(body.windows.join(", ")));
        clause("ORDER BY ", Some(body.order.join(", ")));
        clause("", body.limit);
        let mut reads: Vec<String> = Vec::new();
        let inside = self.named_relations(&exprs).into_iter().chain(self.named_relations(&conditions));
        for name in stages.iter().map(|stage| stage.read.name()).chain(inside) {
            if !reads.contains(&name) {
                reads.push(name);
            }
        }
        let step = if last { self.target_name(target, &what) } else { self.step_name(&what) };
        self.push_step(step.clone(), kind, sql, reads, columns);
        Ok(Stage { read: Read::Step(step), names })
    }

    /// Returns the name of a column in a step: its own, prefixed by its table's if another column has it.
    fn free_name(&self, slot: Slot, stages: &[&Stage], made: bool, fixed: &[String], given: &mut Unique) -> String {
        let column = &self.columns[slot];
        let own = stages.iter().find_map(|stage| stage.names.get(&slot)).filter(|_| !made);
        match own {
            Some(own) if stages.len() > 1 && given.is_taken(own) && !column.label.is_empty() => {
                given.unique_name(&fold_identifier(&format!("{}_{own}", to_snake_case(&column.label)), self.dialect))
            }
            // Reserved against computed columns, not against itself.
            Some(own) if stages.len() == 1 && !fixed.iter().any(|name| same_name(name, own)) => own.clone(),
            Some(own) => given.unique_name(own),
            None => given.unique_name(&column.name),
        }
    }

    pub fn rendered_all(&self, exprs: &[Expr], stages: &[&Stage]) -> Outcome<Vec<Expr>> {
        exprs.iter().map(|expr| self.render_copy(expr, stages, stages.len() > 1)).collect()
    }

    pub fn render_copy(&self, expr: &Expr, stages: &[&Stage], qualified: bool) -> Outcome<Expr> {
        let mut expr = expr.clone();
        self.render_slots(&mut expr, stages, qualified)?;
        Ok(expr)
    }

    /// Replaces slots by names, which are qualified if there are several sources and within nested queries.
    pub fn render_slots<P: Visit + VisitMut>(&self, part: &mut P, stages: &[&Stage], qualified: bool) -> Outcome<()> {
        let hidden = names_inside(part);
        replace_slots(part, |slot, inside| {
            let found = stages.iter().find_map(|stage| Some((stage, stage.names.get(&slot)?)));
            let Some((stage, name)) = found else {
                return unsupported_part(tr!("a column that is not carried so far"));
            };
            let name = build_identifier(name, self.dialect);
            if !inside && !qualified {
                return Ok(Expr::Identifier(name));
            }
            let qualifier = stage.read.qualifier();
            if inside && hidden.iter().any(|hidden| same_name(hidden, qualifier)) {
                return unsupported_part(tr!("a name that a query inside hides"));
            }
            Ok::<_, NotTakenApart>(Expr::CompoundIdentifier(vec![build_identifier(qualifier, self.dialect), name]))
        })
    }
}

/// Returns items that pass slots on.
pub(crate) fn pass_through_items(slots: impl IntoIterator<Item = Slot>) -> Vec<Item> {
    slots.into_iter().map(|slot| Item { value: slot_marker(slot), name: None, text: String::new() }).collect()
}

/// Returns the names that nested queries give to their sources.
fn names_inside(part: &impl Visit) -> Vec<String> {
    struct Finds(Vec<String>);
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
            match factor {
                TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
                    self.0.push(alias.name.value.clone());
                }
                TableFactor::Table { name, .. } => self.0.extend(last_part(name).map(|last| last.value.clone())),
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let mut finds = Finds(Vec::new());
    let _ = visit_tree(part, &mut finds);
    finds.0
}

/// Joins all conditions by AND.
pub(crate) fn join_conditions(conditions: &[Expr]) -> Option<Expr> {
    let alone = conditions.len() == 1;
    let bracketed = |condition: &Expr| match condition {
        Expr::BinaryOp { op: BinaryOperator::Or | BinaryOperator::Xor, .. } if !alone => {
            Expr::Nested(Box::new(condition.clone()))
        }
        other => other.clone(),
    };
    conditions.iter().map(bracketed).reduce(build_and)
}
