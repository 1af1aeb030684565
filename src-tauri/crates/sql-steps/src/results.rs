//! The result columns of a plan.

use crate::Outcome;
use crate::branch::{Branch, BranchColumn, Read, Target};
use crate::chain::Chain;
use crate::from::{Source, Stage};
use crate::names::computed_column_name;
use crate::plan::Out;
use crate::query::final_names;
use crate::render::{Item, pass_through_items};
use crate::slots::{Slot, slot_of, used_slots};
use crate::steps::Output;
use sqlparser::ast::Expr;
use std::collections::BTreeSet;
use vitrine_sql::fold_identifier;

impl Chain<'_> {
    /// Returns the columns of a result as items with fixed names. Constants of operands are omitted.
    pub fn result_items(&self, outputs: &[Out], target: &Target) -> Vec<Item> {
        let kept: Vec<&Out> =
            outputs.iter().filter(|out| !target.leaves_out() || slot_of(&out.value).is_some()).collect();
        let nice = |out: &Out| match slot_of(&out.value) {
            Some(slot) if !out.named => self.columns[slot].name.clone(),
            _ => out.name.clone(),
        };
        let nice: Vec<String> = kept.iter().map(|out| nice(out)).collect();
        let names: Vec<(&str, &str)> =
            kept.iter().zip(&nice).map(|(out, nice)| (own_name_of(out, target), nice.as_str())).collect();
        let names = final_names(target, &names);
        let item = |(out, name): (&&Out, String)| Item {
            value: out.value.clone(),
            name: Some(name),
            text: if *target == Target::Result { out.text.clone() } else { String::new() },
        };
        let mut items: Vec<Item> = kept.iter().zip(names).map(item).collect();
        // Values that the enclosing query computes need their columns.
        let left_out: BTreeSet<Slot> = outputs
            .iter()
            .filter(|out| target.leaves_out() && slot_of(&out.value).is_none())
            .flat_map(|out| used_slots(&out.value))
            .collect();
        let there: BTreeSet<Slot> = items.iter().filter_map(|item| slot_of(&item.value)).collect();
        items.extend(pass_through_items(left_out.difference(&there).copied()));
        items
    }

    /// Returns a branch that reads a source directly, if no step is needed.
    pub fn unchanged_branch(&self, source: &Source, outputs: &[Out], last: bool, target: &Target) -> Option<Branch> {
        if !last || !source.filters.is_empty() {
            return None;
        }
        let columns: Vec<BranchColumn> =
            outputs.iter().map(|out| self.branch_column(out, &source.stage)).collect::<Outcome<_>>().ok()?;
        let constants = columns.iter().any(|column| column.value.is_some());
        let as_it_is = match target {
            Target::Operand | Target::Arm => true,
            Target::Rows => !constants,
            // The last step may already be the result.
            Target::Result => {
                let last = self.steps.last().filter(|step| Read::Step(step.name.clone()) == source.stage.read);
                let same = last.map(|step| step.columns.iter().map(|c| (&c.name, &c.name)));
                let mine = || columns.iter().map(|column| (&column.shown, &column.column));
                !constants && same.is_some_and(|same| same.eq(mine()))
            }
            Target::View(..) => false,
        };
        as_it_is.then(|| Branch { read: source.stage.read.clone(), outputs: columns })
    }

    /// Returns the result of a plan as a branch for other parts.
    pub fn branch_of(&self, stage: Stage, outputs: &[Out], target: &Target) -> Outcome<Branch> {
        let columns = self.steps.last().map_or(&[][..], |step| &step.columns);
        let mut written = columns.iter();
        let mut branch = Vec::with_capacity(outputs.len());
        for out in outputs {
            let slot = slot_of(&out.value);
            branch.push(if target.leaves_out() && slot.is_none() {
                self.branch_column(out, &stage)?
            } else {
                BranchColumn {
                    name: out.name.clone(),
                    shown: out.shown.clone(),
                    column: written.next().map(|column| column.name.clone()).unwrap_or_default(),
                    value: None,
                    said: None,
                    origin: slot.and_then(|slot| self.columns[slot].origin.clone()),
                }
            });
        }
        Ok(Branch { read: stage.read, outputs: branch })
    }

    /// Returns a column of a result that is read from a stage.
    fn branch_column(&self, out: &Out, stage: &Stage) -> Outcome<BranchColumn> {
        let slot = slot_of(&out.value);
        let column = slot.and_then(|slot| stage.names.get(&slot)).cloned();
        let value = if column.is_none() { Some(self.render_copy(&out.value, &[stage], false)?) } else { None };
        let constant = matches!(out.value, Expr::Value(_));
        let said = value.is_some() && !constant;
        let name = |expr: &Expr| slot_of(expr).map(|slot| self.columns[slot].name.clone());
        let nice = if out.named {
            out.name.clone()
        } else {
            fold_identifier(&computed_column_name(&out.value, &name), self.dialect)
        };
        Ok(BranchColumn {
            name: out.name.clone(),
            shown: out.shown.clone(),
            column: column.unwrap_or_default(),
            value,
            said: said.then(|| Output { name: nice, value: self.shown_expression(&out.value) }),
            origin: slot.and_then(|slot| self.columns[slot].origin.clone()),
        })
    }
}

/// Returns the name of a column in a query's last step.
fn own_name_of<'o>(out: &'o Out, target: &Target) -> &'o str {
    if *target == Target::Result { &out.shown } else { &out.name }
}
