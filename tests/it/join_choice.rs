//! Queries that use a column without joining its table, while several keys lead to such a table: the question decides,
//! and otherwise the other join is offered with its result.

use crate::bench::{Known, Ran, in_order, large, run, small};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AskSettings, CertaintyLevel, RunStatus};
use vitrine_llm::ScriptedModel;

const SCRIPT: &str = "
    CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, country TEXT);
    CREATE TABLE stores (store_id INTEGER PRIMARY KEY, country TEXT);
    CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, amount INTEGER, customer_id INTEGER REFERENCES customers (customer_id),
        store_id INTEGER REFERENCES stores (store_id));
    INSERT INTO customers VALUES (1, 'FR'), (2, 'DE');
    INSERT INTO stores VALUES (1, 'FR'), (2, 'DE');
    INSERT INTO sales VALUES (1, 10, 1, 1), (2, 20, 1, 2), (3, 30, 2, 2);";

const BY_COUNTRY: &str = "SELECT country, SUM(amount) FROM sales GROUP BY country ORDER BY country";

async fn ask(known: &Known, model: Arc<ScriptedModel>, question: &str, settings: AskSettings) -> Ran {
    run(known.ask(question, settings, model), CancellationToken::new()).await
}

fn rows(ran: &Ran) -> Vec<String> {
    let rows = in_order(ran.report.page.as_ref().expect("rows"), false);
    rows.iter().map(|row| row.iter().flatten().cloned().collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_join_is_completed_by_the_question_and_other_joins_are_offered() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shop.sqlite");
    rusqlite::Connection::open(&path).expect("a database").execute_batch(SCRIPT).expect("rows");
    let known = Known::of(&format!("sqlite:{}", path.display()), &folder.path().join("values.db")).await;
    let (by_customer, by_store) = (["DE 30", "FR 30"], ["DE 50", "FR 10"]);
    for model in [small, large] {
        let replies = || model(vec![format!("```sql\n{BY_COUNTRY}\n```"); 8]);
        for (question, expected, others) in [
            ("Total amount by country of the customer", by_customer, 0),
            ("Total amount by country of the store", by_store, 0),
            ("Total amount by country", by_customer, 1),
            ("Gesamtbetrag je Land", by_customer, 1),
        ] {
            let ran = ask(&known, replies(), question, AskSettings::default()).await;
            assert_eq!(ran.report.status(), RunStatus::Answered, "{question}: {:?}", ran.outcome);
            assert_eq!(rows(&ran), expected, "{question}");
            let changes: Vec<_> = ran.report.changes.iter().map(|change| change.rule.to_string()).collect();
            assert!(changes.contains(&"N002".to_owned()), "the join is shown: {changes:?}");
            let beside: Vec<_> = (ran.report.variants.iter()).filter(|variant| &*variant.rule == "N007").collect();
            assert_eq!(beside.len(), others, "{question}");
            if let [other] = beside.as_slice() {
                assert_eq!(other.note, "country of stores, joined by store_id");
                let certainty = ran.report.certainty.as_ref().expect("an estimate");
                assert_ne!(certainty.level, CertaintyLevel::Sure);
            }
        }
        let off = AskSettings { without_rules: vec!["N007".into()], ..AskSettings::default() };
        let ran = ask(&known, replies(), "Total amount by country", off).await;
        assert_ne!(ran.report.status(), RunStatus::Answered, "without the rule, nothing is chosen");
    }
}
