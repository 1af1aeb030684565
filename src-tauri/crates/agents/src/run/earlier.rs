//! The earlier run that a run continues: the user's changes to it, and the results that are reused.

use crate::run::nodes;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use vitrine_domain::{
    Agent, AppError, EgressPolicy, ErrorCode, EventBody, NodeId, RewrittenQuestion, RunChange, RunEvent, StageKind,
    Steered, Usage,
};
use vitrine_words::tr;

/// An earlier run with the user's changes to it.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Changes of the user, and the run that they apply to.
    pub steered: Steered,
    /// Log of the run, shared because it may be large.
    events: Arc<[EventBody]>,
}

/// A stage of the earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierStage {
    /// Id of the stage's node in the graph.
    pub node: NodeId,
    /// Kind of work that the stage does.
    pub kind: StageKind,
    /// Title of the stage for the user.
    pub title: String,
    /// Nodes whose outputs the stage reads.
    pub inputs: Vec<NodeId>,
}

impl Earlier {
    /// Continues the run with these events. Each change replaces a result of the earlier run; tables that it omitted remain omitted unless
    /// they are added again. A run that ended without an answer can continue without a change: its finished stages are kept.
    ///
    /// # Errors
    /// Fails if a change does not apply to that run.
    pub fn new(run_id: &str, events: &[RunEvent], changes: Vec<RunChange>) -> Result<Self, AppError> {
        let events: Arc<[EventBody]> = events.iter().map(|event| event.body.clone()).collect();
        let mut without = match events.first() {
            Some(EventBody::RunStarted { steered: Some(steered), .. }) => steered.without.clone(),
            _ => Vec::new(),
        };
        for change in &changes {
            let RunChange::Tables { added, dropped } = change else { continue };
            without.extend(dropped.iter().cloned());
            without.retain(|name| !added.iter().any(|back| back.eq_ignore_ascii_case(name)));
        }
        if changes.iter().any(|change| matches!(change, RunChange::Sql { .. })) {
            // The user's query may use any table, so omitted tables do not restrict it.
            without.clear();
        }
        let earlier = Self { steered: Steered { from: run_id.to_owned(), changes, without }, events };
        earlier.check_changes()?;
        Ok(earlier)
    }

    /// Returns the run without changes.
    pub(super) fn without_changes(run_id: &str, events: &[RunEvent]) -> Self {
        let steered = Steered { from: run_id.to_owned(), changes: Vec::new(), without: Vec::new() };
        Self { steered, events: events.iter().map(|event| event.body.clone()).collect() }
    }

    /// Returns the same run with a single change, which is not checked.
    pub(super) fn with_change(&self, change: RunChange) -> Self {
        let steered = Steered { changes: vec![change], ..self.steered.clone() };
        Self { steered, events: Arc::clone(&self.events) }
    }

    /// Returns the question of the earlier run.
    pub fn question(&self) -> &str {
        match self.events.first() {
            Some(EventBody::RunStarted { question, .. }) => question,
            _ => "",
        }
    }

    /// Returns the reason why no change of this kind applies to this run, regardless of its content.
    pub fn refusal_reason(&self, change: &RunChange) -> Option<String> {
        match change {
            RunChange::Tables { .. } => None,
            other => self.why_not(other),
        }
    }

    fn check_changes(&self) -> Result<(), AppError> {
        let unfit = |what: String| {
            AppError::new(ErrorCode::Usage, what).with_hint(tr!("Inspect the run's steps, or ask again"))
        };
        if self.steered.changes.is_empty() && self.has_answer() {
            return Err(unfit(tr!("Nothing was changed")));
        }
        let changes = &self.steered.changes;
        if let Some(why) = changes.iter().find_map(|change| self.why_not(change)) {
            return Err(unfit(why));
        }
        let has = |is: fn(&RunChange) -> bool| changes.iter().any(is);
        if changes.len() > 1 && has(|change| matches!(change, RunChange::Sql { .. } | RunChange::Reading { .. })) {
            return Err(unfit(tr!("When SQL is set, nothing else can be set: nothing else would have an effect")));
        }
        let before = |change: &RunChange| matches!(change, RunChange::Question { .. } | RunChange::Rewritten { .. });
        if has(before) && has(|change| matches!(change, RunChange::View { .. })) {
            return Err(unfit(tr!(
                "A view cannot be set together with the question, because views are rewritten for it"
            )));
        }
        if has(|change| matches!(change, RunChange::Question { .. })) && changes.iter().any(made_of_question) {
            return Err(unfit(tr!(
                "Results of the question cannot be set together with it, because they are recomputed"
            )));
        }
        Ok(())
    }

