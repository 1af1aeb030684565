//! ProSPy: checks the log of each step, with a small and a large model, with knowledge, stored values and their
//! embeddings.

use crate::bench::{Ran, Shop, large, run, small};
use crate::methods::{Written, settings};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::sandbox::{Analysed, AnalysisError};
use vitrine_agents::{Ask, AskData, AskPermissions};
use vitrine_domain::page::CellType;
use vitrine_domain::{
    AskSettings, EgressLevel, EgressPolicy, EventBody, LinkingPass, ModelProfile, Page, ResultColumn, RunStatus,
    SchemaSupport, Switch,
};
use vitrine_llm::{OutputFormat, Request, ScriptedModel};
use vitrine_sql::DialectExt;

const QUESTION: &str = "How many customers live in each country?";
const KNOWLEDGE: &str = "A customer lives where the country says.";
const VIEW: &str = r#"{"views":[{"name":"by_country","rationale":"customers","source":[{"table":"customer"}],
  "dimensions":[{"column":"customer.country"}],"metrics":[{"name":"n","agg":"count"}]}]}"#;
const PLAN: &str = r#"{"needs":["customers of each country"],"groups":[{"name":"living","tables":[
  {"table":"customer","role":"fact"}],"gives":"country, number of customers"}],"order":["fetch by_country","return it"]}"#;
const BY_COUNTRY: &str = "SELECT country, COUNT(*) FROM customer GROUP BY country";
const ENOUGH: &str = r#"{"views":[]}"#;
/// A group that reads the same table as [`PLAN`].
const SECOND: &str = r#"{"name":"large_ones","tables":[{"table":"customer","role":"fact"}],"gives":"country"},"#;
/// Additions to the shop: a view and a table that no question needs.
const MORE: &str = "CREATE TABLE season (id INTEGER PRIMARY KEY, label TEXT, motto TEXT);
    INSERT INTO season VALUES (1,'May',NULL),(2,'June',NULL),(3,'July','sun');
    CREATE VIEW spender AS SELECT c.name AS name, SUM(p.amount) AS spent FROM customer c
      JOIN purchase p ON p.customer_id = c.id GROUP BY c.id, c.name;";

