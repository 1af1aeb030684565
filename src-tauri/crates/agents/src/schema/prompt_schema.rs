//! The schema as prompts show it: whole, or what was selected of it. What is left out stays findable, for every method: a
//! name that does not bind, or that is spoken of where a query found nothing or left something out, brings it back.

use crate::prompt::request::opening;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::selection::{keep, shows, told};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use vitrine_domain::{Agent, Catalog, LinkingPass, SchemaSelection};
use vitrine_llm::Request;
use vitrine_sql::{NameProblem, ReadOnlySql};
use vitrine_values::letters;

/// Least similarity of a name that is brought back for one that is missing.
const ALIKE: f64 = 0.9;
/// Tables and columns brought back at once. A name that is everywhere says nothing about what is missing.
const BROUGHT_BACK: usize = 8;

/// What prompts show of a schema. Candidates that are corrected at the same time share it.
pub struct PromptSchema<'a> {
    schema: &'a Schema,
    /// The node that left something out.
    node: &'static str,
    /// `None` is everything.
    selection: Mutex<Option<SchemaSelection>>,
}

impl<'a> PromptSchema<'a> {
    /// All of it.
    pub fn whole(schema: &'a Schema) -> Self {
        Self { schema, node: nodes::SCHEMA, selection: Mutex::new(None) }
    }

    /// What a node selected; an empty selection is no selection.
    pub fn selected(schema: &'a Schema, node: &'static str, selection: SchemaSelection) -> Self {
        Self { schema, node, selection: Mutex::new(Some(selection).filter(|selection| !selection.is_empty())) }
    }

    /// The tables and columns that are left; `None` where nothing was left out.
    pub fn selection(&self) -> Option<SchemaSelection> {
        self.selection.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The tables and columns that it shows.
    pub fn catalog(&self, catalog: &Catalog) -> Catalog {
        let Some(selection) = self.selection() else { return catalog.clone() };
        let mut shown = catalog.clone();
        shown.tables.retain(|table| selection.contains(&table.name, None));
        for table in &mut shown.tables {
            let name = table.name.clone();
            table.columns.retain(|column| shows(&selection, &name, &column.name));
        }
        shown
    }

    /// The common beginning of the requests that show it; of a schema that no prompt holds, as much as one does.
    pub fn opening(&self, context: &RunContext) -> Request {
        let text = match self.selection() {
            Some(selection) => self.schema.render_selection(context, &selection),
            None => self.parts(context.model(Agent::Generator).traits().context_tokens / 2),
        };
        opening(context.ask.catalog.dialect, &text)
    }

    /// The first parts of the schema, as many as stay below `tokens`, and one at least.
    fn parts(&self, tokens: u32) -> String {
        let mut sum = 0;
        let fits = self.schema.chunks.iter().enumerate().take_while(|(index, chunk)| {
            sum += chunk.tokens;
            *index == 0 || sum <= tokens
        });
        fits.map(|(_, chunk)| chunk.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The request over what is visible by now; one over the whole schema stays as it is.
    pub fn renewed(&self, context: &RunContext, request: Request) -> Request {
        match self.selection() {
            Some(_) => Request { prefix: self.opening(context).prefix, ..request },
            None => request,
        }
    }

    /// How lists, structs and JSON are read, one fact a line, where a query uses columns that hold such (ReFoRCE, appendix C).
    /// Told at once to all, small models copy it into queries that need none of it.
    pub fn nested_page(&self, context: &RunContext, query: &str) -> Vec<&'static str> {
        let catalog = &context.ask.catalog;
        let Ok(sql) = context.ask.prove(query) else { return Vec::new() };
        let profile = context.shown_profile();
        let is_nested = |(table, column): &(String, String)| {
            let table = catalog.table(table)?;
            let known = profile.table(&table.name).and_then(|known| known.column(column));
            Some(vitrine_catalog::is_nested(table.column(column)?, known, catalog.dialect))
        };
        match vitrine_sql::bind(&sql, catalog).columns.iter().any(|used| is_nested(used) == Some(true)) {
            true => catalog.dialect.nested_page().lines().collect(),
            false => Vec::new(),
        }
    }

    /// Brings back what was left out and is missing from a query: tables and columns called like a name of it that does
    /// not bind, and those that `problem` calls by name.
    ///
    /// # Errors
    /// Fails when tokens cannot be counted.
    pub async fn bring_back(&self, context: &RunContext, query: &str, problem: &str) -> Result<(), StageError> {
        let Some(selection) = self.selection() else { return Ok(()) };
        let catalog = &context.ask.catalog;
        let missing = context.ask.prove(query).map(|sql| missing(&sql, catalog)).unwrap_or_default();
        let spoken: HashSet<String> = words(problem).collect();
        let called = |name: &str| missing.iter().any(|m| alike(m, name)) || spoken.contains(&letters(name));
        let mut more = selection.clone();
        let mut back = Vec::new();
        for table in &catalog.tables {
            let name = table.name.to_string();
            if !selection.contains(&table.name, None) {
                if called(&table.name.name) || table.columns.iter().any(|c| called(&c.name)) {
                    more.add(&name, None);
                    back.push(name);
                }
                continue;
            }
            for column in table.columns.iter().filter(|c| called(&c.name) && !shows(&selection, &table.name, &c.name)) {
                keep(&mut more, &name, &column.name);
                back.push(format!("{name}.{}", column.name));
            }
        }
        if back.is_empty() || back.len() > BROUGHT_BACK {
            return Ok(());
        }
        told(context, self.node, self.schema, &more, LinkingPass::BroughtBack, 1, back).await?;
        *self.selection.lock().unwrap_or_else(PoisonError::into_inner) = Some(more);
        Ok(())
    }
}

/// The names of a query that do not bind.
fn missing(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<String> {
    let names = vitrine_sql::bind(sql, catalog).problems.into_iter().flat_map(|problem| match problem {
        NameProblem::UnknownTable { name, .. } | NameProblem::UnknownColumn { name, .. } => vec![name],
        NameProblem::NotInScope { qualifier, name, .. } => vec![qualifier, name],
        _ => Vec::new(),
    });
    names.filter(|name| letters(name).len() > 2).collect()
}

/// Words that may be names.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(letters);
    words.filter(|word| word.len() > 2)
}

fn alike(one: &str, other: &str) -> bool {
    let (one, other) = (letters(one), letters(other));
    one == other || strsim::jaro_winkler(&one, &other) >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::selection::tests::catalog;

    #[test]
    fn names_that_do_not_bind_are_what_is_missing() {
        let catalog = catalog();
        let missing = |sql: &str| missing(&ReadOnlySql::parse(sql, catalog.dialect).unwrap(), &catalog);
        let sql = "SELECT t.product_id FROM targets AS t JOIN order_item ON 1 = 1";
        assert_eq!(missing(sql), ["order_item", "product_id"]);
        assert!(missing("SELECT month FROM targets").is_empty());
    }
}
