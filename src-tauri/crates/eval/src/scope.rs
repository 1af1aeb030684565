//! How far each question of a run is taken: to an answer, or as far as the tables and columns that it needs.

use crate::lab::Prepared;
use crate::linking::Names;
use crate::metrics::Rule;
use crate::outcome::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::RunSink;
use vitrine_agents::run::nodes;
use vitrine_catalog::compress;
use vitrine_domain::{Catalog, EventBody, SchemaSelection, StageKind};
use vitrine_sql::{NameProblem, ReadOnlySql};

/// How far each question is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// To an answer, which is judged.
    #[default]
    Answers,
    /// As far as schema linking, which needs a schema alone and no data. Tables that look alike count as one: no question
    /// tells them apart by anything but their names' endings.
    Linking,
}

impl Scope {
    /// Whether a question went well: its answer is right, or no table that it needs is missing.
    pub fn went_well(self, outcome: &Outcome, rule: Rule) -> bool {
        match self {
            Scope::Answers => outcome.is_right(rule),
            Scope::Linking => outcome.linking.is_some_and(|linking| linking.tables.is_complete()),
        }
    }
}

/// The tables and columns that each gold query names; queries that name a table which the schema does not have are left
/// out.
pub(crate) fn needed(gold: &[String], database: &Prepared, families: &Families) -> Vec<Names> {
    let catalog = &database.catalog;
    let queries = gold.iter().filter_map(|sql| database.prove(sql).ok());
    let all_known = |sql: &ReadOnlySql| {
        let problems = vitrine_sql::bind(sql, catalog).problems;
        !problems.iter().any(|problem| matches!(problem, NameProblem::UnknownTable { .. }))
    };
    queries
        .filter(all_known)
        .filter_map(|sql| Some(families.fold(Names::of_query(&sql, catalog)?)))
        .filter(|names| !names.tables.is_empty())
        .collect()
}

/// The family of each table that looks like others, both in lower case.
pub(crate) struct Families(HashMap<String, String>);

impl Families {
    pub(crate) fn of(catalog: &Catalog) -> Self {
        let families = compress(catalog).tables.into_iter().filter(|family| family.members.len() > 1);
        let named = families.flat_map(|family| {
            let name = family.pattern.to_lowercase();
            family.members.into_iter().map(move |member| (member.to_string().to_lowercase(), name.clone()))
        });
        Self(named.collect())
    }

    pub(crate) fn fold(&self, names: Names) -> Names {
        let family = |table: String| self.0.get(&table).cloned().unwrap_or(table);
        Names {
            tables: names.tables.into_iter().map(family).collect(),
            columns: names.columns.into_iter().map(|(table, column)| (family(table), column)).collect(),
        }
    }
}

/// What a run let its prompts see: what it selected, or everything where it selected nothing.
pub(crate) fn seen(selection: &SchemaSelection, catalog: &Catalog) -> Names {
    if !selection.is_empty() {
        return Names::of_selection(selection, catalog);
    }
    let mut whole = SchemaSelection::default();
    catalog.tables.iter().for_each(|table| whole.add(&table.name.to_string(), None));
    Names::of_selection(&whole, catalog)
}

/// Hands a run's events on, and ends the run as soon as its tables and columns are chosen.
pub(crate) struct UntilLinked {
    pub(crate) sink: Arc<dyn RunSink>,
    pub(crate) enough: CancellationToken,
}

impl RunSink for UntilLinked {
    fn emit(&self, body: EventBody) {
        let over = match &body {
            EventBody::StageFinished { node, .. } => node == nodes::LINKING || node == nodes::SELECTION,
            // A method that chooses none goes on at once.
            EventBody::StageStarted { kind, .. } => !matches!(
                kind,
                StageKind::Schema
                    | StageKind::Rewriter
                    | StageKind::Grounding
                    | StageKind::Linking
                    | StageKind::Chunk
                    | StageKind::Selection
            ),
            _ => false,
        };
        self.sink.emit(body);
        if over {
            self.enough.cancel();
        }
    }

    fn elapsed_ms(&self) -> u32 {
        self.sink.elapsed_ms()
    }
}
