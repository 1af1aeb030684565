//! The common beginning and settings of requests.

use crate::prompt::{OneForAll, Prompt, SchemaPrefix, System};
use crate::run::verified::VerifiedExample;
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
    examples: &'a [VerifiedExample],
}
impl Prompt for Verified<'_> {
    const FILE: &'static str = "generator/verified.j2";
}
impl OneForAll for Verified<'_> {}

/// Puts a task below verified questions; returns it unchanged if there are none.
pub fn prepend_examples(tail: String, verified: &[VerifiedExample]) -> String {
    match verified {
        [] => tail,
        examples => format!("{}\n\n{tail}", Verified { examples }.render().trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_without_verified_questions_stays_as_it_is() {
        assert_eq!(prepend_examples("Question: a".to_owned(), &[]), "Question: a");
        let example = VerifiedExample {
            saved_id: "1".to_owned(),
            title: "t".to_owned(),
            question: "How many paid?".to_owned(),
            sql: "SELECT count(*) FROM orders WHERE state = 'P'".to_owned(),
        };
        let told = prepend_examples("Question: a".to_owned(), &[example]);
        assert!(
            told.contains("Question: How many paid?\n```sql\nSELECT count(*) FROM orders WHERE state = 'P'\n```"),
            "{told}"
        );
        assert!(told.ends_with("\n\nQuestion: a"), "the question that is asked stands last: {told}");
    }
}
