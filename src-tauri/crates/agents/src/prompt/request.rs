//! The common beginning and settings of requests.

use crate::prompt::{Prompt, SchemaPrefix, System};
use vitrine_domain::Dialect;
use vitrine_llm::Request;

/// A request with the run's common prefix: system text, then the schema text as stable prefix.
pub fn opening(dialect: Dialect, schema_text: &str) -> Request {
    opening_with(dialect, schema_text, dialect.hints())
}

/// The same with other notes on the dialect.
pub fn opening_with(dialect: Dialect, schema_text: &str, hints: &[&str]) -> Request {
    let prefix = if schema_text.is_empty() {
        String::new()
    } else {
        format!("{}\n\n", SchemaPrefix { schema: schema_text.trim_end(), hints }.render().trim_end())
    };
    Request { system: System { dialect: dialect.display_name() }.render(), prefix, top_p: 1.0, ..Request::default() }
}
