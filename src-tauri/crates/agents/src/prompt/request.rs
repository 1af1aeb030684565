//! How a request begins and ends, whatever it asks.

use crate::prompt::{Prompt, SchemaPrefix, System};
use vitrine_domain::Dialect;
use vitrine_llm::{OutputFormat, Request};

/// A request with the run's common opening: system text, then the schema text as stable prefix.
pub fn opening(dialect: Dialect, schema_text: &str) -> Request {
    let prefix = if schema_text.is_empty() {
        String::new()
    } else {
        format!("{}\n\n", SchemaPrefix { schema: schema_text.trim_end(), hints: dialect.hints() }.render().trim_end())
    };
    Request { system: System { dialect: dialect.display_name() }.render(), prefix, top_p: 1.0, ..Request::default() }
}

/// Tokens of one query: a long report over many columns fits, a reply without end costs a minute at most.
const LONGEST_SQL: u32 = 1_200;

/// A request for SQL and nothing else.
pub fn sql_alone(request: &Request) -> Request {
    Request {
        max_tokens: LONGEST_SQL,
        // Not a semicolon: one may stand in a text. What follows the first statement is cut off where it is read.
        stop: vec!["```".into()],
        assistant_prefix: "```sql\n".into(),
        output: OutputFormat::Text,
        ..request.clone()
    }
}
