//! The schema in the form for the prompts of a run (AV-SQL, 4.1.1 and 4.1.2): look-alike tables merged, split into chunks of whole tables.
//! The submodules select from it and parse a model's selection.

mod join_paths;
mod nested_page;
pub mod pages;
pub mod prompt_schema;
pub mod reading;
pub mod reply;
pub mod selection;

use crate::run::context::RunContext;
use crate::schema::reading::{ChunkedSchema, tells_empty};
use std::collections::BTreeMap;
use vitrine_domain::{Agent, SchemaSelection, SelectedTable, SemanticKind, Switch};

/// The schema in the format for each model of the run.
#[derive(Clone)]
pub struct Schema {
    /// Formats of the schema, never empty; the first one is for the model whose schema was prepared.
    readings: Vec<ChunkedSchema>,
    /// Index of an agent's format, if it is not the first.
    by_agent: BTreeMap<Agent, usize>,
    /// True for the refined schema of DSR-SQL (3.2.1): M-Schema, without columns that have no value.
    pub refines: bool,
}

impl Schema {
    /// Creates the schema in the format for one model.
    pub fn new(reading: ChunkedSchema, refines: bool) -> Self {
        Self { readings: vec![reading], by_agent: BTreeMap::new(), refines }
    }

    /// Adds the format for the model of some agents.
    pub fn add(&mut self, reading: ChunkedSchema, agents: impl IntoIterator<Item = Agent>) {
        let at = self.readings.len();
        self.readings.push(reading);
        self.by_agent.extend(agents.into_iter().map(|agent| (agent, at)));
    }

    /// Returns the schema in the format for an agent's model.
    pub fn for_agent(&self, agent: Agent) -> &ChunkedSchema {
        &self.readings[self.by_agent.get(&agent).copied().unwrap_or(0)]
    }

    /// Selects everything except columns without any value (DSR-SQL, 3.2.1). `None` if every column has values, or may have some because it
    /// is not profiled or not all of its rows were read.
    pub fn select_filled(&self, context: &RunContext) -> Option<SchemaSelection> {
        let ask = &context.ask;
        let mut filled = SchemaSelection::default();
        let mut left_out = false;
        for table in &ask.data.catalog.tables {
            let profile = ask.data.profile.find_table(&table.name).filter(|profile| tells_empty(profile));
            let empty =
                |name: &str| profile.and_then(|p| p.find_column(name)).is_some_and(|c| c.kind == SemanticKind::Empty);
            let name = table.name.to_string();
            filled.add(&name, None);
            for column in &table.columns {
                match empty(&column.name) {
                    true => left_out = true,
                    false => filled.add(&name, Some(&column.name)),
                }
            }
        }
        left_out.then_some(filled)
    }

    /// Describes the database as a whole for an agent whose model deliberates (ProSPy, 3.1): subject areas, central and large tables, date
    /// ranges. Empty for other models and for a single table.
    pub fn describe_database(&self, context: &RunContext, agent: Agent) -> Vec<String> {
        match context.model(agent).profile().deliberates {
            true => {
                vitrine_catalog::describe_database(&self.for_agent(agent).compressed, Some(context.shown_profile()))
            }
            false => Vec::new(),
        }
    }

    /// Extends a selection by all look-alikes of its tables and columns, since prompts show one of them for all.
    pub fn whole_families(&self, selection: &SchemaSelection) -> SchemaSelection {
        // Formats differ in the member that is shown, not in the families.
        self.readings[0].compressed.whole_families(selection)
    }

    /// Extends a selection to whole families and removes columns without values, if the schema is shown without them. A table without any
    /// values remains whole.
    pub fn refine_selection(&self, context: &RunContext, selection: SchemaSelection) -> SchemaSelection {
        let selection = self.whole_families(&selection);
        let filled_only = self.refines && context.ask.options.settings.is_enabled(Switch::Compression);
        let Some(filled) = self.select_filled(context).filter(|_| filled_only) else { return selection };
        let mut refined = SchemaSelection::default();
        for table in &selection.tables {
            let known = filled.tables.iter().find(|known| known.name.eq_ignore_ascii_case(&table.name));
            refined.add(&table.name, None);
            let has = |column: &&String| {
                let listed = |known: &SelectedTable| known.columns.iter().any(|c| c.eq_ignore_ascii_case(column));
                known.is_none_or(|known| known.columns.is_empty() || listed(known))
            };
            match known {
                Some(known) if table.columns.is_empty() => {
                    known.columns.iter().for_each(|column| refined.add(&table.name, Some(column)));
                }
                _ => table.columns.iter().filter(has).for_each(|column| refined.add(&table.name, Some(column))),
            }
        }
        refined
    }
}
