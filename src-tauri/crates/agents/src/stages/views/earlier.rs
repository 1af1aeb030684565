//! Views and selection of an earlier run, with the user's changes.

use crate::attempt::views::Views;
use crate::run::context::RunContext;
use crate::run::earlier::{Earlier, EarlierStage};
use crate::run::events::StageError;
use crate::run::{left_out, nodes};
use crate::schema::reply::{SchemaReply, WrittenTable, WrittenView};
use crate::stages::views::check::ViewCheck;
use crate::stages::views::chunk_views::ChunkViews;
use crate::stages::views::consistency::Consistency;
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{
    Agent, AppError, ErrorCode, EventBody, NodeId, RunChange, SchemaSelection, StageKind, ViewAttempt, ViewStatus,
};
use vitrine_sql::Cte;
use vitrine_words::tr;

/// Returns the chunks of the earlier run by their numbers; a chunk is unchanged unless the user set one of its views. `None` if views are
/// written again.
pub async fn replay_chunks(
    context: &RunContext,
    consistency: Consistency,
) -> Option<Vec<(u32, Result<ChunkViews, StageError>)>> {
    let earlier = context.ask.history.earlier.clone()?;
    let stages: Vec<EarlierStage> =
        earlier.stages().into_iter().filter(|stage| stage.kind == StageKind::Chunk).collect();
    let is_set =
        |stage: &EarlierStage| earlier.views_of(&stage.node).iter().any(|name| earlier.edited_view_sql(name).is_some());
    if stages.is_empty() || !stages.iter().all(|stage| earlier.keeps_node(&stage.node) || is_set(stage)) {
        return None;
    }
    let mut all = Vec::new();
    for stage in &stages {
        let (index, found) = read_chunk(context, &earlier, &stage.node, consistency);
        let found = match context.replay_stage(&stage.node) {
            true => Ok(found),
            false => with_views_set(context, &earlier, stage, index, found).await,
        };
        all.push((index, found));
    }
    Some(all)
}

/// Reads the number and the results of a chunk from the events of its node.
fn read_chunk(context: &RunContext, earlier: &Earlier, node: &NodeId, consistency: Consistency) -> (u32, ChunkViews) {
    let (mut index, mut outcome, mut kept, mut names) = (1, ChunkOutcome::Failed, None, Vec::new());
    for body in earlier.node_events(node) {
        if let EventBody::ChunkFinished { chunk, outcome: ended, kept_attempt, kept_views, .. } = body {
            (index, outcome, kept, names) = (*chunk, *ended, *kept_attempt, kept_views.clone());
        }
    }
    let keeps = consistency.keeps_selection(context.model(Agent::ViewGenerator).profile().deliberates);
    let (mut selection, mut views) = (SchemaSelection::default(), Vec::new());
    for body in earlier.node_events(node) {
        let EventBody::ViewsAttempted { attempt, views: tried, selection: selected, consistent, .. } = body else {
            continue;
        };
        if kept.is_some_and(|kept| kept != *attempt) || outcome == ChunkOutcome::Irrelevant {
            continue;
        }
        // If no view ran, the selection still counts, provided that the model reads before it selects.
        if outcome != ChunkOutcome::Failed || (keeps && *consistent) {
            selection = selected.clone();
        }
        views = tried.iter().filter(|view| names.contains(&view.name)).cloned().collect();
    }
    let values = if selection.is_empty() { Vec::new() } else { context.earlier_values(node) };
    (index, ChunkViews { outcome, selection, views, values })
}

