//! Progressive pruning (ProSPy, 3.2 and A.2): leaves out tables that a question does not need, round by round until
//! nothing changes, then columns; a coarse pass, then a fine one. In every round the model reads what is left by then, and
//! a pass ends where it leaves nothing out. What stays whatever is said is not offered, and nothing is asked where nothing
//! would be saved. What was left out can come back ([`PromptSchema`]).

mod keep;

use crate::attempt::value_hints::value_lines;
use crate::prompt::Prompt;
use crate::prompt::methods::Exclude;
use crate::prompt::reply::{ReplyFormat, Writing, room};
use crate::prompt::request::opening;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::{LinkingInput, keys, told, without};
use futures::{StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use vitrine_catalog::Chunk;
use vitrine_domain::{Agent, Catalog, LinkingPass, SchemaSelection, Table, ValueMatch};
use vitrine_llm::Request;

/// Columns of a part of the schema up to which leaving some out saves less than asking costs.
const FEW_COLUMNS: usize = 5;

#[derive(Deserialize)]
struct Excluded {
    exclude: Vec<String>,
}

/// The kind of a pass.
#[derive(Clone, Copy)]
struct Pass {
    coarse: bool,
    columns: bool,
}

impl Pass {
    const ALL: [Pass; 4] = [
        Pass { coarse: true, columns: false },
        Pass { coarse: true, columns: true },
        Pass { coarse: false, columns: false },
        Pass { coarse: false, columns: true },
    ];

    fn event(self) -> LinkingPass {
        match (self.coarse, self.columns) {
            (true, false) => LinkingPass::CoarseTables,
            (true, true) => LinkingPass::CoarseColumns,
            (false, false) => LinkingPass::FineTables,
            (false, true) => LinkingPass::FineColumns,
        }
    }
}

/// Prunes to a fixed point: a pass ends where a reply leaves nothing more out, or after `rounds` rounds where such a bound
/// is set. Every round takes a name away, so that there are never more rounds than tables and columns. An unreadable reply
/// removes nothing.
///
/// # Errors
/// Fails when the model fails.
pub async fn prune<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    rounds: Option<u32>,
) -> Result<PromptSchema<'a>, StageError> {
    let catalog = &context.ask.catalog;
    let mut left = SchemaSelection::default();
    for table in &catalog.tables {
        let name = table.name.to_string();
        left.add(&name, None);
        table.columns.iter().for_each(|column| left.add(&name, Some(&column.name)));
    }
    if !context.model(Agent::Linker).profile().deliberates {
        return keep::prune(context, schema, linking, left).await;
    }
    let keys = keys(catalog);
    let values = value_lines(&context.model(Agent::Linker).profile(), linking.matches);
    for pass in Pass::ALL {
        for round in 1..=rounds.unwrap_or(u32::MAX) {
            let of_chunk = async |chunk| {
                let offered = Offered::of(schema, chunk, catalog, &left, pass, &keys, linking.matches);
                exclude(context, &shown(context, schema, chunk, &left), linking, &values, pass, round, &offered).await
            };
            let gone: Vec<Vec<String>> = futures::stream::iter(&schema.of(Agent::Linker).chunks)
                .map(of_chunk)
                .buffered(CALLS_AT_ONCE)
                .try_collect()
                .await?;
            let gone = gone.concat();
            // A question needs at least one table: a reply that removes all of them is ignored.
            let rest = without(&left, &gone);
            if gone.is_empty() || rest.is_empty() {
                break;
            }
            left = rest;
            told(context, nodes::LINKING, schema, &left, pass.event(), round, gone).await?;
        }
    }
    Ok(PromptSchema::selected(schema, nodes::LINKING, left))
}

/// What a reply may be about.
#[derive(Default)]
struct Offered {
    /// Names that it may remove; none where nothing would be saved.
    names: Vec<String>,
    /// Names of the same kind that stay, as a value that the question names is stored there.
    stays: Vec<String>,
}

impl Offered {
    /// Remaining tables, or columns that no key needs, of a part of the schema.
    fn of(
        schema: &Schema,
        chunk: &Chunk,
        catalog: &Catalog,
        left: &SchemaSelection,
        pass: Pass,
        keys: &HashSet<String>,
        matches: &[ValueMatch],
    ) -> Self {
        if !pass.columns && chunk.columns.is_some() {
            // The columns in other parts of its table are not visible here.
            return Self::default();
        }
        let visible = schema.of(Agent::Linker).chunk_catalog(catalog, chunk);
        let shown: Vec<&Table> = visible.tables.iter().filter(|table| left.contains(&table.name, None)).collect();
        let names: Vec<String> = match pass.columns {
            false => shown.iter().map(|table| table.name.to_string()).collect(),
            true => {
                let of = |table: &&Table| -> Vec<String> {
                    let columns = table.columns.iter().filter(|c| left.contains(&table.name, Some(&c.name)));
                    columns.map(|c| format!("{}.{}", table.name, c.name)).collect()
                };
                shown.iter().flat_map(of).collect()
            }
        };
        let saves = if pass.columns { names.len() > FEW_COLUMNS } else { names.len() > 1 };
        if !saves {
            return Self::default();
        }
        let of_match = |found: &ValueMatch| match pass.columns {
            true => format!("{}.{}", found.table, found.column),
            false => found.table.clone(),
        };
        let named: HashSet<String> = matches.iter().map(of_match).collect();
        let free = names.into_iter().filter(|name| !pass.columns || !keys.contains(name));
        let (stays, names) = free.partition(|name| named.contains(name));
        Self { names, stays }
    }
}

/// What is left of a part of the schema. A part that was written short to fit stays as it is: it would not fit with values.
fn shown(context: &RunContext, schema: &Schema, chunk: &Chunk, left: &SchemaSelection) -> String {
    let mut here = SchemaSelection::default();
    let reading = schema.of(Agent::Linker);
    for table in &reading.chunk_catalog(&context.ask.catalog, chunk).tables {
        let name = table.name.to_string();
        let columns = table.columns.iter().filter(|column| left.contains(&table.name, Some(&column.name)));
        columns.for_each(|column| here.add(&name, Some(&column.name)));
    }
    let text = reading.render_selection(context, &here);
    if text.len() > chunk.text.len() { chunk.text.clone() } else { text }
}

/// Asks once, where there is anything to leave out; other names are ignored.
async fn exclude(
    context: &RunContext,
    text: &str,
    linking: LinkingInput<'_>,
    values: &[String],
    pass: Pass,
    round: u32,
    Offered { names, stays }: &Offered,
) -> Result<Vec<String>, StageError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let what = if pass.columns { "columns" } else { "tables" };
    let profile = context.model(Agent::Linker).profile();
    let format = ReplyFormat(&profile);
    let (question, facts) = (linking.question, linking.facts);
    let request = Request {
        tail: Exclude { question, facts, values, what, coarse: pass.coarse, round, stays }.render_for(&profile),
        max_tokens: room(&profile, Writing::Names),
        output: format.reply("exclude", json!({ "exclude": format.list(json!({"enum": names}), names.len()) })),
        ..opening(context.ask.catalog.dialect, text)
    };
    let replies = context.call(Agent::Linker, nodes::LINKING, request).await?;
    let Ok(excluded) = vitrine_llm::parse_json::<Excluded>(replies.first()) else { return Ok(Vec::new()) };
    let mut gone: Vec<String> = excluded.exclude.into_iter().filter(|name| names.contains(name)).collect();
    gone.sort();
    gone.dedup();
    Ok(gone)
}
