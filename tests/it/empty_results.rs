//! Empty results in CHASE-SQL and ReFoRCE: a large model reconsiders one once, with what the columns hold, and the empty
//! query stays a candidate. A small model's prompts stay as they were measured.

use crate::bench::{Ran, Shop, large, run, small};
use crate::methods::settings;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AskSettings, EventBody, RunStatus, Switch};
use vitrine_llm::{Line, ScriptedModel};

const QUESTION: &str = "How many customers live in Atlantis?";
const NOWHERE: &str = "SELECT COUNT(*) FROM customer WHERE country = 'Atlantis'";
const SOMEWHERE: &str = "SELECT COUNT(*) FROM customer WHERE country = 'DE'";

fn fenced(sql: &str) -> String {
    format!("```sql\n{sql}\n```")
}

fn samples(sql: &[&str]) -> Line {
    Line::Samples(sql.iter().map(|sql| fenced(sql)).collect())
}

fn say(text: &str) -> Line {
    Line::Say(text.to_owned())
}

fn chase() -> AskSettings {
    let set = [("chase-sql.candidates", "1"), ("chase-sql.select", "pairwise")];
    settings("chase-sql", &set, &[Switch::QueryPlan, Switch::Examples])
}

async fn ask(settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    let ask = Shop::new().ask(QUESTION, settings, model.clone()).await;
    run(ask, CancellationToken::new()).await
}

/// Returns candidate, attempt and number of rows of each query that was tried, with its result.
fn tried(ran: &Ran) -> Vec<(u32, u32, String)> {
    ran.pick(|event| match event {
        EventBody::SqlAttempted { candidate, attempt, sql, .. } => Some((*candidate, *attempt, sql.clone())),
        _ => None,
    })
}

fn only_cell(ran: &Ran) -> Option<String> {
    ran.report.page.as_ref().and_then(|page| page.rows.first()?.first()?.clone())
}

#[tokio::test]
async fn chase_shows_a_large_model_what_the_column_holds_and_lets_the_judge_choose() {
    for (better, answer) in [(["A", "B"], "1"), (["B", "A"], "0")] {
        let verdict = |better: &str| say(&format!(r#"{{"thinking":"because of the country","better":"{better}"}}"#));
        let lines = vec![samples(&[NOWHERE]), say(&fenced(SOMEWHERE)), verdict(better[0]), verdict(better[1])];
        let model = large(lines);
        let ran = ask(chase(), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let again = model.requests()[1].turns.last().expect("a turn").1.clone();
        assert!(again.contains("it finds nothing; customer.country holds 'US', 'DE', 'FR'"), "{again}");
        assert!(again.contains("It may be right as it is"), "{again}");
        let expected = [(1, 0, NOWHERE.to_owned()), (1, 1, SOMEWHERE.to_owned()), (2, 0, NOWHERE.to_owned())];
        assert_eq!(tried(&ran), expected);
        assert_eq!(only_cell(&ran).as_deref(), Some(answer));
        let judged = &model.requests()[2].tail;
        assert!(judged.contains("Columns: COUNT(*) whole number, 1 distinct: 1"), "{judged}");
        assert!(judged.contains("country = 'DE' keeps 1 of 4 rows of customer"), "{judged}");
        let reasons = ran.pick(|event| match event {
            EventBody::ReasonGiven { candidates, preferred, reason, .. } => {
                Some((candidates.clone(), *preferred, reason.clone()))
            }
            _ => None,
        });
        let preferred = Some(if answer == "1" { 1 } else { 2 });
        let reason = "because of the country".to_owned();
        assert_eq!(reasons, [(vec![1, 2], preferred, reason.clone()), (vec![2, 1], preferred, reason)]);
    }
}

#[tokio::test]
async fn a_large_model_that_confirms_an_empty_result_keeps_one_candidate() {
    let model = large(vec![samples(&[NOWHERE]), say(&fenced(NOWHERE))]);
    let ran = ask(chase(), &model).await;
    assert_eq!((tried(&ran).len(), only_cell(&ran).as_deref(), model.unused_lines()), (1, Some("0"), 0));
}

#[tokio::test]
async fn reforce_counts_the_empty_query_and_the_one_after_it() {
    let reforce = settings("reforce", &[("reforce.votes", "2")], &[Switch::Exploration]);
    let model = large(vec![samples(&[NOWHERE, NOWHERE]), say(&fenced(SOMEWHERE))]);
    let ran = ask(reforce, &model).await;
    let clusters = ran.pick(|event| match event {
        EventBody::Voted { clusters, failed, .. } => {
            Some((clusters.iter().map(|cluster| cluster.candidates.clone()).collect::<Vec<_>>(), *failed))
        }
        _ => None,
    });
    assert_eq!(clusters, [(vec![vec![1, 2], vec![3, 4]], 0)]);
    assert_eq!(only_cell(&ran).as_deref(), Some("1"), "{:?}", ran.report.warnings);
    assert!(ran.report.warnings.iter().any(|warning| warning.contains("tied")), "{:?}", ran.report.warnings);
}

#[tokio::test]
async fn a_small_model_is_asked_as_before() {
    for settings in [chase(), settings("reforce", &[("reforce.votes", "1")], &[Switch::Exploration])] {
        let model = small(vec![samples(&[NOWHERE]), say(&fenced(SOMEWHERE))]);
        let ran = ask(settings, &model).await;
        assert_eq!((tried(&ran).len(), only_cell(&ran).as_deref(), model.unused_lines()), (1, Some("0"), 1));
    }
}
