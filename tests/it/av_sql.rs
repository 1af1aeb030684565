//! AV-SQL and what all methods share, row by row: what the log says of each, with a small and with a large model, with
//! knowledge, stored values and their meanings.

use crate::bench::{Ran, Shop, large, run, small};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AskSettings, EventBody, RunStatus};
use vitrine_llm::ScriptedModel;

use std::sync::Arc;

const QUESTION: &str = "How much did customers in Germany buy?";
const KNOWLEDGE: &str = "What a customer bought is the sum of the amounts.";
const REWRITTEN: &str = r#"{"task":"Add up the purchases of customers in Germany","outputs":["total amount"],"filters":["the country is Germany"],"ordering":""}"#;
const PLAN: &str = r#"{"read":["purchases_of"],"conditions":[],"group_by":[],"output":["SUM(amount)"]}"#;
const SUM: &str = "SELECT SUM(amount) FROM purchases_of";
const UNCHANGED: &str = r#"{"verdict":"unchanged","sql":""}"#;

/// A reply of the view generator.
fn views(country: &str) -> String {
    format!(
        r#"{{"tables":[{{"name":"customer","columns":["id","country"]}},{{"name":"purchase","columns":["customer_id","amount"]}}],"views":[{{"name":"purchases_of","rationale":"what they bought","sql":"SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = '{country}'"}}]}}"#
    )
}

fn one_candidate() -> AskSettings {
    AskSettings { strategy: "av-sql".into(), candidates: 1, ..AskSettings::default() }
}

async fn ask(settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    let shop = Shop::new();
    run(shop.ask_with_all(QUESTION, KNOWLEDGE, settings, model.clone()).await, CancellationToken::new()).await
}

#[tokio::test]
async fn a_value_that_only_means_the_same_is_found_and_fed_back() {
    for model in [small, large] {
        let model =
            model(vec![REWRITTEN.to_owned(), views("Germany"), views("DE"), PLAN.into(), SUM.into(), UNCHANGED.into()]);
        let ran = ask(one_candidate(), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        ran.assert_whole();
        let found = ran.pick(|body| match body {
            EventBody::ValuesRetrieved { literals, matches, .. } => Some((literals.clone(), matches.clone())),
            _ => None,
        });
        let (literals, matches) = &found[0];
        assert_eq!(literals, &["Germany"]);
        assert_eq!((matches[0].value.as_str(), matches[0].semantic.map(f64::round)), ("DE", Some(1.0)), "{matches:?}");
        let fed_back = &model.requests()[2].turns[0].1;
        assert!(fed_back.contains("'Germany' is not stored; stored are customer.country = 'DE'"), "{fed_back}");
    }
}
