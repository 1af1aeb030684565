//! Examples derived from the schema in the second prompt of `auto`: for small models, nearest to the question first.

use crate::bench::{Known, large, run, small};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::Ask;
use vitrine_domain::{AskSettings, MethodName, RunStatus, Switch};
use vitrine_llm::ScriptedModel;
use vitrine_values::{Embedder, ValuesError};

const SCRIPT: &str = "
    CREATE TABLE stores (store_id INTEGER PRIMARY KEY, store_name TEXT, region TEXT);
    CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, amount REAL, store_id INTEGER REFERENCES stores (store_id));
    INSERT INTO stores VALUES (1, 'Alpha', 'North'), (2, 'Beta', 'South'), (3, 'Gamma', 'North'), (4, 'Delta', 'South');
    INSERT INTO sales VALUES (1, 10.5, 1), (2, 20.5, 1), (3, 30.5, 2), (4, 7.5, 3);";

/// An embedder that counts letters: texts with the same words are near.
struct Letters;

impl Embedder for Letters {
    fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ValuesError> {
        let embed = |text: &&str| {
            let mut counts = vec![0.0_f32; 64];
            for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
                let sum: usize = word.bytes().map(usize::from).sum();
                counts[sum % 64] += 1.0;
            }
            let length = counts.iter().map(|count| count * count).sum::<f32>().sqrt();
            counts.into_iter().map(|count| count / length).collect()
        };
        Ok(texts.iter().map(embed).collect())
    }
}

async fn prompts(known: &Known, model: Arc<ScriptedModel>, settings: AskSettings) -> Vec<String> {
    let mut ask: Ask = known.ask("Which stores do not have any sales?", settings, model.clone());
    ask.data.embedder = Some(Arc::new(Letters));
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    model.requests().into_iter().map(|request| request.tail).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_prompt_of_a_small_model_shows_the_nearest_examples() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shop.sqlite");
    rusqlite::Connection::open(&path).expect("a database").execute_batch(SCRIPT).expect("rows");
    let known = Known::of(&format!("sqlite:{}", path.display()), &folder.path().join("values.db")).await;
    let replies = || vec!["```sql\nSELECT COUNT(*) FROM stores\n```".to_owned(); 8];
    let lead = "Example questions about this database";

    let prompts_of_auto = prompts(&known, small(replies()), AskSettings::default()).await;
    let [first, second, ..] = prompts_of_auto.as_slice() else { panic!("{prompts_of_auto:?}") };
    assert!(!first.contains(lead), "{first}");
    assert!(second.starts_with(lead) && second.ends_with(first.as_str()), "{second}");
    assert_eq!(second.matches("```sql").count(), 2, "{second}");
    assert!(second.contains("NOT IN (SELECT sales.store_id FROM sales WHERE sales.store_id IS NOT NULL)"), "{second}");

    let without = AskSettings { without: [Switch::SchemaExamples].into(), ..AskSettings::default() };
    let baseline = AskSettings { strategy: MethodName::from("direct"), ..AskSettings::default() };
    for (model, settings) in
        [(large(replies()), AskSettings::default()), (small(replies()), without), (small(replies()), baseline)]
    {
        let all = prompts(&known, model, settings).await;
        assert!(!all.iter().any(|prompt| prompt.contains(lead)), "{all:?}");
    }
}