async fn ask(shop: &Shop, settings: AskSettings, model: &Arc<ScriptedModel>, sandbox: Option<Arc<Written>>) -> Ran {
    let mut asked = shop.ask_with_all(QUESTION, KNOWLEDGE, settings, model.clone()).await;
    asked.data.sandbox = sandbox.map(|sandbox| sandbox as _);
    let ran = run(asked, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(model.unused_lines(), 0, "every reply was asked for");
    ran.assert_whole();
    ran
}

fn lines(first: &[&str], then: &[&str]) -> Vec<String> {
    first.iter().chain(then).map(|line| (*line).to_owned()).collect()
}

/// Replies that exclude nothing, for two passes of a large and of a small model.
const NOTHING: [&str; 4] = [r#"{"exclude":[]}"#; 4];
const NEEDED: [&str; 2] = [r#"{"tables":[{"name":"customer","columns":["id","country"]}]}"#; 2];

fn page(cells: &[&[&str]]) -> Page {
    Page {
        columns: vec![ResultColumn::new("n", CellType::Integer)],
        rows: cells.iter().map(|row| row.iter().map(|cell| Some((*cell).to_owned())).collect()).collect(),
        row_count: cells.len() as u64,
        truncated: false,
    }
}

fn gives(page: Page) -> Result<Analysed, AnalysisError> {
    Ok(Analysed { page, printed: String::new() })
}

#[tokio::test]
async fn a_large_model_prunes_what_is_left_reads_views_as_defined_and_plans_what_to_fetch() {
    let shop = Shop::with(MORE);
    let pruned = [
        r#"{"exclude":["season"]}"#,
        r#"{"exclude":["purchase","spender"]}"#, // one table of three columns is left, too few to exclude more
    ];
    let sql = ["SELECT country, n FROM by_country"; 2];
    let model = large(lines(&pruned, &[PLAN, VIEW, sql[0], sql[1]]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, None).await;
    let rounds = ran.pick(|body| match body {
        EventBody::SchemaLinked { pass, round, changed, .. } => Some((*pass, *round, changed.join(", "))),
        _ => None,
    });
    assert_eq!(
        rounds,
        [
            (LinkingPass::CoarseTables, 1, "season".to_owned()),
            (LinkingPass::CoarseTables, 2, "purchase, spender".to_owned()),
        ]
    );
    let requests = model.requests();
    assert_eq!(requests.len(), 6, "no columns are asked for, and nothing more once the plan's group is fetched");
    let shown: Vec<[bool; 3]> =
        requests[..3].iter().map(|r| ["season", "purchase", "customer"].map(|name| r.prefix.contains(name))).collect();
    assert_eq!(shown, [[true, true, true], [false, true, true], [false, false, true]], "what is left by then");
    let whole = &requests[0].prefix;
    for told in [
        "-- reads customer, purchase",
        "-- defined as SELECT c.name AS name, SUM(p.amount) AS spent FROM customer c",
        "from purchase.amount",
        "67% NULL",
        "mean 11.83, sd 7.588",
    ] {
        assert!(whole.contains(told), "{told}: {whole}");
    }
    let plan = ran.pick(|body| match body {
        EventBody::Planned { node, plan } => Some((node.to_string(), plan.clone())),
        _ => None,
    });
    let planned = "Needed: customers of each country\nGroup living: customer (fact); gives country, number of customers\n\
        1. fetch by_country\n2. return it";
    assert_eq!(plan, [("fetch".to_owned(), planned.to_owned())]);
    assert!(requests[3].tail.contains(planned), "{}", requests[3].tail);

    let model = small(lines(&NEEDED, &[VIEW, sql[0], sql[1]]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, None).await;
    assert!(ran.pick(|body| matches!(body, EventBody::Planned { .. }).then_some(())).is_empty());
    let requests = model.requests();
    assert_eq!(requests[0].prefix, requests[1].prefix, "read once");
    assert!(!requests[0].prefix.contains("defined as") && !requests[0].prefix.contains("mean"));
}

#[tokio::test]
async fn a_large_model_prunes_until_nothing_more_is_left_out() {
    let sql = "ALTER TABLE customer ADD COLUMN fax TEXT; ALTER TABLE customer ADD COLUMN car TEXT;
        ALTER TABLE customer ADD COLUMN hat TEXT; ALTER TABLE customer ADD COLUMN cat TEXT;
        ALTER TABLE customer ADD COLUMN bag TEXT;
        UPDATE customer SET fax = 1, car = 2, hat = 3, cat = 4, bag = 5;";
    let [first, last] = [r#"{"exclude":["purchase"]}"#, r#"{"exclude":[]}"#];
    let columns = ["name", "fax", "car"].map(|name| format!(r#"{{"exclude":["customer.{name}"]}}"#));
    let rounds = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::SchemaLinked { pass: LinkingPass::CoarseColumns, round, changed, .. } => {
                Some((*round, changed.join(", ")))
            }
            _ => None,
        })
    };
    // Each of three rounds removes a column; five are left, so no further round follows.
    let sql_of = ["SELECT country, n FROM by_country"; 2];
    let whole = lines(&[first, &columns[0], &columns[1], &columns[2]], &[PLAN, VIEW]);
    let model = large(whole.into_iter().chain(sql_of.map(str::to_owned)).collect());
    let ran = ask(&Shop::with(sql), settings("prospy", &[], &[]), &model, None).await;
    let told = ["name", "fax", "car"].map(|name| format!("customer.{name}"));
    assert_eq!(rounds(&ran), (1..).zip(told.clone()).collect::<Vec<_>>());
    let requests = model.requests();
    for (at, gone) in [(2, "name TEXT"), (3, "fax TEXT"), (4, "car TEXT")] {
        assert!(!requests[at].prefix.contains(gone), "{gone}: {}", requests[at].prefix);
    }
    assert!(requests[3].prefix.contains("car TEXT"), "what is left is shown: {}", requests[3].prefix);
    assert!(requests[3].tail.contains("after 2 rounds of leaving out"), "{}", requests[3].tail);
    assert_eq!(requests.len(), 8);

    // A configured bound is respected.
    let bound = lines(&[first, &columns[0], &columns[1], last], &[PLAN, VIEW]);
    let model = large(bound.into_iter().chain(sql_of.map(str::to_owned)).collect());
    let ran = ask(&Shop::with(sql), settings("prospy", &[("prospy.prunings", "2")], &[]), &model, None).await;
    assert_eq!(rounds(&ran), (1..).zip(told).take(2).collect::<Vec<_>>());

    // A small model has one round of each pass, regardless of the setting.
    for set in [&[][..], &[("prospy.prunings", "9")]] {
        let model = small(lines(&NEEDED, &[VIEW, sql_of[0], sql_of[1]]));
        ask(&Shop::with(sql), settings("prospy", set, &[]), &model, None).await;
        assert_eq!(model.requests().len(), 5);
    }
}

#[tokio::test]
async fn a_view_that_is_cut_off_is_fetched_again_and_else_told() {
    let cut = || settings("prospy", &[("prospy.view_rows", "2")], &[]);
    let shop = Shop::new();
    let code = "Fine.\n```python\nresult = by_country\n```";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, VIEW, code]));
    let ran = ask(&shop, cut(), &model, Some(Written::new(vec![gives(page(&[&["2"]]))]))).await;
    let fetched = ran.pick(|body| match body {
        EventBody::ViewFetched { page: Some(page), attempt, .. } => Some((*attempt, page.row_count, page.truncated)),
        _ => None,
    });
    assert_eq!(fetched, [(0, 2, true), (1, 2, true)]);
    let requests = model.requests();
    assert!(requests[6].turns[0].1.contains("more than 2 rows"), "{:?}", requests[6].turns);
    assert!(
        requests[7].tail.contains("by_country(country text, n whole number) -- customers; cut off at 2 rows;"),
        "{}",
        requests[7].tail
    );
    assert_eq!(
        ran.report.warnings,
        [
            "by_country was cut off at 2 rows",
            "by_country was cut off at 2 rows: what the analysis counts or adds up over it lacks the rest"
        ]
    );

    let sql = "SELECT country, n FROM by_country";
    let model = small(lines(&NEEDED, &[VIEW, "result = by_country", sql, sql]));
    let ran = ask(&shop, cut(), &model, Some(Written::new(vec![gives(page(&[&["2"]]))]))).await;
    assert!(model.requests()[3].tail.contains("cut off at 2 rows"));
    assert!(ran.report.warnings.contains(&"by_country was cut off at 2 rows".to_owned()), "{:?}", ran.report.warnings);
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(3), "the query reads all rows");
}

#[tokio::test]
async fn an_analysis_without_a_value_goes_back_and_the_last_program_counts() {
    let shop = Shop::new();
    let two = "First:\n```python\nresult = by_country\n```\nNo:\n```python\nresult = by_country[by_country.n > 9]\n```";
    let right = "```python\nresult = by_country[['n']]\n```";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, two, right]));
    let sandbox = Written::new(vec![gives(page(&[])), gives(page(&[&["2"]]))]);
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    let analysed = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::Analysed { execution, code, error, .. } => Some((*execution, code.clone(), error.clone())),
            _ => None,
        })
    };
    assert_eq!(
        analysed(&ran),
        [
            (1, "result = by_country[by_country.n > 9]".to_owned(), Some("the result has no rows".to_owned())),
            (2, "result = by_country[['n']]".to_owned(), None),
        ]
    );
    assert_eq!(ran.report.code.as_deref(), Some("result = by_country[['n']]"));
    let requests = model.requests();
    let (asked, again) = (&requests[6], &requests[7]);
    assert!(asked.assistant_prefix.is_empty() && asked.stop.is_empty(), "it reasons first");
    assert!(again.turns[0].1.contains("It ran, but the result has no rows"), "{:?}", again.turns);

    // If the reply is repeated, the empty result is the answer.
    let none = Written::new(vec![gives(page(&[]))]);
    let model = large(lines(&NOTHING, &[PLAN, VIEW, two, two]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, Some(none)).await;
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(0));

    let sql = "SELECT country, n FROM by_country";
    let model = small(lines(&NEEDED, &[VIEW, "result = by_country[by_country.n > 9]", sql, sql]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, Some(Written::new(vec![gives(page(&[]))]))).await;
    assert_eq!(analysed(&ran).len(), 1, "a small model's code counts where its query gives the same");
    assert_eq!(model.requests()[3].assistant_prefix, "```python\n");
}

