//! `docs/events.md`: checks that its reference matches the doc comments of the types and covers everything a log can
//! contain.

use serde::de::DeserializeOwned;
use serde_json::json;
use std::path::{Path, PathBuf};
use vitrine_domain::findings::{Confidence, GenerationAction, LinkingPass};
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{Agent, EventBody, GenerationPath, StageKind, ViewStatus};

/// Marks the start of the generated part.
const MARK: &str =
    "<!-- Written from the doc comments: VITRINE_DESCRIBE=1 npm run cargo -- nextest run -p vitrine-tests events -->";

/// The types that the reference describes after the events.
const TYPES: [&str; 29] = [
    "RunEvent",
    "StageKind",
    "Agent",
    "Usage",
    "PromptMessage",
    "ChunkSummary",
    "ChunkOutcome",
    "ValueMatch",
    "ViewAttempt",
    "DistinctValues",
    "ViewStatus",
    "LinkingPass",
    "GenerationAction",
    "GenerationPath",
    "Confidence",
    "Probe",
    "SyntheticExample",
    "Cluster",
    "Reading",
    "RememberedChoice",
    "Certainty",
    "CertaintyLevel",
    "CertaintyReason",
    "TokenProbability",
    "MetricAnswer",
    "MetricDefinition",
    "AskedPart",
    "PartRole",
    "MetricRequest",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources() -> String {
    let source =
        |name| std::fs::read_to_string(root().join("src-tauri/crates/domain/src").join(name)).expect("a source");
    [
        "stage_kind.rs",
        "run.rs",
        "view_attempt.rs",
        "usage.rs",
        "findings.rs",
        "question.rs",
        "certainty.rs",
        "metric_answer.rs",
    ]
    .map(source)
    .concat()
}

/// A type, variant or field with its doc comment.
struct Item {
    name: String,
    doc: String,
    kind: String,
    items: Vec<Item>,
}

/// Parses the declaration of a plain type, formatted by rustfmt.
fn declared(sources: &str, name: &str) -> Item {
    let heads = [format!("pub struct {name} {{\n"), format!("pub enum {name} {{\n")];
    let head = heads.iter().find(|head| sources.contains(head.as_str())).expect(name);
    let (before, body) = sources.split_once(head.as_str()).expect("found");
    let (body, _) = body.split_once("\n}\n").expect("its end");
    let above: Vec<&str> = before.rsplit("\n\n").next().unwrap_or_default().lines().collect();
    let renamed = above.iter().find_map(|line| line.split_once("rename_all = \""));
    let case = renamed.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
    let mut items: Vec<Item> = Vec::new();
    let mut doc: Vec<&str> = Vec::new();
    for line in body.lines() {
        let (depth, text) = (line.len() - line.trim_start().len(), line.trim());
        if let Some(more) = text.strip_prefix("///") {
            doc.push(more.trim());
        } else if text.is_empty() || text.starts_with("#[") || text.starts_with('}') {
            continue;
        } else {
            let text = text.trim_start_matches("pub ").trim_end_matches([',', '{']).trim();
            let (name, kind) = text.split_once(": ").unwrap_or((text, ""));
            let item = Item { name: cased(name, case), doc: doc.join(" "), kind: words(kind), items: Vec::new() };
            doc.clear();
            match items.last_mut() {
                Some(variant) if depth > 4 => variant.items.push(item),
                _ => items.push(item),
            }
        }
    }
    let doc = above.iter().filter_map(|line| line.strip_prefix("///")).map(str::trim).collect::<Vec<_>>().join(" ");
    Item { name: name.to_owned(), doc, kind: String::new(), items }
}

/// Converts a name to serde's case style.
fn cased(name: &str, case: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for (index, letter) in name.char_indices() {
        match (letter, case) {
            ('_', "camelCase") => upper = true,
            (_, "kebab-case") if letter.is_uppercase() && index > 0 => {
                out.push('-');
                out.extend(letter.to_lowercase());
            }
            _ if index == 0 => out.extend(letter.to_lowercase()),
            _ if upper => {
                out.extend(letter.to_uppercase());
                upper = false;
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Describes a type in words.
fn words(kind: &str) -> String {
    let inside = |outer: &str| kind.strip_prefix(outer).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Option<") {
        return format!("{} or null", words(inner));
    }
    if let Some(inner) = inside("Vec<") {
        return format!("list of {}", words(inner));
    }
    if let Some(inner) = inside("Box<") {
        return words(inner);
    }
    if let Some((key, value)) = inside("BTreeMap<").and_then(|inner| inner.split_once(", ")) {
        return format!("{} by {}", words(value), words(key));
    }
    match kind {
        "String" | "NodeId" | "ModelId" | "RuleCode" => "text".to_owned(),
        "u32" | "u64" | "f32" | "f64" => "number".to_owned(),
        "bool" => "true or false".to_owned(),
        other if TYPES.contains(&other) => format!("[{other}](#{})", other.to_lowercase()),
        other => other.to_owned(),
    }
}

fn reference() -> String {
    let sources = sources();
    let mut text = String::from("## Kinds of event\n");
    for event in declared(&sources, "EventBody").items {
        text += &format!("\n### `{}`\n\n{}\n\n| field | type | |\n|---|---|---|\n", event.name, event.doc);
        event
            .items
            .iter()
            .for_each(|field| text += &format!("| `{}` | {} | {} |\n", field.name, field.kind, field.doc));
    }
    text += "\n## Types and words\n\nNames are as in the log. `Page`, `AskSettings`, \
             `RewrittenQuestion`, `SchemaSelection`, `RuleNote`, `QueryVariant`, `ViewSpec`, `Explanation`, `Steered`, \
             `RunChange` and `AppError` are described in `ui/src/host/bindings.ts`.\n";
    for name in TYPES {
        let Item { doc, items, .. } = declared(&sources, name);
        let is_enum = items.iter().all(|item| item.kind.is_empty());
        let head = if is_enum { "| word | |\n|---|---|" } else { "| field | type | |\n|---|---|---|" };
        text += &format!("\n### {name}\n\n{doc}\n\n{head}\n");
        for item in items {
            match is_enum {
                true => text += &format!("| `{}` | {} |\n", item.name, item.doc),
                false => text += &format!("| `{}` | {} | {} |\n", item.name, item.kind, item.doc),
            }
        }
    }
    text
}

/// Returns the names that serde accepts for an enum, from its error for an unknown name.
fn serialized<T: DeserializeOwned>(unknown: serde_json::Value) -> Vec<String> {
    let error = serde_json::from_value::<T>(unknown).err().expect("no such word").to_string();
    error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn events_are_documented_as_they_are_declared() {
    let path = root().join("docs/events.md");
    let kept = std::fs::read_to_string(&path).expect("the document");
    let (before, _) = kept.split_once(MARK).expect("its mark");
    let whole = format!("{before}{MARK}\n\n{}", reference());
    if std::env::var_os("VITRINE_DESCRIBE").is_some() {
        std::fs::write(&path, &whole).expect("written");
    }
    let kept = std::fs::read_to_string(&path).expect("the document");
    assert!(kept == whole, "{}: VITRINE_DESCRIBE=1 writes it anew", path.display());
}

#[test]
fn the_document_names_every_word_that_a_log_can_hold() {
    let document = std::fs::read_to_string(root().join("docs/events.md")).expect("the document");
    let events = serialized::<EventBody>(json!({"type": "?"}));
    assert!(events.len() > 30, "{events:?}");
    for event in events {
        assert!(document.contains(&format!("\n### `{event}`\n")), "{event}");
    }
    let word = json!("?");
    let words = [
        serialized::<StageKind>(word.clone()),
        serialized::<Agent>(word.clone()),
        serialized::<ViewStatus>(word.clone()),
        serialized::<ChunkOutcome>(word.clone()),
        serialized::<LinkingPass>(word.clone()),
        serialized::<GenerationAction>(word.clone()),
        serialized::<GenerationPath>(word.clone()),
        serialized::<Confidence>(word),
    ];
    for word in words.concat() {
        assert!(document.contains(&format!("| `{word}` |")), "{word}");
    }
    let nodes = std::fs::read_to_string(root().join("src-tauri/crates/agents/src/run/nodes.rs")).expect("a source");
    for node in nodes.lines().filter_map(|line| line.strip_prefix("pub const ")?.split('"').nth(1)) {
        assert!(document.contains(&format!("`{node}`")), "{node}");
    }
}
