//! Certainty estimates: agreement makes an answer sure, disagreement flags it, and neither changes the answer.

use crate::bench::{Known, Ran, Shop, large, run};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskOptions};
use vitrine_domain::{
    Agent, AskSettings, Budget, Certainty, CertaintyLevel, CertaintyReason, EventBody, QueryVariant, RunStatus, Switch,
    TokenProbability,
};
use vitrine_llm::{Line, ScriptedModel};

const CUSTOMERS: &str = "SELECT COUNT(*) FROM customer";
const QUESTION: &str = "How many customers are there?";

async fn ask(settings: AskSettings, lines: Vec<Line>) -> (Ran, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(lines));
    let shop = Shop::new();
    let ask = shop.ask(QUESTION, settings, model.clone()).await;
    (
        run(
            Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
            CancellationToken::new(),
        )
        .await,
        model,
    )
}

/// Returns the estimates of a run; the flag marks final ones.
fn estimates(ran: &Ran) -> Vec<(Certainty, bool)> {
    ran.pick(|body| match body {
        EventBody::CertaintyEstimated { certainty, firm, .. } => Some((certainty.clone(), *firm)),
        _ => None,
    })
}

fn restated(sql: &str) -> Line {
    Line::Say(format!("Count all rows of the customers.\n```sql\n{sql}\n```"))
}

fn cell(ran: &Ran) -> Option<&str> {
    ran.report.page.as_ref()?.rows.first()?.first()?.as_deref()
}

#[tokio::test]
async fn an_answer_is_sure_where_everything_agrees_and_costs_no_more_for_it() {
    let lines = vec![CUSTOMERS.into(), CUSTOMERS.into(), CUSTOMERS.into(), restated("SELECT COUNT(id) FROM customer")];
    let (ran, model) = ask(AskSettings::default(), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let [(first, false), (firm, true)]: [(Certainty, bool); 2] = estimates(&ran).try_into().unwrap() else {
        panic!("one of each")
    };
    assert_eq!(first.level, CertaintyLevel::Check, "a model that was never measured is not called sure at once");
    assert_eq!(firm.level, CertaintyLevel::Sure, "{firm:?}");
    assert!(firm.probability > first.probability);
    let texts: Vec<&str> = firm.reasons.iter().map(|reason| reason.text.as_str()).collect();
    assert!(texts.contains(&"Asked again as a check, the model wrote 4 queries; 4 gave the same result."), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("has not been measured")), "{texts:?}");
    assert_eq!(ran.report.certainty.as_ref(), Some(&firm));
    assert_eq!(ran.report.to_json()["certainty"]["level"], "sure");

    assert_eq!(model.unused_lines(), 0);
    assert_eq!(ran.report.usage.llm_calls, 2, "what is done behind the answer is not its cost");
    assert_eq!(ran.report.usage_by_agent[&Agent::Assessor].llm_calls, 2);
    let asked = model.requests();
    assert_eq!((asked[2].samples, asked[3].samples), (4, 1));
    assert!(
        asked[2].tail == asked[0].tail && asked[2].prefix == asked[0].prefix,
        "what was read need not be read again"
    );
    assert!(asked[3].tail.contains("in other words"));
}

#[tokio::test]
async fn further_queries_that_disagree_flag_the_answer_and_leave_it_as_it_is() {
    let other = "SELECT COUNT(*) FROM purchase";
    let samples = [CUSTOMERS, other, other, "SELECT nothing FROM nowhere"].map(String::from).to_vec();
    let lines = vec![CUSTOMERS.into(), CUSTOMERS.into(), Line::Samples(samples), restated(other)];
    let (ran, _) = ask(AskSettings::default(), lines).await;
    assert_eq!(cell(&ran), Some("4"), "the answer is that of the method");
    let (firm, _) = estimates(&ran).pop().unwrap();
    assert!(firm.level != CertaintyLevel::Sure && firm.probability < 0.6, "{firm:?}");
    let against: Vec<&str> = firm.reasons.iter().filter(|r| !r.supports).map(|r| r.text.as_str()).collect();
    assert!(
        against.contains(&"Asked again as a check, the model wrote 3 queries that ran; 1 gave the same result."),
        "{against:?}"
    );
    let tested = ran.pick(|body| match body {
        EventBody::AnswerTested { restated, same, error, .. } => Some((*restated, *same, error.is_some())),
        _ => None,
    });
    let expected = [(false, true, false), (false, false, false), (false, false, false), (false, false, true)];
    assert_eq!(tested[..4], expected);
    assert_eq!(tested[4..], [(true, false, false)]);
}

