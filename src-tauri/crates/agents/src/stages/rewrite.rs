//! Question rewriting (AV-SQL, 4.2): task, required outputs, filters and constraints, sorting and limit.

use crate::prompt::reply::{ReplyFormat, Writing, room};
use crate::prompt::request::opening;
use crate::prompt::{CopyFacts, Prompt, Rewrite, RewriteTask, format};
use crate::question::context::QuestionContext;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use serde_json::json;
use vitrine_domain::{Agent, EventBody, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::{OutputFormat, Request};

/// Knowledge up to this many tokens goes into prompts unchanged; longer knowledge is read in parts.
const SHORT_KNOWLEDGE_TOKENS: u32 = 600;

/// Rewrites the question. Without the rewriter the question stays as asked.
///
/// # Errors
/// Fails when the model fails; an unreadable reply is a warning and the question stays as asked.
pub async fn rewrite(context: &RunContext) -> Result<QuestionContext, StageError> {
    let ask = &context.ask;
    let question = ask.question.trim().to_owned();
    let knowledge = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    context.begin(nodes::REWRITER, StageKind::Rewriter, "Make the question explicit", &[]);
    let facts = read_knowledge(context, &question, knowledge).await?;
    let mut rewritten = RewrittenQuestion::default();
    if ask.settings.with(Switch::Rewriter) {
        let profile = context.model(Agent::Rewriter).profile();
        let request = Request {
            prefix: format!("{}\n\n", RewriteTask {}.render().trim_end()),
            tail: Rewrite { question: &question, facts: &facts }.render(),
            max_tokens: room(&profile, Writing::Rewritten),
            output: reply_format(ReplyFormat(&profile)),
            ..opening(ask.catalog.dialect, "")
        };
        let replies = context.call(Agent::Rewriter, nodes::REWRITER, request).await?;
        match vitrine_llm::parse_json::<RewrittenQuestion>(replies.first()) {
            Ok(read) => rewritten = read,
            Err(error) => context.warn(Some(nodes::REWRITER), format!("The question goes on as asked: {error}")),
        }
        context.emit(EventBody::Rewritten { node: nodes::REWRITER.to_owned(), rewritten: rewritten.clone() });
    }
    let summary = if rewritten.task.is_empty() { "As asked".to_owned() } else { rewritten.task.clone() };
    context.finish(nodes::REWRITER, summary);
    Ok(QuestionContext { question, facts, rewritten })
}

/// The knowledge alone, for methods without a rewriter (DSR-SQL, 3.2.1, K'): unchanged where it is short, else the
/// relevant excerpts of its parts, in a node of its own.
///
/// # Errors
/// Fails when the model fails.
pub async fn knowledge(context: &RunContext) -> Result<String, StageError> {
    let ask = &context.ask;
    let knowledge = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    let model = context.model(Agent::Rewriter);
    let is_long = match model.count_tokens(&[knowledge]).await?.first() {
        Some(&tokens) => tokens > SHORT_KNOWLEDGE_TOKENS,
        None => false,
    };
    if !is_long {
        return Ok(knowledge.to_owned());
    }
    context.begin(nodes::REWRITER, StageKind::Rewriter, "Read the background", &[]);
    let facts = read_knowledge(context, ask.question.trim(), knowledge).await?;
    context.finish(nodes::REWRITER, format::count(facts.lines().count(), "fact"));
    Ok(facts)
}

/// Short knowledge unchanged; for long knowledge, the excerpts that every part has for the question.
async fn read_knowledge(context: &RunContext, question: &str, knowledge: &str) -> Result<String, StageError> {
    if knowledge.is_empty() {
        return Ok(String::new());
    }
    let model = context.model(Agent::Rewriter);
    let tokens = model.count_tokens(&[knowledge]).await?.first().copied().unwrap_or(0);
    if tokens <= SHORT_KNOWLEDGE_TOKENS {
        return Ok(knowledge.to_owned());
    }
    let budget = model.profile().chunk_budget.max(500);
    let bytes_per_part = (knowledge.len() as u64 * u64::from(budget) / u64::from(tokens)).max(1000) as usize;
    let parts = split(knowledge, bytes_per_part);
    let mut facts: Vec<String> = Vec::new();
    for (index, text) in parts.iter().enumerate() {
        let request = Request {
            tail: CopyFacts { question, part: index + 1, parts: parts.len(), text }.render(),
            max_tokens: room(&model.profile(), Writing::Excerpts),
            stop: vec!["\n\n".into()],
            ..opening(context.ask.catalog.dialect, "")
        };
        let replies = context.call(Agent::Rewriter, nodes::REWRITER, request).await?;
        let found = replies.first().trim();
        if !found.is_empty() && !found.trim_end_matches('.').eq_ignore_ascii_case("none") {
            facts.push(found.to_owned());
        }
    }
    Ok(facts.join("\n"))
}

/// Splits text into parts of at most `bytes` bytes, at line ends where possible; every byte is in one part.
fn split(text: &str, bytes: usize) -> Vec<&str> {
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

fn reply_format(format: ReplyFormat<'_>) -> OutputFormat {
    format.reply(
        "rewritten_question",
        json!({
            "task": format.text(240),
            "outputs": format.list(format.text(80), 10),
            "filters": format.list(format.text(120), 8),
            "ordering": format.text(120),
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn no_part_of_long_knowledge_is_lost() {
        let text = "alpha\nbeta é\n".repeat(50);
        for bytes in [7, 20, 100, 10_000] {
            assert_eq!(split(&text, bytes).concat(), text);
        }
    }
}
