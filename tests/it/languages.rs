//! Questions in German and French: every text for users is translated, and requests to models are unchanged byte for
//! byte. The language is global to the process, so each test needs its own process, as nextest provides.

use crate::bench::{Ran, Shop, run};
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskOptions};
use vitrine_domain::{AskSettings, EventBody, RunStatus};
use vitrine_llm::cassette::Cassette;
use vitrine_words::Language;

const BY_NAME: &str = "What is the total amount of purchases for each customer name?";

/// The recorded question of each method.
const RECORDED: [(&str, &str, &str); 6] = [
    ("av-sql", "join-with-groups", BY_NAME),
    ("auto", "auto-value", "How much did customers in the USA buy altogether?"),
    ("dsr-sql", "dsr-sql", BY_NAME),
    ("chase-sql", "chase-sql", BY_NAME),
    ("reforce", "reforce", BY_NAME),
    ("prospy", "prospy", BY_NAME),
];

/// Replays a question. Any difference to the recorded request makes the run fail.
async fn replayed(language: Language, (method, name, question): (&str, &str, &str)) -> Ran {
    vitrine_api::set_program_language(language);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cassettes").join(format!("{name}.jsonl"));
    let model = Arc::new(Cassette::replay(&path).expect("a cassette"));
    let settings = AskSettings { strategy: method.into(), ..AskSettings::default() };
    let shop = Shop::new();
    let ask = shop.ask(question, settings, model).await;
    let ask = Ask { options: AskOptions { explain: true, ..ask.options }, ..ask };
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{language:?} {method}: {:?}", ran.outcome);
    ran
}

/// Returns requests to models, and the parts of replies that later requests use.
fn sent(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::ModelCallStarted { messages, .. } => Some(format!("{messages:?}")),
        EventBody::ViewsAttempted { feedback, .. } => Some(feedback.join("\n")),
        EventBody::SqlAttempted { sql, error, .. } => Some(format!("{sql} {error:?}")),
        _ => None,
    })
}

/// Returns the titles and summaries of stages, and the reasons for the chosen query.
fn of_stages(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::StageStarted { title, .. } => Some(title.clone()),
        EventBody::CandidateChosen { reason, .. } => Some(reason.clone()),
        _ => None,
    })
}

#[tokio::test]
async fn models_are_asked_the_same_in_every_language() {
    for recorded in RECORDED {
        let english = replayed(Language::English, recorded).await;
        for language in [Language::German, Language::French] {
            let other = replayed(language, recorded).await;
            let (mut one, mut two) = (sent(&english), sent(&other));
            // Parallel work may end in a different order.
            one.sort();
            two.sort();
            assert_eq!(one, two, "{language:?} {}", recorded.0);
            let (english, other) = (of_stages(&english), of_stages(&other));
            let same: Vec<&String> = other.iter().filter(|text| english.contains(text)).collect();
            assert!(same.is_empty(), "{language:?} {}: {same:?}", recorded.0);
        }
    }
}

#[tokio::test]
async fn an_answer_is_told_in_german() {
    let ran = replayed(Language::German, RECORDED[1]).await;
    let explanation = ran.report.explanation.as_ref().expect("an explanation");
    assert!(explanation.understood[0].starts_with("Zeigt Summe von amount"), "{:?}", explanation.understood);
    let headline = ran.report.headline.as_ref().expect("a headline");
    assert!(
        headline.conditions.iter().any(|said| said.contains("country") && said.contains("ist „US“")),
        "{headline:?}"
    );
    assert!(
        explanation.steps.iter().any(|step| step.note.starts_with("Verknüpft Zeilen von")),
        "{:?}",
        explanation.steps
    );
    assert_eq!(explanation.steps.last().and_then(|step| step.grain.as_deref()), Some("insgesamt eine Zeile"));
    let certainty = ran.report.certainty.as_ref().expect("a certainty");
    let told: Vec<&str> = certainty.reasons.iter().map(|reason| reason.text.as_str()).collect();
    assert!(
        !told.is_empty()
            && !told.iter().any(|text| [" the ", " query", " model "].iter().any(|word| text.contains(word))),
        "{told:?}"
    );
    assert!(of_stages(&ran).iter().any(|title| title == "Das Schema lesen"), "{:?}", of_stages(&ran));
}

#[tokio::test]
async fn nothing_is_singular_in_french() {
    let ran = replayed(Language::French, RECORDED[0]).await;
    let explanation = ran.report.explanation.as_ref().expect("an explanation");
    assert!(explanation.understood.iter().any(|said| said.starts_with("Par ")), "{:?}", explanation.understood);
    let counted = |rows: u64| vitrine_words::plural!(rows, "{n} row", "{n} rows");
    assert_eq!([0, 1, 2].map(counted), ["0 ligne", "1 ligne", "2 lignes"]);
}
