//! Progressive pruning (ProSPy, 3.2 and A.2): omits tables that a question does not need, round by round until nothing changes, then
//! columns, in a coarse and then a fine pass. In every round the model reads the remaining schema, and a pass ends if the reply omits
//! nothing. Names that must be kept are not offered, and no request is made if it would save nothing. As parts of the schema shrink, they
//! are packed into fewer requests. Look-alike tables are shown, offered and omitted as one. Omitted names can return ([`PromptSchema`]).

mod batches;
mod keep;

use batches::Batch;

use crate::attempt::value_hints::value_lines;
use crate::prompt::Prompt;
use crate::prompt::methods::Exclude;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::request::opening_request;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::{LinkingInput, SelectionChange, key_columns, record_selection, selection_without};
use futures::{StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashSet;
use vitrine_catalog::{CompressedColumn, CompressedTable};
use vitrine_domain::{Agent, LinkingPass, SchemaSelection, TableName, ValueMatch};
use vitrine_llm::Request;

/// Number of columns of a schema part up to which pruning saves less than a request costs.
const FEW_COLUMNS: usize = 5;

#[derive(Deserialize)]
struct Excluded {
    exclude: Vec<String>,
}

/// Pass of the pruning, by its kind.
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

    fn linking_pass(self) -> LinkingPass {
        match (self.coarse, self.columns) {
            (true, false) => LinkingPass::CoarseTables,
            (true, true) => LinkingPass::CoarseColumns,
            (false, false) => LinkingPass::FineTables,
            (false, true) => LinkingPass::FineColumns,
        }
    }
}

/// Prunes to a fixed point: a pass ends if a reply omits nothing more, or after `rounds` rounds if that bound is set. Every round removes a
/// name, so the number of rounds is limited by the number of tables and columns. An unreadable reply removes nothing.
///
/// # Errors
/// Fails if the model fails.
pub async fn prune_schema<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    rounds: Option<u32>,
) -> Result<PromptSchema<'a>, StageError> {
    let catalog = &context.ask.data.catalog;
    let mut left = SchemaSelection::default();
    for table in &catalog.tables {
        let name = table.name.to_string();
        left.add(&name, None);
        table.columns.iter().for_each(|column| left.add(&name, Some(&column.name)));
    }
    if !context.model(Agent::Linker).profile().deliberates {
        return keep::prune_in_two_passes(context, schema, linking, left).await;
    }
    let pruning = Pruning {
        context,
        schema,
        linking,
        keys: key_columns(catalog),
        values: value_lines(&context.model(Agent::Linker).profile(), catalog, linking.matches),
        about: schema.describe_database(context, Agent::Linker),
    };
    let mut batches = batches::from_chunks(context, schema);
    for pass in Pass::ALL {
        for round in 1..=rounds.unwrap_or(u32::MAX) {
            let of_batch = async |batch: &Batch<'_>| {
                let offered = pruning.offer_names(batch, &left, pass);
                let text = batch.render_remaining(context, schema, &left);
                pruning.exclude_names(&text, pass, round, &offered).await
            };
            let gone: Vec<Vec<String>> =
                futures::stream::iter(&batches).map(of_batch).buffered(CALLS_AT_ONCE).try_collect().await?;
            let gone = gone.concat();
            // A question needs at least one table, so a reply that removes all of them is ignored.
            let rest = selection_without(&left, &gone);
            if gone.is_empty() || rest.is_empty() {
                break;
            }
            left = rest;
            let change = SelectionChange::new(pass.linking_pass(), round, gone);
            record_selection(context, nodes::LINKING, schema, &left, change).await?;
            batches = batches::pack_batches(context, schema, batches, &left).await?;
        }
    }
    Ok(PromptSchema::from_selection(schema, nodes::LINKING, left))
}

/// A table or a column, or several look-alikes that are shown as one.
struct Family {
    /// Name that the request offers.
    offered: String,
    /// Pattern that matches the names of all members.
    pattern: String,
    /// Name of the member that is shown.
    shown: String,
    /// All names that a reply may use for a member.
    listed: Vec<String>,
    /// Names that are removed together.
    members: Vec<String>,
}

impl Family {
    /// Creates the family of a table, or of look-alike tables by the member that is shown.
    fn of_tables(table: &CompressedTable) -> Self {
        let shown = table.representative.name.to_string();
        let members: Vec<String> = table.members.iter().map(ToString::to_string).collect();
        Self { offered: shown.clone(), pattern: table.pattern.clone(), shown, listed: members.clone(), members }
    }