#[tokio::test]
async fn a_view_over_views_reads_what_was_fetched() {
    let over = r#"{"views":[{"name":"large_ones","rationale":"more than one","source":[{"table":"by_country"}],
      "dimensions":[{"column":"by_country.country"}],
      "conditions":[{"column":"by_country.n","op":">","values":[1]}]}]}"#;
    let code = "```python\nresult = large_ones\n```";
    let two = PLAN.replace(r#""groups":["#, &format!(r#""groups":[{SECOND}"#));
    let model = large(lines(&NOTHING, &[&two, VIEW, over, code]));
    let ran =
        ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(Written::new(vec![gives(page(&[&["2"]]))]))).await;
    let ran_sql = ran.pick(|body| match body {
        EventBody::QueryExecuted { node, sql, row_count, .. } if node == "fetch" => {
            Some((sql.contains("customer"), sql.contains("by_country"), *row_count))
        }
        _ => None,
    });
    assert_eq!(ran_sql, [(true, false, Some(3)), (false, true, Some(1))], "the database computed the first one once");
    let fetched = ran.pick(|body| match body {
        EventBody::ViewFetched { name, sql, page: Some(page), .. } => {
            Some((name.clone(), sql.contains("customer"), page.rows.clone()))
        }
        _ => None,
    });
    assert_eq!(fetched[1], ("large_ones".to_owned(), true, vec![vec![Some("US".to_owned())]]), "kept as one query");
}

