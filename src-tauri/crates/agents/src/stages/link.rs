//! Schema linking: selects the tables and columns that a question needs. It uses drafted queries if the whole schema fits into one prompt
//! (DSR-SQL, 3.2.2, global), else it works table by table (DSR-SQL, 3.2.2, partitioned; ReFoRCE, 3.2.1). Omitted tables and columns can
//! return: an unresolved name restores its table or column.

use crate::attempt::prepare::{RuleUse, prove_quoted, record_changes, without_question};
use crate::attempt::reply::sql_of;
use crate::attempt::value_hints::value_lines;
use crate::prompt::methods::LinkTables;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens, object_schema, sql_alone};
use crate::prompt::request::opening_request;
use crate::prompt::{Direct, Prompt};
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::pages::opening_with_pages;
use crate::schema::reading::ChunkedSchema;
use crate::schema::selection::{LinkingInput, Neighbours, SelectionChange, add_matches, add_named, record_selection};
use crate::schema::{Schema, reply};
use futures::{StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use vitrine_catalog::Chunk;
use vitrine_domain::{Agent, LinkingPass, NodeId, SchemaSelection, StageKind, TableVerdict};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{plural, tr};

/// Sampling of the selection, and what is added to it.
#[derive(Clone, Copy)]
pub struct Coverage {
    /// Number of replies that are united.
    pub samples: u32,
    /// Temperature of all replies except the first, if there are several.
    pub temperature: f32,
    /// Neighbours by foreign key that are added.
    pub neighbours: Neighbours,
}

impl Coverage {
    /// Returns the coverage of one reply, with the neighbours that suit the linker's model.
    pub fn of_one_reply(context: &RunContext) -> Self {
        let neighbours = Neighbours::for_model(&context.model(Agent::Linker).profile());
        Self { samples: 1, temperature: 0.0, neighbours }
    }
}

/// Begins the node. It follows `input`: the linked values, if they contribute to the selection, else the schema alone.
pub fn begin_linking(context: &RunContext, input: &NodeId) {
    context.begin_stage(nodes::LINKING, StageKind::Linking, tr!("Select tables and columns"), &[input]);
}

/// Drafts queries over the whole schema and unites the tables that they read. Favours recall: a table is kept with all its columns if one
/// draft reads it, if the question names it, if it stores a value that the question names, or if it is one of the neighbours. Also returns
/// the drafts.
///
/// # Errors
/// Fails if the model fails. Nothing is selected if no draft could be read.
pub async fn by_drafts(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
    coverage: Coverage,
) -> Result<(SchemaSelection, Vec<String>), StageError> {
    let ask = &context.ask;
    let dialect = ask.data.catalog.dialect;
    let profile = context.model(Agent::Linker).profile();
    let values =
        if profile.deliberates { value_lines(&profile, &ask.data.catalog, linking.matches) } else { Vec::new() };
    let LinkingInput { question, facts, .. } = linking;
    let task = Direct { question, facts, values: &values, dialect: dialect.sql().display_name() };
    let begins = opening_with_pages(
        &profile,
        context.shown_profile(),
        &schema.for_agent(Agent::Linker).chunks[0].text,
        &ask.data.catalog,
    );
    let whole = Request { tail: task.render_for(&profile), ..begins };
    let request = Request {
        samples: coverage.samples,
        first_greedy: true,
        temperature: coverage.temperature,
        top_p: 0.95,
        seed: ask.options.settings.seed,
        ..sql_alone(&whole, &profile)
    };
    let replies = context.call_model(Agent::Linker, nodes::LINKING, request).await?;
    let mut selection = SchemaSelection::default();
    for reply in &replies.texts {
        let written = sql_of(ask, reply);
        let Ok((sql, changes)) = prove_quoted(context, written, |text| ask.prove_query(text)) else { continue };
        record_changes(context, nodes::LINKING, written, &sql, &changes);
        let repaired = match RuleUse::from_context(context).repair {
            true => vitrine_sql_rules::repair_names(&sql, &without_question(context)).ok().flatten(),
            false => None,
        };
        let sql = repaired.map_or(sql.clone(), |repaired| {
            record_changes(context, nodes::LINKING, sql.as_str(), &repaired.sql, &repaired.changes);
            repaired.sql
        });
        vitrine_sql::bind_names(&sql, &ask.data.catalog).tables.iter().for_each(|table| selection.add(table, None));
    }
    if !selection.is_empty() {
        add_matches(&mut selection, linking.matches);
        add_named(&mut selection, &ask.data.catalog, linking.question);
        coverage.neighbours.add_to(&mut selection, &ask.data.catalog);
    }
    let selection = schema.refine_selection(context, selection);
    let change = SelectionChange::new(LinkingPass::Drafts, 1, Vec::new());
    record_selection(context, nodes::LINKING, schema, &selection, change).await?;
    Ok((selection, replies.texts))
}

/// Asks for each chunk which tables and columns are needed, and unites the names of all replies. Favours recall: if several samples are
/// united, and for a model that deliberates, tables that the question names and neighbours by foreign key are added. Such a model gives a
/// reason for every table, and its verdict on one of a group of look-alike tables applies to the group.
///
/// # Errors
/// Fails if the model fails. A chunk without a readable reply is kept whole.
pub async fn by_table(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
    coverage: Coverage,
) -> Result<SchemaSelection, StageError> {
    let catalog = &context.ask.data.catalog;
    let deliberates = context.model(Agent::Linker).profile().deliberates;
    let of_chunks: Vec<(SchemaSelection, Vec<TableVerdict>)> =
        futures::stream::iter(&schema.for_agent(Agent::Linker).chunks)
            .map(async |chunk| of_chunk(context, schema, linking, coverage, chunk).await)
            .buffered(CALLS_AT_ONCE)
            .try_collect()
            .await?;
    let (mut selection, mut verdicts) = (SchemaSelection::default(), Vec::new());
    for (of_chunk, said) in of_chunks {
        selection.merge_selection(&of_chunk);
        verdicts.extend(said);
    }
    add_matches(&mut selection, linking.matches);
    if (coverage.samples > 1 || deliberates) && !selection.is_empty() {
        add_named(&mut selection, catalog, linking.question);
        coverage.neighbours.add_to(&mut selection, catalog);
    }
    let selection = schema.refine_selection(context, selection);
    let change = SelectionChange { verdicts, ..SelectionChange::new(LinkingPass::Tables, 1, Vec::new()) };
    record_selection(context, nodes::LINKING, schema, &selection, change).await?;
    Ok(selection)
}

/// Selects from one chunk; also returns the reasons for its tables.
async fn of_chunk(
    context: &RunContext,
    schema: &Schema,
    linking: LinkingInput<'_>,
    Coverage { samples, temperature, .. }: Coverage,
    chunk: &Chunk,
) -> Result<(SchemaSelection, Vec<TableVerdict>), StageError> {
    let catalog = &context.ask.data.catalog;
    let reading = schema.for_agent(Agent::Linker);
    let visible = reading.chunk_catalog(catalog, chunk);
    let profile = context.model(Agent::Linker).profile();
    let format = ReplyFormat(&profile);
    let prompt = LinkTables {
        question: linking.question,
        facts: linking.facts,
        values: &value_lines(&profile, catalog, linking.matches),
        part: chunk.index as usize,
        parts: reading.chunks.len(),
    };
    let tables = match profile.deliberates {
        true => verdicts_schema(format),
        false => reply::tables_schema(format, &visible, 0, visible.tables.len().clamp(1, 24)),
    };
    let mut request = Request {
        tail: prompt.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Names),
        output: format.reply_schema("tables", json!({ "tables": tables })),
        ..opening_request(catalog.dialect, &chunk.text)
    };
    if samples > 1 {
        let seed = context.ask.options.settings.seed;
        request = Request { samples, first_greedy: true, temperature, top_p: 0.95, seed, ..request };
    }
    let replies = context.call_model(Agent::Linker, nodes::LINKING, request).await?;
    let (mut selection, mut verdicts, mut unread) = (SchemaSelection::default(), Vec::new(), None);
    let mut read = 0;
    for reply in &replies.texts {
        let of_reply = match profile.deliberates {
            true => read_verdicts(reply, reading, chunk),
            false => reply::parse_reply(reply, chunk).map(|written| (written.to_selection(), Vec::new())),
        };
        match of_reply {
            Ok((needed, said)) => {
                read += 1;
                selection.merge_selection(&needed);
                verdicts.extend(said);
            }
            Err(error) => unread = Some(error),
        }
    }
    if let Some(error) = unread.filter(|_| read == 0) {
        context.warn(
            Some(nodes::LINKING),
            tr!("All tables of part {part} of the schema are kept: {error}", part = chunk.index, error),
        );
        for table in &visible.tables {
            let name = table.name.to_string();
            selection.add(&name, None);
            chunk.columns.iter().flatten().for_each(|column| selection.add(&name, Some(column)));
        }
    }
    Ok((selection, verdicts))
}

