//! The schema in prompts: whole, or a selection. In every method, omitted tables and columns can return: by a name that does not bind, or
//! that the description of a query's problem mentions.

use crate::prompt::request::{opening_request, opening_with};
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::nested_page;
use crate::schema::pages::opening_with_pages;
use crate::schema::reading::seeded_rank;
use crate::schema::selection::{SelectionChange, contains_column, record_selection, select_column};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::HashSet;
use vitrine_catalog::Chunk;
use vitrine_domain::{Agent, Catalog, LinkingPass, NodeId, Profile, SchemaSelection};
use vitrine_llm::Request;
use vitrine_sql::normalize_name;
use vitrine_sql::{Binding, NameProblem};

/// Minimum similarity between a missing name and a name that is restored for it.
const ALIKE: f64 = 0.9;
/// Text in place of a schema that prompts do not show.
const NOT_SHOWN: &str = "(not shown; the views below have all the tables that the question needs)";
/// Maximum number of tables and columns restored at once. A name that occurs everywhere does not identify the missing one.
const BROUGHT_BACK: usize = 8;

/// The part of the schema that prompts show. Candidates that are corrected concurrently share it.
pub struct PromptSchema<'a> {
    schema: &'a Schema,
    /// Node that made the selection.
    node: &'static NodeId,
    /// Current selection; `None` for the whole schema.
    selection: Mutex<Option<SchemaSelection>>,
    /// True if prompts show no schema.
    is_hidden: bool,
}

impl<'a> PromptSchema<'a> {
    /// Creates a prompt schema without a selection.
    pub fn from_schema(schema: &'a Schema) -> Self {
        Self { schema, node: nodes::SCHEMA, selection: Mutex::new(None), is_hidden: false }
    }

    /// Creates a prompt schema that prompts do not show, for queries over views alone (AV-SQL, table 10).
    pub fn hidden(schema: &'a Schema) -> Self {
        Self { is_hidden: true, ..Self::from_schema(schema) }
    }

    /// Creates a prompt schema from a node's selection, extended to whole families of look-alikes; an empty selection means the whole
    /// schema.
    pub fn from_selection(schema: &'a Schema, node: &'static NodeId, selection: SchemaSelection) -> Self {
        let selection = schema.whole_families(&selection);
        let selection = Mutex::new(Some(selection).filter(|selection| !selection.is_empty()));
        Self { schema, node, selection, is_hidden: false }
    }

    /// Returns the selected tables and columns; `None` if nothing is omitted.
    pub fn selection(&self) -> Option<SchemaSelection> {
        self.selection.lock().clone()
    }

    /// Returns the visible tables and columns.
    pub fn visible_catalog(&self, catalog: &Catalog) -> Catalog {
        let Some(selection) = self.selection() else { return catalog.clone() };
        let mut shown = catalog.clone();
        shown.tables.retain(|table| selection.contains(&table.name, None));
        for table in &mut shown.tables {
            let name = table.name.clone();
            table.columns.retain(|column| contains_column(&selection, &name, &column.name));
        }
        shown
    }

    /// Returns the common prefix of an agent's requests over the visible schema; of a schema beyond one prompt, as much as fits.
    pub fn opening_request(&self, context: &RunContext, agent: Agent) -> Request {
        self.with_pages(context, agent, &self.render_text(context, agent))
    }

    /// Like [`Self::opening_request`], without notes on the dialect, for replies that are not SQL. A small model gets the same prefix as
    /// before, which it has cached.
    pub fn opening_without_notes(&self, context: &RunContext, agent: Agent) -> Request {
        match context.model(agent).profile().deliberates {
            true => opening_with(context.ask.data.catalog.dialect, &self.render_text(context, agent), &[]),
            false => self.opening_request(context, agent),
        }
    }

    /// Renders the visible schema in the format for an agent's model.
    fn render_text(&self, context: &RunContext, agent: Agent) -> String {
        if self.is_hidden {
            return NOT_SHOWN.to_owned();
        }
        match self.selection() {
            Some(selection) => self.schema.for_agent(agent).render_selection(context, &selection),
            None => join_chunks(&self.fitting_chunks(context, agent)),
        }
    }