#[tokio::test]
async fn further_queries_that_do_not_run_give_no_other_result() {
    let broken = "SELECT nothing FROM nowhere";
    let lines = |sample: &str, other: &str| {
        let samples = vec![CUSTOMERS.to_owned(), sample.to_owned(), sample.to_owned(), sample.to_owned()];
        vec![CUSTOMERS.into(), CUSTOMERS.into(), Line::Samples(samples), restated(other)]
    };
    let (ran, _) = ask(AskSettings::default(), lines(broken, CUSTOMERS)).await;
    let (firm, _) = estimates(&ran).pop().unwrap();
    assert!(firm.level == CertaintyLevel::Check && firm.probability > 0.75, "{firm:?}");
    let texts: Vec<&str> = firm.reasons.iter().map(|reason| reason.text.as_str()).collect();
    assert!(texts.contains(&"3 of 5 queries that the model wrote as a check failed."), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("4 queries")), "{texts:?}");
    // Queries that return different results, or that fail, lower the probability.
    let (ran, _) = ask(AskSettings::default(), lines("SELECT COUNT(*) FROM purchase", CUSTOMERS)).await;
    assert!(estimates(&ran).pop().unwrap().0.probability < firm.probability - 0.1);
    let (ran, _) = ask(AskSettings::default(), lines(broken, broken)).await;
    assert!(estimates(&ran).pop().unwrap().0.probability < firm.probability);
}

#[tokio::test]
async fn further_queries_that_the_engine_rejects_are_repaired_as_those_of_an_answer_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shop.duckdb");
    let connection = duckdb::Connection::open(&path).expect("a database");
    let orders =
        "CREATE TABLE orders AS SELECT id, DATE '2022-11-15' + id::INTEGER * 40 AS placed FROM range(12) t (id)";
    connection.execute_batch(orders).expect("rows");
    drop(connection);
    let shop = Known::of(&format!("duckdb:{}", path.display()), &folder.path().join("values.db")).await;
    let answer = "SELECT COUNT(*) FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01'";
    let pattern = |pattern: &str| format!("SELECT COUNT(*) FROM orders WHERE placed LIKE '{pattern}'");
    // The first two patterns are equivalent to the answer; the next selects another year, and the last matches no ISO
    // date.
    let samples = ["2023%", "2023-%", "2024%", "%/2023"].map(pattern).to_vec();
    let lines = vec![answer.into(), answer.into(), Line::Samples(samples), restated(&pattern("%2023%"))];
    let model = Arc::new(ScriptedModel::new(lines));
    let ask = shop.ask("How many orders were placed in 2023?", AskSettings::default(), model);
    let ran = run(Ask { options: AskOptions { assess: true, ..ask.options }, ..ask }, CancellationToken::new()).await;
    let tested = ran.pick(|body| match body {
        EventBody::AnswerTested { sql, same, error, .. } => Some((sql.contains("LIKE"), *same, error.is_some())),
        _ => None,
    });
    let (mended, other, broken) = ((false, true, false), (false, false, false), (true, false, true));
    assert_eq!(tested, [mended, mended, other, broken, mended], "{:?}", ran.report.sql);
}

