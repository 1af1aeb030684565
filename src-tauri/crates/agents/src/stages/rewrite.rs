//! Question rewriting (AV-SQL, 4.2): task, required outputs, filters and constraints, sorting and limit.

use crate::attempt::value_hints::value_lines;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::request::opening_request;
use crate::prompt::{CopyFacts, OneForAll, Prompt, Rewrite, RewriteTask};
use crate::question::context::QuestionContext;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::pages::opening_with_pages;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{
    Agent, Direction, EventBody, ModelProfile, RewrittenQuestion, RunChange, StageKind, Switch, ValueMatch,
};
use vitrine_llm::{OutputFormat, Request};
use vitrine_words::{plural, tr};

/// Divisor of a prompt's room for the schema: shorter knowledge is included unchanged, longer knowledge is read in parts.
const SHORT_KNOWLEDGE: u32 = 5;

/// Maximum number of table names in a prompt that cannot show the schema.
const LISTED: usize = 400;

/// A reply, with fields that only a model that deliberates has to fill.
#[derive(Deserialize)]
struct Reply {
    task: String,
    outputs: Vec<String>,
    filters: Vec<String>,
    ordering: String,
    #[serde(default)]
    direction: String,
    #[serde(default)]
    rows: u32,
    #[serde(default)]
    ties: bool,
}

/// Excerpts of knowledge in the form that a model that deliberates returns.
#[derive(Deserialize)]
struct Excerpts {
    facts: Vec<String>,
}

/// Rewrites the question. Without the rewriter the question remains unchanged. A model that deliberates reads the schema, or only the table
/// names if no prompt can hold the schema, and the stored values of `known`: these allow it to detect misspelled words and to use the
/// stored spelling.
///
/// # Errors
/// Fails if the model fails. An unreadable reply causes a warning, and the question remains unchanged.
pub async fn rewrite_question(
    context: &RunContext,
    schema: &Schema,
    known: Vec<ValueMatch>,
) -> Result<QuestionContext, StageError> {
    let ask = &context.ask;
    let question = ask.question.trim().to_owned();
    let knowledge = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    if context.replay_stage(nodes::REWRITER) {
        let facts = read_knowledge(context, &question, knowledge).await?;
        let rewritten =
            ask.history.earlier.as_ref().and_then(|earlier| earlier.rewritten_question().cloned()).unwrap_or_default();
        return Ok(QuestionContext { question, facts, rewritten, values: known });
    }
    context.begin_stage(nodes::REWRITER, StageKind::Rewriter, tr!("Make the question explicit"), &[]);
    let facts = read_knowledge(context, &question, knowledge).await?;
    if let Some(rewritten) = ask.history.earlier.as_ref().and_then(|earlier| earlier.set_rewritten().cloned()) {
        context.record_edit(nodes::REWRITER, RunChange::Rewritten { rewritten: rewritten.clone() });
        context.emit(EventBody::Rewritten { node: nodes::REWRITER.to_owned(), rewritten: rewritten.clone() });
        context.finish_stage(nodes::REWRITER, rewritten.task.clone());
        return Ok(QuestionContext { question, facts, rewritten, values: known });
    }
    let mut rewritten = RewrittenQuestion::default();
    if ask.options.settings.is_enabled(Switch::Rewriter) {
        let profile = context.model(Agent::Rewriter).profile();
        let request = match profile.deliberates {
            true => over_schema(context, schema, &question, &facts, &known),
            false => Request {
                prefix: format!("{}\n\n", RewriteTask {}.render().trim_end()),
                tail: Rewrite { question: &question, facts: &facts, values: &[], tables: &[] }.render_for(&profile),
                ..opening_request(ask.data.catalog.dialect, "")
            },
        };
        let request = Request {
            max_tokens: max_reply_tokens(&profile, Writing::Rewritten),
            output: reply_format(ReplyFormat(&profile)),
            ..request
        };
        let replies = context.call_model(Agent::Rewriter, nodes::REWRITER, request).await?;
        match vitrine_llm::parse_json::<Reply>(replies.first_reply()) {
            Ok(reply) => rewritten = reply.into(),
            Err(error) => context.warn(Some(nodes::REWRITER), tr!("The question is used unchanged: {error}", error)),
        }
        context.emit(EventBody::Rewritten { node: nodes::REWRITER.to_owned(), rewritten: rewritten.clone() });
    }
    let summary = if rewritten.task.is_empty() { tr!("As asked") } else { rewritten.task.clone() };
    context.finish_stage(nodes::REWRITER, summary);
    Ok(QuestionContext { question, facts, rewritten, values: known })
}

