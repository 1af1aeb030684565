//! Format and maximum length of replies, by the profile of the model. All limits of replies are defined here; stages only name the kind of
//! text.
//!
//! A model that does not deliberate gets a tight limit: longer replies repeat themselves, and every token takes time. Its built-in
//! reasoning, if any, gets room before the short reply. A model that deliberates gets more room, a place to think if it has none of its
//! own, and no bound on the length of texts and lists.

use serde_json::{Map, Value, json};
use vitrine_domain::{ModelProfile, Reasoning};
use vitrine_llm::{OutputFormat, Request};

/// Kind of text that a reply contains; it determines the limit in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// A choice of a few words or numbers.
    Choice,
    /// Names that a task needs from a part of the schema.
    Needed,
    /// Names with their columns, or names to leave out.
    Names,
    /// One question on one line.
    Question,
    /// The question with its meaning made explicit.
    Rewritten,
    /// Excerpts of a longer document.
    Excerpts,
    /// Plan of the final query.
    Plan,
    /// A verdict on a query, with an edit.
    Verdict,
    /// A query without other text.
    Query,
    /// A correction of a short query.
    ShortQuery,
    /// A query after its reasoning.
    Reasoned,
    /// Another version of a query with this number of characters.
    QueryLike(u32),
    /// Another version of a query with this number of characters, after a restatement of the question.
    RestatedQuery(u32),
    /// A step together with its query.
    Step,
    /// Facts that query results show.
    Facts,
    /// Views in SQL with a selection.
    Views,
    /// Views in the view language, without SQL.
    Specs,
    /// A program for the analysis sandbox.
    Code,
    /// This number of short queries.
    Queries(u32),
    /// This number of questions with their queries.
    Examples(u32),
}

/// Minimum and maximum tokens of the first reply of a model that reasons or deliberates. If a reply is cut off, the request is repeated
/// with twice the room, up to the profile's limit.
const FIRST: (u32, u32) = (1_024, 8_192);
/// Tokens for each further item of a list, for a model that deliberates.
const ITEM: u32 = 256;
/// Minimum number of SQL characters in a token.
const CHARACTERS_PER_TOKEN: u32 = 2;
/// Tokens for a restatement of the question, for a model that does not deliberate.
const RESTATEMENT: u32 = 120;

/// Returns the limit in tokens for a first reply.
pub fn max_reply_tokens(profile: &ModelProfile, writing: Writing) -> u32 {
    if !profile.writes_at_length() {
        return short_reply_tokens(writing);
    }
    // Tokens of reasoning reduce the limit, both in the text and hidden.
    let share = if profile.reasoning == Reasoning::None { 4 } else { 2 };
    let most = if profile.reasoning == Reasoning::None { FIRST.1 } else { profile.reply_tokens };
    let items = match writing {
        writing if !profile.deliberates => short_reply_tokens(writing),
        Writing::Queries(count) | Writing::Examples(count) => ITEM * count,
        _ => 0,
    };
    ((profile.reply_tokens / share).clamp(FIRST.0, most.max(FIRST.0)) + items).min(profile.reply_tokens.max(FIRST.0))
}

/// Returns the limit for a model that does not deliberate.
fn short_reply_tokens(writing: Writing) -> u32 {
    match writing {
        Writing::Choice => 16,
        Writing::ShortQuery => 160,
        Writing::Plan => 180,
        Writing::Excerpts => 200,
        Writing::Facts => 220,
        Writing::Rewritten => 260,
        Writing::Needed => 300,
        Writing::Question | Writing::Names | Writing::Verdict | Writing::Code => 400,
        Writing::Reasoned | Writing::Step => 420,
        Writing::Views => 480,
        Writing::Specs => 600,
        // A long report over many columns fits, and an endless reply costs at most a minute.
        Writing::Query => 1_200,
        Writing::Queries(count) => 90 * count,
        Writing::Examples(count) => 110 * count,
        // A reply more than twice as long is a different query.
        Writing::QueryLike(characters) => 2 * characters / CHARACTERS_PER_TOKEN + 40,
        Writing::RestatedQuery(characters) => short_reply_tokens(Writing::QueryLike(characters)) + RESTATEMENT,
    }
}

/// Builds JSON Schemas of replies for one model profile.
#[derive(Debug, Clone, Copy)]
pub struct ReplyFormat<'p>(pub &'p ModelProfile);

