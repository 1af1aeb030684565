//! What a reply looks like and how long it may be, by the profile of the model that writes it. The one place that knows
//! limits of replies: stages say what is written.
//!
//! A model that does not deliberate is held short: what it says beyond is repetition, and every token takes its time. Where it
//! reasons by itself, that has room in front of the short reply. One that deliberates is given room, a place to think where it
//! has none of its own, and no bound on what it writes.

use serde_json::{Map, Value, json};
use vitrine_domain::{ModelProfile, Reasoning};
use vitrine_llm::{OutputFormat, Request};

/// What is written, by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// One of a few words or numbers.
    Choice,
    /// The names that are needed of a part of the schema.
    Needed,
    /// Names with their columns, or names to leave out.
    Names,
    /// One question, on a line.
    Question,
    /// The question made explicit.
    Rewritten,
    /// Excerpts of a document.
    Excerpts,
    /// A plan.
    Plan,
    /// A verdict on a query, with an edit.
    Verdict,
    /// A query alone.
    Query,
    /// A correction of a short query.
    ShortQuery,
    /// A query after its reasoning.
    Reasoned,
    /// Another query beside one of so many characters.
    QueryLike(u32),
    /// The same after the question in other words.
    RestatedQuery(u32),
    /// A step with its query.
    Step,
    /// Facts that results show.
    Facts,
    /// Views in SQL with a selection.
    Views,
    /// Views in the view language.
    Specs,
    /// A program.
    Code,
    /// So many short queries.
    Queries(u32),
    /// So many questions with their queries.
    Examples(u32),
}

/// The least and the most tokens of a first reply of a model that reasons or deliberates. A reply that is cut off is asked again
/// with twice the room, up to what the profile allows.
const FIRST: (u32, u32) = (1_024, 8_192);
/// Tokens of one more item of a list, for a model that deliberates.
const ITEM: u32 = 256;
/// Characters of SQL in a token, at least.
const CHARACTERS_PER_TOKEN: u32 = 2;
/// Tokens of a question in other words, of a model that is held short.
const RESTATEMENT: u32 = 120;

/// The limit in tokens of a first reply.
pub fn max_reply_tokens(profile: &ModelProfile, writing: Writing) -> u32 {
    if !profile.writes_at_length() {
        return short_reply_tokens(writing);
    }
    // Its reasoning counts against the limit, in the text as well as out of sight.
    let share = if profile.reasoning == Reasoning::None { 4 } else { 2 };
    let most = if profile.reasoning == Reasoning::None { FIRST.1 } else { profile.reply_tokens };
    let items = match writing {
        writing if !profile.deliberates => short_reply_tokens(writing),
        Writing::Queries(count) | Writing::Examples(count) => ITEM * count,
        _ => 0,
    };
    ((profile.reply_tokens / share).clamp(FIRST.0, most.max(FIRST.0)) + items).min(profile.reply_tokens.max(FIRST.0))
}

/// Limits of a model that does not deliberate.
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
        // A long report over many columns fits, an endless reply costs a minute at most.
        Writing::Query => 1_200,
        Writing::Queries(count) => 90 * count,
        Writing::Examples(count) => 110 * count,
        // One that is more than twice as long is another one.
        Writing::QueryLike(characters) => 2 * characters / CHARACTERS_PER_TOKEN + 40,
        Writing::RestatedQuery(characters) => short_reply_tokens(Writing::QueryLike(characters)) + RESTATEMENT,
    }
}

/// JSON Schemas of replies.
#[derive(Debug, Clone, Copy)]
pub struct ReplyFormat<'p>(pub &'p ModelProfile);

impl ReplyFormat<'_> {
    /// Text of at most so many characters.
    pub fn text_schema(self, most: u32) -> Value {
        if self.0.deliberates { json!({"type": "string"}) } else { json!({"type": "string", "maxLength": most}) }
    }

    /// A query, of at most so many characters on one line.
    pub fn query_schema(self, most: u32) -> Value {
        if self.0.deliberates {
            return json!({"type": "string"});
        }
        json!({"type": "string", "pattern": format!("^(SELECT|WITH) [^\\n\\r]{{1,{most}}}$")})
    }

    /// A list of at most so many items.
    pub fn list_schema(self, items: Value, most: usize) -> Value {
        match self.0.deliberates {
            true => json!({"type": "array", "items": items}),
            false => json!({"type": "array", "items": items, "maxItems": most}),
        }
    }

    /// A list of at least and at most so many items.
    pub fn list_from(self, items: Value, least: usize, most: usize) -> Value {
        match self.0.deliberates {
            true => json!({"type": "array", "items": items}),
            false => json!({"type": "array", "items": items, "minItems": least, "maxItems": most}),
        }
    }

    /// An object with these properties and no others; `properties` is a JSON object. At the top of a reply, a model that
    /// thinks aloud has a place for it in front of its verdict.
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

/// The property in which a model thinks before its verdict.
pub const THINKING: &str = "thinking";

/// The JSON Schema of an object with these properties and no others.
pub fn object_schema(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// A request for SQL alone. A model that deliberates reasons first and ends with the query; of another the reply is begun,
/// so that it is nothing but the query.
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
        // A correction that is sampled several times has been through here.
        if !last.ends_with(&end) {
            last.push_str(&end);
        }
        return Request { stop: Vec::new(), assistant_prefix: String::new(), ..plain };
    }
    // No semicolon: a text may contain one. Anything after the first statement is cut off when the reply is read.
    Request { stop: vec!["```".into()], assistant_prefix: "```sql\n".into(), ..plain }
}

/// A request for a program. A model that deliberates reasons first and ends with it, as its prompt says; of another the
/// reply is begun, so that it is nothing but the program.
pub fn code_alone(request: &Request, profile: &ModelProfile) -> Request {
    let plain =
        Request { max_tokens: max_reply_tokens(profile, Writing::Code), output: OutputFormat::Text, ..request.clone() };
    if profile.deliberates {
        return Request { stop: Vec::new(), assistant_prefix: String::new(), ..plain };
    }
    Request { stop: vec!["```".into()], assistant_prefix: "```python\n".into(), ..plain }
}

/// How a request for a query ends: with reasoning in the text, or without.
const AFTER_THINKING: &str = include_str!("../../../../../prompts/shared/query-after-thinking.txt");
const IN_A_BLOCK: &str = include_str!("../../../../../prompts/shared/query-in-a-block.txt");
/// How a second meaning of a word is told beside the query, in either case.
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
