//! CHASE-SQL: checks the log of each step, with a small and a large model, with knowledge, stored values and their
//! embeddings.

use crate::bench::{Ran, Shop, large, run, small};
use crate::methods::settings;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AskSettings, ErrorCode, EventBody, LinkingPass, RunStatus, Switch};
use vitrine_llm::{Line, ScriptedModel};

const KNOWLEDGE: &str = "Our neighbour means country = 'FR'. The queen of Egypt is a customer, too.";
const BY_COUNTRY: &str = "SELECT country, COUNT(*) FROM customer GROUP BY country";
const NAMES: &str = "SELECT name FROM customer";
const NOBODY: &str = "SELECT country, COUNT(*) FROM customer WHERE name = 'Zoe' GROUP BY country";

fn say(text: &str) -> Line {
    Line::Say(text.to_owned())
}

fn fenced(sql: &str) -> String {
    format!("1. countries\n```sql\n{sql}\n```")
}

fn samples(queries: &[&str]) -> Line {
    Line::Samples(queries.iter().map(|sql| fenced(sql)).collect())
}

/// Makes a large model look up phrases, so that no reply names keywords.
const PHRASES: (&str, &str) = ("chase-sql.keywords", "phrases");

/// Settings for one generator with this number of candidates and no fixer.
fn dividing(candidates: &str, more: &[(&str, &str)]) -> AskSettings {
    let mut set = vec![("chase-sql.candidates", candidates), ("chase-sql.fixes", "0"), PHRASES];
    set.extend_from_slice(more);
    settings("chase-sql", &set, &[Switch::QueryPlan, Switch::Examples])
}

