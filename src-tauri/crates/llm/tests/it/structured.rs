//! Replies of models that do not keep to the required form.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use vitrine_llm::{LlmError, parse_json, schema_of};

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Views {
    /// Why.
    rationale: String,
    views: Vec<View>,
    limit: Option<u32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct View {
    name: String,
    sql: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Rows as they are.
    Plain,
    /// Grouped.
    Grouped,
}

fn wanted() -> Views {
    let view = View { name: "a".into(), sql: "SELECT '{' ||\n  \"x\"".into(), kind: Kind::Plain };
    Views { rationale: "because".into(), views: vec![view], limit: None }
}

fn message(reply: &str) -> String {
    match parse_json::<Views>(reply) {
        Err(LlmError::BadReply { message, reply: kept }) => {
            assert_eq!(kept, reply);
            message
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_json_is_found_wherever_it_is() {
    let json = serde_json::to_string_pretty(&wanted()).unwrap();
    let replies = [
        json.clone(),
        format!("```json\n{json}\n```"),
        format!("```\n{json}"),
        format!("Here is the JSON:\n```json\n{json}\n```\nIt uses one view; {{}} is not it."),
        format!("Sure! {json} Anything else?"),
        format!("<think>maybe {{\"rationale\": 1}}</think>\n{json}"),
        format!("First I thought ```json\n{{\"views\": []}}\n``` but then:\n```json\n{json}\n```"),
    ];
    for reply in replies {
        assert_eq!(parse_json::<Views>(&reply).unwrap(), wanted(), "{reply}");
    }
}

#[test]
fn small_slips_are_repaired() {
    let reply = "{\"rationale\": \"because\", \"views\": [{\"name\": \"a\", \"sql\": \"SELECT '{' ||\n  \\\"x\\\"\", \"kind\": \"plain\",},],\n \"limit\": null, }";
    assert_eq!(parse_json::<Views>(reply).unwrap(), wanted());
    assert_eq!(parse_json::<Vec<String>>("[\"a,]\", \"b,}\",\n]").unwrap(), ["a,]", "b,}"]);
}

#[test]
fn the_message_names_the_place() {
    insta::assert_snapshot!(message(r#"{"rationale": "r", "views": [{"name": "a", "sql": 3, "kind": "plain"}]}"#), @"at views[0].sql: invalid type: integer `3`, expected a string");
    insta::assert_snapshot!(message(r#"{"rationale": "r", "views": [{"name": "a", "sql": ""}]}"#), @"at views[0]: missing field `kind`");
    insta::assert_snapshot!(message(r#"{"views": []}"#), @"missing field `rationale`");
    insta::assert_snapshot!(message(r#"{"rationale": "r", "views": [], "more": 1}"#), @"at more: unknown field `more`, expected one of `rationale`, `views`, `limit`");
    insta::assert_snapshot!(message("I cannot answer that."), @"it holds no JSON");
    insta::assert_snapshot!(message(""), @"it holds no JSON");
    insta::assert_snapshot!(message(r#"{"rationale": "r", "views": [{"name": "a"#), @"it is not valid JSON: EOF while parsing a string at line 1 column 40");
}

#[test]
fn a_schema_is_as_strict_providers_want_it_and_keeps_the_order_of_the_fields() {
    let text = json!({ "type": "string" });
    let expected = json!({
        "type": "object",
        "properties": {
            "rationale": { "description": "Why.", "type": "string" },
            "views": { "type": "array", "items": {
                "type": "object",
                "properties": { "name": text, "sql": text, "kind": { "enum": ["plain", "grouped"] } },
                "required": ["name", "sql", "kind"],
                "additionalProperties": false,
            }},
            "limit": { "type": ["integer", "null"], "minimum": 0 },
        },
        "additionalProperties": false,
        "required": ["rationale", "views", "limit"],
    });
    let schema = schema_of::<Views>();
    assert_eq!(schema, expected);
    // Equality of JSON objects ignores order, but a model writes in the order of the schema.
    let names = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&schema), ["rationale", "views", "limit"]);
    assert_eq!(names(&schema["properties"]["views"]["items"]), ["name", "sql", "kind"]);
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Odd {
    title: String,
    format: Tree,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Tree {
    default: Vec<Tree>,
}

#[test]
fn fields_named_like_keywords_and_recursive_types_survive() {
    let schema = schema_of::<Odd>();
    assert_eq!(schema["required"], json!(["title", "format"]));
    assert!(schema.to_string().contains("$ref"));
    assert_eq!(schema["$defs"]["Tree"]["required"], json!(["default"]));
}

proptest! {
    #[test]
    fn no_reply_makes_it_panic(reply in ".{0,200}") {
        let _ = parse_json::<Views>(&reply);
    }

    #[test]
    fn brackets_in_any_order_are_no_trouble(reply in "[\\[\\]{}\",:`\\\\a\n]{0,80}") {
        let _ = parse_json::<Views>(&reply);
    }

    #[test]
    fn any_text_in_a_string_survives_fences(text in ".{0,80}") {
        let wanted = vec![text];
        let reply = format!("Well:\n```json\n{}\n```", serde_json::to_string(&wanted).unwrap());
        prop_assert_eq!(parse_json::<Vec<String>>(&reply).unwrap(), wanted);
    }
}

#[test]
fn the_last_object_counts_and_thinking_does_not() {
    let views = |name: &str| serde_json::to_string(&serde_json::json!({"n": name})).unwrap();
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Said {
        n: String,
    }
    let read = |reply: &str| parse_json::<Said>(reply).map(|said| said.n).ok();
    let (draft, last) = (views("draft"), views("last"));
    for reply in [
        format!("```json\n{draft}\n```\nNo, rather:\n{last}"),
        format!("{draft} or rather\n```json\n{last}\n```\nwhich has no list [] in it."),
        format!("<think>{draft}</think>{last}"),
        format!("<think>\n```json\n{draft}\n```\n</think>\nThe reply:\n```\n{last}\n```\n```sql\nSELECT 1\n```"),
        format!("<thinking>{draft}</thinking>\n{last}\n<think>{draft}"),
        r#"{"thinking": "first </think> then ```json {\"n\": \"draft\"} ```", "n": "last"}"#.to_owned(),
    ] {
        assert_eq!(read(&reply).as_deref(), Some("last"), "{reply}");
    }
    assert_eq!(read(&format!("<think>{draft}")), None, "it was cut off while it thought");
    assert_eq!(read(&format!("<think>{draft}</think>")), None);
    assert_eq!(read(&format!("{draft} No: {{\"n\": \"la")), None, "a draft does not stand for what was cut off");
}

#[test]
fn what_is_inside_of_an_object_that_was_cut_off_is_no_reply() {
    #[derive(Debug, serde::Deserialize)]
    struct All {
        #[serde(default)]
        views: Vec<String>,
    }
    let cut = r#"{"tables": [{"name": "a", "columns": []}, {"name": "b""#;
    assert!(parse_json::<All>(cut).map(|all| all.views).is_err());
}
