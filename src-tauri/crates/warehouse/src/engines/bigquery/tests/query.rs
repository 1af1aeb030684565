use super::super::*;
use crate::{WarehouseUri, open_warehouse, read_page};
use serde_json::{Value, json};
use std::process::Command;
use vitrine_domain::{AppError, CellType, ErrorCode, Page, SafetyState, TestState};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers, error, late, loses, never};

use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;

const HOUR: Duration = Duration::from_secs(3600);

/// Generates a private key for a test.
fn key() -> String {
    let made =
        Command::new("openssl").args(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]).output();
    let made = made.expect("openssl");
    assert!(made.status.success());
    String::from_utf8(made.stdout).unwrap()
}

pub(super) fn service_account(folder: &tempfile::TempDir) -> Login {
    let path = folder.path().join("key.json");
    let file = json!({
        "type": "service_account", "client_email": "reader@p.iam.gserviceaccount.com", "private_key_id": "k1",
        "private_key": key(), "token_uri": "https://evil.example/token",
    });
    std::fs::write(&path, file.to_string()).unwrap();
    Login::read_file(&path).unwrap()
}

fn person(folder: &tempfile::TempDir) -> Login {
    let path = folder.path().join("person.json");
    let file = json!({
        "type": "authorized_user", "client_id": "c", "client_secret": "hidden-secret", "refresh_token": "hidden-token",
    });
    std::fs::write(&path, file.to_string()).unwrap();
    Login::read_file(&path).unwrap()
}

/// Creates a warehouse over a list of responses without the connection check.
pub(super) fn over(server: &Exchanges, options: &str, login: Option<Login>) -> BigqueryWarehouse {
    let address = ProjectAddress::parse(&format!("bigquery://p/d?endpoint={}{options}", server.url)).unwrap();
    let sign_in = SignIn::new(login, &address);
    let rest = Arc::new(Rest::new(&Places::for_address(&address), sign_in, address.to_string()).unwrap());
    BigqueryWarehouse { jobs: Jobs::new(rest, address), memory_bytes: 1 << 30, closed: CancellationToken::new() }
}

