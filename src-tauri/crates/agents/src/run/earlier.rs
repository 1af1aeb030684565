//! The earlier run that a run goes on from: what the user set in it, and which of its results are taken.

use crate::run::nodes;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use vitrine_domain::{
    Agent, AppError, EgressPolicy, ErrorCode, EventBody, RewrittenQuestion, RunChange, RunEvent, StageKind, Steered,
    Usage,
};
use vitrine_words::tr;

/// An earlier run with what was set in it.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// What was set.
    pub steered: Steered,
    /// Its log, which may be large: one copy for whatever may be set in it.
    events: Arc<[EventBody]>,
}

/// A stage of the earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierStage {
    /// Its node.
    pub node: String,
    /// What it does.
    pub kind: StageKind,
    /// For people.
    pub title: String,
    /// Nodes whose outputs it read.
    pub inputs: Vec<String>,
}

impl Earlier {
    /// Goes on from the run with these events. Each change replaces what the earlier run said; tables that it went without
    /// stay out unless they are added again. A run that ended without an answer goes on without a change, too: what it had
    /// finished is kept.
    ///
    /// # Errors
    /// When a change has no place in that run.
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
            // The user's query names what it names.
            without.clear();
        }
        let earlier = Self { steered: Steered { from: run_id.to_owned(), changes, without }, events };
        earlier.check_changes()?;
        Ok(earlier)
    }

    /// The run with nothing set in it.
    pub(super) fn without_changes(run_id: &str, events: &[RunEvent]) -> Self {
        let steered = Steered { from: run_id.to_owned(), changes: Vec::new(), without: Vec::new() };
        Self { steered, events: events.iter().map(|event| event.body.clone()).collect() }
    }

    /// The same run with one thing set, whether or not it has a place there.
    pub(super) fn with_change(&self, change: RunChange) -> Self {
        let steered = Steered { changes: vec![change], ..self.steered.clone() };
        Self { steered, events: Arc::clone(&self.events) }
    }

    /// Its question.
    pub fn question(&self) -> &str {
        match self.events.first() {
            Some(EventBody::RunStarted { question, .. }) => question,
            _ => "",
        }
    }

    /// Why a change of this kind has no place in this run, whatever it says.
    pub fn refusal_reason(&self, change: &RunChange) -> Option<String> {
        match change {
            RunChange::Tables { .. } => None,
            other => self.why_not(other),
        }
    }

    fn check_changes(&self) -> Result<(), AppError> {
        let unfit = |what: String| {
            AppError::new(ErrorCode::Usage, what).with_hint(tr!("Look at the run's steps, or ask again"))
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
            return Err(unfit(tr!("The SQL is set alone: nothing else has an effect on it")));
        }
        let before = |change: &RunChange| matches!(change, RunChange::Question { .. } | RunChange::Rewritten { .. });
        if has(before) && has(|change| matches!(change, RunChange::View { .. })) {
            return Err(unfit(tr!("A view is not set together with the question, since views are written anew")));
        }
        if has(|change| matches!(change, RunChange::Question { .. })) && changes.iter().any(made_of_question) {
            return Err(unfit(tr!("What is made of the question is not set together with it, since it is made anew")));
        }
        Ok(())
    }

    /// Why a change has no place in this run.
    fn why_not(&self, change: &RunChange) -> Option<String> {
        match change {
            RunChange::Question { text } if text.trim().is_empty() => Some(tr!("The question is empty")),
            RunChange::Sql { sql } if sql.trim().is_empty() => Some(tr!("The SQL is empty")),
            RunChange::Tables { added, dropped } if added.is_empty() && dropped.is_empty() => {
                Some(tr!("No table or column is added or left out"))
            }
            RunChange::Tables { added, dropped } => {
                let added_back = |name: &String| self.was_without().iter().any(|gone| gone.eq_ignore_ascii_case(name));
                let nothing_to_add = !self.has_selection() && dropped.is_empty() && !added.iter().any(added_back);
                nothing_to_add
                    .then(|| tr!("A table cannot be added here, because this run showed the model every table"))
            }
            RunChange::Rewritten { .. } if self.rewritten_question().is_none() => {
                Some(tr!("The rewritten question cannot be changed here, because this run has none"))
            }
            RunChange::Plan { .. } if self.plan().is_none() => {
                Some(tr!("The plan cannot be changed here, because this run has none"))
            }
            RunChange::View { name, .. } if self.chunk_of(name).is_none() => {
                Some(tr!("The view {name} cannot be changed here, because this run kept no view of that name", name))
            }
            RunChange::Reading { candidate }
                if !self.offered_readings().iter().any(|one| one.candidate == *candidate) =>
            {
                Some(tr!("This run offered no such reading of the question"))
            }
            RunChange::Sql { .. } | RunChange::Reading { .. } if self.is_analysis() => {
                Some(tr!("The SQL cannot be changed here, because code gave the answer: change the code"))
            }
            RunChange::Sql { .. } | RunChange::Reading { .. } if self.sql_stage().is_none() => {
                Some(tr!("The SQL cannot be changed here, because the run did not come so far"))
            }
            _ => None,
        }
    }

    /// The events of the run.
    pub fn events(&self) -> &[EventBody] {
        &self.events
    }

    fn was_without(&self) -> &[String] {
        match self.events.first() {
            Some(EventBody::RunStarted { steered: Some(steered), .. }) => &steered.without,
            _ => &[],
        }
    }

    /// Its stages, each once, in the order in which they began.
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

    /// The stages that are kept: those whose results do not depend on what was set. Without calls of a model the schema is
    /// read again, unless only the SQL was set.
    pub fn kept_stages(&self) -> Vec<EarlierStage> {
        let stages = self.stages();
        if self.edited_sql().is_some() {
            let Some(last) = self.sql_stage() else { return Vec::new() };
            let mut above: HashSet<String> = HashSet::new();
            let mut open = last.inputs;
            while let Some(node) = open.pop() {
                if above.insert(node.clone()) {
                    open.extend(stages.iter().filter(|stage| stage.node == node).flat_map(|s| s.inputs.clone()));
                }
            }
            // What looked values up stands beside the line of a method's inputs.
            let beside = |stage: &EarlierStage| stage.node == nodes::GROUNDING || stage.node == nodes::SCHEMA;
            let is_kept = |stage: &EarlierStage| above.contains(&stage.node) || beside(stage);
            return stages.into_iter().filter(|stage| is_kept(stage) && self.is_finished(&stage.node)).collect();
        }
        stages.into_iter().filter(|stage| self.keeps_stage(stage) && self.is_finished(&stage.node)).collect()
    }

    fn is_finished(&self, of: &str) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::StageFinished { node, .. } if node == of))
    }

    fn keeps_stage(&self, stage: &EarlierStage) -> bool {
        let first = self.first_changed_rank();
        // Auto writes its first queries before there are views: they depend on none.
        let before_views = stage.node == nodes::GENERATOR && self.wrote_before_views() && first > Rank::Question;
        let is_changed = stage.kind == StageKind::Chunk
            && self.views_of(&stage.node).iter().any(|name| self.edited_view_sql(name).is_some());
        before_views || (stage_rank(stage.kind).is_some_and(|rank| rank < first) && !is_changed)
    }

    /// Whether the result of a node is taken as it was.
    pub fn keeps_node(&self, node: &str) -> bool {
        self.kept_stages().iter().any(|stage| stage.node == node)
    }

    /// What was set first, in the order of the stages; where nothing was, what the run had not come to. Views count when they are
    /// united: before that, the log does not tell how many were to come.
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

    /// Whether views are built, whatever the first queries give: something was set that views, selection or plan are made
    /// of, or the run that goes on had come to them.
    pub fn builds_views(&self) -> bool {
        match self.steered.changes.is_empty() {
            true => self.keeps_node(nodes::GENERATOR),
            false => self.first_changed_rank() > Rank::Question && self.first_changed_rank() < Rank::Sql,
        }
    }

    /// Whether the question is the earlier run's.
    pub fn asks_the_same(&self) -> bool {
        !self.steered.changes.iter().any(|change| matches!(change, RunChange::Question { .. }))
    }

    /// What its models could be told.
    pub fn egress_policy(&self) -> Option<&EgressPolicy> {
        match self.events.first() {
            Some(EventBody::RunStarted { egress, .. }) => egress.as_ref(),
            _ => None,
        }
    }

    /// Whether this method wrote queries before it built views: they vote with those that are written from the views.
    pub fn wrote_before_views(&self) -> bool {
        let stages = self.stages();
        let place = |node: &str| stages.iter().position(|stage| stage.node == node);
        matches!((place(nodes::GENERATOR), place(nodes::REWRITER)), (Some(first), Some(views)) if first < views)
    }

    /// The stage that gave the final SQL.
    pub fn sql_stage(&self) -> Option<EarlierStage> {
        let stages = self.stages();
        let writes = |stage: &&EarlierStage| matches!(stage.kind, StageKind::Generator | StageKind::Step);
        let last = stages.iter().rev().find(writes);
        last.or_else(|| stages.iter().rev().find(|stage| stage.kind == StageKind::Choice)).cloned()
    }

    /// The events of a node that say what it gave: no calls, no queries, no words of the user.
    pub fn node_events(&self, node: &str) -> impl Iterator<Item = &EventBody> {
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
        self.events.iter().filter(move |body| body.node_id() == Some(node.as_str())).filter(says)
    }

    /// The first replies of an agent's calls at a node, in their order.
    pub fn agent_replies(&self, of: &str, by: Agent) -> Vec<&str> {
        let mut all = Vec::new();
        for body in self.events.iter() {
            if let EventBody::ModelCallFinished { node, agent, replies, error: None, .. } = body
                && (node.as_str(), *agent) == (of, by)
            {
                all.extend(replies.first().map(String::as_str));
            }
        }
        all
    }

    /// The rewritten question as it was.
    pub fn rewritten_question(&self) -> Option<&RewrittenQuestion> {
        self.events.iter().rev().find_map(|body| match body {
            EventBody::Rewritten { rewritten, .. } => Some(rewritten),
            _ => None,
        })
    }

    /// The plan as it was.
    pub fn plan(&self) -> Option<&str> {
        self.events.iter().rev().find_map(|body| match body {
            EventBody::Planned { plan, .. } => Some(plan.as_str()),
            _ => None,
        })
    }

    /// The SQL as it was: of the answer, else of the last query that was tried.
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

    /// The queries that ran at a node, by candidate, each as it ran in the end.
    pub fn candidate_queries(&self, of: &str) -> Vec<&str> {
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

    /// Whether views and selections were united.
    pub fn has_selection(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::Aggregated { .. }))
    }

    fn has_answer(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::ResultReady { .. }))
    }

    fn is_analysis(&self) -> bool {
        self.events.iter().any(|body| matches!(body, EventBody::ResultReady { code: Some(_), .. }))
    }

    /// The names of the views that a node kept.
    pub fn views_of(&self, of: &str) -> Vec<&str> {
        let kept = self.events.iter().rev().find_map(|body| match body {
            EventBody::ChunkFinished { node, kept_views, .. } if node == of => Some(kept_views),
            _ => None,
        });
        kept.map(|names| names.iter().map(String::as_str).collect()).unwrap_or_default()
    }

    /// The views that a node kept, with their queries.
    pub fn kept_views(&self, node: &str) -> Vec<RunChange> {
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

    /// The node that kept a view.
    pub fn chunk_of(&self, name: &str) -> Option<String> {
        let has = |stage: &&EarlierStage| {
            stage.kind == StageKind::Chunk && self.views_of(&stage.node).iter().any(|n| n.eq_ignore_ascii_case(name))
        };
        self.stages().iter().find(has).map(|stage| stage.node.clone())
    }

    /// The rewritten question that was set.
    pub fn set_rewritten(&self) -> Option<&RewrittenQuestion> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Rewritten { rewritten } => Some(rewritten),
            _ => None,
        })
    }

    /// The plan that was set.
    pub fn set_plan(&self) -> Option<&str> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Plan { text } => Some(text.trim()),
            _ => None,
        })
    }

    /// The query of a view that was set.
    pub fn edited_view_sql(&self, of: &str) -> Option<&str> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::View { name, sql } if name.eq_ignore_ascii_case(of) => Some(sql.as_str()),
            _ => None,
        })
    }

    /// The SQL that was set, by itself or with a reading.
    pub fn edited_sql(&self) -> Option<&str> {
        let own = self.steered.changes.iter().find_map(|change| match change {
            RunChange::Sql { sql } => Some(sql.as_str()),
            _ => None,
        });
        own.or_else(|| self.chosen_reading().map(|reading| reading.sql.as_str()))
    }

    /// Tables and columns that were added to the selection.
    pub fn added_names(&self) -> Vec<&str> {
        let mut all = Vec::new();
        for change in &self.steered.changes {
            if let RunChange::Tables { added, .. } = change {
                all.extend(added.iter().map(String::as_str));
            }
        }
        all
    }

    /// What nodes took in the earlier run.
    pub fn node_usage(&self, nodes: &HashSet<String>) -> Usage {
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

/// The places of changes, in the order of the stages of AV-SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Question,
    Rewritten,
    Chunk,
    Selection,
    Plan,
    Sql,
}

/// Before which change a stage stands; `None` for those that always run again.
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

/// Whether a stage makes it of the question.
fn made_of_question(change: &RunChange) -> bool {
    matches!(change, RunChange::Rewritten { .. } | RunChange::Plan { .. })
}