#[tokio::test]
async fn the_same_views_are_not_refused_twice_whatever_was_thought_before_them() {
    let bad = |thinking: &str| format!(r#"{{"thinking":"{thinking}",{}"#, &VIEW.replace("customer", "nowhere")[1..]);
    let model = large(lines(&NOTHING, &[PLAN, &bad("a first try"), &bad("it looks right"), BY_COUNTRY]));
    let ran = ask(&Shop::new(), settings("prospy", &[], &[Switch::Voting]), &model, None).await;
    let refused = ran.pick(|body| match body {
        EventBody::ViewFetched { error: Some(_), attempt, .. } => Some(*attempt),
        _ => None,
    });
    assert_eq!(refused, [0, 1]);
}

#[tokio::test]
async fn a_large_analyst_is_told_values_and_more_rows_than_a_line_as_far_as_results_may_be_told() {
    let many: String = (1..=12).map(|n| format!("({}, 'N{n}', 'Land-{n}')", n + 4)).collect::<Vec<_>>().join(",");
    let shop = Shop::with(&format!("INSERT INTO customer VALUES {many};"));
    let question = "How many customers live in each country, as 'Cleo' does?";
    let told = async |model: Arc<ScriptedModel>, level: EgressLevel| {
        let sandbox = Written::new(vec![gives(page(&[&["2"]]))]);
        let ask = shop.ask_with_all(question, KNOWLEDGE, settings("prospy", &[], &[]), model.clone()).await;
        let egress = EgressPolicy { level, ..EgressPolicy::allow_everything() };
        let ran = run(
            Ask {
                data: AskData { sandbox: Some(sandbox), ..ask.data },
                permissions: AskPermissions { egress, ..ask.permissions },
                ..ask
            },
            CancellationToken::new(),
        )
        .await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let requests = model.requests();
        requests.iter().find(|request| request.tail.contains("pandas")).expect("the analyst").tail.clone()
    };
    let code = "```python\nresult = by_country\n```";
    let of_large = || large(lines(&NOTHING, &[PLAN, VIEW, code]));
    let analyst = told(of_large(), EgressLevel::Results).await;
    assert!(analyst.contains("15 rows: (country, n)") && analyst.contains("(Land-9, 1)"), "{analyst}");
    assert!(analyst.contains("customer.name = 'Cleo'"), "{analyst}");
    let withheld = told(of_large(), EgressLevel::Samples).await;
    assert!(!withheld.contains("(Land-9, 1)") && withheld.contains("([text], [number])"), "{withheld}");
    let sql = "SELECT country, n FROM by_country";
    let of_small = small(lines(&NEEDED, &[VIEW, "result = by_country", sql, sql]));
    let analyst = told(of_small, EgressLevel::Results).await;
    let told = (analyst.matches("(Land-").count() <= 5, analyst.contains("customer.name = 'Cleo'"));
    assert_eq!(told, (true, false), "{analyst}");
}

#[tokio::test]
async fn an_analysis_of_missing_values_alone_goes_back() {
    let code = "```python\nresult = by_country\n```";
    let right = "```python\nresult = by_country[['n']]\n```";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, code, right]));
    let sandbox = Written::new(vec![gives(page(&[&["NaN"], &["nan"]])), gives(page(&[&["2"]]))]);
    let ran = ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    let analysed = ran.pick(|body| match body {
        EventBody::Analysed { execution, error, .. } => Some((*execution, error.clone())),
        _ => None,
    });
    let missing = "every value of the result is missing".to_owned();
    assert_eq!(analysed, [(1, Some(missing)), (2, None)]);
}

#[tokio::test]
async fn an_analyst_who_misses_something_in_the_views_leaves_the_answer_to_a_query_over_all_tables() {
    let misses = "No table has names.\n```json\n{\"not_in_data\": \"names\", \"nearest\": [\"customer.name\"]}\n```";
    let sql = "SELECT country, COUNT(*) AS n FROM customer GROUP BY country";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, misses, sql, sql]));
    let ran = ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(Written::new(Vec::new()))).await;
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(3));
    let told = ran.pick(|body| match body {
        EventBody::NotInData { node, missing, .. } => Some((node.to_string(), missing.clone())),
        _ => None,
    });
    assert_eq!(told, [("analysis".to_owned(), "names".to_owned())]);
    assert!(ran.report.code.is_none());

    // A program is used regardless of the text around it.
    let program = "It could be \"not_in_data\", but n is there.\n```python\nresult = by_country[['n']]\n```";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, program]));
    let sandbox = Written::new(vec![gives(page(&[&["2"]]))]);
    let ran = ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    assert_eq!(ran.report.code.as_deref(), Some("result = by_country[['n']]"));
}

#[tokio::test]
async fn bytes_and_geometries_are_told_to_a_large_model_by_what_they_are() {
    // Points and triangles in the binary format of spatial databases, and an image.
    let point = "010100000000000000000024400000000000004940";
    let shop = Shop::with(&format!(
        "CREATE TABLE place (id INTEGER PRIMARY KEY, shape BLOB, photo BLOB);
         INSERT INTO place VALUES (1, x'{point}', x'89504e470d0a1a0a0000'), (2, x'{point}', x'89504e470d0a1a0a0001'),
           (3, x'{point}', x'89504e470d0a1a0a0002');"
    ));
    let schema = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::ModelCallStarted { messages, .. } => Some(messages[1].content.clone()),
            _ => None,
        })
        .remove(0)
    };
    let sql = "SELECT country, n FROM by_country";
    let without = [Switch::Python];
    let model = large(lines(&NOTHING, &[PLAN, VIEW, sql, sql]));
    let by_large = schema(&ask(&shop, settings("prospy", &[], &without), &model, None).await);
    let line =
        |text: &str, column: &str| text.lines().find(|line| line.contains(column)).unwrap_or_default().to_owned();
    assert!(line(&by_large, "shape").to_lowercase().contains("point"), "{by_large}");
    assert!(line(&by_large, "photo").contains("bytes"), "{by_large}");
    let model = small(lines(&NEEDED, &[VIEW, sql, sql]));
    let by_small = schema(&ask(&shop, settings("prospy", &[], &without), &model, None).await);
    assert!(!by_small.to_lowercase().contains("point") && !by_small.contains("bytes"), "{by_small}");
}

