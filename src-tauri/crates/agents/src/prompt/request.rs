//! The common beginning and settings of requests.

use crate::prompt::{OneForAll, Prompt, SchemaPrefix, System};
use crate::run::examples::{Examples, PromptExample};
use serde::Serialize;
use vitrine_domain::Dialect;
use vitrine_llm::Request;
use vitrine_sql::DialectExt;

/// Returns a request with the run's common prefix: system text, then the schema text as stable prefix.
pub fn opening_request(dialect: Dialect, schema_text: &str) -> Request {
    opening_with(dialect, schema_text, dialect.sql().prompt_hints())
}

/// Returns the common prefix with other notes on the dialect.
pub fn opening_with(dialect: Dialect, schema_text: &str, hints: &[&str]) -> Request {
    let prefix = if schema_text.is_empty() {
        String::new()
    } else {
        format!("{}\n\n", SchemaPrefix { schema: schema_text.trim_end(), hints }.render().trim_end())
    };
    Request {
        system: System { dialect: dialect.sql().display_name() }.render(),
        prefix,
        top_p: 1.0,
        ..Request::default()
    }
}

/// Context of the verified questions that precede a task.
#[derive(Debug, Clone, Serialize)]
struct Verified<'a> {
    examples: &'a [PromptExample],
}
impl Prompt for Verified<'_> {
    const FILE: &'static str = "generator/verified.j2";
}
impl OneForAll for Verified<'_> {}

/// Context of the questions derived from the schema that precede a task.
#[derive(Debug, Clone, Serialize)]
struct Derived<'a> {
    examples: &'a [PromptExample],
}
impl Prompt for Derived<'_> {
    const FILE: &'static str = "generator/examples.j2";
}
impl OneForAll for Derived<'_> {}

/// Puts a task below verified questions, or else below derived ones; returns it unchanged if there are none.
pub fn prepend_examples(tail: String, examples: &Examples) -> String {
    let above = match (examples.verified.as_slice(), examples.derived.as_slice()) {
        ([], []) => return tail,
        ([], examples) => Derived { examples }.render(),
        (examples, _) => Verified { examples }.render(),
    };
    format!("{}\n\n{tail}", above.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_follows_its_examples() {
        assert_eq!(prepend_examples("Question: a".to_owned(), &Examples::default()), "Question: a");
        let example = |question: &str| PromptExample {
            question: question.to_owned(),
            sql: "SELECT count(*) FROM orders WHERE state = 'P'".to_owned(),
        };
        for (verified, question, lead) in [
            (vec![example("How many paid?")], "How many paid?", "its user has checked"),
            (Vec::new(), "How many orders?", "Example questions about this database"),
        ] {
            let examples = Examples { verified, derived: vec![example("How many orders?")] };
            let text = prepend_examples("Question: a".to_owned(), &examples);
            let shown = format!("Question: {question}\n```sql\nSELECT count(*) FROM orders WHERE state = 'P'\n```");
            assert!(text.contains(&shown) && text.contains(lead), "{text}");
            assert!(text.ends_with("\n\nQuestion: a"), "the question itself is last: {text}");
        }
    }
}