impl ReplyFormat<'_> {
    /// Returns the schema of a text with at most `most` characters.
    pub fn text_schema(self, most: u32) -> Value {
        if self.0.deliberates { json!({"type": "string"}) } else { json!({"type": "string", "maxLength": most}) }
    }

    /// Returns the schema of a query on one line with at most `most` characters.
    pub fn query_schema(self, most: u32) -> Value {
        if self.0.deliberates {
            return json!({"type": "string"});
        }
        json!({"type": "string", "pattern": format!("^(SELECT|WITH) [^\\n\\r]{{1,{most}}}$")})
    }

    /// Returns the schema of a list with at most `most` items.
    pub fn list_schema(self, items: Value, most: usize) -> Value {
        match self.0.deliberates {
            true => json!({"type": "array", "items": items}),
            false => json!({"type": "array", "items": items, "maxItems": most}),
        }
    }

    /// Returns the schema of a list with at least `least` and at most `most` items.
    pub fn list_from(self, items: Value, least: usize, most: usize) -> Value {
        match self.0.deliberates {
            true => json!({"type": "array", "items": items}),
            false => json!({"type": "array", "items": items, "minItems": least, "maxItems": most}),
        }
    }

    /// Like [`Self::reply_schema`], with a reason for the log from every model that deliberates: one that thinks aloud gives it there.
    pub fn reasoned_schema(self, name: &str, properties: Value) -> OutputFormat {
        let Value::Object(properties) = properties else { unreachable!("properties are an object") };
        let mut all = Map::new();
        if self.0.deliberates && !self.0.thinks_aloud() {
            all.insert(REASON.into(), json!({"type": "string"}));
        }
        all.extend(properties);
        self.reply_schema(name, Value::Object(all))
    }

    /// Returns the format of an object with these properties and no others; `properties` is a JSON object. For a model that thinks aloud, a
    /// property for its thinking precedes the others.
    pub fn reply_schema(self, name: &str, properties: Value) -> OutputFormat {
        let Value::Object(properties) = properties else { unreachable!("properties are an object") };
        let mut all = Map::new();
        if self.0.thinks_aloud() {
            all.insert(THINKING.into(), json!({"type": "string"}));
        }
        all.extend(properties);
        OutputFormat::JsonSchema { name: name.into(), schema: object_schema(Value::Object(all)) }
    }
}

/// Name of the property in which a model thinks before its verdict.
pub const THINKING: &str = "thinking";
/// Name of the property with the reason of a model that thinks elsewhere. Replies are read under either name.
pub const REASON: &str = "reason";

