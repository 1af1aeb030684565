//! Changes that the user can make at the nodes of a run, and the stages that run again after each.

use crate::run::earlier::{Earlier, EarlierStage};
use crate::run::nodes;
use std::collections::HashSet;
use vitrine_domain::{EventBody, NodeId, RunChange, RunEvent, StageKind, SteerEdit, SteerPlace, Usage};
use vitrine_words::{later, translate_constant};

/// Returns every node of a run with its possible changes, or with the reason why there are none.
pub fn list_steer_places(run_id: &str, events: &[RunEvent]) -> Vec<SteerPlace> {
    let earlier = Earlier::without_changes(run_id, events);
    let stages = earlier.stages();
    let mut places = Vec::new();
    for stage in &stages {
        let mut edits = Vec::new();
        let mut why_not = None;
        for change in list_possible_changes(&earlier, &stages, stage) {
            match earlier.refusal_reason(&change) {
                Some(why) => why_not = Some(why),
                None => edits.push(describe_edit(&earlier.with_change(change.clone()), &stages, change)),
            }
        }
        if edits.is_empty() {
            why_not = why_not.or_else(|| Some(translate_constant(no_edit_reason(&earlier, stage)).to_owned()));
        } else {
            why_not = None;
        }
        places.push(SteerPlace { node: stage.node.clone(), edits, why_not });
    }
    places
}

/// Returns the changes that are possible at a stage, with the present values.
fn list_possible_changes(earlier: &Earlier, stages: &[EarlierStage], stage: &EarlierStage) -> Vec<RunChange> {
    let tables = || vec![RunChange::Tables { added: Vec::new(), dropped: Vec::new() }];
    let question = || RunChange::Question { text: earlier.question().to_owned() };
    let sql = || earlier.sql_as_it_was().map(|sql| RunChange::Sql { sql: sql.to_owned() });
    let is_sql = earlier.sql_stage().is_some_and(|last| last.node == stage.node);
    let mut changes = match stage.kind {
        StageKind::Schema if !earlier.has_selection() => tables(),
        StageKind::Selection => tables(),
        StageKind::Grounding => vec![question()],
        StageKind::Rewriter => {
            let rewritten = earlier.rewritten_question().map(|r| RunChange::Rewritten { rewritten: r.clone() });
            rewritten.into_iter().chain([question()]).collect()
        }
        StageKind::Chunk => earlier.kept_views(&stage.node),
        StageKind::Planner => {
            earlier.plan().map(|plan| RunChange::Plan { text: plan.to_owned() }).into_iter().collect()
        }
        StageKind::Result => sql().into_iter().collect(),
        _ => Vec::new(),
    };
    if is_sql {
        changes.extend(sql());
        let asks = |other: &EarlierStage| matches!(other.kind, StageKind::Grounding | StageKind::Rewriter);
        if !stages.iter().any(asks) {
            changes.push(question());
        }
    }
    changes
}

/// Describes a change and the stages that run again after it.
fn describe_edit(earlier: &Earlier, stages: &[EarlierStage], change: RunChange) -> SteerEdit {
    let kept: HashSet<NodeId> = earlier.kept_stages().into_iter().map(|stage| stage.node).collect();
    let is_set = |stage: &EarlierStage| match &change {
        RunChange::Rewritten { .. } => stage.kind == StageKind::Rewriter,
        RunChange::View { name, .. } => earlier.chunk_of(name).as_ref() == Some(&stage.node),
        RunChange::Plan { .. } => stage.kind == StageKind::Planner,
        RunChange::Sql { .. } | RunChange::Reading { .. } => {
            !kept.contains(&stage.node) && stage.kind != StageKind::Result
        }
        RunChange::Question { .. } | RunChange::Tables { .. } => false,
    };
    let again: Vec<&EarlierStage> =
        stages.iter().filter(|stage| !kept.contains(&stage.node) && !is_set(stage)).collect();
    let titles = |of: &mut dyn Iterator<Item = &EarlierStage>| of.map(|stage| stage.title.clone()).collect();
    let took = match &change {
        // Only the query and its explanation run again.
        RunChange::Sql { .. } | RunChange::Reading { .. } => Usage { db_calls: 1, ..Usage::default() },
        _ => earlier.node_usage(&again.iter().map(|stage| stage.node.clone()).collect()),
    };
    SteerEdit {
        again: titles(&mut again.iter().copied()),
        kept: titles(&mut stages.iter().filter(|stage| kept.contains(&stage.node))),
        took,
        change,
    }
}

/// Returns the reason why a stage has no possible changes.
fn no_edit_reason(earlier: &Earlier, stage: &EarlierStage) -> &'static str {
    match stage.kind {
        StageKind::Schema => {
            later!("This step cannot be edited. Remove tables in the step that combines views and selections")
        }
        StageKind::Linking => {
            later!("This selection cannot be edited alone. Remove tables in the step that reads the schema")
        }
        StageKind::Rewriter => later!("This step cannot be edited: it only reads the background information"),
        StageKind::Chunk => later!("This step cannot be edited: it kept no view"),
        StageKind::Planner => later!("This step cannot be edited: the run made no plan"),
        StageKind::Exploration | StageKind::Examples | StageKind::Fetch => {
            later!("This step cannot be edited: the log lacks data that later steps need")
        }
        StageKind::Analysis => later!("Edit the code in the Code tab: it runs over the stored views"),
        StageKind::Choice | StageKind::Revisor => later!("This step cannot be edited. Edit the SQL"),
        StageKind::Result
            if earlier.events().iter().any(|e| matches!(e, EventBody::ResultReady { code: Some(_), .. })) =>
        {
            later!("Edit the code in the Code tab: it gave the answer")
        }
        StageKind::Generator | StageKind::Step if &stage.node == nodes::GENERATOR && earlier.wrote_before_views() => {
            later!("These queries vote together with those written from the views: edit the SQL there")
        }
        StageKind::Generator | StageKind::Step => later!("Only the last step that writes SQL can be edited"),
        _ => later!("This step cannot be edited: the run ended before it"),
    }
}