#[tokio::test]
async fn without_json_schema_the_view_language_is_a_page() {
    let profile = ModelProfile { schema: SchemaSupport::None, ..ModelProfile::default() };
    let sql = "SELECT country, n FROM by_country";
    let said = lines(&NOTHING, &[PLAN, VIEW, sql, sql]);
    let model = Arc::new(ScriptedModel::new(said).with_profile(profile));
    let ran = ask(&Shop::new(), settings("prospy", &[], &[]), &model, None).await;
    let fetched = ran.pick(|body| match body {
        EventBody::ViewFetched { error: None, spec, .. } => Some(spec.is_some()),
        _ => None,
    });
    assert_eq!(fetched, [true]);
    let requests = model.requests();
    let asked: Vec<_> = requests.iter().filter(|request| request.tail.contains("How a view is written")).collect();
    assert_eq!(asked.len(), 1, "{}", requests.len());
    assert!(asked.iter().all(|request| request.output == OutputFormat::Text), "the page says it shorter than a schema");
    // With enforced schemas, the same page accompanies the schema.
    let model = large(lines(&NOTHING, &[PLAN, VIEW, sql, sql]));
    ask(&Shop::new(), settings("prospy", &[], &[]), &model, None).await;
    let held =
        |request: &&Request| request.tail.contains("How a view is written") && request.output != OutputFormat::Text;
    assert_eq!(model.requests().iter().filter(held).count(), 1);
}