/// Returns the request for a model that deliberates.
fn over_schema(context: &RunContext, schema: &Schema, question: &str, facts: &str, known: &[ValueMatch]) -> Request {
    let profile = context.model(Agent::Rewriter).profile();
    let catalog = &context.ask.data.catalog;
    let reading = schema.for_agent(Agent::Rewriter);
    let (text, tables) = match reading.chunks.as_slice() {
        [whole] => (whole.text.as_str(), Vec::new()),
        _ => ("", reading.compressed.tables.iter().take(LISTED).map(|table| table.pattern.clone()).collect()),
    };
    Request {
        tail: Rewrite { question, facts, values: &value_lines(&profile, catalog, known), tables: &tables }
            .render_for(&profile),
        ..opening_with_pages(&profile, context.shown_profile(), text, catalog)
    }
}

impl From<Reply> for RewrittenQuestion {
    fn from(reply: Reply) -> Self {
        let Reply { task, outputs, filters, ordering, direction, rows, ties } = reply;
        let direction = match direction.as_str() {
            "ascending" => Direction::Ascending,
            "descending" => Direction::Descending,
            _ => Direction::None,
        };
        Self { task, outputs, filters, ordering, direction, rows, ties }
    }
}

/// Returns the knowledge for methods without a rewriter (DSR-SQL, 3.2.1, K'): unchanged if it is short, else the relevant excerpts of its
/// parts, in a separate node.
///
/// # Errors
/// Fails if the model fails.
pub async fn relevant_knowledge(context: &RunContext) -> Result<String, StageError> {
    let model = context.model(Agent::Rewriter).profile();
    knowledge_within(context, short_knowledge_tokens(&model)).await
}

/// Returns the knowledge for methods whose prompts contain it unchanged: it is read in parts only if it is longer than a part of the
/// schema.
///
/// # Errors
/// Fails if the model fails.
pub async fn knowledge_as_given(context: &RunContext) -> Result<String, StageError> {
    let of = |agent| context.model(agent).profile().chunk_budget;
    knowledge_within(context, of(Agent::Generator).min(of(Agent::Rewriter))).await
}

/// Returns the knowledge, unchanged up to `most` tokens.
async fn knowledge_within(context: &RunContext, most: u32) -> Result<String, StageError> {
    let ask = &context.ask;
    let knowledge = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    // A token has at least one byte, so no tokens need to be counted.
    if knowledge.len() <= most as usize {
        return Ok(knowledge.to_owned());
    }
    let model = context.model(Agent::Rewriter);
    if model.count_tokens(&[knowledge]).await?.first().is_none_or(|&tokens| tokens <= most) {
        return Ok(knowledge.to_owned());
    }
    context.begin_stage(nodes::REWRITER, StageKind::Rewriter, tr!("Read the background"), &[]);
    let facts = read_knowledge(context, ask.question.trim(), knowledge).await?;
    context.finish_stage(nodes::REWRITER, plural!(facts.lines().count(), "{n} fact", "{n} facts"));
    Ok(facts)
}