    /// Returns a request over a text of the visible schema, with the required pages on the dialect.
    fn with_pages(&self, context: &RunContext, agent: Agent, text: &str) -> Request {
        let profile = context.model(agent).profile();
        let catalog = &context.ask.data.catalog;
        let shown = if self.selection().is_some() {
            Cow::Owned(self.visible_catalog(catalog))
        } else {
            Cow::Borrowed(&**catalog)
        };
        opening_with_pages(&profile, context.shown_profile(), text, &shown)
    }

    /// Like [`Self::opening_request`], for a selection of the caller that may differ from the visible schema.
    pub fn opening_of(&self, context: &RunContext, agent: Agent, selection: &SchemaSelection) -> Request {
        opening_request(
            context.ask.data.catalog.dialect,
            &self.schema.for_agent(agent).render_selection(context, selection),
        )
    }

    /// Like [`Self::opening_request`] for the generator, with tables and columns in a seeded order (CHASE-SQL, 3.3); also returns the
    /// tables in this order. For a schema beyond one prompt without a selection, the order of the parts changes.
    pub fn shuffled_request(&self, context: &RunContext, seed: u64) -> (Request, Vec<String>) {
        let agent = Agent::Generator;
        let reading = self.schema.for_agent(agent);
        let selection = self.selection();
        if selection.is_none() && !reading.is_whole() {
            let mut parts = self.fitting_chunks(context, agent);
            parts.sort_by_cached_key(|chunk| seeded_rank(seed, &chunk.text));
            let tables = parts.iter().flat_map(|chunk| &chunk.tables);
            let tables = tables.map(|&table| reading.compressed.tables[table].pattern.clone()).collect();
            return (self.with_pages(context, agent, &join_chunks(&parts)), tables);
        }
        let (text, tables) = reading.render_shuffled(context, selection.as_ref(), seed);
        (self.with_pages(context, agent, &text), tables)
    }

    /// Returns the first parts of the schema that fit into half of an agent's context, at least one.
    fn fitting_chunks(&self, context: &RunContext, agent: Agent) -> Vec<&Chunk> {
        let most = context.model(agent).profile().context_tokens / 2;
        let mut sum = 0;
        let fits = self.schema.for_agent(agent).chunks.iter().enumerate().take_while(|(index, chunk)| {
            sum += chunk.tokens;
            *index == 0 || sum <= most
        });
        fits.map(|(_, chunk)| chunk).collect()
    }

    /// Updates an agent's request to the currently visible part of the schema; a request over the whole schema is unchanged.
    pub fn renew_request(&self, context: &RunContext, agent: Agent, request: Request) -> Request {
        match self.selection() {
            Some(_) => Request { prefix: self.opening_request(context, agent).prefix, ..request },
            None => request,
        }
    }

    /// Describes how to read lists, structs and JSON, one fact per line, if a query uses such columns or names parts of one (ReFoRCE,
    /// appendix C). If all queries contained this page, small models would copy it into queries that do not need it.
    pub fn nested_page(&self, context: &RunContext, query: &str) -> Vec<String> {
        let catalog = &context.ask.data.catalog;
        let Ok(sql) = context.ask.prove_query(query) else { return Vec::new() };
        let profile = context.shown_profile();
        let bound = vitrine_sql::bind_names(&sql, catalog);
        let nested = |(table, column): &(String, String)| {
            let table = catalog.find_table(table)?;
            let (column, known) = (table.find_column(column)?, profile.find_table(&table.name));
            let known = known.and_then(|known| known.find_column(&column.name));
            vitrine_catalog::is_nested(column, known, catalog.dialect).then_some((table, column))
        };
        let used: Vec<_> = bound.columns.iter().filter_map(nested).collect();
        let mut lines = missing_inside(&bound, catalog, profile);
        if !lines.is_empty() || !used.is_empty() {
            lines.extend(nested_page::of_query(&used, profile, catalog.dialect));
        }
        lines
    }