#[tokio::test]
async fn an_empty_answer_is_never_called_sure() {
    let none = "SELECT name FROM customer WHERE country = 'XX'";
    let (ran, _) = ask(AskSettings::default(), vec![none.into(); 12]).await;
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(0), "{:?}", ran.outcome);
    let estimates = estimates(&ran);
    assert!(estimates.iter().all(|(certainty, _)| certainty.level != CertaintyLevel::Sure), "{estimates:?}");
    let reasons = &estimates.last().unwrap().0.reasons;
    assert!(reasons.iter().any(|reason| reason.code == "empty" && !reason.supports), "{reasons:?}");
}

#[tokio::test]
async fn no_answer_is_sure_that_counts_rows_which_a_description_speaks_of() {
    let shop = Shop::with("UPDATE customer SET country = 'France' WHERE id = 4");
    for (description, level, beside) in [
        ("One row per customer; those in France do not count", CertaintyLevel::Check, 1),
        ("One row per customer, wherever they live", CertaintyLevel::Sure, 0),
    ] {
        let model = Arc::new(ScriptedModel::new(vec![Line::from(CUSTOMERS); 12]));
        let mut ask = shop.ask(QUESTION, AskSettings::default(), model).await;
        let mut catalog = vitrine_domain::Catalog::clone(&ask.data.catalog);
        let customer = catalog.tables.iter_mut().find(|table| table.name.name == "customer").unwrap();
        customer.comment = Some(description.to_owned());
        ask.data.catalog = Arc::new(catalog);
        let ran = run(
            Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
            CancellationToken::new(),
        )
        .await;
        assert_eq!(cell(&ran), Some("4"), "the answer is that of the method");
        let (firm, _) = estimates(&ran).pop().unwrap();
        assert_eq!(firm.level, level, "{firm:?}");
        assert_eq!(firm.reasons.iter().filter(|reason| reason.code == "described").count(), beside);
        let numbers = ran.pick(|body| match body {
            EventBody::ResultReady { variants, .. } => Some(variants.iter().map(|v| v.first_row.clone()).collect()),
            _ => None,
        });
        let numbers: Vec<Vec<Option<String>>> = numbers.into_iter().next().unwrap();
        assert_eq!(numbers, vec![vec![Some("3".to_owned())]; beside], "{description}");
    }
}

