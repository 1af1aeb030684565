//! Generates steps from a plan.

use crate::branch::{Branch, Read, Target};
use crate::chain::Chain;
use crate::from::{Joined, Source, Stage};
use crate::names::same_name;
use crate::plan::{Made, Op, Ordering, Out, Plan};
use crate::render::{Body, Draft, Item, join_conditions, pass_through_items};
use crate::resolve::add_parentheses;
use crate::slots::{Slot, replace_slots, slot_marker, slot_of, used_slots};
use crate::steps::{JoinKind, Limit, NotTakenApart, StepKind};
use crate::{Outcome, unsupported_part};
use sqlparser::ast::Expr;
use std::collections::{BTreeSet, HashMap};
use vitrine_words::tr;

impl Chain<'_> {
    /// Generates the steps of a plan.
    pub fn write_plan(&mut self, plan: Plan, target: &Target) -> Outcome<Branch> {
        let (mut need, needs) = plan.needed_slots();
        let Plan { mut frame, does, outputs } = plan;
        let joins = std::mem::take(&mut frame.joins);
        let last_is_source = joins.is_empty() && does.is_empty();
        let last_is_join = does.is_empty();
        let finals = |chain: &Self| chain.result_items(&outputs, target);

        // For each join of the FROM clause, the columns that it and later ones need.
        let mut join_needs = Vec::with_capacity(joins.len());
        for join in joins.iter().rev() {
            join_needs.push(need.clone());
            need.extend(used_slots(&join.conditions));
        }
        join_needs.reverse();
        let mut stage: Option<Stage> = None;
        let mut sources: Vec<Option<Source>> = frame.sources.into_iter().map(Some).collect();
        if let Some(first) = sources.first_mut().and_then(Option::take) {
            let items = last_is_source.then(|| finals(self));
            if let Some(branch) = self.unchanged_branch(&first, &outputs, last_is_source, target) {
                return Ok(branch);
            }
            stage = Some(self.source_step(first, &need, items, target)?);
        }
        let count = joins.len();
        for (at, (join, need)) in joins.into_iter().zip(join_needs).enumerate() {
            let right = sources.get_mut(join.right).and_then(Option::take);
            let (Some(left), Some(right)) = (stage.take(), right) else {
                return unsupported_part(tr!("a join of nothing"));
            };
            let right_need: BTreeSet<Slot> = need.union(&used_slots(&join.conditions)).copied().collect();
            let right = self.source_step(right, &right_need, None, target)?;
            let items = (last_is_join && at + 1 == count).then(|| finals(self));
            stage = Some(self.join_step(join, &left, &right, &need, items, target)?);
        }
        let count = does.len();
        for (at, (op, need)) in does.into_iter().zip(needs).enumerate() {
            let items = (at + 1 == count).then(|| finals(self));
            stage = Some(self.op_step(op, stage.as_ref(), &need, items, &outputs, target)?);
        }
        let Some(stage) = stage else {
            // The query has only constants.
            let items = finals(self);
            let kind = StepKind::Project { outputs: self.shown_outputs(&outputs) };
            let draft = Draft { kind, what: "columns".into(), body: Body::default(), stages: &[], made: &[], items };
            let stage = self.render_step(draft, target, true)?;
            return self.branch_of(stage, &outputs, target);
        };
        self.branch_of(stage, &outputs, target)
    }

    /// Reads the rows of one source; as a step if they are filtered or end the chain.
    fn source_step(
        &mut self,
        source: Source,
        need: &BTreeSet<Slot>,
        items: Option<Vec<Item>>,
        target: &Target,
    ) -> Outcome<Stage> {
        if source.filters.is_empty() && items.is_none() {
            return Ok(source.stage);
        }
        let last = items.is_some();
        let filters = source.filters.iter().map(|filter| self.shown_expression(filter)).collect();
        let (kind, what) = match &source.stage.read {
            Read::Table { table, .. } => {
                let what = table.name.clone();
                (StepKind::Table { table: table.to_string(), filters }, what)
            }
            Read::Step(_) if source.filters.is_empty() => {
                (StepKind::Project { outputs: Vec::new() }, "columns".to_owned())
            }
            Read::Step(_) => (StepKind::Filter { conditions: filters }, "filter".to_owned()),
        };
        let items = match items {
            Some(items) if !items.is_empty() => items,
            _ => {
                let mut slots = need.clone();
                slots.extend(used_slots(&source.filters));
                slots.retain(|slot| source.stage.names.contains_key(slot));
                if slots.is_empty() {
                    slots.extend(&source.key);
                }
                if slots.is_empty() {
                    slots.extend(source.columns.first().map(|(_, slot)| *slot));
                }
                pass_through_items(slots)
            }
        };
        let body = Body {
            from: Some(source.stage.read.format_source(self.dialect)),
            conditions: source.filters,
            ..Body::default()
        };
        let draft = Draft { kind, what, body, stages: &[&source.stage], made: &[], items };
        self.render_step(draft, target, last)
    }

    fn join_step(
        &mut self,
        join: Joined,
        left: &Stage,
        right: &Stage,
        need: &BTreeSet<Slot>,
        items: Option<Vec<Item>>,
        target: &Target,
    ) -> Outcome<Stage> {
        if same_name(left.read.qualifier(), right.read.qualifier()) {
            return unsupported_part(tr!("two tables of one name"));
        }
        let last = items.is_some();
        let stages = [left, right];
        let conditions = self.rendered_all(&join.conditions, &stages)?;
        let written = match join.kind {
            JoinKind::Inner => "JOIN",
            JoinKind::Left => "LEFT JOIN",
            JoinKind::Right => "RIGHT JOIN",
            JoinKind::Full => "FULL JOIN",
            JoinKind::Cross => "CROSS JOIN",
        };
        let mut from =
            format!("{} {written} {}", left.read.format_source(self.dialect), right.read.format_source(self.dialect));
        let condition = join_conditions(&conditions);
        if let Some(condition) = &condition {
            from.push_str(&format!(" ON {condition}"));
        } else if !matches!(join.kind, JoinKind::Cross) {
            return unsupported_part(tr!("an outer join without a condition"));
        }
        let shown = join_conditions(&join.conditions).map(|condition| self.shown_expression(&condition));
        let what = match &right.read {
            Read::Table { table, .. } => table.name.clone(),
            Read::Step(name) => without_number(name).to_owned(),
        };
        let kind =
            StepKind::Join { kind: join.kind, left: left.read.name(), right: right.read.name(), condition: shown };
        let items = items.filter(|items| !items.is_empty()).unwrap_or_else(|| {
            let there = |slot: &Slot| left.names.contains_key(slot) || right.names.contains_key(slot);
            let mut slots: BTreeSet<Slot> = need.iter().copied().filter(there).collect();
            if slots.is_empty() {
                slots = used_slots(&join.conditions);
            }
            if slots.is_empty() {
                slots.extend(left.names.keys().min());
            }
            pass_through_items(slots)
        });
        let body = Body { from: Some(from), ..Body::default() };
        let draft = Draft { kind, what: format!("join_{what}"), body, stages: &stages, made: &[], items };
        let reads = self.named_relations(&conditions);
        let stage = self.render_step(draft, target, last)?;
        if let Some(step) = self.steps.last_mut() {
            reads.into_iter().for_each(|name| {
                if !step.reads.contains(&name) {
                    step.reads.push(name)
                }
            });
        }
        Ok(stage)
    }

    fn op_step(
        &mut self,
        op: Op,
        stage: Option<&Stage>,
        need: &BTreeSet<Slot>,
        items: Option<Vec<Item>>,
        outputs: &[Out],
        target: &Target,
    ) -> Outcome<Stage> {
        let last = items.is_some();
        let stages: Vec<&Stage> = stage.into_iter().collect();
        let made: Vec<&Made> = op.computed_columns().collect();
        let mut body = Body { from: stage.map(|stage| stage.read.format_source(self.dialect)), ..Body::default() };
        let mut slots = need.clone();
        let (kind, what) = match &op {
            Op::Filter(conditions) => {
                slots.extend(used_slots(conditions));
                body.conditions.clone_from(conditions);
                let conditions = conditions.iter().map(|condition| self.shown_expression(condition)).collect();
                (StepKind::Filter { conditions }, "filter")
            }
            Op::Having(conditions) => {
                slots.extend(used_slots(conditions));
                body.conditions.clone_from(conditions);
                let conditions = conditions.iter().map(|condition| self.shown_expression(condition)).collect();
                (StepKind::Having { conditions }, "having")
            }
            Op::Group { keys, order, .. } => {
                slots.extend(used_slots(order).into_iter().chain(keys.iter().map(|(slot, _)| *slot)));
                for key in order {
                    let mut key = key.clone();
                    // Computed values have no names here yet.
                    replace_slots(&mut key.expr, |slot, _| {
                        let own = made.iter().find(|(made, _)| *made == slot);
                        Ok::<_, NotTakenApart>(own.map_or_else(|| slot_marker(slot), |(_, expr)| add_parentheses(expr)))
                    })?;
                    self.render_slots(&mut key.expr, &stages, true)?;
                    body.order.push(key.to_string());
                }
                for (_, key) in keys {
                    body.keys.push(self.render_copy(key, &stages, false)?.to_string());
                }
                (self.describe_operation(&op, &HashMap::new()), "group")
            }
            Op::Window { named, .. } => {
                let mut named = named.clone();
                self.render_slots(&mut named, &stages, false)?;
                body.windows = named.iter().map(ToString::to_string).collect();
                (self.describe_operation(&op, &HashMap::new()), "window")
            }
            Op::Project(_) => (self.describe_operation(&op, &HashMap::new()), "columns"),
            Op::Order(order) => {
                let kind = self.add_order(order, &stages, outputs, &mut body)?;
                let what = match kind {
                    StepKind::Distinct => "distinct",
                    StepKind::Limit(_) => "limit",
                    _ => "order",
                };
                (kind, what)
            }
        };
        let items = items.filter(|items| !items.is_empty()).unwrap_or_else(|| {
            if slots.is_empty() {
                slots.extend(op.computed_columns().map(|(slot, _)| *slot).chain(op.used_slots()).next());
            }
            // Columns of the result come first in the step that computes them.
            let first = matches!(op, Op::Project(_));
            let mut ordered: Vec<Slot> = Vec::new();
            for slot in
                outputs.iter().filter(|_| first).filter_map(|out| slot_of(&out.value)).chain(slots.iter().copied())
            {
                if slots.contains(&slot) && !ordered.contains(&slot) {
                    ordered.push(slot);
                }
            }
            pass_through_items(ordered)
        });
        let draft = Draft { kind, what: what.to_owned(), body, stages: &stages, made: &made, items };
        let written = self.render_step(draft, target, last)?;
        // The final names are known only now.
        if matches!(op, Op::Group { .. } | Op::Window { .. } | Op::Project(_)) {
            let kind = self.describe_operation(&op, &written.names);
            self.steps.last_mut().into_iter().for_each(|step| step.kind = kind.clone());
        }
        Ok(written)
    }

    fn add_order(&self, order: &Ordering, stages: &[&Stage], outputs: &[Out], body: &mut Body) -> Outcome<StepKind> {
        // An unqualified name would refer to a column of the result first.
        let names: Vec<&str> = outputs.iter().map(|out| out.name.as_str()).collect();
        let clear = |expr: &Expr| {
            let mut found =
                used_slots(expr).into_iter().filter_map(|slot| stages.iter().find_map(|s| s.names.get(&slot)));
            !found.any(|name| names.iter().any(|other| same_name(other, name)))
        };
        for key in &order.keys {
            let own = outputs.iter().filter(|out| out.value == key.expr).count() == 1;
            let plain = own
                && slot_of(&key.expr).is_some_and(|slot| {
                    let column = stages.iter().find_map(|stage| stage.names.get(&slot));
                    outputs
                        .iter()
                        .filter(|out| column.is_some_and(|column| same_name(column, &out.name)))
                        .all(|out| out.value == key.expr)
                });
            let mut key = key.clone();
            key.expr = self.render_copy(&key.expr, stages, !plain && !clear(&key.expr))?;
            body.order.push(key.to_string());
        }
        body.limit.clone_from(&order.limit);
        if order.distinct {
            body.distinct = Some("DISTINCT ".to_owned());
        }
        if !order.on.is_empty() {
            let on: Vec<String> = order
                .on
                .iter()
                .map(|key| Ok(self.render_copy(key, stages, !clear(key))?.to_string()))
                .collect::<Outcome<_>>()?;
            body.distinct = Some(format!("DISTINCT ON ({}) ", on.join(", ")));
        }
        let limit = order.limit.is_some().then(|| Limit { count: order.count.clone(), offset: order.offset.clone() });
        let keys = self.order_keys(&order.keys);
        let distinct = order.distinct || !order.on.is_empty();
        Ok(match limit {
            Some(limit) if keys.is_empty() && !distinct => StepKind::Limit(limit),
            None if keys.is_empty() => StepKind::Distinct,
            limit => StepKind::Order { keys, limit, distinct },
        })
    }
}

/// Returns the name of a step without its number: `orders` of `s2_orders`. A view keeps its name.
fn without_number(name: &str) -> &str {
    let digits = |c: char| c.is_ascii_digit();
    let numbered = name.strip_prefix(['s', 'S']).filter(|rest| rest.starts_with(digits));
    numbered.and_then(|rest| rest.trim_start_matches(digits).strip_prefix('_')).unwrap_or(name)
}
