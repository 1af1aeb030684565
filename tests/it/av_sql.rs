//! AV-SQL and the stages that all methods share: checks the log of each step, with a small and a large model, with
//! knowledge, stored values and their embeddings.

use crate::bench::{Ran, Shop, large, run, small};
use crate::described::stages;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::certainty::Evidence;
use vitrine_agents::methods::parameters;
use vitrine_agents::{Ask, AskPermissions};
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{AskSettings, Direction, EgressLevel, EgressPolicy, EventBody, RunStatus, Switch};
use vitrine_llm::{Line, OutputFormat, Request, ScriptedModel};

const GERMANY: &str = "How much did customers in Germany buy?";
const USA: &str = "How much did customers in the USA buy?";
const KNOWLEDGE: &str = "What a customer bought is the sum of the amounts.";
const REWRITTEN: &str = r#"{"task":"Add up the purchases of customers in one country","outputs":["total amount"],"filters":["the country is as named"],"ordering":""}"#;
const PLAN: &str = r#"{"read":["purchases_of"],"conditions":[],"group_by":[],"output":["SUM(amount)"]}"#;
const SUM: &str = "SELECT SUM(amount) FROM purchases_of";
const UNCHANGED: &str = r#"{"verdict":"unchanged","sql":""}"#;

/// Creates a model with these replies.
type Maker = fn(Vec<String>) -> Arc<ScriptedModel>;

/// Formats a reply of the view generator: a selection, and views by name.
fn reply(selected: &[(&str, &[&str])], views: &[(&str, &str)]) -> String {
    let tables: Vec<Value> = selected.iter().map(|(name, columns)| json!({"name": name, "columns": columns})).collect();
    let views: Vec<Value> =
        views.iter().map(|(name, sql)| json!({"name": name, "rationale": "what they bought", "sql": sql})).collect();
    json!({"tables": tables, "views": views}).to_string()
}

const SELECTED: &[(&str, &[&str])] = &[("customer", &["id", "country"]), ("purchase", &["customer_id", "amount"])];

/// Returns a view with the purchases of customers in a country.
fn views(country: &str) -> String {
    let sql = format!(
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = '{country}'"
    );
    reply(SELECTED, &[("purchases_of", &sql)])
}

/// Returns a script for one candidate, with the replies of the view generator.
fn script(views: &[String]) -> Vec<String> {
    let after = [PLAN, SUM, UNCHANGED].map(str::to_owned);
    [REWRITTEN.to_owned()].into_iter().chain(views.iter().cloned()).chain(after).collect()
}

fn av_sql(candidates: u32) -> AskSettings {
    AskSettings { strategy: "av-sql".into(), candidates, ..AskSettings::default() }
}

async fn ask(question: &str, knowledge: &str, settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    let shop = Shop::new();
    let ran =
        run(shop.ask_with_all(question, knowledge, settings, model.clone()).await, CancellationToken::new()).await;
    if ran.report.status() == RunStatus::Answered {
        ran.assert_whole();
    }
    ran
}

fn only_cell(ran: &Ran) -> Option<String> {
    ran.report.page.as_ref()?.rows.first()?.first()?.clone()
}

/// Returns the temperatures of a node's calls.
fn temperatures(ran: &Ran, of: &str) -> Vec<f32> {
    ran.pick(|body| match body {
        EventBody::ModelCallStarted { node, temperature, .. } if node == of => Some(*temperature),
        _ => None,
    })
}

/// Returns the property names of a request's schema.
fn properties(request: &Request) -> Vec<String> {
    let OutputFormat::JsonSchema { schema, .. } = &request.output else { panic!("{:?}", request.output) };
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_value_that_only_means_the_same_is_found_and_fed_back() {
    for (model, deliberates) in [(small as Maker, false), (large as Maker, true)] {
        let model = model(script(&[views("Germany"), views("DE")]));
        let ran = ask(GERMANY, KNOWLEDGE, av_sql(1), &model).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("5.0"), "{:?}", ran.outcome);
        let (came, promised) = stages(&ran, false, deliberates);
        assert_eq!(came, promised, "the graph shows what the method says of itself");
        let found = ran.pick(|body| match body {
            EventBody::ValuesRetrieved { node, literals, matches } if node == "chunk-1" => {
                Some((literals.clone(), matches.clone()))
            }
            _ => None,
        });
        let (literals, matches) = &found[0];
        assert_eq!(literals, &["Germany"]);
        assert_eq!((matches[0].value.as_str(), matches[0].semantic.map(f64::round)), ("DE", Some(1.0)), "{matches:?}");
        let fed_back = &model.requests()[2].turns[0].1;
        assert!(fed_back.contains("'Germany' is not stored; stored are customer.country = 'DE'"), "{fed_back}");
    }
}