    /// Creates the family of a column of one or several tables, or of look-alike columns by their pattern.
    fn of_columns(table: &CompressedTable, column: &CompressedColumn) -> Self {
        let of = |table: &TableName| {
            let table = table.to_string();
            column.members.iter().map(move |column| format!("{table}.{column}"))
        };
        let own = &table.representative.name;
        let pattern = format!("{own}.{}", column.pattern);
        Self {
            offered: pattern.clone(),
            pattern,
            shown: format!("{own}.{}", column.column.name),
            listed: of(own).collect(),
            members: table.members.iter().flat_map(of).collect(),
        }
    }

    /// Returns true if a reply names the whole family: by its pattern, by the shown member or by all members. A list of some members is not
    /// enough.
    fn is_named(&self, reply: &HashSet<&str>) -> bool {
        let named = self.listed.iter().filter(|name| reply.contains(name.as_str())).count();
        let by_shown = named == 1 && reply.contains(self.shown.as_str());
        by_shown || named == self.listed.len() || reply.contains(self.pattern.as_str())
    }
}

/// Names that a request offers for removal.
#[derive(Default)]
struct Offered {
    /// Families that the reply may remove; empty if their removal would save nothing.
    families: Vec<Family>,
    /// Names of the same kind that are kept, because they store a value that the question names.
    stays: Vec<String>,
}

/// Inputs that all requests of a pruning share.
struct Pruning<'a> {
    context: &'a RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'a>,
    /// Key columns, which are not offered.
    keys: HashSet<String>,
    /// Stored values for prompts, one line per column.
    values: Vec<String>,
    /// Description of the database as a whole, in lines.
    about: Vec<String>,
}

impl Pruning<'_> {
    /// Returns the remaining tables, or columns that no key needs, of a part of the schema.
    fn offer_names(&self, batch: &Batch<'_>, left: &SchemaSelection, pass: Pass) -> Offered {
        let reading = self.schema.for_agent(Agent::Linker);
        let tables = batch.tables().map(|table| &reading.compressed.tables[table]);
        let tables = tables.filter(|table| left.contains(&table.representative.name, None));
        let families: Vec<Family> = match pass.columns {
            // The other columns of a divided table may be in parts that are not visible here.
            false => tables.filter(|table| batch.shows_whole(table, left)).map(Family::of_tables).collect(),
            true => {
                let of = |table: &CompressedTable| -> Vec<Family> {
                    let name = &table.representative.name;
                    let is_left = |column: &String| batch.shows(name, column) && left.contains(name, Some(column));
                    let columns = table.columns.iter().filter(|column| column.members.iter().any(is_left));
                    columns.map(|column| Family::of_columns(table, column)).collect()
                };
                tables.flat_map(of).collect()
            }
        };
        let saves = match pass.columns {
            true => families.len() > FEW_COLUMNS,
            false => families.len() > 1 || families.iter().any(|family| family.members.len() > 1),
        };
        if !saves {
            return Offered::default();
        }
        let of_match = |found: &ValueMatch| match pass.columns {
            true => format!("{}.{}", found.table, found.column),
            false => found.table.clone(),
        };
        let named: HashSet<String> =
            self.linking.matches.iter().filter(|found| found.is_named()).map(of_match).collect();
        let free = families.into_iter().filter(|family| !pass.columns || !self.keys.contains(&family.offered));
        let (stays, families): (Vec<Family>, _) =
            free.partition(|family| family.members.iter().any(|member| named.contains(member)));
        Offered { families, stays: stays.into_iter().map(|family| family.offered).collect() }
    }

    /// Makes one request, if any names are offered; other names in the reply are ignored.
    async fn exclude_names(
        &self,
        text: &str,
        pass: Pass,
        round: u32,
        Offered { families, stays }: &Offered,
    ) -> Result<Vec<String>, StageError> {
        let &Self { context, linking: LinkingInput { question, facts, .. }, ref values, ref about, .. } = self;
        if families.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = families.iter().map(|family| family.offered.as_str()).collect();
        let what = if pass.columns { "columns" } else { "tables" };
        let profile = context.model(Agent::Linker).profile();
        let format = ReplyFormat(&profile);
        let request = Request {
            tail: Exclude { question, facts, values, about, what, coarse: pass.coarse, round, stays }
                .render_for(&profile),
            max_tokens: max_reply_tokens(&profile, Writing::Names),
            output: format
                .reply_schema("exclude", json!({ "exclude": format.list_schema(json!({"enum": names}), names.len()) })),
            ..opening_request(context.ask.data.catalog.dialect, text)
        };
        let replies = context.call_model(Agent::Linker, nodes::LINKING, request).await?;
        let Ok(excluded) = vitrine_llm::parse_json::<Excluded>(replies.first_reply()) else { return Ok(Vec::new()) };
        let reply: HashSet<&str> = excluded.exclude.iter().map(String::as_str).collect();
        let named = families.iter().filter(|family| family.is_named(&reply));
        let mut gone: Vec<String> = named.flat_map(|family| family.members.iter().cloned()).collect();
        gone.sort();
        gone.dedup();
        Ok(gone)
    }
}
