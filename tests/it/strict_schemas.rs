//! Every reply schema of a method in the form of a strict server: checked by the provider's published rules, and parsed
//! if the model writes null for omitted values.

use crate::bench::{Shop, run};
use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::METHODS;
use vitrine_domain::{AskSettings, ModelProfile, RunStatus, SchemaSupport};
use vitrine_llm::http::strict_schema;
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, OutputFormat, Request, estimate_tokens};
use vitrine_test_servers::openai_schema::openai_schema_fault;

const COUNT: &str = "SELECT COUNT(*) FROM customer";

/// A model behind a strict server: it returns the minimal value of a strict schema, with null if permitted, and the
/// same query for every SQL field.
struct Strict {
    deliberates: bool,
    /// Schemas by their stage's name.
    asked: Mutex<BTreeMap<String, Value>>,
}

#[async_trait]
impl ChatModel for Strict {
    fn id(&self) -> &str {
        "strict"
    }

    fn profile(&self) -> ModelProfile {
        ModelProfile { deliberates: self.deliberates, schema: SchemaSupport::Strict, ..ModelProfile::default() }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| estimate_tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        _: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let text = match &request.output {
            OutputFormat::JsonSchema { name, schema } => {
                self.asked.lock().unwrap().insert(name.clone(), schema.clone());
                let schema = strict_schema(schema).unwrap_or_else(|| panic!("{name} has no strict form: {schema}"));
                least(&schema).to_string()
            }
            _ => format!("```sql\n{COUNT}\n```"),
        };
        let samples = 0..request.samples.max(1);
        let said = samples.flat_map(move |sample| {
            let token = ModelEvent::Token { sample, text: text.clone() };
            [Ok(token), Ok(ModelEvent::Finished { sample, reason: FinishReason::Stop, probability: None })]
        });
        let events: Vec<_> = said.chain([Ok(ModelEvent::Usage(CallUsage::default()))]).collect();
        Ok(stream::iter(events).boxed())
    }
}

/// Returns the minimal value that matches a strict schema.
fn least(schema: &Value) -> Value {
    if let Some(choices) = schema["anyOf"].as_array() {
        let null = choices.iter().any(|choice| choice["type"] == "null");
        return if null { Value::Null } else { least(&choices[0]) };
    }
    if let Some(choice) = schema["enum"].as_array().and_then(|choices| choices.first()).or_else(|| schema.get("const"))
    {
        return choice.clone();
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    if kinds.contains(&"null") {
        return Value::Null;
    }
    match kinds.first() {
        Some(&"object") => {
            let properties = schema["properties"].as_object().expect("properties");
            // The model does not decline.
            let value = |name: &str, schema| if name == "not_in_data" { json!("") } else { least(schema) };
            Value::Object(properties.iter().map(|(name, schema)| (name.clone(), value(name, schema))).collect())
        }
        Some(&"array") => (0..schema["minItems"].as_u64().unwrap_or(0)).map(|_| least(&schema["items"])).collect(),
        Some(&"integer" | &"number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some(&"boolean") => json!(false),
        _ => match schema["pattern"].as_str() {
            Some(pattern) if pattern.contains("SELECT") => json!(COUNT),
            Some(pattern) if pattern.contains("{4}-") => json!("2023-01-02"),
            _ => json!("words"),
        },
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_schema_of_every_method_keeps_to_the_rules_of_strict_servers_and_is_read_with_its_nulls() {
    let mut seen: BTreeMap<String, Value> = BTreeMap::new();
    for deliberates in [false, true] {
        for method in METHODS {
            let model = Arc::new(Strict { deliberates, asked: Mutex::default() });
            let settings = AskSettings { strategy: method.info.name.into(), ..AskSettings::default() };
            let shop = Shop::new();
            let question = "How many customers are there, as cleo is one?";
            let ask = shop.ask_with_all(question, "A customer is a row.", settings, model.clone()).await;
            let ran = run(ask, CancellationToken::new()).await;
            assert_eq!(ran.report.status(), RunStatus::Answered, "{}: {:?}", method.info.name, ran.outcome);
            let page = ran.report.page.as_ref().expect("rows");
            assert_eq!(page.rows, [[Some("4".to_owned())]], "{}", method.info.name);
            seen.extend(std::mem::take(&mut *model.asked.lock().unwrap()));
        }
    }
    for (name, schema) in &seen {
        let strict = strict_schema(schema).expect("it was asked with it");
        assert_eq!(openai_schema_fault(&strict), None, "{name}: {strict:#}");
    }
    let names: Vec<&str> = seen.keys().map(String::as_str).collect();
    for known in ["rewritten_question", "views", "plan", "verdict", "probes", "step", "examples"] {
        assert!(names.contains(&known), "{known} was not asked: {names:?}");
    }
}