    /// Returns the reason why a change does not apply to this run.
    fn why_not(&self, change: &RunChange) -> Option<String> {
        match change {
            RunChange::Question { text } if text.trim().is_empty() => Some(tr!("The question is empty")),
            RunChange::Sql { sql } if sql.trim().is_empty() => Some(tr!("The SQL is empty")),
            RunChange::Tables { added, dropped } if added.is_empty() && dropped.is_empty() => {
                Some(tr!("No table or column was added or removed"))
            }
            RunChange::Tables { added, dropped } => {
                let added_back = |name: &String| self.was_without().iter().any(|gone| gone.eq_ignore_ascii_case(name));
                let nothing_to_add = !self.has_selection() && dropped.is_empty() && !added.iter().any(added_back);
                nothing_to_add.then(|| tr!("No table can be added: the model saw every table in this run"))
            }
            RunChange::Rewritten { .. } if self.rewritten_question().is_none() => {
                Some(tr!("The rewritten question cannot be edited: this run has none"))
            }
            RunChange::Plan { .. } if self.plan().is_none() => {
                Some(tr!("The plan cannot be edited: this run has none"))
            }
            RunChange::View { name, .. } if self.chunk_of(name).is_none() => {
                Some(tr!("The view {name} cannot be edited: this run has no view with this name", name))
            }
            RunChange::Reading { candidate }
                if !self.offered_readings().iter().any(|one| one.candidate == *candidate) =>
            {
                Some(tr!("This run offered no such interpretation of the question"))
            }
            RunChange::Sql { .. } | RunChange::Reading { .. } if self.is_analysis() => {
                Some(tr!("The SQL cannot be edited: Python code gave the answer. Edit the code"))
            }
            RunChange::Sql { .. } | RunChange::Reading { .. } if self.sql_stage().is_none() => {
                Some(tr!("The SQL cannot be edited: the run ended before writing it"))
            }
            _ => None,
        }
    }

    /// Returns the events of the run.
    pub fn events(&self) -> &[EventBody] {
        &self.events
    }

    fn was_without(&self) -> &[String] {
        match self.events.first() {
            Some(EventBody::RunStarted { steered: Some(steered), .. }) => &steered.without,
            _ => &[],
        }
    }

    /// Returns the stages without duplicates, in the order in which they began.
    pub fn stages(&self) -> Vec<EarlierStage> {
        let mut stages: Vec<EarlierStage> = Vec::new();
        for event in self.events.iter() {
            let EventBody::StageStarted { node, kind, title, inputs } = event else { continue };
            if !stages.iter().any(|known| known.node == *node) {
                let (node, title) = (node.clone(), title.clone());
                stages.push(EarlierStage { node, kind: *kind, title, inputs: inputs.clone() });
            }
        }
        stages
    }

    /// Returns the stages that are kept: those whose results do not depend on a change. The schema is read again, which needs no model
    /// call, unless only the SQL was changed.
    pub fn kept_stages(&self) -> Vec<EarlierStage> {
        let stages = self.stages();
        if self.edited_sql().is_some() {
            let Some(last) = self.sql_stage() else { return Vec::new() };
            let mut above: HashSet<NodeId> = HashSet::new();
            let mut open = last.inputs;
            while let Some(node) = open.pop() {
                if above.insert(node.clone()) {
                    open.extend(stages.iter().filter(|stage| stage.node == node).flat_map(|s| s.inputs.clone()));
                }
            }
            // The nodes for value linking and the schema are not among the inputs of later nodes.
            let beside = |stage: &EarlierStage| &stage.node == nodes::GROUNDING || &stage.node == nodes::SCHEMA;
            let is_kept = |stage: &EarlierStage| above.contains(&stage.node) || beside(stage);
            return stages.into_iter().filter(|stage| is_kept(stage) && self.is_finished(&stage.node)).collect();
        }
        stages.into_iter().filter(|stage| self.keeps_stage(stage) && self.is_finished(&stage.node)).collect()
    }

