//! Pruning by a model that does not deliberate. If asked for names to remove, it lists all allowed names; if asked for needed names, it
//! forgets some. It is therefore asked for needed names, and evidence without a model is added: tables that the question names, tables that
//! store a value which the question names, and tables joined to a needed table by a foreign key. The coarse pass keeps all neighbours, the
//! fine pass only tables that join two kept ones.

use crate::prompt::Prompt;
use crate::prompt::methods::LinkTables;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::request::opening_request;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::{
    LinkingInput, add_matches, add_named, key_columns, record_selection, selection_without,
};
use crate::schema::{Schema, reply};
use futures::{StreamExt, TryStreamExt};
use serde_json::json;
use std::collections::HashSet;
use vitrine_catalog::{Chunk, Compressed};
use vitrine_domain::{Agent, Catalog, LinkingPass, SchemaSelection, SelectedTable, Table};
use vitrine_llm::Request;

/// Prunes in two passes; the fine one also removes columns.
///
/// # Errors
/// Fails if the model fails.
pub async fn prune_in_two_passes<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    everything: SchemaSelection,
) -> Result<PromptSchema<'a>, StageError> {
    let catalog = &context.ask.data.catalog;
    let mut left = everything;
    for coarse in [true, false] {
        let needed = select_needed(context, schema, linking, &left).await?;
        if needed.is_empty() {
            break;
        }
        let families = &schema.for_agent(Agent::Linker).compressed;
        let kept: HashSet<String> = kept_tables(catalog, families, &needed, &left, coarse);
        let gone: Vec<String> = left.tables.iter().map(|t| t.name.clone()).filter(|t| !kept.contains(t)).collect();
        left = selection_without(&left, &gone);
        let pass = if coarse { LinkingPass::CoarseTables } else { LinkingPass::FineTables };
        if !gone.is_empty() {
            record_selection(context, nodes::LINKING, schema, &left, pass, 1, gone).await?;
        }
        if !coarse {
            let gone = removable_columns(catalog, &needed, &left, linking);
            // If one of several look-alike columns is kept, all are.
            let rest = schema.whole_families(&selection_without(&left, &gone));
            let gone = left_out(&left, &rest);
            left = rest;
            if !gone.is_empty() {
                record_selection(context, nodes::LINKING, schema, &left, LinkingPass::FineColumns, 1, gone).await?;
            }
        }
    }
    Ok(PromptSchema::from_selection(schema, nodes::LINKING, left))
}

/// Selects the remaining names that the model needs, and those kept without a model.
async fn select_needed(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
    left: &SchemaSelection,
) -> Result<SchemaSelection, StageError> {
    let catalog = &context.ask.data.catalog;
    let reading = schema.for_agent(Agent::Linker);
    let parts = reading.chunks.len();
    let profile = context.model(Agent::Linker).profile();
    let format = ReplyFormat(&profile);
    let of_chunk = async |chunk: &Chunk| {
        let mut visible = reading.chunk_catalog(catalog, chunk);
        visible.tables.retain(|table| left.contains(&table.name, None));
        if visible.tables.is_empty() {
            return Ok::<_, StageError>(None);
        }
        let tables = reply::tables_schema(format, &visible, 0, visible.tables.len().min(8));
        let part = chunk.index as usize;
        let request = Request {
            tail: LinkTables { question: linking.question, facts: linking.facts, values: &[], part, parts }
                .render_for(&profile),
            max_tokens: max_reply_tokens(&profile, Writing::Needed),
            output: format.reply_schema("tables", json!({ "tables": tables })),
            ..opening_request(catalog.dialect, &chunk.text)
        };
        let replies = context.call_model(Agent::Linker, nodes::LINKING, request).await?;
        Ok(reply::parse_reply(replies.first_reply(), chunk).ok().map(|written| written.to_selection()))
    };
    let of_chunks: Vec<Option<SchemaSelection>> =
        futures::stream::iter(&reading.chunks).map(of_chunk).buffered(CALLS_AT_ONCE).try_collect().await?;
    let mut needed = SchemaSelection::default();
    of_chunks.iter().flatten().for_each(|of_chunk| needed.merge_selection(of_chunk));
    add_named(&mut needed, catalog, linking.question);
    add_matches(&mut needed, linking.matches);
    Ok(schema.whole_families(&needed))
}

/// Returns the columns of `all` that `rest` lacks, in the order of `all`.
fn left_out(all: &SchemaSelection, rest: &SchemaSelection) -> Vec<String> {
    let named = |selection: &SchemaSelection| -> Vec<String> {
        let of = |table: &SelectedTable| {
            let name = table.name.clone();
            table.columns.clone().into_iter().map(move |column| format!("{name}.{column}"))
        };
        selection.tables.iter().flat_map(of).collect()
    };
    let kept: HashSet<String> = named(rest).into_iter().collect();
    named(all).into_iter().filter(|column| !kept.contains(column)).collect()
}

/// Returns the tables that are kept. A group of look-alike tables is one table.
fn kept_tables(
    catalog: &Catalog,
    families: &Compressed,
    needed: &SchemaSelection,
    left: &SchemaSelection,
    coarse: bool,
) -> HashSet<String> {
    let places = families.group_indices();
    let is_needed = |table: &Table| needed.contains(&table.name, None);
    let joined = |table: &Table| {
        let others = catalog.tables.iter().filter(|other| other.name != table.name && is_needed(other));
        let joined = others.filter(|other| references_table(table, other) || references_table(other, table));
        joined.map(|other| places.get(&other.name)).collect::<HashSet<_>>().len()
    };
    let least = if coarse { 1 } else { 2 };
    let of_left = catalog.tables.iter().filter(|table| left.contains(&table.name, None));
    of_left.filter(|table| is_needed(table) || joined(table) >= least).map(|table| table.name.to_string()).collect()
}

fn references_table(one: &Table, other: &Table) -> bool {
    one.foreign_keys.iter().any(|key| key.ref_table == other.name)
}

/// Returns the columns to remove: columns of tables for which the model named some columns, except the named ones, keys, columns that the
/// question names, and columns with a value that it names.
fn removable_columns(
    catalog: &Catalog,
    needed: &SchemaSelection,
    left: &SchemaSelection,
    linking: LinkingInput<'_>,
) -> Vec<String> {
    let keys = key_columns(catalog);
    let question = linking.question.to_lowercase();
    let spoken = |column: &str| {
        let words = column.to_lowercase().replace('_', " ");
        words.split_whitespace().any(|word| word.len() > 2 && question.contains(word.trim_end_matches('s')))
    };
    let mut gone = Vec::new();
    for table in catalog.tables.iter().filter(|table| left.contains(&table.name, None)) {
        let name = table.name.to_string();
        let named = needed.tables.iter().find(|t| t.name.eq_ignore_ascii_case(&name));
        if named.is_none_or(|t| t.columns.is_empty()) {
            continue;
        }
        for column in &table.columns {
            let full = format!("{name}.{}", column.name);
            let holds = linking.matches.iter().any(|m| m.table == name && m.column == column.name);
            let stays = needed.contains(&table.name, Some(&column.name)) || holds || keys.contains(&full);
            if !stays && !spoken(&column.name) {
                gone.push(full);
            }
        }
    }
    gone
}