/// Returns the JSON Schema of an object with these properties and no others.
pub fn object_schema(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// Turns a request into one for SQL alone. A model that deliberates reasons first and ends with the query; for other models the request
/// begins the reply, so that it contains only the query.
pub fn sql_alone(request: &Request, profile: &ModelProfile) -> Request {
    let mut plain = Request {
        max_tokens: max_reply_tokens(profile, Writing::Query),
        output: OutputFormat::Text,
        ..request.clone()
    };
    if profile.deliberates {
        let last = plain.turns.last_mut().map_or(&mut plain.tail, |(_, said)| said);
        last.truncate(last.trim_end().len());
        let end = (if profile.thinks_aloud() { AFTER_THINKING } else { IN_A_BLOCK }).trim_end();
        let end = format!("{end}\n{}", SECOND_MEANING.trim_end());
        // A correction that is sampled several times already has this ending.
        if !last.ends_with(&end) {
            last.push_str(&end);
        }
        return Request { stop: Vec::new(), assistant_prefix: String::new(), ..plain };
    }
    // A semicolon is not a stop sequence, because string literals may contain one. The reader drops all text after the first statement.
    Request { stop: vec!["```".into()], assistant_prefix: "```sql\n".into(), ..plain }
}

/// Turns a request into one for a program. A model that deliberates reasons first and ends with the program, as its prompt requires; for
/// other models the request begins the reply, so that it contains only the program.
pub fn code_alone(request: &Request, profile: &ModelProfile) -> Request {
    let plain =
        Request { max_tokens: max_reply_tokens(profile, Writing::Code), output: OutputFormat::Text, ..request.clone() };
    if profile.deliberates {
        return Request { stop: Vec::new(), assistant_prefix: String::new(), ..plain };
    }
    Request { stop: vec!["```".into()], assistant_prefix: "```python\n".into(), ..plain }
}

/// Ends a request for a query if the model reasons in the text.
const AFTER_THINKING: &str = include_str!("../../../../../prompts/shared/query-after-thinking.txt");
const IN_A_BLOCK: &str = include_str!("../../../../../prompts/shared/query-in-a-block.txt");
/// Asks for a second meaning of an ambiguous word beside the query, in both cases.
const SECOND_MEANING: &str = include_str!("../../../../../prompts/shared/second-meaning.txt");

#[cfg(test)]
mod tests {
    use super::*;

    fn small_profile() -> ModelProfile {
        ModelProfile { deliberates: false, ..ModelProfile::default() }
    }

    #[test]
    fn a_model_that_deliberates_has_room_and_one_that_does_not_is_held_short() {
        let large = ModelProfile { reply_tokens: 32_000, ..ModelProfile::default() };
        assert_eq!(max_reply_tokens(&small_profile(), Writing::Choice), 16);
        assert_eq!(max_reply_tokens(&large, Writing::Choice), 8_000, "the verdict comes after the thinking");
        let thinks = ModelProfile { reasoning: Reasoning::Hidden, ..large.clone() };
        assert_eq!(max_reply_tokens(&thinks, Writing::Query), 16_000, "hidden thinking counts against the limit");
        let short = ModelProfile { reply_tokens: 2_000, ..large };
        assert_eq!(max_reply_tokens(&short, Writing::Examples(30)), 2_000, "never more than the model writes");
    }

    #[test]
    fn a_small_model_that_reasons_by_itself_has_room_for_it_in_front_of_a_short_reply() {
        for reasoning in [Reasoning::Text, Reasoning::Hidden] {
            let thinks = ModelProfile { reasoning, reply_tokens: 8_000, ..small_profile() };
            assert_eq!(max_reply_tokens(&thinks, Writing::Choice), 4_016);
            assert_eq!(max_reply_tokens(&thinks, Writing::Queries(50)), 8_000, "never more than the model writes");
        }
        assert_eq!(max_reply_tokens(&small_profile(), Writing::QueryLike(60)), 100);
        assert_eq!(max_reply_tokens(&small_profile(), Writing::RestatedQuery(60)), 220);
    }

    #[test]
    fn only_a_small_model_is_bound_in_what_it_writes() {
        let large = ModelProfile::default();
        for shape in
            [ReplyFormat(&large).query_schema(900), ReplyFormat(&large).list_schema(json!({"type": "string"}), 3)]
        {
            let text = shape.to_string();
            assert!(!["maxLength", "pattern", "maxItems", "minItems"].iter().any(|word| text.contains(word)), "{text}");
        }
        assert_eq!(
            ReplyFormat(&small_profile()).query_schema(900),
            json!({"type": "string", "pattern": "^(SELECT|WITH) [^\\n\\r]{1,900}$"})
        );
    }

    #[test]
    fn the_thinking_comes_before_the_verdict() {
        let better = || json!({"better": {"enum": ["A", "B"]}});
        let first = |profile: &ModelProfile| match ReplyFormat(profile).reply_schema("verdict", better()) {
            OutputFormat::JsonSchema { schema, .. } => schema["properties"].as_object().unwrap().keys().next().cloned(),
            _ => None,
        };
        assert_eq!(first(&ModelProfile::default()).as_deref(), Some("thinking"));
        assert_eq!(first(&small_profile()).as_deref(), Some("better"));
        let hidden = ModelProfile { reasoning: Reasoning::Hidden, ..ModelProfile::default() };
        assert_eq!(first(&hidden).as_deref(), Some("better"), "it thinks by itself");
    }

    #[test]
    fn a_query_is_reasoned_about_where_that_helps() {
        let request = Request { tail: "How many?".into(), ..Request::default() };
        let large = sql_alone(&request, &ModelProfile::default());
        assert!(large.assistant_prefix.is_empty() && large.stop.is_empty());
        assert!(large.tail.starts_with("How many?\n\nThink first"));
        assert_eq!(sql_alone(&large, &ModelProfile::default()).tail, large.tail, "its end is said once");
        let brief = sql_alone(&request, &small_profile());
        assert_eq!((brief.assistant_prefix.as_str(), brief.tail.as_str()), ("```sql\n", "How many?"));
    }
}