async fn ask(question: &str, settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    let shop = Shop::with("INSERT INTO customer VALUES (5,'Rotterdam Trading','NL');");
    let ran =
        run(shop.ask_with_all(question, KNOWLEDGE, settings, model.clone()).await, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(model.unused_lines(), 0, "every reply was asked for");
    ran.assert_whole();
    ran
}

#[tokio::test]
async fn values_are_found_in_small_letters_misspelled_and_in_the_knowledge() {
    let question = "which countries are roterdam trading and cleo from?";
    let found = async |model: Arc<ScriptedModel>| {
        let ran = ask(question, dividing("1", &[]), &model).await;
        let mut found = ran.pick(|body| match body {
            EventBody::ValuesRetrieved { node, literals, matches } if node == "grounding" => {
                let found = |literal: &String| {
                    let found = matches.iter().find(|found| found.literal == *literal).expect("a match");
                    format!("{literal} -> {}.{} {}", found.table, found.column, found.value)
                };
                let mut found: Vec<String> = literals.iter().map(found).collect();
                found.sort();
                Some(found)
            }
            _ => None,
        });
        (found.remove(0), model.requests()[0].tail.clone())
    };
    let (by_small, shown) = found(small(vec![fenced(BY_COUNTRY)])).await;
    assert_eq!(by_small, ["cleo -> customer.name Cleo"]);
    assert!(!shown.contains("Rotterdam"), "{shown}");
    let (by_large, shown) = found(large(vec![fenced(BY_COUNTRY)])).await;
    for expected in [
        "FR -> customer.country FR",
        "The queen of Egypt -> customer.name Cleo",
        "cleo -> customer.name Cleo",
        "roterdam trading -> customer.name Rotterdam Trading",
    ] {
        assert!(by_large.contains(&expected.to_owned()), "{expected}: {by_large:?}");
    }
    assert!(shown.contains("customer.name = 'Rotterdam Trading' (for 'roterdam trading')"), "{shown}");
}

#[tokio::test]
async fn a_large_models_examples_are_about_the_columns_that_the_question_needs() {
    let set = [("chase-sql.candidates", "1"), ("chase-sql.examples", "1"), PHRASES];
    let only_examples = || settings("chase-sql", &set, &[Switch::DivideAndConquer, Switch::QueryPlan]);
    let example = |sql: &str| format!(r#"{{"examples":[{{"question":"What is there?","sql":"{sql}"}}]}}"#);
    let needed = r#"{"tables":[{"name":"purchase","why":"it has amounts","needed":true,"columns":["amount"]}]}"#;
    let question = "What is spent at most?";

    let sql = "SELECT MAX(amount) FROM purchase";
    let model = large(vec![needed.to_owned(), example(sql), example(NAMES), fenced(sql)]);
    let ran = ask(question, only_examples(), &model).await;
    let linked = ran.pick(|body| match body {
        EventBody::SchemaLinked { pass, kept, .. } => {
            let purchase = kept.tables.iter().find(|table| table.name == "purchase");
            Some((*pass, purchase.map(|table| table.columns.clone())))
        }
        _ => None,
    });
    assert_eq!(linked, [(LinkingPass::Tables, Some(vec!["amount".to_owned()]))]);
    let written = ran.pick(|body| match body {
        EventBody::ExamplesWritten { examples, dropped, .. } => {
            Some((examples.iter().map(|example| example.sql.clone()).collect::<Vec<_>>(), *dropped))
        }
        _ => None,
    });
    assert_eq!(written, [(vec![sql.to_owned(), NAMES.to_owned()], 0)]);
    let requests = model.requests();
    assert!(requests[1].tail.contains("Let them differ"), "{}", requests[1].tail);
    assert!(requests[2].tail.contains("easily mistaken: purchase(amount)"), "{}", requests[2].tail);
    assert!(requests[3].prefix.contains("customer"), "the schema fits, so all of it is shown");

    let model = small(vec![example(sql), sql.to_owned()]);
    let ran = ask(question, only_examples(), &model).await;
    assert!(ran.pick(|body| matches!(body, EventBody::SchemaLinked { .. }).then_some(())).is_empty());
}

#[tokio::test]
async fn a_doubt_takes_no_result_from_a_large_judge_which_reads_what_the_queries_read() {
    let question = "How many customers named cleo live in each country?";
    let verdicts = ["A", "B", "B", "B", "A", "A"].map(|better| say(&format!(r#"{{"better":"{better}"}}"#)));
    let mut lines = vec![samples(&[BY_COUNTRY, NOBODY, NAMES])];
    lines.extend(verdicts);
    let model = large(lines);
    let ran = ask(question, dividing("3", &[]), &model).await;
    let compared = ran.pick(|body| match body {
        EventBody::Compared { clusters, wins, .. } => Some((clusters.clone(), wins.clone())),
        _ => None,
    });
    let (clusters, wins) = &compared[0];
    let doubted: Vec<_> = clusters.iter().map(|c| (c.candidates.clone(), c.suspicious.is_some())).collect();
    assert_eq!(doubted, [(vec![1], false), (vec![3], false), (vec![2], true)]);
    assert_eq!(wins, &[[0, 2, 0], [0, 0, 0], [2, 2, 0]]);
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(0), "what the judge preferred");
    let requests = model.requests();
    let union = &requests[1].prefix;
    assert!(union.contains("country") && union.contains("name") && !union.contains("purchase"), "{union}");
    assert!(requests[1].tail.contains("customer.name = 'Cleo' (for 'cleo')"), "{}", requests[1].tail);
    assert!(requests[0].tail.contains("Three examples"), "{}", requests[0].tail);

    let verdicts = ["A", "B"].map(|better| say(&format!(r#"{{"better":"{better}"}}"#)));
    let mut lines = vec![samples(&[BY_COUNTRY, NOBODY, NAMES])];
    lines.extend(verdicts);
    let model = small(lines);
    let ran = ask(question, dividing("3", &[("chase-sql.select", "pairwise")]), &model).await;
    let compared = ran.pick(|body| match body {
        EventBody::Compared { clusters, .. } => Some(clusters.len()),
        _ => None,
    });
    assert_eq!(compared, [2], "a small judge prefers what is short");
    assert!(model.requests()[1].prefix.contains("purchase"), "it reads the schema that it has read before");
}

#[tokio::test]
async fn a_selected_schema_is_shuffled_for_a_large_model_too() {
    let both = [
        r#"{"tables":[{"name":"customer","columns":["id","name","country"]}]}"#,
        r#"{"tables":[{"name":"purchase","columns":["customer_id","amount"]}]}"#,
    ];
    let set = [("chase-sql.candidates", "1"), ("chase-sql.fixes", "0"), PHRASES];
    let split = || AskSettings { chunk_budget: Some(40), ..settings("chase-sql", &set, &[Switch::Examples]) };
    let lines = || both.iter().map(|line| (*line).to_owned()).chain([fenced(BY_COUNTRY), fenced(BY_COUNTRY)]).collect();
    let shuffled = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::SchemaShuffled { node, seed, tables, candidate: None } => {
                let mut tables = tables.clone();
                tables.sort();
                Some((node.to_string(), *seed, tables))
            }
            _ => None,
        })
    };
    let model = large::<String>(lines());
    let ran = ask("How many customers live in each country?", split(), &model).await;
    let tables = ["customer", "purchase"].map(str::to_owned).to_vec();
    assert_eq!(shuffled(&ran), [("query-plan".to_owned(), 43, tables)]);
    let [plain, other] = [2, 3].map(|at| model.requests()[at].prefix.clone());
    let words = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words
    };
    assert_ne!(plain, other, "another order");
    assert_eq!(words(&plain), words(&other), "of the same names");
    let model = small::<String>(lines());
    assert!(shuffled(&ask("How many customers live in each country?", split(), &model).await).is_empty());
}

#[tokio::test]
async fn a_large_model_that_selects_tables_is_told_the_values_that_were_found() {
    let set = [("chase-sql.candidates", "1"), ("chase-sql.examples", "1"), ("chase-sql.fixes", "0"), PHRASES];
    let settings = settings("chase-sql", &set, &[Switch::DivideAndConquer, Switch::QueryPlan]);
    let needed = r#"{"tables":[{"name":"customer","why":"names","needed":true,"columns":["name"]}]}"#;
    let example = format!(r#"{{"examples":[{{"question":"What is there?","sql":"{NAMES}"}}]}}"#);
    let model = large(vec![needed.to_owned(), example.clone(), example, fenced(BY_COUNTRY)]);
    ask("which country is cleo from?", settings, &model).await;
    let asked = &model.requests()[0].tail;
    assert!(asked.contains("Stored values: ") && asked.contains("customer.name = 'Cleo' (for 'cleo')"), "{asked}");
}

#[tokio::test]
async fn results_in_another_order_are_two_where_the_queries_rank() {
    let top = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY SUM(amount) DESC LIMIT 2";
    let bottom = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY SUM(amount) LIMIT 2";
    let plain = "SELECT customer_id FROM purchase GROUP BY customer_id";
    let sorted = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY customer_id DESC";
    let set = || dividing("3", &[("chase-sql.select", "self-consistency")]);
    for (written, expected) in [([top, bottom, top], (2, 3)), ([plain, sorted, plain], (3, 3))] {
        for model in [small(vec![samples(&written)]), large(vec![samples(&written)])] {
            let ran = ask("Which two customers bought most?", set(), &model).await;
            let votes = ran.pick(|body| match body {
                EventBody::CandidateChosen { votes, of, .. } => Some((*votes, *of)),
                _ => None,
            });
            assert_eq!(votes, [expected], "{written:?}");
        }
    }
}

#[tokio::test]
async fn a_correction_that_declines_ends_in_saying_so() {
    let declines = "```json\n{\"not_in_data\": \"what customers thought\"}\n```";
    let set = dividing("1", &[("chase-sql.fixes", "1")]);
    let model = large(vec![fenced("SELECT nothing FROM nowhere"), declines.to_owned()]);
    let shop = Shop::new();
    let ask = shop.ask_with_all("What did customers think?", KNOWLEDGE, set, model).await;
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.outcome.map_err(|error| error.code), Err(ErrorCode::NotInData));
}

/// Returns the keywords that a model named, and the literals with stored values.
fn looked_up(ran: &Ran) -> (Vec<Vec<String>>, Vec<String>) {
    let keywords = ran.pick(|body| match body {
        EventBody::KeywordsExtracted { keywords, .. } => Some(keywords.clone()),
        _ => None,
    });
    let literals = ran.pick(|body| match body {
        EventBody::ValuesRetrieved { node, literals, .. } if node == "grounding" => Some(literals.clone()),
        _ => None,
    });
    (keywords, literals.concat())
}

#[tokio::test]
async fn a_large_model_names_the_keywords_whose_values_are_looked_up() {
    let question = "which countries are roterdam trading and cleo from?";
    let set = |keywords: &'static str| dividing("1", &[("chase-sql.keywords", keywords)]);
    // Similar values are looked up for the keyword only, exact ones for every phrase; "the queen of Egypt" paraphrases a value.
    let named = r#"{"keywords":["Rotterdam Trade", "roterdam trading", "roterdam trading "]}"#;
    for keywords in ["auto", "model"] {
        let model = large(vec![named.to_owned(), fenced(BY_COUNTRY)]);
        let ran = ask(question, set(keywords), &model).await;
        let (keywords, literals) = looked_up(&ran);
        assert_eq!(keywords, [["Rotterdam Trade", "roterdam trading"]]);
        for (literal, expected) in
            [("roterdam trading", true), ("cleo", true), ("FR", true), ("The queen of Egypt", false)]
        {
            assert_eq!(literals.iter().any(|known| known == literal), expected, "{literal}: {literals:?}");
        }
        let asked = &model.requests()[0];
        assert!(asked.tail.contains(question) && asked.tail.contains(KNOWLEDGE), "{}", asked.tail);
        assert!(!asked.prefix.contains("CREATE TABLE"), "the schema is not needed for it");
    }
    // Without a readable reply, all phrases are looked up.
    let model = large(vec!["none".to_owned(), fenced(BY_COUNTRY)]);
    let (keywords, literals) = looked_up(&ask(question, set("model"), &model).await);
    assert_eq!(keywords, [[""; 0]]);
    assert!(literals.contains(&"The queen of Egypt".to_owned()), "{literals:?}");
    // A small model is asked only if it is configured.
    for (keywords, replies) in
        [("auto", vec![fenced(BY_COUNTRY)]), ("model", vec![named.to_owned(), fenced(BY_COUNTRY)])]
    {
        let asked = replies.len() - 1;
        let (keywords, literals) = looked_up(&ask(question, set(keywords), &small(replies)).await);
        assert_eq!((keywords.len(), literals.contains(&"roterdam trading".to_owned())), (asked, asked == 1));
    }
}

#[tokio::test]
async fn each_sample_can_read_the_schema_in_its_own_order() {
    let set = [
        ("chase-sql.candidates", "2"),
        ("chase-sql.fixes", "0"),
        ("chase-sql.orders", "sample"),
        ("chase-sql.temperature", "120"),
        ("chase-sql.select", "self-consistency"),
        PHRASES,
    ];
    let by_sample = || settings("chase-sql", &set, &[Switch::Examples]);
    let replies = || vec![fenced(BY_COUNTRY); 4];
    for model in [small(replies()), large(replies())] {
        let ran = ask("How many customers live in each country?", by_sample(), &model).await;
        let orders = ran.pick(|body| match body {
            EventBody::SchemaShuffled { node, seed, candidate, .. } => Some((node.to_string(), *seed, *candidate)),
            _ => None,
        });
        let order = |node: &str, seed: u64, candidate: u32| (node.to_owned(), seed, Some(candidate));
        let expected = [("divide-and-conquer", 43, 2), ("query-plan", 142, 3), ("query-plan", 143, 4)];
        assert_eq!(orders, expected.map(|(node, seed, candidate)| order(node, seed, candidate)));
        let calls: Vec<(u32, bool, f32)> =
            model.requests().iter().map(|r| (r.samples, r.first_greedy, r.temperature)).collect();
        assert_eq!(calls, [(1, true, 1.2), (1, false, 1.2), (1, true, 1.2), (1, false, 1.2)]);
        assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(4));
    }
}

#[tokio::test]
async fn one_kind_of_examples_can_be_written_alone() {
    let sql = "SELECT MAX(amount) FROM purchase";
    let example = format!(r#"{{"examples":[{{"question":"What is there?","sql":"{sql}"}}]}}"#);
    let needed = r#"{"tables":[{"name":"purchase","why":"it has amounts","needed":true,"columns":["amount"]}]}"#;
    let of_kind = |kinds: &'static str| {
        let set =
            [("chase-sql.candidates", "1"), ("chase-sql.examples", "1"), ("chase-sql.example_kinds", kinds), PHRASES];
        settings("chase-sql", &set, &[Switch::DivideAndConquer, Switch::QueryPlan])
    };
    // Without the second kind, no columns are selected.
    let model = large(vec![example.clone(), fenced(sql)]);
    ask("What is spent at most?", of_kind("features"), &model).await;
    assert!(model.requests()[0].tail.contains("Let them differ"), "{}", model.requests()[0].tail);
    let model = large(vec![needed.to_owned(), example.clone(), fenced(sql)]);
    ask("What is spent at most?", of_kind("columns"), &model).await;
    assert!(model.requests()[1].tail.contains("easily mistaken: purchase(amount)"), "{}", model.requests()[1].tail);
    // A small model has no columns if the question names no value.
    let model = small(vec![example, sql.to_owned()]);
    let ran = ask("What is spent at most?", of_kind("columns"), &model).await;
    let warned = ran.pick(|body| match body {
        EventBody::Warning { message, .. } => Some(message.contains("No columns were selected")),
        _ => None,
    });
    assert_eq!(warned, [true]);
}

#[tokio::test]
async fn corrections_are_sampled_at_the_configured_temperature() {
    let wrong = |number: u32| format!("SELECT nothing_{number} FROM customer");
    for model in [
        small(vec![fenced(&wrong(1)), wrong(2), BY_COUNTRY.to_owned()]),
        large(vec![fenced(&wrong(1)), fenced(&wrong(2)), fenced(BY_COUNTRY)]),
    ] {
        let set = dividing("1", &[("chase-sql.fixes", "2"), ("chase-sql.fix_temperature", "30")]);
        ask("How many customers live in each country?", set, &model).await;
        let temperatures: Vec<f32> = model.requests().iter().map(|request| request.temperature).collect();
        assert_eq!(temperatures, [0.8, 0.0, 0.3]);
    }
}

#[tokio::test]
async fn learned_weights_decide_between_compared_results_and_are_missed_if_there_are_none() {
    let selector = serde_json::json!({"questions": 40, "fitted": {"bias": 0.0, "sure": 1.01, "unlikely": 0.5,
        "weights": {"agreement": {"weight": 9.0, "mean": 0.5}, "compared": {"weight": 0.1, "mean": 0.5}}}});
    // The judge prefers the rarer result in both orders; with these weights, votes count more.
    let replies = || {
        vec![samples(&[BY_COUNTRY, BY_COUNTRY, BY_COUNTRY, NAMES]), say(r#"{"better":"B"}"#), say(r#"{"better":"A"}"#)]
    };
    for (fitted, rows) in [(true, 4), (false, 5)] {
        for model in [small(replies()), large(replies())] {
            let set = dividing("4", &[("chase-sql.select", "learned")]);
            let shop = Shop::with("INSERT INTO customer VALUES (5,'Rotterdam Trading','NL');");
            let mut asked = shop.ask_with_all("Who lives where?", KNOWLEDGE, set, model.clone()).await;
            if fitted {
                let mut calibration = (*asked.options.calibration).clone();
                calibration.selector = Some(serde_json::from_value(selector.clone()).unwrap());
                asked.options.calibration = Arc::new(calibration);
            }
            let ran = run(asked, CancellationToken::new()).await;
            assert_eq!(model.unused_lines(), 0, "every pair is compared");
            assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(rows), "{:?}", ran.outcome);
            let warned = ran.pick(|body| match body {
                EventBody::Warning { message, .. } => Some(message.starts_with("Too few judged answers")),
                _ => None,
            });
            assert_eq!(warned.contains(&true), !fitted, "{warned:?}");
        }
    }
}
