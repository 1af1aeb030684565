//! Synthetic examples (CHASE-SQL, 3.3, Algorithm 2): pairs of question and query for this database, some by SQL feature and some over the
//! columns that the question seems to need. Only pairs whose query runs and returns rows are kept, because a model repeats the mistakes of
//! wrong examples.

use crate::attempt::context::AttemptContext;
use crate::attempt::prepare::prepare_query;
use crate::candidate::is_void;
use crate::prompt::Prompt;
use crate::prompt::format::one_line;
use crate::prompt::methods::WriteExamples;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens, object_schema};
use crate::run::calls::{CALLS_AT_ONCE, Replies};
use crate::run::events::StageError;
use crate::run::nodes;
use futures::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vitrine_domain::{Agent, EventBody, NodeId, SchemaSelection, StageKind, SyntheticExample};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::DialectExt;
use vitrine_words::{plural, tr};

/// Number of examples per call.
const PER_CALL: u32 = 10;

#[derive(Deserialize)]
struct ExamplesReply {
    examples: Vec<WrittenExample>,
}

#[derive(Deserialize)]
struct WrittenExample {
    question: String,
    sql: String,
}

/// Kinds of synthetic examples (paper, table 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExampleKinds {
    /// Examples of both kinds (R_f and R_t).
    Both,
    /// By SQL feature, over the whole database (R_f).
    Features,
    /// Over the columns that the question seems to need (R_t).
    Columns,
}

/// The examples to write.
#[derive(Clone, Copy)]
pub struct WantedExamples<'a> {
    /// Kinds of the examples.
    pub kinds: ExampleKinds,
    /// Number of examples of each kind.
    pub count: u32,
    /// Columns for the second kind; without any, only the first kind is written.
    pub selection: &'a SchemaSelection,
}

/// Writes the wanted number of examples by SQL feature (n_f) and over the selected columns (n_t).
///
/// # Errors
/// Fails if the model or the connection fails; examples that cannot be read are counted as dropped.
pub async fn write_examples(
    attempts: &AttemptContext<'_>,
    opening: &Request,
    wanted: WantedExamples<'_>,
    inputs: &[&NodeId],
) -> Result<Vec<SyntheticExample>, StageError> {
    let context = attempts.context;
    let WantedExamples { count, .. } = wanted;
    context.begin_stage(nodes::EXAMPLES, StageKind::Examples, tr!("Write examples"), inputs);
    let columns: Vec<String> = wanted.selection.tables.iter().map(ToString::to_string).collect();
    let kinds: &[&[String]] = match wanted.kinds {
        ExampleKinds::Both if !columns.is_empty() => &[&[], &columns],
        ExampleKinds::Columns if !columns.is_empty() => &[&columns],
        ExampleKinds::Columns => {
            let message = tr!("No columns were selected: the examples show SQL features instead");
            context.warn_aside(Some(nodes::EXAMPLES), message);
            &[&[]]
        }
        ExampleKinds::Both | ExampleKinds::Features => &[&[]],
    };
    let calls = kinds.iter().enumerate().flat_map(|(kind, columns)| {
        (0..count).step_by(PER_CALL as usize).map(move |begun| (kind, *columns, (count - begun).min(PER_CALL), begun))
    });
    let profile = context.model(Agent::Exemplar).profile();
    let replies: Vec<(u32, Replies)> = futures::stream::iter(calls)
        .map(async |(kind, columns, now, begun)| {
            let dialect = context.ask.data.catalog.dialect.sql().display_name();
            let request = Request {
                tail: WriteExamples { count: now, columns, dialect }.render_for(&profile),
                max_tokens: max_reply_tokens(&profile, Writing::Examples(now)),
                temperature: 0.5,
                seed: context.ask.options.settings.seed + 1000 * kind as u64 + u64::from(count - begun - now),
                output: reply_format(ReplyFormat(&profile), now),
                ..opening.clone()
            };
            Ok::<_, StageError>((now, context.call_model(Agent::Exemplar, nodes::EXAMPLES, request).await?))
        })
        .buffered(CALLS_AT_ONCE)
        .try_collect()
        .await?;
    let mut examples: Vec<SyntheticExample> = Vec::new();
    let mut dropped = 0;
    for (asked, replies) in replies {
        let Ok(written) = vitrine_llm::parse_json::<ExamplesReply>(replies.first_reply()) else {
            dropped += asked;
            continue;
        };
        for example in written.examples {
            match validate_example(attempts, &example, &examples).await? {
                Some(example) => examples.push(example),
                None => dropped += 1,
            }
        }
    }
    context.emit(EventBody::ExamplesWritten { node: nodes::EXAMPLES.to_owned(), examples: examples.clone(), dropped });
    context.finish_stage(nodes::EXAMPLES, plural!(examples.len(), "{n} example", "{n} examples"));
    Ok(examples)
}

/// Accepts an example that is new, runs as written except for repaired names, and returns rows.
async fn validate_example(
    attempts: &AttemptContext<'_>,
    written: &WrittenExample,
    so_far: &[SyntheticExample],
) -> Result<Option<SyntheticExample>, StageError> {
    let Ok(prepared) =
        prepare_query(attempts.context, nodes::EXAMPLES, attempts.views, attempts.limits.rules, &written.sql)
    else {
        return Ok(None);
    };
    let sql = prepared.sql;
    let text = one_line(sql.as_str());
    if so_far.iter().any(|example| example.sql == text) {
        return Ok(None);
    }
    let found =
        attempts.context.try_query(Agent::Exemplar, nodes::EXAMPLES, &sql, 1).await?.is_ok_and(|page| !is_void(&page));
    Ok(found.then(|| SyntheticExample { question: one_line(&written.question), sql: text }))
}

fn reply_format(format: ReplyFormat<'_>, count: u32) -> OutputFormat {
    let example = object_schema(json!({ "question": format.text_schema(120), "sql": query_schema(format) }));
    format.reply_schema("examples", json!({ "examples": format.list_from(example, count as usize, count as usize) }))
}

/// Examples of a small model must begin with SELECT, since queries with WITH become too long for the line.
fn query_schema(format: ReplyFormat<'_>) -> Value {
    if format.0.deliberates {
        format.query_schema(0)
    } else {
        json!({"type": "string", "pattern": "^SELECT [^\\n\\r]{1,260}$"})
    }
}
