//! Schema linking: which tables and columns a question needs. By drafted queries where the whole schema fits into one
//! prompt (DSR-SQL, 3.2.2, global), else table by table (DSR-SQL, 3.2.2, partitioned; ReFoRCE, 3.2.1). What was left
//! out can come back: an unresolved name brings back its table or column.

use crate::attempt::prepare::{RuleUse, tell, without_question};
use crate::attempt::reply::sql_of;
use crate::prompt::format::count;
use crate::prompt::methods::LinkTables;
use crate::prompt::reply::{ReplyFormat, Writing, room, sql_alone};
use crate::prompt::request::opening;
use crate::prompt::{Direct, Prompt};
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::selection::{LinkingInput, add_matches, add_named, add_neighbours, told};
use crate::schema::{Schema, reply};
use futures::{StreamExt, TryStreamExt};
use serde_json::json;
use vitrine_domain::{Agent, LinkingPass, SchemaSelection, StageKind};
use vitrine_llm::Request;

/// Begins the node. It follows `input`: the linked values, where it selects by them, or the schema alone.
pub fn begin(context: &RunContext, input: &str) {
    context.begin(nodes::LINKING, StageKind::Linking, "Select tables and columns", &[input]);
}

/// Drafts `samples` queries over the whole schema and unites the tables that they read. Recall first: a table is kept
/// with all its columns if one draft reads it, if the question names it, if it stores a value that the question names,
/// or if a foreign key joins it to a kept table. Also returns the drafts.
///
/// # Errors
/// Fails when the model fails. Nothing is selected where no draft could be read.
pub async fn by_drafts(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
    samples: u32,
) -> Result<(SchemaSelection, Vec<String>), StageError> {
    let ask = &context.ask;
    let dialect = ask.catalog.dialect;
    let task =
        Direct { question: linking.question, facts: linking.facts, values: &[], dialect: dialect.display_name() };
    let whole = Request { tail: task.render(), ..opening(dialect, &schema.chunks[0].text) };
    let request = Request {
        samples,
        first_greedy: true,
        temperature: 0.8,
        top_p: 0.95,
        seed: ask.settings.seed,
        ..sql_alone(&whole, &context.model(Agent::Linker).profile())
    };
    let replies = context.call(Agent::Linker, nodes::LINKING, request).await?;
    let mut selection = SchemaSelection::default();
    for reply in &replies.texts {
        let Ok(sql) = ask.prove(sql_of(ask, reply)) else { continue };
        let repaired = match RuleUse::of(context).repair {
            true => vitrine_sql_rules::repair_names(&sql, &without_question(context)).ok().flatten(),
            false => None,
        };
        let sql = repaired.map_or(sql.clone(), |repaired| {
            tell(context, nodes::LINKING, sql.as_str(), &repaired.sql, &repaired.changes);
            repaired.sql
        });
        vitrine_sql::bind(&sql, &ask.catalog).tables.iter().for_each(|table| selection.add(table, None));
    }
    if !selection.is_empty() {
        add_matches(&mut selection, linking.matches);
        add_named(&mut selection, &ask.catalog, linking.question);
        add_neighbours(&mut selection, &ask.catalog);
    }
    told(context, nodes::LINKING, schema, &selection, LinkingPass::Drafts, 1, Vec::new()).await?;
    Ok((selection, replies.texts))
}

/// Asks for every chunk which tables and columns are needed.
///
/// # Errors
/// Fails when the model fails. A chunk with an unreadable reply is kept whole: recall first.
pub async fn by_table(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
) -> Result<SchemaSelection, StageError> {
    let catalog = &context.ask.catalog;
    let parts = schema.chunks.len();
    let profile = context.model(Agent::Linker).profile();
    let format = ReplyFormat(&profile);
    let selections: Vec<SchemaSelection> = futures::stream::iter(&schema.chunks)
        .map(async |chunk| {
            let visible = schema.chunk_catalog(catalog, chunk);
            let tables = reply::tables_schema(format, &visible, 0, visible.tables.len().clamp(1, 24));
            let request = Request {
                tail: LinkTables {
                    question: linking.question,
                    facts: linking.facts,
                    part: chunk.index as usize,
                    parts,
                }
                .render(),
                max_tokens: room(&profile, Writing::Names),
                output: format.reply("tables", json!({ "tables": tables })),
                ..opening(catalog.dialect, &chunk.text)
            };
            let replies = context.call(Agent::Linker, nodes::LINKING, request).await?;
            Ok::<_, StageError>(match reply::read(replies.first(), chunk) {
                Ok(written) => written.selection(),
                Err(error) => {
                    context.warn(
                        Some(nodes::LINKING),
                        format!("Part {} of the schema is kept whole: {error}", chunk.index),
                    );
                    let mut whole = SchemaSelection::default();
                    for table in &visible.tables {
                        let name = table.name.to_string();
                        whole.add(&name, None);
                        chunk.columns.iter().flatten().for_each(|column| whole.add(&name, Some(column)));
                    }
                    whole
                }
            })
        })
        .buffered(CALLS_AT_ONCE)
        .try_collect()
        .await?;
    let mut selection = SchemaSelection::default();
    selections.iter().for_each(|of_chunk| selection.union(of_chunk));
    add_matches(&mut selection, linking.matches);
    told(context, nodes::LINKING, schema, &selection, LinkingPass::Tables, 1, Vec::new()).await?;
    Ok(selection)
}

/// Ends the node: `2 tables, 5 columns`, or `2 tables with all columns` where none are listed.
pub fn finish(context: &RunContext, selection: &SchemaSelection) {
    let columns: usize = selection.tables.iter().map(|table| table.columns.len()).sum();
    let tables = count(selection.tables.len(), "table");
    let summary = match columns {
        0 => format!("{tables} with all columns"),
        columns => format!("{tables}, {}", count(columns, "column")),
    };
    context.finish(nodes::LINKING, summary);
}
