//! A scripted model that answers every stage of every method according to its output format, so that tests can inspect
//! all requests.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_domain::ModelProfile;
use vitrine_llm::{ChatModel, Line, LlmError, ModelEvent, OutputFormat, Request, ScriptedModel};

/// The question of the tests.
pub const QUESTION: &str = "How many customers live in each country?";
const BY_COUNTRY: &str = "SELECT country, COUNT(*) FROM customer GROUP BY country";
const ALL: &str = "SELECT COUNT(*) FROM customer";
const NAMES: &str = "SELECT name FROM customer";
const WRONG: &str = "SELECT land FROM customer";
/// A reply that declines to answer.
pub const NO_WEATHER: &str = "Nothing here is about weather.\n```json\n{\"not_in_data\": \"temperatures\", \"nearest\": [\"purchase.amount\", \"weather.degrees\"]}\n```";

/// A model that replies to every stage: its first reply fails, so that retries occur, and its queries disagree.
pub struct Actor {
    profile: ModelProfile,
    /// Declines in every reply that permits it.
    declines: bool,
    /// Returns a different query for each correction.
    wavers: bool,
    requests: Mutex<Vec<Request>>,
}

#[async_trait]
impl ChatModel for Actor {
    fn id(&self) -> &str {
        "actor"
    }

    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(texts.iter().map(|text| vitrine_llm::estimate_tokens(text)).collect())
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        self.requests.lock().unwrap().push(request.clone());
        let line = match &request.output {
            OutputFormat::JsonSchema { name, schema } => Line::Say(self.object(name, &schema["properties"], &request)),
            _ => Line::Samples((0..request.samples.max(1)).map(|sample| self.text(&request, sample)).collect()),
        };
        ScriptedModel::new(vec![line]).stream(request, cancel).await
    }
}

impl Actor {
    pub fn new(profile: ModelProfile) -> Arc<Self> {
        Arc::new(Self { profile, declines: false, wavers: false, requests: Mutex::default() })
    }

    /// Creates an actor whose queries never agree, even after corrections.
    pub fn that_wavers(profile: ModelProfile) -> Arc<Self> {
        Arc::new(Self { profile, declines: false, wavers: true, requests: Mutex::default() })
    }

    /// Creates an actor that declines because the data lacks the answer.
    pub fn that_declines(profile: ModelProfile) -> Arc<Self> {
        Arc::new(Self { profile, declines: true, wavers: false, requests: Mutex::default() })
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns a query: the greedy one fails, and its correction runs.
    fn text(&self, request: &Request, sample: u32) -> String {
        if self.declines {
            return NO_WEATHER.to_owned();
        }
        if request.tail.contains("pandas") {
            return if request.turns.is_empty() { "result = by_country.nn" } else { "result = by_country" }.to_owned();
        }
        let others = [BY_COUNTRY, ALL, NAMES];
        let sql = match request.turns.is_empty() {
            true if sample == 0 && request.first_greedy => WRONG,
            true => others[(request.seed as usize + sample as usize) % others.len()],
            false if self.wavers => others[self.requests.lock().unwrap().len() % others.len()],
            false => BY_COUNTRY,
        };
        match self.profile.deliberates {
            true => format!("I count the rows.\n```sql\n{sql}\n```"),
            false => sql.to_owned(),
        }
    }

    fn object(&self, name: &str, properties: &Value, request: &Request) -> String {
        let again = !request.turns.is_empty();
        let has = |property: &str| properties.get(property).is_some();
        match name {
            "rewritten_question" => r#"{"task":"Count customers by country","outputs":["country","number"],
                "filters":[],"ordering":"by country","direction":"ascending","rows":0,"ties":false}"#
                .to_owned(),
            "excerpts" => r#"{"facts":["Countries are written as two letters."]}"#.to_owned(),
            "views" if has("tables") => {
                let sql = if again { BY_COUNTRY } else { WRONG };
                format!(
                    r#"{{"tables":[{{"name":"customer","columns":["id","name","country"]}}],
                        "views":[{{"name":"counted","rationale":"customers","sql":"{sql}"}}]}}"#
                )
            }
            "views" if request.tail.contains("by_country(") => r#"{"views":[]}"#.to_owned(),
            "views" if has_sql(properties) => {
                let sql = if again { "SELECT country, COUNT(*) AS n FROM customer GROUP BY country" } else { WRONG };
                format!(r#"{{"views":[{{"name":"by_country","rationale":"customers","sql":"{sql}"}}]}}"#)
            }
            "views" => {
                let table = if again { "customer" } else { "nowhere" };
                format!(
                    r#"{{"views":[{{"name":"by_country","rationale":"customers","source":[{{"table":"{table}"}}],
                        "dimensions":[{{"column":"{table}.country"}}],"metrics":[{{"name":"n","agg":"count"}}]}}]}}"#
                )
            }
            "fetch_plan" if self.declines => r#"{"needs":[],"groups":[],"order":[],"not_in_data":"temperatures",
                "nearest":["purchase.amount","weather.degrees"]}"#
                .to_owned(),
            "step" if self.declines => r#"{"aim":"temperatures","action":"not_in_data","sql":"",
                "nearest":["purchase.amount","weather.degrees"]}"#
                .to_owned(),
            "fetch_plan" => {
                // The second group has no view, so that the missing part is requested.
                r#"{"needs":["customers"],"groups":[{"name":"g","tables":[{"table":"customer","role":"fact"}],
                "gives":"n"},{"name":"spent","tables":[{"table":"purchase","role":"fact"}],"gives":"amount"}],
                "order":["fetch by_country"]}"#
                    .to_owned()
            }
            "plan" => r#"{"read":["customer"],"joins":[],"formulas":[],"steps":[],"conditions":[],
                "group_by":["country"],"output":["country","COUNT(*)"],"sort":"","limit":0}"#
                .to_owned(),
            "verdict" if has("better") => r#"{"better":"A"}"#.to_owned(),
            "verdict" => r#"{"verdict":"unchanged","sql":""}"#.to_owned(),
            "ranking" => r#"{"best":1}"#.to_owned(),
            "examples" => {
                format!(r#"{{"examples":[{{"question":"How many customers are there?","sql":"{ALL}"}}]}}"#)
            }
            "probes" => format!(
                r#"{{"probes":[{{"purpose":"countries","sql":"{WRONG}"}},
                    {{"purpose":"more","sql":"SELECT land, name FROM customer"}}]}}"#
            ),
            "corrected" => r#"{"sql":["SELECT country, name FROM customer"]}"#.to_owned(),
            "facts" => r#"{"facts":["country holds 'US'"]}"#.to_owned(),
            "tables" => {
                r#"{"tables":[{"name":"customer","why":"countries","needed":true,"columns":["id","country"]}]}"#
                    .to_owned()
            }
            "keywords" => r#"{"keywords":["customers"]}"#.to_owned(),
            "exclude" => r#"{"exclude":["purchase","customer.name"]}"#.to_owned(),
            "step" if request.tail.contains("Steps so far") => {
                format!(r#"{{"aim":"all","action":"finalize","sql":"{BY_COUNTRY}"}}"#)
            }
            "step" => format!(r#"{{"aim":"first","action":"extend","sql":"{WRONG}"}}"#),
            other => panic!("{other} is asked for, and the actor knows no reply"),
        }
    }
}

/// Checks that the items of the view list contain SQL.
fn has_sql(properties: &Value) -> bool {
    properties["views"]["items"]["properties"].get("sql").is_some()
}