    fn is_finished(&self, of: &NodeId) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::StageFinished { node, .. } if node == of))
    }

    fn keeps_stage(&self, stage: &EarlierStage) -> bool {
        let first = self.first_changed_rank();
        // The method `auto` writes its first queries before it builds views, so they do not depend on views.
        let before_views = &stage.node == nodes::GENERATOR && self.wrote_before_views() && first > Rank::Question;
        let is_changed = stage.kind == StageKind::Chunk
            && self.views_of(&stage.node).iter().any(|name| self.edited_view_sql(name).is_some());
        before_views || (stage_rank(stage.kind).is_some_and(|rank| rank < first) && !is_changed)
    }

    /// Returns true if the result of a node is reused.
    pub fn keeps_node(&self, node: &NodeId) -> bool {
        self.kept_stages().iter().any(|stage| &stage.node == node)
    }

    /// Returns the rank of the first change in the order of the stages; without a change, the rank of the first unfinished stage. Views
    /// count only after they are united: before that, the log does not contain their final number.
    fn first_changed_rank(&self) -> Rank {
        let of = |change: &RunChange| match change {
            RunChange::Question { .. } => Rank::Question,
            RunChange::Tables { .. } if !self.has_selection() => Rank::Question,
            RunChange::Rewritten { .. } => Rank::Rewritten,
            RunChange::View { .. } => Rank::Selection,
            RunChange::Tables { .. } => Rank::Selection,
            RunChange::Plan { .. } => Rank::Plan,
            RunChange::Sql { .. } | RunChange::Reading { .. } => Rank::Sql,
        };
        let open = if self.has_selection() { Rank::Sql } else { Rank::Chunk };
        self.steered.changes.iter().map(of).min().unwrap_or(open)
    }

    /// Returns true if views are built regardless of the first queries: a change affects views, selection or plan, or the continued run had
    /// already reached the views.
    pub fn builds_views(&self) -> bool {
        match self.steered.changes.is_empty() {
            true => self.keeps_node(nodes::GENERATOR),
            false => self.first_changed_rank() > Rank::Question && self.first_changed_rank() < Rank::Sql,
        }
    }

    /// Returns true if the question is unchanged.
    pub fn asks_the_same(&self) -> bool {
        !self.steered.changes.iter().any(|change| matches!(change, RunChange::Question { .. }))
    }

    /// Returns the egress policy of the earlier run.
    pub fn egress_policy(&self) -> Option<&EgressPolicy> {
        match self.events.first() {
            Some(EventBody::RunStarted { egress, .. }) => egress.as_ref(),
            _ => None,
        }
    }

    /// Returns true if this method wrote queries before it built views; these queries vote together with the queries from the views.
    pub fn wrote_before_views(&self) -> bool {
        let stages = self.stages();
        let place = |node: &NodeId| stages.iter().position(|stage| &stage.node == node);
        matches!((place(nodes::GENERATOR), place(nodes::REWRITER)), (Some(first), Some(views)) if first < views)
    }

    /// Returns the stage that produced the final SQL.
    pub fn sql_stage(&self) -> Option<EarlierStage> {
        let stages = self.stages();
        let writes = |stage: &&EarlierStage| matches!(stage.kind, StageKind::Generator | StageKind::Step);
        let last = stages.iter().rev().find(writes);
        last.or_else(|| stages.iter().rev().find(|stage| stage.kind == StageKind::Choice)).cloned()
    }

    /// Iterates over the events of a node that contain its results, without calls, queries and choices of the user.
    pub fn node_events(&self, node: &NodeId) -> impl Iterator<Item = &EventBody> {
        let says = |body: &&EventBody| {
            !matches!(
                body,
                EventBody::ModelCallStarted { .. }
                    | EventBody::ModelCallProgress { .. }
                    | EventBody::RequestSent { .. }
                    | EventBody::ModelCallFinished { .. }
                    | EventBody::QueryExecuted { .. }
                    | EventBody::ApprovalAsked { .. }
                    | EventBody::ApprovalDecided { .. }
                    | EventBody::StageKept { .. }
            )
        };
        let node = node.to_owned();
        self.events.iter().filter(move |body| body.node_id() == Some(&node)).filter(says)
    }

    /// Returns the first reply of each of an agent's calls at a node, in order.
    pub fn agent_replies(&self, of: &NodeId, by: Agent) -> Vec<&str> {
        let mut all = Vec::new();
        for body in self.events.iter() {
            if let EventBody::ModelCallFinished { node, agent, replies, error: None, .. } = body
                && (node, *agent) == (of, by)
            {
                all.extend(replies.first().map(String::as_str));
            }
        }
        all
    }

    /// Returns the rewritten question of the earlier run.
    pub fn rewritten_question(&self) -> Option<&RewrittenQuestion> {
        self.events.iter().rev().find_map(|body| match body {
            EventBody::Rewritten { rewritten, .. } => Some(rewritten),
            _ => None,
        })
    }

    /// Returns the plan of the earlier run.
    pub fn plan(&self) -> Option<&str> {
        self.events.iter().rev().find_map(|body| match body {
            EventBody::Planned { plan, .. } => Some(plan.as_str()),
            _ => None,
        })
    }

    /// Returns the SQL of the earlier run: of the answer, else of the last attempt.
    pub fn sql_as_it_was(&self) -> Option<&str> {
        let answer = self.events.iter().rev().find_map(|body| match body {
            EventBody::ResultReady { sql, .. } => Some(sql.as_str()),
            _ => None,
        });
        answer.or_else(|| {
            self.events.iter().rev().find_map(|body| match body {
                EventBody::SqlAttempted { sql, .. } => Some(sql.as_str()),
                _ => None,
            })
        })
    }

    /// Returns the queries that ran at a node, one per candidate, each in its final form.
    pub fn candidate_queries(&self, of: &NodeId) -> Vec<&str> {
        let mut ran: BTreeMap<u32, &str> = BTreeMap::new();
        for body in self.events.iter() {
            if let EventBody::SqlAttempted { node, candidate, sql, error: None, .. } = body
                && node == of
            {
                ran.insert(*candidate, sql);
            }
        }
        ran.into_values().collect()
    }

    /// Returns true if views and selections were united.
    pub fn has_selection(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::Aggregated { .. }))
    }

    fn has_answer(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::ResultReady { .. }))
    }

    fn is_analysis(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::ResultReady { code: Some(_), .. }))
    }

    /// Returns the names of the views that a node kept.
    pub fn views_of(&self, of: &NodeId) -> Vec<&str> {
        let kept = self.events.iter().rev().find_map(|body| match body {
            EventBody::ChunkFinished { node, kept_views, .. } if node == of => Some(kept_views),
            _ => None,
        });
        kept.map(|names| names.iter().map(String::as_str).collect()).unwrap_or_default()
    }

    /// Returns the views that a node kept, with their queries.
    pub fn kept_views(&self, node: &NodeId) -> Vec<RunChange> {
        let names = self.views_of(node);
        let mut found: BTreeMap<usize, RunChange> = BTreeMap::new();
        for body in self.node_events(node) {
            let EventBody::ViewsAttempted { views, .. } = body else { continue };
            for view in views {
                if let Some(place) = names.iter().position(|name| *name == view.name) {
                    found.insert(place, RunChange::View { name: view.name.clone(), sql: view.sql.clone() });
                }
            }
        }
        found.into_values().collect()
    }

    /// Returns the node that kept a view.
    pub fn chunk_of(&self, name: &str) -> Option<NodeId> {
        let has = |stage: &&EarlierStage| {
            stage.kind == StageKind::Chunk && self.views_of(&stage.node).iter().any(|n| n.eq_ignore_ascii_case(name))
        };
        self.stages().iter().find(has).map(|stage| stage.node.clone())
    }

    /// Returns the rewritten question that the user set.
    pub fn set_rewritten(&self) -> Option<&RewrittenQuestion> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Rewritten { rewritten } => Some(rewritten),
            _ => None,
        })
    }

    /// Returns the plan that the user set.
    pub fn set_plan(&self) -> Option<&str> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Plan { text } => Some(text.trim()),
            _ => None,
        })
    }

    /// Returns the query that the user set for a view.
    pub fn edited_view_sql(&self, of: &str) -> Option<&str> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::View { name, sql } if name.eq_ignore_ascii_case(of) => Some(sql.as_str()),
            _ => None,
        })
    }

    /// Returns the SQL that the user set, directly or by choosing an interpretation.
    pub fn edited_sql(&self) -> Option<&str> {
        let own = self.steered.changes.iter().find_map(|change| match change {
            RunChange::Sql { sql } => Some(sql.as_str()),
            _ => None,
        });
        own.or_else(|| self.chosen_reading().map(|reading| reading.sql.as_str()))
    }

    /// Returns the tables and columns that the user added to the selection.
    pub fn added_names(&self) -> Vec<&str> {
        let mut all = Vec::new();
        for change in &self.steered.changes {
            if let RunChange::Tables { added, .. } = change {
                all.extend(added.iter().map(String::as_str));
            }
        }
        all
    }

    /// Returns the usage of nodes in the earlier run.
    pub fn node_usage(&self, nodes: &HashSet<NodeId>) -> Usage {
        let mut took = Usage::default();
        for body in self.events.iter() {
            match body {
                EventBody::ModelCallFinished { node, usage, .. } if nodes.contains(node) => took += *usage,
                EventBody::QueryExecuted { node, ms, .. } if nodes.contains(node) => {
                    took += Usage { db_calls: 1, wall_ms: u64::from(*ms), ..Usage::default() };
                }
                _ => {}
            }
        }
        took
    }
}

/// Ranks of changes in the order of the stages of AV-SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Question,
    Rewritten,
    Chunk,
    Selection,
    Plan,
    Sql,
}

/// Returns the lowest rank of a change that the stage is unaffected by; `None` for stages that always run again.
fn stage_rank(kind: StageKind) -> Option<Rank> {
    match kind {
        StageKind::Grounding => Some(Rank::Question),
        StageKind::Rewriter => Some(Rank::Rewritten),
        StageKind::Chunk => Some(Rank::Chunk),
        StageKind::Selection => Some(Rank::Selection),
        StageKind::Planner => Some(Rank::Plan),
        _ => None,
    }
}

/// Returns true if a stage derives this from the question.
fn made_of_question(change: &RunChange) -> bool {
    matches!(change, RunChange::Rewritten { .. } | RunChange::Plan { .. })
}