#[tokio::test]
async fn a_large_model_reads_the_rewritten_question_in_every_prompt_and_the_schema_before_it_rewrites() {
    let said = r#"{"thinking":"USA is stored as US","task":"Add up the purchases of customers in one country","outputs":["total amount"],"filters":["customer.country = 'US'"],"ordering":"by amount, smallest first","direction":"ascending","rows":2,"ties":true}"#;
    let mut lines = script(&[views("US")]);
    lines[0] = said.to_owned();
    lines[3] = "SELECT amount FROM purchases_of ORDER BY amount DESC LIMIT 2".to_owned();
    let model = large(lines);
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let rewritten = ran.pick(|body| match body {
        EventBody::Rewritten { rewritten, .. } => Some(rewritten.clone()),
        _ => None,
    });
    assert_eq!((rewritten[0].direction, rewritten[0].rows, rewritten[0].ties), (Direction::Ascending, 2, true));
    let requests = model.requests();
    let [rewriter, views, planner, generator, revisor] = requests.as_slice() else { panic!("{}", requests.len()) };
    assert!(rewriter.prefix.contains("CREATE TABLE customer"), "{}", rewriter.prefix);
    assert_eq!(rewriter.prefix, planner.prefix, "the schema is read once");
    for request in [views, planner, generator, revisor] {
        for told in ["In other words: Add up", "- customer.country = 'US'", KNOWLEDGE] {
            assert!(request.tail.contains(told), "{told}: {}", request.tail);
        }
    }
    for request in [rewriter, views, planner, generator, revisor] {
        assert!(request.tail.contains("customer.country = 'US' (for 'USA')"), "{}", request.tail);
    }
    for doubt in ["the largest come first instead of the smallest", "all that share the last place"] {
        assert!(revisor.tail.contains(doubt), "{doubt}: {}", revisor.tail);
    }
}

#[tokio::test]
async fn a_large_model_is_shown_the_table_that_the_question_names_among_its_look_alikes() {
    let sales: String = (2019..=2024)
        .map(|year| {
            format!("CREATE TABLE sales_{year} (shop TEXT, total REAL); INSERT INTO sales_{year} VALUES ('N', {year});")
        })
        .collect();
    let shop = Shop::with(&sales);
    let settings = || AskSettings { strategy: "direct".into(), ..AskSettings::default() };
    let sql = "SELECT SUM(total) FROM sales_2021";
    let shown = async |model: Arc<ScriptedModel>, question: &str, settings: AskSettings| {
        let ran = run(shop.ask(question, settings, model.clone()).await, CancellationToken::new()).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("2021.0"), "{:?}", ran.outcome);
        model.requests()[0].prefix.clone()
    };
    let large_one = |sql: &str| large(vec![format!("```sql\n{sql}\n```")]);
    let named = shown(large_one(sql), "Wie hoch war der Umsatz 2021?", settings()).await;
    assert!(
        named.contains("CREATE TABLE sales_2021 (") && named.contains("also sales_2019, sales_2020, sales_2022"),
        "{named}"
    );
    assert!(named.contains("always 2021"), "its own values: {named}");
    let unnamed = shown(large_one(sql), "What is the total?", settings()).await;
    assert!(unnamed.contains("CREATE TABLE sales_2024 ("), "{unnamed}");
    // The prompt of a small model does not depend on the question.
    let texts = [
        shown(small(vec![sql]), "Wie hoch war der Umsatz 2021?", settings()).await,
        shown(small(vec![sql]), "What is the total?", settings()).await,
    ];
    assert!(texts[0] == texts[1] && texts[0].contains("CREATE TABLE sales_2024 ("), "{}", texts[0]);
    // Without compression every table is listed separately.
    let whole = AskSettings { without: vec![Switch::Compression], ..settings() };
    let whole = shown(large_one(sql), "Wie hoch war der Umsatz 2021?", whole).await;
    assert!((2019..=2024).all(|year| whole.contains(&format!("CREATE TABLE sales_{year} ("))), "{whole}");
}

#[tokio::test]
async fn a_small_model_is_asked_as_before() {
    let model = small(script(&[views("US")]));
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
    let requests = model.requests();
    assert!(!requests[0].prefix.contains("CREATE TABLE"));
    assert_eq!(properties(&requests[0]), ["task", "outputs", "filters", "ordering"]);
    assert_eq!(properties(&requests[2]), ["read", "conditions", "group_by", "output"]);
    assert!(
        requests[2..].iter().all(|request| !request.tail.contains("Add up")),
        "task and filters cost it the question"
    );
}

#[tokio::test]
async fn the_plan_of_a_large_model_has_a_place_for_joins_formulas_nesting_and_order() {
    let plan = r#"{"read":["purchases_of"],"joins":["left: purchase.customer_id = customer.id"],"formulas":["total = SUM(amount)"],"assume":["refunds count"],"steps":["the average"],"conditions":[],"group_by":[],"output":["total"],"sort":"total, largest first","limit":3}"#;
    let mut lines = script(&[views("US")]);
    lines[2] = plan.to_owned();
    let model = large(lines);
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
    let planned = ran.pick(|body| match body {
        EventBody::Planned { plan, .. } => Some(plan.clone()),
        _ => None,
    });
    assert_eq!(
        planned[0].lines().collect::<Vec<_>>(),
        [
            "Read purchases_of",
            "Join left: purchase.customer_id = customer.id",
            "Compute total = SUM(amount)",
            "Assume: refunds count",
            "First the average",
            "Output total",
            "Sort by total, largest first",
            "Limit 3"
        ]
    );
    let asked = properties(&model.requests()[2]);
    assert_eq!(asked[0], "thinking");
    assert!(
        ["joins", "formulas", "assume", "steps", "sort", "limit"]
            .iter()
            .all(|name| asked.contains(&(*name).to_owned()))
    );
}

