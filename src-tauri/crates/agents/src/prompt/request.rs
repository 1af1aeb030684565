//! The common beginning and settings of requests.

use crate::prompt::{Prompt, SchemaPrefix, System};
use vitrine_domain::Dialect;
use vitrine_llm::{OutputFormat, Request};

/// A request with the run's common prefix: system text, then the schema text as stable prefix.
pub fn opening(dialect: Dialect, schema_text: &str) -> Request {
    let prefix = if schema_text.is_empty() {
        String::new()
    } else {
        format!("{}\n\n", SchemaPrefix { schema: schema_text.trim_end(), hints: dialect.hints() }.render().trim_end())
    };
    Request { system: System { dialect: dialect.display_name() }.render(), prefix, top_p: 1.0, ..Request::default() }
}

/// The most tokens of one query: a long report over many columns fits, an endless reply costs a minute at most.
const LONGEST_SQL: u32 = 1_200;

/// A request for SQL alone.
pub fn sql_alone(request: &Request) -> Request {
    Request {
        max_tokens: LONGEST_SQL,
        // No semicolon: a text may contain one. Anything after the first statement is cut off when the reply is read.
        stop: vec!["```".into()],
        assistant_prefix: "```sql\n".into(),
        output: OutputFormat::Text,
        ..request.clone()
    }
}