#[tokio::test]
async fn what_stays_whatever_is_said_is_not_offered_and_nothing_is_asked_where_nothing_would_be_saved() {
    let shop = Shop::with("ALTER TABLE customer ADD COLUMN fax TEXT; UPDATE customer SET fax = id;");
    let question = "How many customers live in the same country as 'Cleo'?";
    let sql = ["SELECT country, n FROM by_country"; 2];
    // The value is kept although the reply excludes its column and its table.
    let replies = lines(
        &[
            r#"{"exclude":["customer"]}"#,
            r#"{"exclude":["customer.name","purchase.amount","purchase.placed"]}"#,
            r#"{"exclude":["customer.fax"]}"#,
            r#"{"exclude":["purchase"]}"#,
        ],
        &[PLAN, VIEW, sql[0], sql[1]],
    );
    let model = large(replies);
    let ask = shop.ask_with_all(question, KNOWLEDGE, settings("prospy", &[], &[]), model.clone()).await;
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let requests = model.requests();
    let offered = |request: &Request| match &request.output {
        OutputFormat::JsonSchema { name, schema } if name == "exclude" => {
            schema["properties"]["exclude"]["items"]["enum"]
                .as_array()
                .cloned()
                .map(|names| names.iter().filter_map(|name| name.as_str()).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    };
    let offered: Vec<String> = requests.iter().filter_map(offered).collect();
    assert_eq!(
        offered,
        [
            "purchase",
            "customer.country customer.fax purchase.amount purchase.placed",
            "customer.country customer.fax",
            "purchase",
        ],
        "keys and what holds the value are not offered; of five columns none"
    );
    assert!(requests[0].tail.contains("is stored there: customer.\n"), "{}", requests[0].tail);
    assert!(requests[1].tail.contains("is stored there: customer.name.\nKeys stay,"), "{}", requests[1].tail);
    assert!(
        requests[0].tail.contains("have nothing to do with the question") && !requests[0].tail.contains("ride_totals")
    );
    assert!(requests[3].tail.contains("would not use") && requests[3].tail.contains("ride_totals"), "its own example");
    // For one table with few columns, pruning is skipped.
    let one = Shop::with("DROP TABLE purchase;");
    let model = large(lines(&[], &[PLAN, VIEW, sql[0], sql[1]]));
    ask_one(&one, &model).await;
    assert_eq!(model.requests().len(), 4);
}

async fn ask_one(shop: &Shop, model: &Arc<ScriptedModel>) {
    ask(shop, settings("prospy", &[], &[]), model, None).await;
}

#[tokio::test]
async fn what_is_missing_is_asked_until_each_group_of_the_plan_has_its_view() {
    let sql = ["SELECT country, n FROM by_country"; 2];
    let more = PLAN.replace("\"customer\"", "\"purchase\"");
    let two = PLAN.replace(r#""groups":["#, &format!(r#""groups":[{SECOND}"#));
    for (plan, views) in [(PLAN, 1), (more.as_str(), 2), (two.as_str(), 2), ("no plan", 2)] {
        // The model replies that it has enough if it is asked.
        let enough = (views == 2).then_some(ENOUGH);
        let replies: Vec<&str> = [plan, VIEW].into_iter().chain(enough).chain(sql).collect();
        let model = large(lines(&NOTHING, &replies));
        ask_one(&Shop::new(), &model).await;
        let asked = model.requests().iter().filter(|request| request.tail.contains("How a view is written")).count();
        assert_eq!(asked, views, "{plan}");
    }
}

#[tokio::test]
async fn notes_on_sql_stand_where_sql_is_written_and_pandas_has_a_system_text_of_its_own() {
    let page = vitrine_domain::Dialect::Sqlite.sql().reference_page().lines().next().expect("a line");
    let code = "```python\nresult = by_country\n```";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, code]));
    let sandbox = Written::new(vec![gives(self::page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    let requests = model.requests();
    for request in &requests[4..6] {
        assert!(
            request.prefix.contains("CREATE TABLE customer") && !request.prefix.contains("Notes:"),
            "{}",
            request.prefix
        );
    }
    let analyst = &requests[6];
    assert!(analyst.system.contains("pandas") && !analyst.system.contains("SQL"), "{}", analyst.system);
    assert!(analyst.tail.contains("by_country(country text, n whole number)"), "{}", analyst.tail);
    // Views in SQL use the same page.
    let view = r#"{"views":[{"name":"living","rationale":"customers","sql":"SELECT country, COUNT(*) AS n FROM customer GROUP BY country"}]}"#;
    let sql = ["SELECT country, n FROM living"; 2];
    let model = large(lines(&NOTHING, &[PLAN, view, sql[0], sql[1]]));
    ask(&Shop::new(), settings("prospy", &[], &[Switch::Dsl]), &model, None).await;
    assert!(model.requests()[4..6].iter().all(|request| request.prefix.contains(page)));
    let sql = "SELECT country, n FROM by_country";
    let small = small(lines(&NEEDED, &[VIEW, "result = by_country", sql, sql]));
    let sandbox = Written::new(vec![gives(self::page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[]), &small, Some(sandbox)).await;
    let analyst = &small.requests()[3];
    assert!(analyst.system.contains("SQL") && analyst.tail.contains("by_country(country, n)"), "as it was measured");
}

/// Creates a table for every day of 2024, with as many look-alike columns as their pattern shows.
fn daily() -> String {
    let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let days = (1..).zip(days).flat_map(|(month, days)| (1..=days).map(move |day| format!("2024{month:02}{day:02}")));
    let slots: String = (1..=12).map(|slot| format!(", slot_{slot} INTEGER")).collect();
    let columns = format!("id INTEGER PRIMARY KEY, kind TEXT, page TEXT, device TEXT, browser TEXT, city TEXT{slots}");
    days.map(|day| {
        format!("CREATE TABLE events_{day} ({columns}); INSERT INTO events_{day} (id, kind) VALUES (1, 'x');")
    })
    .collect()
}

/// Returns tables and columns of the events after each pass.
fn events_left(ran: &Ran) -> Vec<(LinkingPass, usize, Vec<String>)> {
    ran.pick(|body| match body {
        EventBody::SchemaLinked { pass, kept, .. } => {
            let events: Vec<_> = kept.tables.iter().filter(|table| table.name.starts_with("events_")).collect();
            let columns = events.first().map(|table| table.columns.clone()).unwrap_or_default();
            assert!(events.iter().all(|table| table.columns == columns), "all of a family have the same columns");
            Some((*pass, events.len(), columns))
        }
        _ => None,
    })
}

#[tokio::test]
async fn look_alike_tables_are_offered_as_one_and_go_and_stay_together() {
    let shop = Shop::with(&daily());
    let sql = ["SELECT country, n FROM by_country"; 2];
    for name in ["events_20241231", "events_{NUM}"] {
        let gone = format!(r#"{{"exclude":["{name}"]}}"#);
        let mut replies = lines(&[&gone], &NOTHING);
        replies.extend(lines(&[PLAN, VIEW], &sql));
        let model = large(replies);
        let ran = ask(&shop, settings("prospy", &[], &[]), &model, None).await;
        assert_eq!(events_left(&ran)[0], (LinkingPass::CoarseTables, 0, Vec::new()));
        let OutputFormat::JsonSchema { schema, .. } = &model.requests()[0].output else { panic!() };
        let offered = schema["properties"]["exclude"]["items"]["enum"].to_string();
        assert_eq!(offered, r#"["customer","purchase","events_20241231"]"#);
        assert!(model.requests().iter().skip(1).all(|request| !request.prefix.contains("events_2024")));
    }
}

#[tokio::test]
async fn look_alike_columns_are_offered_as_one_and_go_together() {
    let shop = Shop::with(&daily());
    let sql = ["SELECT country, n FROM by_country"; 2];
    let replies = [
        NOTHING[0],
        r#"{"exclude":["events_20241231.slot_{NUM}","events_20241231.page"]}"#,
        NOTHING[0],
        NOTHING[0],
        NOTHING[0],
    ];
    let model = large(lines(&replies, &[PLAN, VIEW, sql[0], sql[1]]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, None).await;
    let left = ["id", "kind", "device", "browser", "city"].map(str::to_owned).to_vec();
    assert_eq!(events_left(&ran)[0], (LinkingPass::CoarseColumns, 366, left));
}

#[tokio::test]
async fn a_small_model_that_needs_one_of_many_look_alikes_keeps_them_all() {
    let shop = Shop::with(&daily());
    let sql = ["SELECT country, n FROM by_country"; 2];
    let needed = r#"{"tables":[{"name":"customer","columns":["id","country"]},{"name":"events_20240105","columns":["kind","slot_3"]}]}"#;
    let model = small(lines(&[needed, needed], &[VIEW, sql[0], sql[1]]));
    let ran = ask(&shop, settings("prospy", &[], &[]), &model, None).await;
    let left = events_left(&ran);
    let (_, tables, columns) = left.last().expect("a pass");
    let slots = (1..=12).map(|slot| format!("slot_{slot}"));
    let kept: Vec<String> = ["id", "kind"].map(str::to_owned).into_iter().chain(slots).collect();
    assert_eq!((*tables, columns), (366, &kept));
    let requests = model.requests();
    let prefix = &requests.last().unwrap().prefix;
    assert!(prefix.contains("events_20240101") && prefix.contains("slot_{NUM}"), "{prefix}");
}

/// Returns the names offered for removal in each request.
fn offered_names(model: &ScriptedModel) -> Vec<String> {
    let offered = |request: &Request| match &request.output {
        OutputFormat::JsonSchema { name, schema } if name == "exclude" => {
            let names = schema["properties"]["exclude"]["items"]["enum"].as_array()?;
            Some(names.iter().filter_map(|name| name.as_str()).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    };
    model.requests().iter().filter_map(offered).collect()
}

/// Returns the name of a column. The names differ in letters, because numbered columns are shown as one.
fn wide_column(number: usize) -> String {
    format!(
        "{}_of_the_wide_table",
        ["", "a", "b", "c", "d", "e"][number / 5].to_owned() + ["x", "y", "z", "u", "v"][number % 5]
    )
}

/// Returns SQL for tables with this many columns, each with a value.
fn wide_tables(names: &[&str], columns: usize) -> String {
    let table = |name: &&str| {
        let list = |text: fn(usize) -> String| (1..=columns).map(text).collect::<Vec<_>>().join(", ");
        let (defined, values) = (list(|n| format!("{} TEXT", wide_column(n))), list(|n| format!("'{n}'")));
        format!("CREATE TABLE {name} ({defined}); INSERT INTO {name} VALUES ({values});")
    };
    names.iter().map(table).collect()
}

#[tokio::test]
async fn parts_of_the_schema_are_packed_into_fewer_requests_as_they_shrink() {
    let shop = Shop::with(&wide_tables(&["alpha", "beta"], 20));
    let gone = |table: &str| {
        let names: Vec<String> = (2..=20).map(|n| format!("\"{table}.{}\"", wide_column(n))).collect();
        format!(r#"{{"exclude":[{}]}}"#, names.join(","))
    };
    // Three parts: customer with purchase, and each wide table. Tables of the first one are offered, then columns of all.
    let mut replies = lines(&[NOTHING[0], NOTHING[0], &gone("alpha"), &gone("beta")], &NOTHING[..3]);
    replies.extend(lines(&[PLAN, VIEW], &["SELECT country, n FROM by_country"; 2]));
    let model = large(replies);
    let settings = AskSettings { chunk_budget: Some(260), ..settings("prospy", &[], &[]) };
    ask(&shop, settings, &model, None).await;
    let parts: Vec<[bool; 3]> = (model.requests().iter().take(7))
        .map(|request| ["customer", "alpha", "beta"].map(|name| request.prefix.contains(name)))
        .collect();
    let [first, alpha, beta] = [[true, false, false], [false, true, false], [false, false, true]];
    let all = [true; 3];
    assert_eq!(parts, [first, first, alpha, beta, all, all, all], "one request each as soon as all of it fits");
    let offered = offered_names(&model);
    assert!(offered[5].ends_with("alpha beta"), "tables of all parts are offered together: {offered:?}");
}

#[tokio::test]
async fn a_single_wide_table_is_pruned_by_columns() {
    let shop = Shop::with(&format!(
        "DROP TABLE purchase; {}",
        (1..=7)
            .map(|n| format!("ALTER TABLE customer ADD COLUMN extra_{n} TEXT; UPDATE customer SET extra_{n} = id;"))
            .collect::<String>()
    ));
    let sql = ["SELECT country, n FROM by_country"; 2];
    let gone = r#"{"exclude":["customer.extra_1","customer.extra_2","customer.extra_3","customer.extra_4","customer.extra_5"]}"#;
    let model = large(lines(&[gone], &[PLAN, VIEW, sql[0], sql[1]]));
    ask_one(&shop, &model).await;
    let offered = offered_names(&model);
    assert_eq!(offered.len(), 1, "five columns are left: {offered:?}");
    assert!(offered[0].starts_with("customer.name customer.country customer.extra_1"), "{offered:?}");
}

#[tokio::test]
async fn a_large_model_prunes_and_plans_with_a_description_of_the_database() {
    let shop = Shop::with(MORE);
    let sql = ["SELECT country, n FROM by_country"; 2];
    let about = "Subject areas (4 tables): customer, purchase; 2 tables that no key joins";
    let model = large(lines(&NOTHING, &[PLAN, VIEW, sql[0], sql[1]]));
    ask_one(&shop, &model).await;
    let told: Vec<bool> = model.requests().iter().map(|request| request.tail.contains(about)).collect();
    let pruning = offered_names(&model).len();
    assert!(told[..=pruning].iter().all(|told| *told), "pruning and plan: {told:?}");
    assert!(!told[pruning + 1..].contains(&true), "the plan was made with it: {told:?}");
    assert!(model.requests()[0].tail.contains("Largest tables: "), "{}", model.requests()[0].tail);
    let model = large(lines(&NOTHING, &["no plan", VIEW, ENOUGH, sql[0], sql[1]]));
    ask_one(&shop, &model).await;
    assert!(model.requests()[pruning + 1].tail.contains(about), "{}", model.requests()[pruning + 1].tail);
    let model = small(lines(&NEEDED, &[VIEW, sql[0], sql[1]]));
    ask_one(&shop, &model).await;
    assert!(model.requests().iter().all(|request| !request.tail.contains("Subject areas")));
}

#[tokio::test]
async fn the_lineage_of_views_is_told_to_the_next_fetch_and_to_a_large_analyst() {
    let first = VIEW
        .replace(r#""metrics""#, r#""conditions":[{"column":"customer.country","op":"!=","values":["XX"]}],"metrics""#);
    let over = r#"{"views":[{"name":"large_ones","rationale":"more than one","source":[{"table":"by_country"}],
      "dimensions":[{"column":"by_country.country"}],
      "conditions":[{"column":"by_country.n","op":">","values":[1]}]}]}"#;
    let code = "```python\nresult = large_ones\n```";
    let two = PLAN.replace(r#""groups":["#, &format!(r#""groups":[{SECOND}"#));
    let model = large(lines(&NOTHING, &[&two, &first, over, code]));
    let sandbox = Written::new(vec![gives(page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    let requests = model.requests();
    let lineage =
        "lineage: from customer; rows where customer.country != 'XX'; country: customer.country; n: number of rows";
    let [.., fetch, analyst] = requests.as_slice() else { panic!("too few requests") };
    assert!(fetch.tail.contains(lineage), "{}", fetch.tail);
    assert!(analyst.tail.contains(lineage), "{}", analyst.tail);
    assert!(
        analyst.tail.contains("lineage: from the view by_country; rows where by_country.n > 1"),
        "{}",
        analyst.tail
    );

    // A view that was written as SQL is described by its columns and its query.
    let view = r#"{"views":[{"name":"living","rationale":"customers","sql":"SELECT country, COUNT(*) AS n FROM customer GROUP BY country"}]}"#;
    let model = large(lines(&NOTHING, &[PLAN, view, "```python\nresult = living\n```"]));
    let sandbox = Written::new(vec![gives(page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[Switch::Dsl]), &model, Some(sandbox)).await;
    let analyst = model.requests().last().unwrap().tail.clone();
    assert!(analyst.contains("lineage: from customer; country: customer.country; SELECT country"), "{analyst}");

    let sql = "SELECT country, n FROM by_country";
    let model = small(lines(&NEEDED, &[VIEW, "result = by_country", sql, sql]));
    let sandbox = Written::new(vec![gives(page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    assert!(model.requests().iter().all(|request| !request.tail.contains("lineage")), "as it was measured");
}

#[tokio::test]
async fn printed_output_is_an_observation_for_a_large_analyst_as_far_as_results_may_be_told() {
    let failed = || {
        let printed = format!("country    n\nUS         2\nada@example.org\n{}", "x".repeat(5_000));
        Err(AnalysisError::Code { error: "the code does not assign `result`".to_owned(), printed })
    };
    let code = ["```python\nprint(by_country)\n```", "```python\nresult = by_country[['n']]\n```"];
    let observed = async |level: EgressLevel, mask_personal: bool| {
        let model = large(lines(&NOTHING, &[PLAN, VIEW, code[0], code[1]]));
        let sandbox = Written::new(vec![failed(), gives(page(&[&["2"]]))]);
        let ask = Shop::new().ask_with_all(QUESTION, KNOWLEDGE, settings("prospy", &[], &[]), model.clone()).await;
        let egress = EgressPolicy { level, mask_personal, ..EgressPolicy::allow_everything() };
        let data = AskData { sandbox: Some(sandbox), ..ask.data };
        let ask = Ask { data, permissions: AskPermissions { egress, ..ask.permissions }, ..ask };
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let kept = ran.pick(|body| match body {
            EventBody::Analysed { printed, .. } => Some(printed.contains("US         2")),
            _ => None,
        });
        assert_eq!(kept, [true, false], "the log keeps what was printed");
        model.requests().last().unwrap().turns[0].1.clone()
    };
    let told = observed(EgressLevel::Results, false).await;
    assert!(told.contains("It printed:\ncountry    n\nUS         2\nada@example.org\nxxx"), "{told}");
    assert!(told.len() < 2_300, "{}", told.len());
    let masked = observed(EgressLevel::Results, true).await;
    assert!(!masked.contains("ada@example.org"), "{masked}");
    assert!(!observed(EgressLevel::Samples, false).await.contains("It printed"));

    let sql = "SELECT country, n FROM by_country";
    let model = small(lines(&NEEDED, &[VIEW, "print(by_country)", "result = by_country[['n']]", sql, sql]));
    let sandbox = Written::new(vec![failed(), gives(page(&[&["2"]]))]);
    ask(&Shop::new(), settings("prospy", &[], &[]), &model, Some(sandbox)).await;
    let told = model.requests()[4].turns[0].1.clone();
    assert!(told.starts_with("It failed") && !told.contains("It printed"), "as it was measured: {told}");
}