async fn page(warehouse: &BigqueryWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

pub(super) fn schema() -> Value {
    json!({"fields": [{"name": "a", "type": "INTEGER"}]})
}

pub(super) fn row(number: u64) -> Value {
    json!({"f": [{"v": number.to_string()}]})
}

/// Returns the response to a dry run.
pub(super) fn prepared(bytes: u64) -> Exchange {
    let body = json!({
        "kind": "bigquery#queryResponse", "jobComplete": true, "statementType": "SELECT", "schema": schema(),
        "totalBytesProcessed": bytes.to_string(), "jobReference": {"projectId": "p", "location": "EU"},
    });
    answers("POST /bigquery/v2/projects/p/queries", 200, body)
}

pub(super) fn job() -> Value {
    json!({"projectId": "p", "jobId": "job_1", "location": "EU"})
}

fn token(text: &str) -> Exchange {
    answers("POST /token", 200, json!({"access_token": text, "expires_in": 3600, "token_type": "Bearer"}))
}

#[tokio::test]
async fn documented_pages_are_read_one_after_the_other_with_what_every_request_has_to_say() {
    let first = json!({"jobComplete": false, "jobReference": job()});
    let second = json!({
        "jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(1), row(2)], "pageToken": "next",
    });
    let third = json!({"jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(3)]});
    let server = Exchanges::start([
        prepared(1_000),
        answers("POST /bigquery/v2/projects/p/queries", 200, first),
        answers("GET /bigquery/v2/projects/p/queries/job_1", 200, second),
        answers("GET /bigquery/v2/projects/p/queries/job_1", 200, third),
    ])
    .await;
    let warehouse = over(&server, "&location=EU", None);
    let limits = Limits { billed_bytes: Some(50_000_000), ..Limits::default() };
    let page = page(&warehouse, "SELECT a FROM t", limits).await.unwrap();
    assert_eq!(page.rows.len(), 3);
    server.done();
    let asked = server.requests();
    let (dry, run) = (asked[0].json(), asked[1].json());
    assert_eq!((&dry["dryRun"], &dry["maximumBytesBilled"]), (&json!(true), &Value::Null));
    assert_eq!(run["maximumBytesBilled"], "50000000");
    assert_eq!((&run["useLegacySql"], &run["location"]), (&json!(false), &json!("EU")));
    assert_eq!(run["defaultDataset"], json!({"projectId": "p", "datasetId": "d"}));
    assert_eq!(run["jobTimeoutMs"], "120000");
    assert_eq!(run["requestId"].as_str().map(str::len), Some(36));
    assert!(run.get("dryRun").is_none());
    assert!(asked[2].line.contains("location=EU") && asked[3].line.contains("pageToken=next"), "{asked:?}");
}

#[tokio::test]
async fn documented_billing_project_pays_and_the_data_stay_where_they_are() {
    let done = json!({"jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(1)]});
    let server = Exchanges::start([
        answers("POST /bigquery/v2/projects/pays/queries", 200, {
            let mut dry = json!({"jobComplete": true, "statementType": "SELECT", "schema": schema()});
            dry["totalBytesProcessed"] = "7".into();
            dry
        }),
        answers("POST /bigquery/v2/projects/pays/queries", 200, done),
    ])
    .await;
    let warehouse = over(&server, "&billing_project=pays", None);
    assert_eq!(page(&warehouse, "SELECT a FROM t", Limits::default()).await.unwrap().rows.len(), 1);
    assert_eq!(server.requests()[1].json()["defaultDataset"]["projectId"], "p");
    // The default limit is 10 GB.
    assert_eq!(server.requests()[1].json()["maximumBytesBilled"], "10000000000");
    server.done();
}

#[tokio::test]
async fn documented_estimates_are_told_and_nothing_over_its_bytes_is_run() {
    let server = Exchanges::start([prepared(1_540_000_000_000), prepared(1_540_000_000_000)]).await;
    let warehouse = over(&server, "", None);
    let checked = warehouse.check_text("SELECT a FROM t").await.unwrap();
    assert_eq!((checked.bytes, checked.columns[0].cell_type), (Some(1_540_000_000_000), CellType::Integer));
    let refused = page(&warehouse, "SELECT a FROM t", Limits::default()).await.unwrap_err();
    assert_eq!(refused, WarehouseError::OverBudget { limit: 10_000_000_000, bytes: Some(1_540_000_000_000) });
    server.done();
    // A caller may request less than the address allows, but not more.
    let warehouse = over(&server, "&maximum_bytes_billed=1000", None);
    assert_eq!(warehouse.jobs.billed_limit(None), 1_000);
    assert_eq!(warehouse.jobs.billed_limit(Some(10)), 10);
    assert_eq!(warehouse.jobs.billed_limit(Some(5_000)), 1_000);
}

#[tokio::test]
async fn documented_bytes_billed_limit_exceeded_says_how_much_it_would_take() {
    let message = "Query exceeded limit for bytes billed: 1000. 10485760 or higher required.";
    let server = Exchanges::start([
        prepared(900),
        answers("POST /bigquery/v2/projects/p/queries", 400, error(400, "bytesBilledLimitExceeded", message)),
    ])
    .await;
    let warehouse = over(&server, "&maximum_bytes_billed=1000", None);
    let refused = page(&warehouse, "SELECT a FROM t", Limits::default()).await.unwrap_err();
    assert_eq!(refused, WarehouseError::OverBudget { limit: 1_000, bytes: Some(10_485_760) });
    server.done();
}

#[tokio::test]
async fn documented_statement_types_other_than_select_are_never_run() {
    for kind in ["DELETE", "SCRIPT", "EXPORT_DATA", "CALL", "CREATE_TABLE_AS_SELECT", "MERGE", "LOAD_DATA"] {
        let mut body = json!({"jobComplete": true, "schema": schema(), "totalBytesProcessed": "0"});
        body["statementType"] = kind.into();
        let server = Exchanges::start([answers("POST /bigquery/v2/projects/p/queries", 200, body)]).await;
        let refused = page(&over(&server, "", None), "anything", Limits::default()).await.unwrap_err();
        assert!(matches!(refused, WarehouseError::Refused { .. }), "{kind}: {refused}");
        assert_eq!(server.requests().len(), 1);
        assert_eq!(server.requests()[0].json()["dryRun"], true);
    }
}

#[tokio::test]
async fn documented_dry_run_that_does_not_say_the_kind_is_asked_for_as_a_job() {
    let unsaid = || {
        let body = json!({"jobComplete": true, "schema": schema(), "totalBytesProcessed": "8"});
        answers("POST /bigquery/v2/projects/p/queries", 200, body)
    };
    let job = |statistics: Value| answers("POST /bigquery/v2/projects/p/jobs", 200, json!({"statistics": statistics}));
    for (statistics, good) in [
        (json!({"query": {"statementType": "SELECT"}}), true),
        (json!({"query": {"statementType": "DELETE"}}), false),
        (json!({}), false),
    ] {
        let server = Exchanges::start([unsaid(), job(statistics)]).await;
        let checked = over(&server, "&location=EU", None).check_text("SELECT a FROM t").await;
        assert_eq!(checked.as_ref().ok().map(|checked| checked.bytes), good.then_some(Some(8)), "{checked:?}");
        assert!(good || matches!(checked, Err(WarehouseError::Refused { .. })));
        let asked = server.requests()[1].json();
        assert_eq!(
            (&asked["configuration"]["dryRun"], &asked["jobReference"]["location"]),
            (&json!(true), &json!("EU"))
        );
        assert_eq!(asked["configuration"]["query"]["useLegacySql"], false);
        server.done();
    }
}

#[tokio::test]
async fn documented_request_that_lost_its_answer_is_sent_again_as_the_same_one() {
    let done = json!({"jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(1)]});
    let server = Exchanges::start([
        prepared(1),
        loses("POST /bigquery/v2/projects/p/queries"),
        answers("POST /bigquery/v2/projects/p/queries", 503, error(503, "backendError", "try again")),
        answers("POST /bigquery/v2/projects/p/queries", 200, done),
    ])
    .await;
    let rows = page(&over(&server, "", None), "SELECT a FROM t", Limits::default()).await.unwrap().rows;
    assert_eq!(rows.len(), 1);
    let runs = server.asked_for("POST").split_off(1);
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|run| run.json()["requestId"] == runs[0].json()["requestId"]));
    server.done();
}

#[tokio::test]
async fn documented_service_account_reads_with_one_token_and_stops_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let running = json!({"jobComplete": false, "jobReference": job()});
    let server = Exchanges::start([
        token("reads"),
        prepared(1),
        answers("POST /bigquery/v2/projects/p/queries", 200, running),
        never("GET /bigquery/v2/projects/p/queries/job_1"),
        token("stops"),
        answers("POST /bigquery/v2/projects/p/jobs/job_1/cancel", 200, json!({"kind": "bigquery#jobCancelResponse"})),
    ])
    .await;
    let warehouse = over(&server, "", Some(service_account(&folder)));
    let cancel = CancellationToken::new();
    let limits = Limits { timeout: HOUR, ..Limits::default() };
    let query = warehouse.query_text("SELECT a FROM t".to_owned(), limits, cancel.clone());
    let stop = async {
        server.until_asked("GET /bigquery").await;
        cancel.cancel();
    };
    let (stopped, ()) = tokio::join!(query, stop);
    assert_eq!(stopped.unwrap_err(), WarehouseError::Cancelled);
    server.until_asked("/cancel?location=EU").await;
    let tokens: Vec<Option<String>> = server.asked_for("/bigquery/").into_iter().map(|asked| asked.token).collect();
    assert_eq!(
        tokens.iter().map(Option::as_deref).collect::<Vec<_>>(),
        [Some("reads"), Some("reads"), Some("reads"), Some("stops")]
    );
    let scopes: Vec<String> = server.asked_for("/token").iter().map(|asked| claims(&asked.body)).collect();
    assert!(scopes[0].contains("cloud-platform.read-only") && !scopes[0].contains("auth/bigquery"), "{scopes:?}");
    assert!(scopes[1].contains("auth/bigquery"), "{scopes:?}");
    // The audience of the request is always Google, independent of the key file's address.
    assert!(scopes.iter().all(|claims| claims.contains("https://oauth2.googleapis.com/token")), "{scopes:?}");
    server.done();
}

/// Decodes the claims of a signed token request.
fn claims(form: &str) -> String {
    use base64::Engine as _;
    let pairs = url::form_urlencoded::parse(form.as_bytes());
    let assertion = pairs.into_iter().find(|(name, _)| name == "assertion").unwrap().1.into_owned();
    let part = assertion.split('.').nth(1).unwrap();
    String::from_utf8(base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[tokio::test]
async fn documented_query_is_stopped_even_where_its_first_answer_comes_late() {
    let running = json!({"jobComplete": false, "jobReference": job()});
    let server = Exchanges::start([
        prepared(1),
        late(answers("POST /bigquery/v2/projects/p/queries", 200, running)),
        answers("POST /bigquery/v2/projects/p/jobs/job_1/cancel", 200, json!({})),
    ])
    .await;
    let warehouse = over(&server, "", None);
    let limits = Limits { timeout: Duration::from_millis(200), ..Limits::default() };
    let stopped = warehouse.query_text("SELECT a FROM t".to_owned(), limits, CancellationToken::new()).await;
    assert_eq!(stopped.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    assert!(server.asked_for("/cancel").is_empty());
    server.release();
    server.until_asked("/cancel").await;
    server.done();
}

#[tokio::test]
async fn documented_unfinished_result_that_nobody_reads_is_stopped() {
    let running = json!({"jobComplete": false, "jobReference": job()});
    let server = Exchanges::start([
        prepared(1),
        answers("POST /bigquery/v2/projects/p/queries", 200, running),
        never("GET /bigquery/v2/projects/p/queries/job_1"),
        answers("POST /bigquery/v2/projects/p/jobs/job_1/cancel", 200, json!({})),
    ])
    .await;
    let warehouse = over(&server, "", None);
    {
        let query = warehouse.query_text("SELECT a".to_owned(), Limits::default(), CancellationToken::new());
        tokio::select! {
            _ = query => panic!("the query has no end"),
            () = server.until_asked("GET /bigquery") => {}
        }
    }
    server.until_asked("/cancel").await;
    server.done();
}

#[tokio::test]
async fn documented_refusals_of_a_login_are_told_once_and_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    // A refresh token that Google no longer accepts.
    let gone = json!({"error": "invalid_grant", "error_description": "Token has been expired or revoked."});
    let server = Exchanges::start([answers("POST /token", 400, gone)]).await;
    let warehouse = over(&server, "", Some(person(&folder)));
    let again = warehouse.check_text("SELECT 1").await.unwrap_err();
    assert!(matches!(&again, WarehouseError::SignInAgain { detail, .. } if detail.contains("expired or revoked")));
    let app = AppError::from(again);
    assert_eq!(app.code, ErrorCode::Connection);
    assert!(app.hint.as_deref().unwrap().contains("gcloud auth application-default login"));
    assert!(!format!("{app:?}").contains("hidden"));
    assert_eq!(server.requests().len(), 1);
    // A token that BigQuery rejects is renewed once.
    let refused = || answers("POST /bigquery", 401, error(401, "authError", "Invalid Credentials"));
    let server = Exchanges::start([token("one"), refused(), token("two"), refused()]).await;
    let warehouse = over(&server, "", Some(person(&folder)));
    let again = warehouse.check_text("SELECT 1").await.unwrap_err();
    assert!(matches!(again, WarehouseError::SignInAgain { .. }), "{again}");
    server.done();
    assert_eq!(server.requests().len(), 4);
    // The second token may be valid.
    let server = Exchanges::start([token("one"), refused(), token("two"), prepared(3)]).await;
    let checked = over(&server, "", Some(person(&folder))).check_text("SELECT 1").await.unwrap();
    assert_eq!((checked.bytes, server.requests()[3].token.as_deref()), (Some(3), Some("two")));
}

#[tokio::test]
async fn documented_missing_rights_and_rates_are_told_apart() {
    let post = "POST /bigquery/v2/projects/p/queries";
    let denied = "Access Denied: Table p:d.t: User does not have permission to query table p:d.t.";
    let server = Exchanges::start([
        answers(post, 403, error(403, "accessDenied", denied)),
        answers(post, 403, error(403, "rateLimitExceeded", "too many")),
        prepared(1),
        answers(post, 403, error(403, "quotaExceeded", "Quota exceeded: today's bytes")),
    ])
    .await;
    let warehouse = over(&server, "", None);
    let first = warehouse.check_text("SELECT a FROM t").await.unwrap_err();
    assert_eq!(first, WarehouseError::NoPermission { message: denied.to_owned() });
    // Transient errors are retried.
    assert_eq!(warehouse.check_text("SELECT a FROM t").await.unwrap().bytes, Some(1));
    let quota = warehouse.check_text("SELECT a FROM t").await.unwrap_err();
    assert!(matches!(&quota, WarehouseError::Query { message } if message.contains("Quota exceeded")), "{quota}");
    server.done();
}

#[tokio::test]
async fn documented_rights_are_asked_for_and_not_tried() {
    let list = || json!({"tables": [{"tableReference": {"projectId": "p", "datasetId": "d", "tableId": "t"}, "type": "TABLE"}]});
    let held = json!({"permissions": ["bigquery.tables.getData", "bigquery.tables.delete"]});
    let folder = tempfile::tempdir().unwrap();
    let server = Exchanges::start([
        token("reads"),
        answers("GET /bigquery/v2/projects/p/datasets/d/tables?", 200, list()),
        answers("POST /bigquery/v2/projects/p/datasets/d/tables/t:testIamPermissions", 200, held),
    ])
    .await;
    let layers = over(&server, "", Some(service_account(&folder))).query_safety_layers().await.unwrap();
    assert_eq!(layers[0].state, SafetyState::Holds, "{:?}", layers[0]);
    assert!(layers[0].says.contains("10000 MB") && layers[0].says.contains("reading alone"), "{:?}", layers[0]);
    assert_eq!(layers[1].state, SafetyState::Missing);
    assert!(layers[1].says.contains("bigquery.tables.delete"), "{:?}", layers[1]);
    server.done();
}

#[tokio::test]
async fn a_login_comes_from_the_users_own_files() {
    let uri = |text: &str| WarehouseUri::parse(text).unwrap();
    let none = open_warehouse(&uri("bigquery://p/d")).await.err().unwrap();
    assert!(matches!(&none, WarehouseError::NotAdmitted { detail, .. } if detail.contains("no sign-in")), "{none}");
    let named = "bigquery://p/d?key_file=/nowhere/key.json";
    let missing = open_warehouse(&uri(named)).await.err().unwrap();
    assert!(matches!(&missing, WarehouseError::NotAdmitted { detail, .. } if detail.contains("/nowhere/key.json")));
    let options = OpenOptions { own_address: false, ..OpenOptions::default() };
    let foreign = crate::open_with(&uri(named), &options).await.err().unwrap();
    assert!(matches!(&foreign, WarehouseError::NotAdmitted { detail, .. } if detail.contains("another person")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_shows_tables_comments_and_nested_fields() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator
        .script(&[
            "CREATE TABLE shop.orders (id INT64 NOT NULL OPTIONS(description = 'Number of the order'),
               items ARRAY<STRUCT<sku STRING, n NUMERIC>>, made TIMESTAMP) OPTIONS(description = 'What was sold')",
            "INSERT INTO shop.orders VALUES (1, [('a', 1.5), ('b', 2)], TIMESTAMP '2024-02-29 12:00:00+00')",
            "CREATE VIEW shop.recent AS SELECT id FROM shop.orders",
            "CREATE SCHEMA other",
            "CREATE TABLE other.t (x INT64)",
        ])
        .await;
    let opened = open_warehouse(&WarehouseUri::parse(&emulator.address("shop")).unwrap()).await.unwrap();
    let catalog = opened.load_catalog().await.unwrap();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["orders", "recent"]);
    let orders = &catalog.tables[0];
    assert!(orders.comment.as_deref().unwrap_or_default().contains("What was sold"), "{orders:?}");
    assert_eq!(orders.columns[0].comment.as_deref(), Some("Number of the order"));
    assert_eq!(orders.columns[1].data_type, "ARRAY<STRUCT<sku STRING, n NUMERIC>>");
    assert!(!orders.columns[0].nullable && orders.columns[1].nullable);
    assert!(catalog.tables[1].definition.as_deref().unwrap_or_default().contains("FROM"), "{:?}", catalog.tables[1]);
    let sql = ReadOnlySql::parse("SELECT items, made FROM orders", Dialect::Bigquery).unwrap();
    let rows = read_page(opened.run_query(&sql, Limits::default(), CancellationToken::new()).await.unwrap(), 10)
        .await
        .unwrap();
    assert_eq!(rows.rows[0][0].as_deref(), Some(r#"[{"sku":"a","n":1.5},{"sku":"b","n":2}]"#));
    assert_eq!(rows.rows[0][1].as_deref(), Some("2024-02-29 12:00:00+00:00"));
    // All datasets of the project, then only some of them.
    let uri = WarehouseUri::parse(&emulator.address("")).unwrap();
    let whole = open_warehouse(&uri).await.unwrap().load_catalog().await.unwrap();
    assert!(whole.find_table("shop.orders").is_some() && whole.find_table("other.t").is_some(), "{:?}", whole.tables);
    let options = OpenOptions { schemas: vec!["other".to_owned()], ..OpenOptions::default() };
    let scoped = crate::open_with(&uri, &options).await.unwrap();
    let check = async |sql: &str| scoped.check_query(&ReadOnlySql::parse(sql, Dialect::Bigquery).unwrap()).await;
    assert!(check("SELECT x FROM other.t").await.is_ok());
    for outside in
        ["SELECT id FROM shop.orders", "SELECT 1 AS a FROM `bigquery-public-data.other.t`", "SELECT x FROM Other.t"]
    {
        assert!(matches!(check(outside).await, Err(WarehouseError::OutOfScope { .. })), "{outside}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_stops_what_is_stopped() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    let uri = WarehouseUri::parse(&emulator.address("shop")).unwrap();
    let warehouse =
        BigqueryWarehouse::open(uri.project_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let numbers = "SELECT d FROM UNNEST(GENERATE_ARRAY(1, 1000)) AS d";
    let endless = format!(
        "WITH x AS ({numbers}) SELECT SUM(MOD(a.d * b.d * c.d, 7)) AS n FROM x AS a CROSS JOIN x AS b CROSS JOIN x AS c CROSS JOIN x AS e"
    );
    let limits = Limits { timeout: Duration::from_secs(2), ..Limits::default() };
    assert_eq!(page(&warehouse, &endless, limits).await.unwrap_err(), WarehouseError::Timeout { seconds: 2 });
    let states = async || -> Vec<String> {
        let listed = warehouse.jobs.rest.get(&["projects", "test-project", "jobs"], &[]).await.unwrap();
        let jobs = listed["jobs"].as_array().cloned().unwrap_or_default();
        jobs.iter().map(|job| job["status"]["state"].as_str().unwrap_or_default().to_owned()).collect()
    };
    while states().await.iter().any(|state| state != "DONE") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!states().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_passes_the_test_of_a_connection() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator.script(&["CREATE TABLE shop.item (id INT64)"]).await;
    let uri = WarehouseUri::parse(&emulator.address("shop"));
    let test = crate::inspect_connection(
        uri,
        &OpenOptions::default(),
        Duration::from_secs(30),
        &|_| {},
        CancellationToken::new(),
    )
    .await;
    let failed: Vec<_> = test.steps.iter().filter(|step| step.state == TestState::Failed).collect();
    assert!(failed.is_empty() && test.steps.len() == 4, "{test:?}");
    assert_eq!((test.schemas[0].name.as_str(), test.schemas[0].tables), ("shop", 1));
}