#[tokio::test]
async fn stopping_behind_the_answer_leaves_it_with_what_was_known() {
    let model = Arc::new(ScriptedModel::new(vec![CUSTOMERS.into(), CUSTOMERS.into(), Line::Hang, Line::Hang]));
    let shop = Shop::new();
    let ask = shop.ask(QUESTION, AskSettings::default(), model.clone()).await;
    let cancel = CancellationToken::new();
    let stop = async {
        while model.unused_lines() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let (ran, ()) =
        tokio::join!(run(Ask { options: AskOptions { assess: true, ..ask.options }, ..ask }, cancel.clone()), stop);
    assert_eq!((ran.report.status(), cell(&ran)), (RunStatus::Answered, Some("4")));
    assert!(matches!(estimates(&ran).as_slice(), [(_, false)]));
}

#[tokio::test]
async fn further_queries_are_within_the_budget_and_can_be_left_out() {
    let without = AskSettings { without: vec![Switch::Certainty], ..AskSettings::default() };
    let baseline = AskSettings { strategy: "vote".into(), candidates: 2, ..AskSettings::default() };
    let mut tokens = None;
    for settings in [without, baseline] {
        let (ran, model) = ask(settings, vec![CUSTOMERS.into(); 4]).await;
        assert_eq!((cell(&ran), model.unused_lines()), (Some("4"), 2), "{:?}", ran.outcome);
        assert!(!estimates(&ran).is_empty());
        tokens = tokens.or(Some(ran.report.usage.prompt_tokens + ran.report.usage.completion_tokens));
    }
    // The tokens that the answer uses, plus space for a reply.
    let tokens = tokens.map(|tokens| tokens + 300);
    let spent = AskSettings { budget: Budget { tokens, ..Budget::default() }, ..AskSettings::default() };
    let (ran, model) = ask(spent, vec![CUSTOMERS.into(); 4]).await;
    assert_eq!((cell(&ran), model.unused_lines()), (Some("4"), 2), "{:?}", ran.outcome);
    assert_eq!(ran.report.status(), RunStatus::Answered);
}

#[tokio::test]
async fn how_likely_the_model_found_its_query_is_kept_with_the_reply_and_told_of_the_answers_query() {
    let says = |text: &str| {
        let mut probability = TokenProbability::default();
        text.split(' ').for_each(|_| probability.add_log_probability(-0.25));
        probability
    };
    let model = ScriptedModel::new(vec![CUSTOMERS, CUSTOMERS]).with_probability(says);
    let shop = Shop::new();
    let ask = shop.ask(QUESTION, AskSettings::default(), Arc::new(model)).await;
    let ran = run(ask, CancellationToken::new()).await;
    let told = ran.pick(|body| match body {
        EventBody::ModelCallFinished { probabilities, .. } => Some(probabilities.clone()),
        _ => None,
    });
    assert_eq!(told, [vec![Some(says(CUSTOMERS))], vec![Some(says(CUSTOMERS))]]);
    let evidence = vitrine_agents::certainty::Evidence::from_events(ran.events.iter().map(|event| &event.body));
    assert_eq!(evidence.probability, Some(says(CUSTOMERS)), "the query is laid out anew, and still found");
}

/// An everyday question about the shop, with the model's replies for it and for its restatement.
struct Everyday {
    question: &'static str,
    /// The query of both prompts, the additional sampled queries, and the query of the restated question.
    written: &'static str,
    samples: [&'static str; 4],
    restated: &'static str,
    /// `true` if the answer is expected to be sure.
    sure: bool,
    why: &'static str,
}

/// Right answers that look doubtful, and wrong answers that look sure.
const EVERYDAY: [Everyday; 14] = {
    const ALL: &str = "SELECT COUNT(*) FROM customer";
    const US: &str = "SELECT COUNT(*) FROM customer WHERE country = 'US'";
    const SPAIN: &str = "SELECT COUNT(*) FROM customer WHERE country = 'ES'";
    const SUM: &str = "SELECT SUM(amount) FROM purchase";
    const MEAN: &str = "SELECT AVG(amount) FROM purchase";
    const NAMES: &str = "SELECT name FROM customer ORDER BY name";
    const JOINED: &str =
        "SELECT c.country, SUM(p.amount) FROM purchase p JOIN customer c ON c.id = p.customer_id GROUP BY c.country";
    const COUNTRIES: &str = "SELECT DISTINCT c.country FROM purchase p JOIN customer c ON c.id = p.customer_id";
    const NONE: &str = "SELECT SUM(amount) FROM purchase WHERE placed LIKE '1999%'";
    const fn agreed(question: &'static str, written: &'static str, sure: bool, why: &'static str) -> Everyday {
        Everyday { question, written, samples: [written; 4], restated: written, sure, why }
    }
    [
        agreed("Wie viele Kunden gibt es?", ALL, true, "no word of it is one of the schema's"),
        agreed("顧客は何人いますか", ALL, true, "its words are not parted"),
        agreed("¿Cuántos clientes viven en Estados Unidos?", US, true, "the country is stored as a code"),
        agreed("How many customers live in Spain?", SPAIN, false, "none may be right, but the country is not stored"),
        agreed("Quel est le montant total des achats ?", SUM, true, "the column is called otherwise"),
        Everyday {
            question: "Welche Kunden haben wir?",
            written: NAMES,
            samples: [NAMES, "SELECT name FROM customer", NAMES, "SELECT name FROM customer ORDER BY id"],
            restated: "SELECT name FROM customer",
            sure: true,
            why: "the order that was not asked for makes no other result",
        },
        Everyday {
            question: "Wie heißen unsere Kunden?",
            written: NAMES,
            samples: ["SELECT id, name FROM customer", NAMES, "SELECT country, name, id FROM customer", NAMES],
            restated: "SELECT name, country FROM customer",
            sure: true,
            why: "what is given besides the names makes no other result",
        },
        Everyday {
            question: "Umsatz je Land?",
            written: JOINED,
            samples: [COUNTRIES, JOINED, COUNTRIES, COUNTRIES],
            restated: COUNTRIES,
            sure: false,
            why: "countries alone say nothing of the sums",
        },
        Everyday {
            question: "Wie hoch war der Umsatz?",
            written: MEAN,
            samples: [SUM, MEAN, SUM, SUM],
            restated: SUM,
            sure: false,
            why: "asked again the model adds up",
        },
        Everyday {
            question: "各国的销售额是多少?",
            written: JOINED,
            samples: [SUM, JOINED, MEAN, SUM],
            restated: SUM,
            sure: false,
            why: "each query gives something else",
        },
        agreed(
            "How many customers from Germany bought something in 2022?",
            ALL,
            false,
            "neither the country nor the year is in the query, however often it is written",
        ),
        agreed("¿Cuánto se vendió en 1999?", NONE, false, "there is no value in the answer"),
        // Wrong but sure: an additional condition weighs as much as the right one for "Estados Unidos" above, which
        // does not match any name of the schema either. It is listed as a reason for doubt.
        agreed("Combien de clients y a-t-il ?", US, true, "one country's customers, on which all queries agree"),
        agreed(
            "Wie viele Kunden in Deutschland haben 2022 gekauft?",
            ALL,
            false,
            "the same in German, where the year is left",
        ),
    ]
};

#[tokio::test]
async fn everyday_answers_that_look_doubtful_are_sure_and_wrong_ones_that_look_sure_are_flagged() {
    let mut told = Vec::new();
    for Everyday { question, written, samples, restated: other, sure, why } in EVERYDAY {
        let lines = match samples.iter().all(|sample| *sample == written) {
            // The same reply to every request.
            true => vec![written.into(); 12],
            false => {
                let samples = Line::Samples(samples.map(String::from).to_vec());
                vec![written.into(), written.into(), samples, restated(other)]
            }
        };
        let shop = Shop::new();
        let ask = shop.ask(question, AskSettings::default(), Arc::new(ScriptedModel::new(lines))).await;
        let ran = run(
            Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
            CancellationToken::new(),
        )
        .await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{question}: {:?}", ran.outcome);
        let (firm, last) = estimates(&ran).pop().unwrap();
        assert!(last, "{question}");
        if (firm.level == CertaintyLevel::Sure) != sure {
            let tested = ran.pick(|body| match body {
                EventBody::AnswerTested { sql, error, same, .. } => Some(format!("{same} {sql} {error:?}")),
                _ => None,
            });
            told.push(format!("{question} ({why}): {firm:#?}\n{:?}\n{tested:#?}", ran.report.sql));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[tokio::test]
async fn a_further_query_that_declines_speaks_against_the_answer_and_is_none_that_did_not_run() {
    let query = format!("I count them.\n```sql\n{CUSTOMERS}\n```");
    let declines = "No table has customers.\n```json\n{\"not_in_data\": \"customers\"}\n```".to_owned();
    let estimated = async |second: &str| {
        let samples = Line::Samples(vec![query.clone(), second.to_owned()]);
        let model = large(vec![query.clone().into(), query.clone().into(), samples, restated(CUSTOMERS)]);
        let ask = Shop::new().ask(QUESTION, AskSettings::default(), model.clone()).await;
        let ran = run(
            Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
            CancellationToken::new(),
        )
        .await;
        assert_eq!((cell(&ran), model.unused_lines()), (Some("4"), 0), "{:?}", ran.outcome);
        let tested = ran.pick(|body| match body {
            EventBody::AnswerTested { error, same, .. } => Some((error.is_some(), *same)),
            EventBody::NotInData { node, .. } => Some((node != "result", false)),
            _ => None,
        });
        (estimates(&ran).pop().unwrap().0, tested)
    };
    let (firm, tested) = estimated(&query).await;
    assert_eq!((firm.level, tested), (CertaintyLevel::Sure, vec![(false, true); 3]), "{firm:?}");
    let (firm, tested) = estimated(&declines).await;
    assert_eq!((firm.level, tested), (CertaintyLevel::Check, vec![(false, true), (false, false), (false, true)]));
    let against: Vec<&str> = firm.reasons.iter().filter(|r| !r.supports).map(|r| r.text.as_str()).collect();
    assert!(against.contains(&"One reply stated that the data does not contain the answer."), "{firm:?}");
    assert!(!against.iter().any(|text| text.contains("failed")), "{against:?}");
}

/// Runs a question whose answer is checked by four agreeing queries and a call that never returns; `end` ends the
/// check.
async fn checked(check_limit: Duration, end: impl AsyncFnOnce(CancellationToken)) -> Ran {
    let samples = Line::Samples(vec![CUSTOMERS.to_owned(); 4]);
    let model = Arc::new(ScriptedModel::new(vec![CUSTOMERS.into(), CUSTOMERS.into(), samples, Line::Hang]));
    let ask = Shop::new().ask(QUESTION, AskSettings::default(), model.clone()).await;
    let cancel = CancellationToken::new();
    let ending = async {
        while model.unused_lines() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // Waits for the four queries and the explanation.
        tokio::time::sleep(Duration::from_millis(500)).await;
        end(cancel.clone()).await;
    };
    let asking = Ask { options: AskOptions { explain: true, assess: true, check_limit, ..ask.options }, ..ask };
    tokio::join!(run(asking, cancel.clone()), ending).0
}

fn says_what_four_queries_gave(ran: &Ran) {
    assert_eq!((ran.report.status(), cell(ran)), (RunStatus::Answered, Some("4")));
    let [(_, false), (firm, true)]: [(Certainty, bool); 2] = estimates(ran).try_into().unwrap() else {
        panic!("one of each")
    };
    assert!(firm.reasons.iter().any(|reason| reason.text.ends_with("; 4 gave the same result.")), "{firm:?}");
}

#[tokio::test]
async fn a_check_that_is_stopped_counts_as_far_as_it_came() {
    let stop = async |cancel: CancellationToken| cancel.cancel();
    says_what_four_queries_gave(&checked(Duration::from_secs(20), stop).await);
}

#[tokio::test]
async fn a_check_that_is_out_of_time_ends_with_the_verdict_so_far() {
    let waits = async |_| {};
    let ran = checked(Duration::from_secs(2), waits);
    says_what_four_queries_gave(&tokio::time::timeout(Duration::from_secs(60), ran).await.expect("it ends"));
}

/// Runs a question for which every reply is the same query, in a shop with additional rows; returns the final level,
/// the main reason and the variants.
async fn verdict(rows: &str, question: &str, sql: &str) -> (CertaintyLevel, CertaintyReason, Vec<QueryVariant>) {
    let shop = Shop::with(rows);
    let model = Arc::new(ScriptedModel::new(vec![Line::from(sql); 14]));
    let ask = shop.ask(question, AskSettings::default(), model).await;
    let ran = run(
        Ask { options: AskOptions { explain: true, assess: true, ..ask.options }, ..ask },
        CancellationToken::new(),
    )
    .await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let (firm, _) = estimates(&ran).pop().unwrap();
    (firm.level, firm.reasons[0].clone(), ran.report.variants)
}

#[tokio::test]
async fn rows_without_a_value_that_a_negation_leaves_out_stand_beside_the_answer() {
    let unknown = "INSERT INTO customer VALUES (5,'Eve',NULL),(6,'Finn',NULL)";
    let question = "How many customers are not from US?";
    for sql in [
        "SELECT COUNT(*) FROM customer WHERE country <> 'US'",
        "SELECT COUNT(*) FROM customer WHERE country NOT IN ('US')",
        "SELECT COUNT(*) FROM customer WHERE NOT (country = 'US')",
        "SELECT SUM(CASE WHEN country NOT LIKE 'US' THEN 1 ELSE 0 END) FROM customer",
    ] {
        let (level, reason, variants) = verdict(unknown, question, sql).await;
        assert_eq!((level, reason.code.as_str()), (CertaintyLevel::Check, "unknown"), "{sql}: {reason:?}");
        let [variant] = variants.as_slice() else { panic!("{sql}: {variants:?}") };
        assert_eq!(variant.first_row, [Some("4".to_owned())], "DE, FR and two without a country: {sql}");
        assert!(variant.rule == "V006" && variant.note.contains("2 rows without a value in country"), "{variant:?}");
        let (level, reason, variants) = verdict("", question, sql).await;
        assert!(level == CertaintyLevel::Sure && variants.is_empty(), "{sql}: {reason:?} {variants:?}");
    }
    for sql in [
        "SELECT COUNT(*) FROM customer WHERE country <> 'US' OR country IS NULL",
        "SELECT COUNT(*) FROM customer WHERE COALESCE(country, '') <> 'US'",
        "SELECT COUNT(*) FROM customer WHERE country IS NOT NULL AND country <> 'US'",
        "SELECT COUNT(country) FROM customer WHERE country <> 'US'",
    ] {
        let (level, reason, variants) = verdict(unknown, question, sql).await;
        assert!(level == CertaintyLevel::Sure && variants.is_empty(), "{sql}: {reason:?} {variants:?}");
    }
}

#[tokio::test]
async fn a_list_with_a_missing_value_stands_beside_the_answer_without_it() {
    let sql = "SELECT COUNT(*) FROM customer WHERE id NOT IN (SELECT customer_id FROM purchase)";
    let question = "How many customers bought nothing?";
    let (level, reason, variants) = verdict("INSERT INTO purchase VALUES (4,NULL,1,'2023-01-01')", question, sql).await;
    assert!(level != CertaintyLevel::Sure && reason.code == "unlisted", "{reason:?}");
    let [variant] = variants.as_slice() else { panic!("{variants:?}") };
    assert_eq!((variant.rule.as_str(), variant.first_row.as_slice()), ("V007", [Some("2".to_owned())].as_slice()));
    assert!(variant.note.contains("1 missing value"), "{}", variant.note);
    let (level, _, variants) = verdict("", question, sql).await;
    assert!(level == CertaintyLevel::Sure && variants.is_empty(), "{variants:?}");
}

#[tokio::test]
async fn a_part_of_the_question_that_the_query_lacks_is_the_first_reason_for_doubt() {
    for (question, sql, text) in [
        (
            "How many purchases were placed in 2024?",
            "SELECT COUNT(*) FROM purchase WHERE placed LIKE '2023%'",
            "You asked for 2024; the query uses 2023.",
        ),
        (
            "How many purchases over 15 were placed?",
            "SELECT COUNT(*) FROM purchase WHERE amount > 8",
            "You asked for 15; the query uses 8.",
        ),
        (
            "What is the country of Ada?",
            "SELECT country FROM customer WHERE name = 'Bert'",
            "You asked for Ada; the query uses Bert.",
        ),
    ] {
        let (level, reason, _) = verdict("", question, sql).await;
        assert!(level != CertaintyLevel::Sure && !reason.supports, "{question}: {reason:?}");
        assert_eq!((reason.code.as_str(), reason.text.as_str()), ("unused", text), "{question}");
    }
    for (question, sql) in [
        ("How many purchases were placed in 2023?", "SELECT COUNT(*) FROM purchase WHERE placed LIKE '2023%'"),
        ("How many purchases over 8 were placed?", "SELECT COUNT(*) FROM purchase WHERE amount > 8"),
        ("What is the country of Bert?", "SELECT country FROM customer WHERE name = 'Bert'"),
    ] {
        let (level, reason, _) = verdict("", question, sql).await;
        assert_eq!(level, CertaintyLevel::Sure, "{question}: {reason:?}");
    }
}
