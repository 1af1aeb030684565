//! Numbers that do not depend on the data. A query whose form determines its number is not the answer of a small model
//! if there is an alternative, and the change is reported; a large model's query is kept with a doubt. A share of 0 is
//! examined like a count.

use crate::bench::{Ran, Shop, large, run, small};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskOptions};
use vitrine_domain::{AskSettings, Certainty, CertaintyLevel, EventBody, RunStatus};
use vitrine_llm::{Line, ScriptedModel};

const QUESTION: &str = "How much more did customers in Germany buy than those in the USA?";
const JOINED: &str = "FROM purchase p JOIN customer c ON p.customer_id = c.id WHERE c.country";

async fn asked(question: &str, candidates: u32, model: &Arc<ScriptedModel>) -> Ran {
    let settings = AskSettings { strategy: "auto".into(), candidates, ..AskSettings::default() };
    let shop = Shop::new();
    let ran = run(shop.ask_with_all(question, "", settings, model.clone()).await, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    ran
}

/// Returns the first cell of the answer, the rules that changed its query, and the rules with findings.
fn told(ran: &Ran) -> (Option<String>, Vec<String>, Vec<String>) {
    let told = ran.pick(|body| match body {
        EventBody::ResultReady { page, changes, findings, .. } => {
            let codes = |notes: &[vitrine_domain::RuleNote]| notes.iter().map(|note| note.rule.to_string()).collect();
            Some((page.rows[0][0].clone(), codes(changes), codes(findings)))
        }
        _ => None,
    });
    told.into_iter().next_back().expect("an answer")
}

#[tokio::test]
async fn a_difference_of_the_same_becomes_one_of_the_two_values() {
    let same = format!("SELECT SUM(p.amount) - SUM(p.amount) {JOINED} IN ('DE', 'US')");
    let model = small(vec![same.clone(); 4]);
    assert_eq!(told(&asked(QUESTION, 1, &model).await), (Some("-25.5".into()), vec!["R019".into()], vec![]));
    assert_eq!(model.requests().len(), 1, "nothing is left to ask");
    let model = large(vec![same; 4]);
    assert_eq!(told(&asked(QUESTION, 1, &model).await), (Some("0.0".into()), vec![], vec!["L010".into()]));
}

#[tokio::test]
async fn a_share_of_its_own_rows_becomes_one_of_all() {
    let share = "SELECT SUM(CASE WHEN c.country = 'US' THEN p.amount ELSE 0 END) / SUM(p.amount)";
    let picked = format!("{share} {JOINED} = 'US'");
    let model = small(vec![picked; 4]);
    let (cell, rules, findings) = told(&asked("Which share of purchases is from the USA?", 1, &model).await);
    let cell: f64 = cell.unwrap().parse().unwrap();
    assert!((cell - 30.5 / 35.5).abs() < 1e-9, "{cell}");
    assert_eq!((rules, findings), (vec!["R018".to_owned()], vec![]));
}

#[tokio::test]
async fn a_number_that_no_rule_mends_gives_way_to_one_of_the_data() {
    let same = "SELECT SUM(amount) - SUM(amount) FROM purchase";
    let of_data = format!(
        "SELECT SUM(CASE WHEN c.country = 'DE' THEN p.amount ELSE 0 END) - SUM(CASE WHEN c.country = 'US' THEN p.amount ELSE 0 END) \
         {JOINED} IN ('DE', 'US')"
    );
    let replies = [same, same, same, &of_data, same, same, same, same, same].map(str::to_owned);
    let (cell, rules, _) = told(&asked(QUESTION, 8, &small(replies.to_vec())).await);
    assert_eq!((cell, rules), (Some("-25.5".into()), vec![]), "one against many");
}

#[tokio::test]
async fn a_share_of_nothing_is_looked_up_as_a_count_of_nothing_is() {
    let share = |country: &str| {
        format!("SELECT SUM(CASE WHEN c.country = '{country}' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM customer c")
    };
    let question = "What percentage of customers is from Germany?";
    let (cell, rules, _) = told(&asked(question, 1, &small(vec![share("de"); 4])).await);
    assert_ne!(cell.unwrap().parse::<f64>().unwrap(), 0.0);
    assert_eq!(rules, ["V001"], "DE is stored");
    let none = "SELECT SUM(CASE WHEN p.amount > 1000 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM purchase p";
    let (cell, rules, _) =
        told(&asked("Which share of purchases is above 1000?", 1, &small(vec![none.to_owned(); 8])).await);
    assert_eq!((cell.unwrap().parse::<f64>().unwrap(), rules), (0.0, vec![]), "there are none");
}

/// Returns the answer, the agreement of each checking query, and the final certainty.
async fn checked(written: &str, samples: [&str; 4]) -> (Option<String>, Vec<bool>, Certainty) {
    let lines = vec![
        written.into(),
        written.into(),
        Line::Samples(samples.map(str::to_owned).to_vec()),
        Line::Say(format!("Count them.\n```sql\n{written}\n```")),
    ];
    let shop = Shop::with("INSERT INTO purchase VALUES (4,3,7,'2023-03-01'),(5,4,9,'2023-03-02')");
    let model = Arc::new(ScriptedModel::new(lines));
    let ask = shop.ask("How many customers bought more than once?", AskSettings::default(), model).await;
    let ran = run(
        Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
        CancellationToken::new(),
    )
    .await;
    let same = ran.pick(|body| match body {
        EventBody::AnswerTested { same, .. } => Some(*same),
        _ => None,
    });
    let cell = ran.report.page.as_ref().and_then(|page| page.rows[0][0].clone());
    (cell, same, ran.report.certainty.expect("an estimate"))
}

/// Ada and Cleo bought more than once: 2. The query as written returns 1 for each of them.
#[tokio::test]
async fn a_check_repeats_no_slip_that_a_rule_has_mended_in_the_answer() {
    let slip = "SELECT COUNT(DISTINCT customer_id) FROM purchase GROUP BY customer_id HAVING COUNT(*) > 1";
    let right =
        "SELECT COUNT(*) FROM (SELECT customer_id FROM purchase GROUP BY customer_id HAVING COUNT(*) > 1) AS buyers";
    let (cell, same, certainty) = checked(slip, [slip, right, slip, slip]).await;
    assert_eq!((cell.as_deref(), same), (Some("2"), vec![true; 5]));
    assert!(certainty.level != CertaintyLevel::Unlikely && certainty.probability > 0.7, "{certainty:?}");
    let other = "SELECT COUNT(*) FROM customer";
    let (cell, same, lower) = checked(slip, [other, other, other, slip]).await;
    assert_eq!((cell.as_deref(), same), (Some("2"), vec![false, false, false, true, true]));
    assert!(lower.probability < certainty.probability - 0.1, "{lower:?}");
}