#[derive(Deserialize)]
struct Judged {
    tables: Vec<JudgedTable>,
}

#[derive(Deserialize)]
struct JudgedTable {
    name: String,
    #[serde(default)]
    why: String,
    needed: bool,
    #[serde(default)]
    columns: Vec<String>,
}

/// Returns the schema of a reply with a reason and then a verdict for every table. Names are not listed, so that the schema remains short
/// for databases of any size; names outside of the chunk are ignored.
fn verdicts_schema(format: ReplyFormat<'_>) -> Value {
    let table = object_schema(json!({
        "name": format.text_schema(120),
        "why": format.text_schema(200),
        "needed": {"type": "boolean"},
        "columns": format.list_schema(format.text_schema(120), 12),
    }));
    format.list_schema(table, 24)
}

/// Reads the verdicts on a chunk's tables. If a look-alike table is selected, all members of its group are.
fn read_verdicts(
    reply: &str,
    reading: &ChunkedSchema,
    chunk: &Chunk,
) -> Result<(SchemaSelection, Vec<TableVerdict>), String> {
    let written: Judged = vitrine_llm::parse_json(reply).map_err(|error| error.to_string())?;
    let (mut selection, mut verdicts) = (SchemaSelection::default(), Vec::new());
    for said in written.tables {
        let is = |name: &str| name.eq_ignore_ascii_case(said.name.trim());
        let mut of_chunk = chunk.tables.iter().map(|&index| &reading.compressed.tables[index]);
        let group = of_chunk.find(|table| {
            is(&table.pattern) || table.members.iter().any(|member| is(&member.to_string()) || is(&member.name))
        });
        let Some(group) = group else { continue };
        if said.needed {
            for member in &group.members {
                let name = member.to_string();
                selection.add(&name, None);
                said.columns.iter().for_each(|column| selection.add(&name, Some(column)));
            }
        }
        verdicts.push(TableVerdict { table: group.pattern.clone(), needed: said.needed, why: said.why });
    }
    Ok((selection, verdicts))
}

/// Ends the node: `2 tables, 5 columns`, or `2 tables with all columns` if no columns are listed.
pub fn finish_linking(context: &RunContext, selection: &SchemaSelection) {
    let columns: usize = selection.tables.iter().map(|table| table.columns.len()).sum();
    let tables = plural!(selection.tables.len(), "{n} table", "{n} tables");
    let summary = match columns {
        0 => tr!("{tables} with all columns", tables),
        columns => format!("{tables}, {}", plural!(columns, "{n} column", "{n} columns")),
    };
    context.finish_stage(nodes::LINKING, summary);
}