/// Runs the views of a chunk again with the queries that the user set.
async fn with_views_set(
    context: &RunContext,
    earlier: &Earlier,
    stage: &EarlierStage,
    index: u32,
    before: ChunkViews,
) -> Result<ChunkViews, StageError> {
    let node = &stage.node;
    let inputs: Vec<&NodeId> = stage.inputs.iter().collect();
    context.begin_stage(node, StageKind::Chunk, stage.title.clone(), &inputs);
    let mut views = Vec::new();
    for view in before.views {
        let set = earlier.edited_view_sql(&view.name);
        if let Some(sql) = set {
            context.record_edit(node, RunChange::View { name: view.name.clone(), sql: sql.to_owned() });
        }
        let sql = set.map_or(view.sql, str::to_owned);
        views.push(WrittenView { name: view.name, rationale: view.rationale, sql });
    }
    let tables = before.selection.tables.into_iter();
    let tables = tables.map(|table| WrittenTable { name: table.name, columns: table.columns }).collect();
    let mut values = before.values;
    let written = SchemaReply { tables, views };
    // The user's views are not returned to the model, so their selection is completed.
    let consistency = Consistency::Complete;
    let check = ViewCheck { context, node, visible: &context.ask.data.catalog, attempt: 0, consistency };
    let checked = check.check_reply(Ok(written), &mut values).await?;
    context.emit(EventBody::ViewsAttempted {
        node: node.to_owned(),
        chunk: index,
        attempt: 0,
        views: checked.views.clone(),
        selection: checked.selection.clone(),
        consistent: checked.consistent,
        completed: checked.completed.clone(),
        feedback: checked.problems.clone(),
    });
    let failed =
        checked.views.iter().find(|v| earlier.edited_view_sql(&v.name).is_some() && v.status == ViewStatus::Error);
    if let Some(ViewAttempt { name, error, .. }) = failed {
        context.finish_stage(node, tr!("{name} does not run", name));
        let error = error.clone().unwrap_or_default();
        return Err(AppError::new(ErrorCode::Query, tr!("Your version of the view {name} does not run", name))
            .with_hint(tr!("Correct it, and run again from there"))
            .with_detail(error)
            .into());
    }
    let (outcome, views) = (checked.outcome(consistency), checked.views_that_run());
    context.emit(EventBody::ChunkFinished {
        node: node.to_owned(),
        chunk: index,
        outcome,
        kept_attempt: Some(0),
        kept_views: views.iter().map(|view| view.name.clone()).collect(),
    });
    context.finish_stage(node, tr!("As you set it"));
    Ok(ChunkViews { outcome, selection: checked.selection, views, values })
}

/// Restores the selection and the views as they were passed on, if the node is kept, because the user may have set them before.
pub fn as_passed_on(context: &RunContext, united: &mut Views) {
    for body in context.ask.history.earlier.iter().flat_map(|earlier| earlier.events()) {
        if let EventBody::Aggregated { selection, views, .. } = body {
            united.selection.clone_from(selection);
            united.views.retain(|view| views.contains(&view.name));
        }
    }
}

/// Adds and removes the names that the user set. A view that reads a removed name is removed as well, and the log reports it.
pub fn change_selection(context: &RunContext, united: &mut Views) {
    let Some(earlier) = &context.ask.history.earlier else { return };
    for change in earlier.steered.changes.iter().filter(|change| matches!(change, RunChange::Tables { .. })) {
        context.record_edit(nodes::SELECTION, change.clone());
    }
    let catalog = &context.ask.data.catalog;
    let selection = &mut united.selection;
    for name in earlier.added_names() {
        match (catalog.find_table(name), left_out::resolve_column(catalog, name)) {
            (Some(table), _) => {
                let full = table.name.to_string();
                selection.tables.retain(|selected| !selected.name.eq_ignore_ascii_case(&full));
                selection.add(&full, None);
                table.columns.iter().for_each(|column| selection.add(&full, Some(&column.name)));
            }
            (None, Some((table, column))) => selection.add(&table.to_string(), Some(&column)),
            (None, None) => {}
        }
    }
    if earlier.steered.without.is_empty() {
        return;
    }
    // Omitted tables and columns are not in this run's catalog.
    selection.tables.retain(|table| catalog.find_table(&table.name).is_some());
    selection.tables.retain_mut(|table| {
        let had_columns = !table.columns.is_empty();
        let known = catalog.find_table(&table.name);
        table.columns.retain(|column| known.is_some_and(|known| known.find_column(column).is_some()));
        !had_columns || !table.columns.is_empty()
    });
    for view in std::mem::take(&mut united.views) {
        if reads_only_known(context, &united.views, &view) {
            united.views.push(view);
        } else {
            let message = tr!("The view {name} is no longer used: it reads parts that you removed", name = view.name);
            context.warn(Some(nodes::SELECTION), message);
        }
    }
}

/// Returns true if a view binds over the catalog and the views before it.
fn reads_only_known(context: &RunContext, before: &[ViewAttempt], view: &ViewAttempt) -> bool {
    let ask = &context.ask;
    let cte = |view: &ViewAttempt| Cte {
        name: view.name.clone(),
        columns: Vec::new(),
        sql: view.sql.clone(),
        depends_on: view.depends_on.clone(),
    };
    let ctes: Vec<Cte> = before.iter().chain([view]).map(cte).collect();
    let program =
        vitrine_sql::build_program(&ctes, &view.name, ask.data.catalog.dialect).and_then(|text| ask.prove_query(&text));
    program.is_ok_and(|program| vitrine_sql::bind_names(&program, &ask.data.catalog).problems.is_empty())
}