#[tokio::test]
async fn knowledge_is_copied_whole_by_a_large_model() {
    let knowledge = format!("{}\n\n{KNOWLEDGE}", "Nothing that matters is said here.\n".repeat(400));
    let excerpt = "Sales:\n\nthe sum of the amounts";
    let facts = json!({"facts": [excerpt, ""]}).to_string();
    let read = async |model: Arc<ScriptedModel>| {
        let ran = ask(USA, &knowledge, AskSettings { max_rounds: 0, ..av_sql(1) }, &model).await;
        let reading = model.requests().into_iter().filter(|request| request.tail.contains("<document>")).collect();
        (ran, reading)
    };
    let lines = |reply: &str, parts: usize| -> Vec<String> {
        vec![reply.to_owned(); parts].into_iter().chain(script(&[views("US")])).collect()
    };
    let model = large(lines(&facts, 1));
    let (ran, reading): (Ran, Vec<Request>) = read(model.clone()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(reading.len(), 1);
    assert!(reading[0].stop.is_empty() && reading[0].max_tokens > 1_000, "{:?}", reading[0]);
    assert!(model.requests().last().unwrap().tail.contains(excerpt), "nothing is cut at a blank line");

    let model = small(lines("the sum of the amounts", 2));
    let (_, reading): (Ran, Vec<Request>) = read(model).await;
    assert_eq!((reading[0].stop.as_slice(), reading[0].max_tokens), (["\n\n".to_owned()].as_slice(), 200));
}

#[tokio::test]
async fn rounds_of_repair_really_differ() {
    let bad = |column: &str| reply(SELECTED, &[("purchases_of", &format!("SELECT {column} AS amount FROM purchase"))]);
    for (model, expected) in [(small as Maker, [0.0, 0.0, 0.6]), (large as Maker, [0.0, 0.6, 0.6])] {
        let model = model(script(&[bad("first_invented"), bad("second_invented"), views("US")]));
        let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
        assert_eq!(temperatures(&ran, "chunk-1"), expected);
    }
    let failing = ["SELECT first_invented FROM purchase", "SELECT second_invented FROM purchase", SUM];
    for (model, begins_greedily) in [(small as Maker, true), (large as Maker, false)] {
        let mut lines = script(&[views("US")]);
        lines.splice(3..4, failing.map(str::to_owned));
        let model = model(lines);
        let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
        assert_eq!(temperatures(&ran, "generator"), [0.0, 0.8, 0.8], "{:?}", ran.outcome);
        let greedy: Vec<bool> = model.requests()[4..6].iter().map(|request| request.first_greedy).collect();
        assert_eq!(greedy, [begins_greedily; 2]);
    }
}

#[tokio::test]
async fn a_selection_that_was_completed_says_so() {
    let sql =
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
    for model in [small, large] {
        let model = model(script(&[reply(&SELECTED[..1], &[("purchases_of", sql)])]));
        let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
        let attempts = ran.pick(|body| match body {
            EventBody::ViewsAttempted { completed, consistent, feedback, .. } => {
                Some((completed.clone(), *consistent, feedback.len()))
            }
            _ => None,
        });
        let completed = ["purchase", "purchase.amount", "purchase.customer_id"].map(str::to_owned).to_vec();
        assert_eq!(attempts, [(completed, true, 0)], "the only round");
    }
}

#[tokio::test]
async fn a_chunk_without_a_view_that_runs_keeps_what_a_large_model_selected() {
    let broken = reply(SELECTED, &[("purchases_of", "SELECT invented_amount AS amount FROM purchase")]);
    for (model, kept) in [(small as Maker, 0), (large as Maker, 2)] {
        let mut lines = script(std::slice::from_ref(&broken));
        lines[3] = "SELECT SUM(amount) FROM purchase".to_owned();
        let ran = ask(USA, KNOWLEDGE, AskSettings { max_rounds: 0, ..av_sql(1) }, &model(lines)).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
        let outcome = ran.pick(|body| match body {
            EventBody::ChunkFinished { outcome, .. } => Some(*outcome),
            _ => None,
        });
        assert_eq!(outcome, [ChunkOutcome::Failed]);
        let selected = ran.pick(|body| match body {
            EventBody::Aggregated { selection, views, .. } => Some((selection.tables.len(), views.len())),
            _ => None,
        });
        assert_eq!(selected, [(kept, 0)]);
    }
}

#[tokio::test]
async fn views_of_two_chunks_that_are_called_the_same_are_both_kept_and_read() {
    let customers = reply(&[("customer", &["id"])], &[("rows_of", "SELECT id FROM customer")]);
    let purchases = reply(
        &[("purchase", &["amount"])],
        &[
            ("rows_of", "SELECT amount FROM purchase"),
            ("large_ones", "SELECT rows_of.amount FROM rows_of WHERE amount > 7"),
        ],
    );
    for model in [small, large] {
        let mut lines = script(&[customers.clone(), purchases.clone()]);
        lines[4] = "SELECT SUM(amount) FROM large_ones".to_owned();
        let settings = AskSettings { chunk_budget: Some(40), max_rounds: 0, ..av_sql(1) };
        let ran = ask(USA, KNOWLEDGE, settings, &model(lines)).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
        let united = ran.pick(|body| match body {
            EventBody::Aggregated { views, .. } => Some(views.clone()),
            _ => None,
        });
        assert_eq!(united, [["rows_of", "rows_of_2", "large_ones"]]);
        assert!(ran.report.sql.as_ref().unwrap().contains("rows_of_2"), "{:?}", ran.report.sql);
    }
}

#[tokio::test]
async fn both_prompts_of_a_large_model_are_sampled_evenly_and_no_longer_than_they_disagree() {
    let asked = async |generated: &[&str]| {
        let mut lines = script(&[views("US")]);
        lines.splice(3..4, generated.iter().map(|sql| (*sql).to_owned()));
        let model = large(lines);
        let ran = ask(USA, KNOWLEDGE, av_sql(6), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        assert_eq!(model.unused_lines(), 0);
        let requests = model.requests();
        requests[3..requests.len() - 1].iter().map(|request| (request.tail.contains("A plan"), request.seed)).collect()
    };
    let all: Vec<(bool, u64)> = asked(&["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5", "SELECT 6"]).await;
    assert_eq!(all.iter().filter(|(planned, _)| *planned).count(), 3, "{all:?}");
    let mut seeds: Vec<u64> = all[2..].iter().map(|(_, seed)| *seed).collect();
    seeds.dedup();
    assert_eq!(seeds.len(), 4, "no seed is used twice");
    let decided: Vec<(bool, u64)> = asked(&["SELECT 1", "SELECT 1"]).await;
    assert_eq!(decided.len(), 2);
    let decided: Vec<(bool, u64)> =
        asked(&["SELECT 1", "SELECT 2", "SELECT 1", "SELECT 1", "SELECT 1", "SELECT 2"]).await;
    assert_eq!(decided.iter().filter(|(planned, _)| *planned).count(), 3, "{decided:?}");
}

#[tokio::test]
async fn a_view_of_more_rows_than_were_read_says_at_least() {
    let shop = Shop::with(
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
         INSERT INTO purchase SELECT i, 1, 1, '2023-05-01' FROM n;",
    );
    for model in [small, large] {
        let model = model(script(&[views("US")]));
        let ask = shop.ask_with_all(USA, KNOWLEDGE, av_sql(1), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("2021.5"), "{:?}", ran.outcome);
        let told = &model.requests()[3].tail;
        assert!(told.contains("; at least 1,000 rows"), "{told}");
    }
}

#[tokio::test]
async fn repair_by_the_model_and_by_names_fitting_and_respelling_go_by_switches_of_their_own() {
    let auto = |without: &[Switch]| AskSettings {
        strategy: "auto".into(),
        candidates: 1,
        without: without.to_vec(),
        ..AskSettings::default()
    };
    let asked = async |question: &str, sql: &str, without: &[Switch]| {
        let model = small(vec![Line::from(sql); 8]);
        let ran = ask(question, KNOWLEDGE, auto(without), &model).await;
        let rules = ran.pick(|body| match body {
            EventBody::VariantTried { rule, .. } => Some(rule.to_string()),
            _ => None,
        });
        (only_cell(&ran), rules, model.requests().len())
    };
    let others = |own: Switch| -> Vec<Switch> {
        let all = [Switch::SqlFeedback, Switch::NameRepair, Switch::Fitting, Switch::Respelling];
        all.into_iter().filter(|part| *part != own).collect()
    };
    let stored = "SELECT SUM(p.amount) FROM purchase p JOIN customer c ON p.customer_id = c.id WHERE c.country = 'de'";
    let (cell, rules, _) = asked("How much did customers in de buy?", stored, &others(Switch::Respelling)).await;
    assert_eq!((cell.as_deref(), rules), (Some("5.0"), vec!["V001".to_owned()]), "respelling alone");
    for part in [Switch::Respelling, Switch::Variants] {
        let (cell, rules, _) = asked("How much did customers in de buy?", stored, &[part]).await;
        assert!(cell.is_none() && !rules.contains(&"V001".to_owned()), "{part:?}: {cell:?} {rules:?}");
    }

    let misses = "SELECT c.name FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE p.amount <> 20";
    let question = "Which customers did not buy anything for 20?";
    let (_, rules, _) = asked(question, misses, &others(Switch::Fitting)).await;
    assert_eq!(rules, ["Q005"], "fitting alone");
    for part in [Switch::Fitting, Switch::Variants] {
        let (_, rules, _) = asked(question, misses, &[part]).await;
        assert!(rules.is_empty(), "{part:?}: {rules:?}");
    }

    let misspelt = "SELECT SUM(ammount) FROM purchase";
    let (cell, _, calls) = asked("How much was bought?", misspelt, &others(Switch::NameRepair)).await;
    assert_eq!((cell.as_deref(), calls), (Some("35.5"), 1), "names alone");
    let (cell, _, calls) = asked("How much was bought?", misspelt, &others(Switch::SqlFeedback)).await;
    assert!(cell.is_none() && calls > 1, "the model is asked again and says the same");
    let none = [Switch::SqlFeedback, Switch::NameRepair];
    let (cell, _, calls) = asked("How much was bought?", misspelt, &none).await;
    assert!(cell.is_none(), "{calls} calls");
}

#[tokio::test]
async fn auto_spends_by_disagreement_with_every_kind_of_model() {
    let settings = AskSettings { strategy: "auto".into(), candidates: 8, ..AskSettings::default() };
    let sum = "SELECT SUM(p.amount) FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
    for model in [small, large] {
        let model = model(vec![sum.to_owned(); 2]);
        let ran = ask(USA, KNOWLEDGE, settings.clone(), &model).await;
        assert_eq!((only_cell(&ran).as_deref(), model.requests().len()), (Some("30.5"), 2), "{:?}", ran.outcome);
        assert!(model.requests().iter().all(|request| request.tail.contains(KNOWLEDGE)));
    }
    // If samples cost money, only as many as necessary are requested.
    let other = "SELECT COUNT(*) FROM purchase";
    let model = large(vec![other, sum, sum, sum, sum, sum].into_iter().map(str::to_owned).collect::<Vec<_>>());
    let ran = ask(USA, KNOWLEDGE, settings, &model).await;
    assert_eq!((only_cell(&ran).as_deref(), model.requests().len()), (Some("30.5"), 6), "{:?}", ran.outcome);
}

#[tokio::test]
async fn a_model_that_thinks_in_its_text_is_not_taken_at_its_drafts() {
    let thinks = |draft: &str, said: &str| format!("<think>Perhaps ```sql\n{draft}\n```</think>\n{said}");
    let mut lines: Vec<String> = script(&[views("US")]).iter().map(|line| thinks("SELECT 1", line)).collect();
    lines[3] = thinks("SELECT 1", &format!("```sql\n{SUM}\n```\nOne row."));
    for model in [small, large] {
        let ran = ask(USA, KNOWLEDGE, av_sql(1), &model(lines.clone())).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
    }
}

#[tokio::test]
async fn the_revisor_of_a_large_model_sees_both_ends_of_a_result_as_far_as_results_may_be_told() {
    let many: String = (5..=60).map(|n| format!("({n}, 'N{n}', 'FR')")).collect::<Vec<_>>().join(",");
    let shop = Shop::with(&format!("INSERT INTO customer VALUES {many};"));
    let told = async |model: Maker, level: EgressLevel| {
        let mut lines = script(&[views("US")]);
        lines[3] = "SELECT name FROM customer ORDER BY id".to_owned();
        let model = model(lines);
        let ask = shop.ask_with_all(USA, KNOWLEDGE, av_sql(1), model.clone()).await;
        let egress = EgressPolicy { level, ..EgressPolicy::allow_everything() };
        let ran =
            run(Ask { permissions: AskPermissions { egress, ..ask.permissions }, ..ask }, CancellationToken::new())
                .await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let requests = model.requests();
        requests.iter().find(|request| request.tail.contains("It gave 60 rows")).expect("the revisor").tail.clone()
    };
    let by_large = told(large, EgressLevel::Results).await;
    assert!(by_large.contains(":\nAda\nBert\n"), "{by_large}");
    assert!(by_large.contains("\nN19\nN20\n(35 more)\nN56\nN57\n") && by_large.contains("\nN60\n"), "{by_large}");
    let withheld = told(large, EgressLevel::Samples).await;
    assert!(withheld.contains(":\n[text]\n[text]\n[text]\n\n") && !withheld.contains("Ada"), "{withheld}");
    let by_small = told(small, EgressLevel::Results).await;
    assert!(by_small.contains(":\nAda\nBert\nCleo\n\n"), "as it was measured: {by_small}");
}

/// Returns votes for the answer and details of its certainty, for two candidates that agree and the revisor's edit.
async fn revised(ordering: &str, written: &str, edit: &str) -> (u32, u32, bool, Vec<String>) {
    let mut lines = script(&[views("US")]);
    lines[0] = REWRITTEN.replace(r#""ordering":"""#, &format!(r#""ordering":"{ordering}""#));
    lines.splice(3.., [written.to_owned(), written.to_owned(), json!({"verdict": "revised", "sql": edit}).to_string()]);
    let model = small(lines);
    let ran = ask(USA, KNOWLEDGE, av_sql(2), &model).await;
    assert_eq!(
        (ran.report.status(), ran.report.revised, model.unused_lines()),
        (RunStatus::Answered, true, 0),
        "{edit}"
    );
    let evidence = Evidence::from_events(ran.events.iter().map(|event| &event.body));
    let reasons = ran.report.certainty.iter().flat_map(|certainty| &certainty.reasons);
    let reasons = reasons.map(|reason| reason.text.clone()).collect();
    (evidence.votes.count, evidence.votes.of, evidence.forbids_sure(), reasons)
}

#[tokio::test]
async fn votes_for_a_query_do_not_speak_for_an_edit_that_gives_another_result() {
    let all = "SELECT SUM(amount) FROM purchase";
    let (votes, of, forbidden, reasons) = revised("", SUM, all).await;
    assert_eq!((votes, of, forbidden), (1, 3, true));
    assert!(reasons.contains(&"1 of 3 queries written for the answer gave this result.".to_owned()), "{reasons:?}");
    let by = |order: &str| format!("SELECT amount FROM purchases_of ORDER BY amount {order}");
    let (votes, of, ..) = revised("by amount", &by("ASC"), &by("DESC")).await;
    assert_eq!((votes, of), (1, 3), "the other way round is another result where the order was asked for");
}

#[tokio::test]
async fn votes_for_a_query_speak_for_an_edit_that_says_the_same() {
    let joined = "SELECT SUM(p.amount) FROM purchase p JOIN customer c ON c.id = p.customer_id WHERE c.country = 'US'";
    let with_count = "SELECT COUNT(*), SUM(amount) FROM purchases_of";
    for (written, edit) in [(SUM, joined), (with_count, SUM)] {
        let (votes, of, forbidden, _) = revised("", written, edit).await;
        assert_eq!((votes, of, forbidden), (2, 2, false), "{edit}");
    }
    let ordered = |columns: &str| format!("SELECT {columns} FROM purchases_of ORDER BY amount DESC");
    let (votes, of, ..) = revised("by amount", &ordered("amount, 'US' AS country"), &ordered("amount")).await;
    assert_eq!((votes, of), (2, 2), "the same order without a column that nobody asked for");
}

#[tokio::test]
async fn a_part_that_selects_one_of_many_look_alikes_leaves_all_to_who_writes_the_query() {
    let days: String = (1..=366)
        .map(|day| format!("CREATE TABLE events_{} (id INTEGER PRIMARY KEY, kind TEXT);", 20_240_000 + day))
        .collect();
    let shop = Shop::with(&days);
    let nothing = reply(&[], &[]);
    let one = reply(&[("events_20240366", &["id"])], &[("of_day", "SELECT id FROM events_20240366")]);
    let plan = r#"{"read":["of_day"],"conditions":[],"group_by":[],"output":["COUNT(*)"]}"#;
    let count = "SELECT COUNT(*) FROM of_day";
    for (make, deliberates) in [(small as Maker, false), (large as Maker, true)] {
        let replies = [REWRITTEN, &nothing, &one, plan, count, UNCHANGED].map(str::to_owned).to_vec();
        let model = make(replies);
        let settings = AskSettings { chunk_budget: Some(110), ..av_sql(1) };
        let ask = shop.ask_with_all("How many events are there?", KNOWLEDGE, settings, model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(
            ran.report.status(),
            RunStatus::Answered,
            "{deliberates}: {:?} {:#?}",
            ran.outcome,
            model.requests()
        );
        let requests = model.requests();
        let writer = requests.iter().find(|request| request.tail.contains("of_day") && request.turns.is_empty());
        let prefix = &writer.expect("the query is written").prefix;
        assert!(prefix.contains("366 tables") && prefix.contains("events_20240001"), "{prefix}");
        assert!(!prefix.contains("customer"), "what was not selected is left out: {prefix}");
    }
}

#[tokio::test]
async fn a_large_model_sees_columns_rows_and_counts_and_its_reasons_are_kept() {
    let reason = "One row: the sum over one country";
    let plan = PLAN.replacen('{', &format!(r#"{{"thinking":"{reason}","#), 1);
    let other = "SELECT SUM(p.amount) FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'DE'";
    let lines = |plan: &str| [REWRITTEN, &views("US"), plan, SUM, other, UNCHANGED].map(str::to_owned).to_vec();
    let model = large(lines(&plan));
    let ran = ask(USA, KNOWLEDGE, av_sql(2), &model).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let requests = model.requests();
    for request in [&requests[2], &requests[3], requests.last().unwrap()] {
        let tail = &request.tail;
        assert!(
            tail.contains("columns: amount number, 2 distinct: 10.5, 20.0\n  rows:\n    (10.5)\n    (20.0)"),
            "{tail}"
        );
        assert!(!tail.contains("first row:"), "{tail}");
    }
    let revised = &requests.last().unwrap().tail;
    assert!(revised.contains("country = 'DE' keeps 1 of 4 rows of customer"), "{revised}");
    let reasons = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::ReasonGiven { node, candidates, preferred, reason, .. } => {
                Some((node.to_string(), candidates.len(), *preferred, reason.clone()))
            }
            _ => None,
        })
    };
    assert_eq!(reasons(&ran), [("planner".to_owned(), 0, None, reason.to_owned())]);
    let few = small(lines(PLAN));
    let ran = ask(USA, KNOWLEDGE, av_sql(2), &few).await;
    assert_eq!((ran.report.status(), reasons(&ran).len()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let planner = &few.requests()[2].tail;
    assert!(planner.contains("first row: amount=10.5") && !planner.contains("distinct"), "{planner}");
    let distinct = ran.pick(|body| match body {
        EventBody::ViewsAttempted { views, .. } => Some(views[0].distinct.len()),
        _ => None,
    });
    assert_eq!(distinct, [0], "the log of a small model has no more than its prompts");
}

/// Returns settings for one candidate with these parameters.
fn with(set: &[(&str, &str)]) -> AskSettings {
    let mut settings = av_sql(1);
    set.iter().for_each(|(key, value)| parameters::set_parameter(&mut settings.methods, key, value).unwrap());
    settings
}

#[tokio::test]
async fn a_large_model_is_told_again_of_the_values_of_earlier_rounds() {
    for (model, again) in [(small as Maker, false), (large as Maker, true)] {
        let model = model(script(&[views("Germany"), views("America"), views("DE")]));
        let ran = ask(GERMANY, KNOWLEDGE, av_sql(1), &model).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("5.0"), "{:?}", ran.outcome);
        let told: Vec<String> = model.requests()[2..4].iter().map(|request| request.turns[0].1.clone()).collect();
        let values = |told: &str| told.split("resemble yours").nth(1).unwrap_or_default().to_owned();
        assert!(values(&told[0]).contains("'DE'"), "{}", told[0]);
        assert!(values(&told[1]).contains("'US'"), "{}", told[1]);
        assert_eq!(values(&told[1]).contains("'DE'"), again, "{}", told[1]);
    }
}

#[tokio::test]
async fn an_incomplete_selection_is_returned_to_the_model_if_the_check_is_strict() {
    let sql =
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
    let incomplete = reply(&SELECTED[..1], &[("purchases_of", sql)]);
    let strict = || with(&[("av-sql.consistency", "strict")]);
    let lacks = "used in views but not selected: purchase, purchase.amount, purchase.customer_id";
    for model in [small as Maker, large as Maker] {
        let model = model(script(&[incomplete.clone(), views("US")]));
        let ran = ask(USA, KNOWLEDGE, strict(), &model).await;
        assert_eq!((only_cell(&ran).as_deref(), model.unused_lines()), (Some("30.5"), 0), "{:?}", ran.outcome);
        let attempts = ran.pick(|body| match body {
            EventBody::ViewsAttempted { completed, consistent, feedback, .. } => {
                Some((completed.len(), *consistent, feedback.join("; ")))
            }
            _ => None,
        });
        assert_eq!(attempts, [(0, false, lacks.to_owned()), (0, true, String::new())]);
        assert!(model.requests()[2].turns[0].1.contains(lacks));
    }
    // After the last round, an inconsistent chunk contributes nothing (Algorithm 1).
    for model in [small as Maker, large as Maker] {
        let mut lines = script(std::slice::from_ref(&incomplete));
        lines[3] = "SELECT SUM(amount) FROM purchase".to_owned();
        let ran = ask(USA, KNOWLEDGE, AskSettings { max_rounds: 0, ..strict() }, &model(lines)).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
        assert_eq!(outcomes(&ran), [(ChunkOutcome::Failed, 0)]);
        assert_eq!(aggregated(&ran), [(0, 0)]);
    }
    // A selection that agrees counts without its views (equation 8).
    let broken = reply(
        SELECTED,
        &[("purchases_of", "SELECT amount FROM purchase"), ("others", "SELECT invented_amount FROM purchase")],
    );
    for model in [small as Maker, large as Maker] {
        let mut lines = script(std::slice::from_ref(&broken));
        lines[3] = "SELECT SUM(amount) FROM purchase".to_owned();
        let ran = ask(USA, KNOWLEDGE, AskSettings { max_rounds: 0, ..strict() }, &model(lines)).await;
        assert_eq!(outcomes(&ran), [(ChunkOutcome::Failed, 0)]);
        assert_eq!(aggregated(&ran), [(2, 0)]);
    }
}

/// Returns the outcomes of the chunks with the numbers of kept views.
fn outcomes(ran: &Ran) -> Vec<(ChunkOutcome, usize)> {
    ran.pick(|body| match body {
        EventBody::ChunkFinished { outcome, kept_views, .. } => Some((*outcome, kept_views.len())),
        _ => None,
    })
}

/// Returns the numbers of selected tables and of views that the last stage receives.
fn aggregated(ran: &Ran) -> Vec<(usize, usize)> {
    ran.pick(|body| match body {
        EventBody::Aggregated { selection, views, .. } => Some((selection.tables.len(), views.len())),
        _ => None,
    })
}

#[tokio::test]
async fn unreadable_replies_of_a_large_model_do_not_repeat_each_other() {
    let unreadable = || "I cannot decide.".to_owned();
    let attempts = |ran: &Ran| ran.pick(|body| matches!(body, EventBody::ViewsAttempted { .. }).then_some(())).len();
    let model = large(script(&[unreadable(), unreadable(), unreadable(), views("US")]));
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
    assert_eq!((only_cell(&ran).as_deref(), attempts(&ran)), (Some("30.5"), 4), "{:?}", ran.outcome);

    let mut lines = script(&[unreadable(), unreadable()]);
    lines[4] = "SELECT SUM(amount) FROM purchase".to_owned();
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &small(lines)).await;
    assert_eq!((only_cell(&ran).as_deref(), attempts(&ran)), (Some("35.5"), 2), "as it was measured");
}

#[tokio::test]
async fn the_last_stage_reads_the_whole_schema_or_the_selection() {
    let shop = Shop::with("CREATE TABLE memo (id INTEGER, body TEXT); INSERT INTO memo VALUES (1, 'x');");
    for (set, several, reads_all) in
        [("auto", false, true), ("selected", false, false), ("auto", true, false), ("whole", true, true)]
    {
        for model in [small as Maker, large as Maker] {
            let nothing = reply(&[], &[]);
            let customers =
                reply(&[("customer", &["id", "country"])], &[("people", "SELECT id, country FROM customer")]);
            let purchases = reply(&[("purchase", &["amount"])], &[("purchases_of", "SELECT amount FROM purchase")]);
            let chunks = if several { vec![customers, purchases, nothing] } else { vec![views("US")] };
            let last = chunks.len() + 1;
            let model = model(script(&chunks));
            let budget = several.then_some(40);
            let settings = AskSettings { chunk_budget: budget, max_rounds: 0, ..with(&[("av-sql.schema", set)]) };
            let ran =
                run(shop.ask_with_all(USA, KNOWLEDGE, settings, model.clone()).await, CancellationToken::new()).await;
            assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
            let requests = model.requests();
            assert_eq!(requests.len(), last + 3, "{set} {several}");
            for request in &requests[last..] {
                assert!(request.prefix.contains("CREATE TABLE purchase"), "{set} {several}: {}", request.prefix);
                assert_eq!(request.prefix.contains("CREATE TABLE memo"), reads_all, "{set} {several}");
            }
        }
    }
}

#[tokio::test]
async fn a_large_model_plans_writes_and_checks_with_rows_and_rationale_of_each_view() {
    let model = large(script(&[views("US")]));
    let ran = ask(USA, KNOWLEDGE, av_sql(1), &model).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
    let requests = model.requests();
    for request in &requests[2..] {
        for part in
            ["purchases_of -- what they bought; 2 rows", "columns: amount number, 2 distinct", "    (10.5)\n    (20.0)"]
        {
            assert!(request.tail.contains(part), "{part}: {}", request.tail);
        }
    }
    assert!(requests[3].tail.contains("Read purchases_of\nOutput SUM(amount)"), "{}", requests[3].tail);
}

#[tokio::test]
async fn the_last_stage_may_receive_only_views_or_only_the_selection() {
    for model in [small as Maker, large as Maker] {
        let only_views = model(script(&[views("US")]));
        let ran = ask(USA, KNOWLEDGE, with(&[("av-sql.context", "views")]), &only_views).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
        for request in &only_views.requests()[2..] {
            assert!(
                !request.prefix.contains("CREATE TABLE") && request.prefix.contains("not shown"),
                "{}",
                request.prefix
            );
            assert!(request.tail.contains("purchases_of"), "{}", request.tail);
        }
        let OutputFormat::JsonSchema { schema, .. } = &only_views.requests()[2].output else { panic!("a form") };
        assert_eq!(schema["properties"]["read"]["items"]["enum"], json!(["purchases_of"]));

        let mut lines = script(&[views("US")]);
        lines[3] = "SELECT SUM(amount) FROM purchase".to_owned();
        lines[2] = PLAN.replace("purchases_of", "purchase");
        let only_selection = model(lines);
        let ran = ask(USA, KNOWLEDGE, with(&[("av-sql.context", "selection")]), &only_selection).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
        assert_eq!(aggregated(&ran), [(2, 1)], "the log keeps the views");
        for request in &only_selection.requests()[2..] {
            assert!(request.prefix.contains("CREATE TABLE purchase"), "{}", request.prefix);
            assert!(!request.tail.contains("purchases_of"), "{}", request.tail);
        }
    }
}

#[tokio::test]
async fn candidates_and_prompts_of_the_final_query_are_parameters() {
    let mut lines = script(&[views("US")]);
    lines.splice(3..4, ["SELECT 1", "SELECT 2", SUM].map(str::to_owned));
    let model = large(lines);
    let ran = ask(USA, KNOWLEDGE, with(&[("av-sql.candidates", "3"), ("av-sql.prompts", "1")]), &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let requests = model.requests();
    assert!(requests[3..6].iter().all(|request| request.tail.contains("A plan")), "each has views and plan");
}

/// Algorithms 1 and 2 of the paper, in the order of their events.
#[tokio::test]
async fn the_preset_of_av_sql_follows_the_paper() {
    for model in [small as Maker, large as Maker] {
        let mut settings = AskSettings { strategy: "av-sql".into(), ..AskSettings::default() };
        parameters::apply_setting(&mut settings, "av-sql", "strict").unwrap();
        let sql =
            "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
        let model = model(script(&[reply(&SELECTED[..1], &[("purchases_of", sql)]), views("US")]));
        let ran = ask(USA, KNOWLEDGE, settings, &model).await;
        assert_eq!((only_cell(&ran).as_deref(), model.unused_lines()), (Some("30.5"), 0), "{:?}", ran.outcome);
        let order = ran.pick(|body| match body {
            EventBody::StageStarted { node, .. } => Some(node.to_string()),
            EventBody::Rewritten { .. } => Some("rewritten".to_owned()),
            EventBody::ViewsAttempted { consistent, .. } => Some(format!("views, consistent: {consistent}")),
            EventBody::Aggregated { .. } => Some("aggregated".to_owned()),
            EventBody::Planned { .. } => Some("planned".to_owned()),
            EventBody::SqlAttempted { error, .. } => Some(format!("sql, ran: {}", error.is_none())),
            EventBody::VariantTried { .. } => Some("variant".to_owned()),
            EventBody::Revised { .. } => Some("revised".to_owned()),
            _ => None,
        });
        assert_eq!(
            order,
            [
                "schema",
                "rewriter",
                "rewritten",
                "chunk-1",
                "views, consistent: false",
                "views, consistent: true",
                "selection",
                "aggregated",
                "planner",
                "planned",
                "generator",
                "sql, ran: true",
                "revisor",
                "revised",
                "result"
            ]
        );
        let (came, promised) = stages(&ran, false, true);
        assert_eq!(came, promised);
    }
}