    /// Restores tables and columns that a query needs: names that resemble an unresolved one, and names that `problem` mentions.
    ///
    /// # Errors
    /// Fails if tokens cannot be counted.
    pub async fn bring_back(&self, context: &RunContext, query: &str, problem: &str) -> Result<(), StageError> {
        let Some(selection) = self.selection() else { return Ok(()) };
        let catalog = &context.ask.data.catalog;
        let missing = context
            .ask
            .prove_query(query)
            .map(|sql| unresolved_names(&vitrine_sql::bind_names(&sql, catalog)))
            .unwrap_or_default();
        let spoken: HashSet<String> = extract_words(problem).collect();
        let called =
            |name: &str| missing.iter().any(|m| is_similar_name(m, name)) || spoken.contains(&normalize_name(name));
        let mut more = selection.clone();
        let mut back = Vec::new();
        // Look-alikes are restored together and count once.
        let compressed = &self.schema.for_agent(Agent::Generator).compressed;
        let families = compressed.group_indices();
        let mut brought: HashSet<(Option<usize>, Option<&str>)> = HashSet::new();
        for table in &catalog.tables {
            let name = table.name.to_string();
            let family = families.get(&table.name).copied();
            if !selection.contains(&table.name, None) {
                let is_called = called(&table.name.name) || table.columns.iter().any(|c| called(&c.name));
                if is_called && brought.insert((family, None)) {
                    more.add(&name, None);
                    back.push(name);
                }
                continue;
            }
            for column in
                table.columns.iter().filter(|c| called(&c.name) && !contains_column(&selection, &table.name, &c.name))
            {
                let columns = family.map_or(&[][..], |family| &compressed.tables[family].columns[..]);
                let alike = columns.iter().find(|alike| alike.members.contains(&column.name));
                let pattern = alike.map_or(column.name.as_str(), |alike| alike.pattern.as_str());
                if brought.insert((family, Some(pattern))) {
                    select_column(&mut more, &name, &column.name);
                    back.push(format!("{name}.{}", column.name));
                }
            }
        }
        if back.is_empty() || back.len() > BROUGHT_BACK {
            return Ok(());
        }
        let more = self.schema.whole_families(&more);
        let change = SelectionChange::new(LinkingPass::BroughtBack, 1, back);
        record_selection(context, self.node, self.schema, &more, change).await?;
        *self.selection.lock() = Some(more);
        Ok(())
    }
}

fn join_chunks(parts: &[&Chunk]) -> String {
    parts.iter().map(|chunk| chunk.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns the names of a query that do not resolve.
fn unresolved_names(bound: &Binding) -> Vec<String> {
    let names = bound.problems.iter().flat_map(|problem| match problem {
        NameProblem::UnknownTable { name, .. } | NameProblem::UnknownColumn { name, .. } => vec![name],
        NameProblem::NotInScope { qualifier, name, .. } => vec![qualifier, name],
        _ => Vec::new(),
    });
    names.filter(|name| normalize_name(name).len() > 2).cloned().collect()
}

/// Returns the paths of unresolved names within columns of the tables that a query reads.
fn missing_inside(bound: &Binding, catalog: &Catalog, profile: &Profile) -> Vec<String> {
    let names = unresolved_names(bound);
    let tables = bound.tables.iter().filter_map(|name| profile.find_table(&catalog.find_table(name)?.name));
    let columns = tables.flat_map(|table| table.columns.iter().map(move |column| (&table.table.name, column)));
    let mut lines = Vec::new();
    for (table, column) in columns {
        for (path, _) in &column.paths {
            let last = path.rsplit(['.', ']']).next().unwrap_or(path);
            if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(last)) {
                let many = if path.contains("[]") { ", in each member of a list" } else { "" };
                lines.push(format!("{name} is inside of {table}.{}: {path}{many}", column.name));
            }
        }
    }
    lines
}

/// Returns the words of a text that may be names.
fn extract_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(normalize_name);
    words.filter(|word| word.len() > 2)
}

fn is_similar_name(one: &str, other: &str) -> bool {
    let (one, other) = (normalize_name(one), normalize_name(other));
    one == other || strsim::jaro_winkler(&one, &other) >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::selection::tests::sample_catalog;
    use vitrine_sql::ReadOnlySql;

    #[test]
    fn names_that_do_not_bind_are_what_is_missing() {
        let catalog = sample_catalog();
        let bound = |sql: &str| vitrine_sql::bind_names(&ReadOnlySql::parse(sql, catalog.dialect).unwrap(), &catalog);
        let missing = |sql: &str| unresolved_names(&bound(sql));
        let sql = "SELECT t.product_id FROM targets AS t JOIN order_item ON 1 = 1";
        assert_eq!(missing(sql), ["order_item", "product_id"]);
        assert!(missing("SELECT month FROM targets").is_empty());
    }
}