/// Returns short knowledge unchanged; for long knowledge, the excerpts of each part that are relevant to the question.
async fn read_knowledge(context: &RunContext, question: &str, knowledge: &str) -> Result<String, StageError> {
    if knowledge.is_empty() {
        return Ok(String::new());
    }
    let model = context.model(Agent::Rewriter);
    let tokens = model.count_tokens(&[knowledge]).await?.first().copied().unwrap_or(0);
    let profile = model.profile();
    if tokens <= short_knowledge_tokens(&profile) {
        return Ok(knowledge.to_owned());
    }
    let budget = profile.chunk_budget.max(500);
    let bytes_per_part = (knowledge.len() as u64 * u64::from(budget) / u64::from(tokens)).max(1000) as usize;
    let parts = split_text(knowledge, bytes_per_part);
    let mut facts: Vec<String> = Vec::new();
    for (index, text) in parts.iter().enumerate() {
        let request = Request {
            tail: CopyFacts { question, part: index + 1, parts: parts.len(), text }.render_for(&profile),
            max_tokens: max_reply_tokens(&profile, Writing::Excerpts),
            ..opening_request(context.ask.data.catalog.dialect, "")
        };
        let request = if profile.deliberates {
            Request { output: excerpts_format(ReplyFormat(&profile)), ..request }
        } else if profile.writes_at_length() {
            // Its reasoning may contain blank lines, so these cannot end the reply.
            request
        } else {
            // After the relevant excerpts, a small model continues with irrelevant text.
            Request { stop: vec!["\n\n".into()], ..request }
        };
        let reply = match context.earlier_reply(nodes::REWRITER, Agent::Rewriter, index) {
            Some(reply) => reply,
            None => context.call_model(Agent::Rewriter, nodes::REWRITER, request).await?.first_reply().to_owned(),
        };
        let excerpts = profile.deliberates.then(|| vitrine_llm::parse_json::<Excerpts>(&reply).ok()).flatten();
        match excerpts {
            Some(excerpts) => facts.extend(excerpts.facts.into_iter().filter(|fact| !fact.trim().is_empty())),
            None => {
                let found = vitrine_llm::strip_reasoning(&reply);
                if !found.is_empty() && !found.trim_end_matches('.').eq_ignore_ascii_case("none") {
                    facts.push(found.to_owned());
                }
            }
        }
    }
    if facts.is_empty() {
        context.warn(Some(nodes::REWRITER), tr!("No definition seems to be related to the question"));
    }
    Ok(facts.join("\n"))
}

/// Returns the number of tokens up to which knowledge is not read in parts.
fn short_knowledge_tokens(profile: &ModelProfile) -> u32 {
    profile.chunk_budget / SHORT_KNOWLEDGE
}

/// Splits text into parts of at most `bytes` bytes, at line ends if possible; every byte is in one part.
fn split_text(text: &str, bytes: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > bytes {
        let mut end = bytes;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let end = rest[..end].rfind('\n').map_or(end, |at| at + 1);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

fn excerpts_format(format: ReplyFormat<'_>) -> OutputFormat {
    format.reply_schema("excerpts", json!({ "facts": format.list_schema(format.text_schema(0), 0) }))
}

fn reply_format(format: ReplyFormat<'_>) -> OutputFormat {
    let mut properties = json!({
        "task": format.text_schema(240),
        "outputs": format.list_schema(format.text_schema(80), 10),
        "filters": format.list_schema(format.text_schema(120), 8),
        "ordering": format.text_schema(120),
    });
    if format.0.deliberates {
        properties["direction"] = json!({"enum": ["ascending", "descending", "none"]});
        properties["rows"] = json!({"type": "integer"});
        properties["ties"] = json!({"type": "boolean"});
    }
    format.reply_schema("rewritten_question", properties)
}

#[cfg(test)]
mod tests {
    use super::split_text;

    #[test]
    fn no_part_of_long_knowledge_is_lost() {
        let text = "alpha\nbeta é\n".repeat(50);
        for bytes in [7, 20, 100, 10_000] {
            assert_eq!(split_text(&text, bytes).concat(), text);
        }
    }
}
