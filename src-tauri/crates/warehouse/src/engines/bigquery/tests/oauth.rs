//! Sign-in through the browser, with responses written from Google's document "OAuth 2.0 for iOS & Desktop Apps", RFC
//! 6749, RFC 7636 and RFC 8252, not recorded. The test acts as the browser.

use super::super::oauth::{BrowserSignIn, GoogleClient, GoogleLogin, SignInFault};
use super::super::*;
use super::query::{job, prepared, row, schema};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use vitrine_domain::{AppError, ErrorCode, SafetyState};
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers, never};

const READ: &str = "https://www.googleapis.com/auth/cloud-platform.read-only";
const JOBS: &str = "https://www.googleapis.com/auth/bigquery";
const MINUTE: Duration = Duration::from_secs(60);

fn address(server: &Exchanges, options: &str) -> ProjectAddress {
    ProjectAddress::parse(&format!("bigquery://p/d?endpoint={}&client_id=c.example{options}", server.url)).unwrap()
}

/// A pending sign-in, the parameters of its page, and its result.
struct Waiting {
    asked: HashMap<String, String>,
    cancel: CancellationToken,
    end: JoinHandle<Result<GoogleLogin, SignInFault>>,
}

async fn begin(address: &ProjectAddress, limit: Duration) -> Waiting {
    let client = GoogleClient::from_address(address).unwrap().unwrap().with_secret(Some("hidden-secret".to_owned()));
    let sign_in = BrowserSignIn::open_listener(address, client).await.unwrap();
    let url = url::Url::parse(sign_in.browser_url()).unwrap();
    assert!(url.path().ends_with("/o/oauth2/v2/auth"), "{url}");
    let asked = url.query_pairs().into_owned().collect();
    let cancel = CancellationToken::new();
    Waiting { asked, cancel: cancel.clone(), end: tokio::spawn(sign_in.wait_for_login(limit, cancel)) }
}

impl Waiting {
    /// Requests this target from the listener as the browser does; returns the page that it shows.
    async fn browse(&self, target: &str) -> String {
        let place = self.asked["redirect_uri"].strip_prefix("http://").unwrap();
        let mut browser = TcpStream::connect(place).await.unwrap();
        let request = format!("GET {target} HTTP/1.1\r\nhost: {place}\r\n\r\n");
        browser.write_all(request.as_bytes()).await.unwrap();
        let mut page = String::new();
        browser.read_to_string(&mut page).await.unwrap();
        page
    }

    /// Requests the target with the right state.
    async fn answer(&self, more: &str) -> String {
        self.browse(&format!("/?state={}&{more}", self.asked["state"])).await
    }

    async fn end(self) -> Result<GoogleLogin, SignInFault> {
        self.end.await.unwrap()
    }
}

fn tokens(body: Value) -> Exchange {
    answers("POST /token", 200, body)
}

fn granted() -> Exchange {
    tokens(json!({
        "access_token": "hidden-first", "expires_in": 3599, "refresh_token": "hidden-refresh",
        "scope": format!("{JOBS} {READ}"), "token_type": "Bearer",
    }))
}

fn form(body: &str) -> HashMap<String, String> {
    url::form_urlencoded::parse(body.as_bytes()).into_owned().collect()
}

async fn signed_in(server: &Exchanges, address: &ProjectAddress) -> GoogleLogin {
    let waiting = begin(address, MINUTE).await;
    let page = waiting.answer("code=4%2Fhidden-code&scope=x").await;
    assert!(page.contains("You are signed in"), "{page}");
    assert_eq!(server.asked_for("/token").len(), 1);
    waiting.end().await.unwrap()
}

/// Opens a warehouse with a login.
async fn opened(address: &ProjectAddress, login: Option<GoogleLogin>) -> Result<BigqueryWarehouse, WarehouseError> {
    let options = OpenOptions { google_login: login, ..OpenOptions::default() };
    let jobs = create_jobs(address.clone(), &options).await?;
    Ok(BigqueryWarehouse { jobs, memory_bytes: 1 << 30, closed: CancellationToken::new() })
}

#[tokio::test]
async fn documented_sign_in_asks_with_pkce_and_state_and_exchanges_the_code() {
    use base64::Engine as _;
    let server = Exchanges::start([granted()]).await;
    let address = address(&server, "");
    let waiting = begin(&address, MINUTE).await;
    let asked = waiting.asked.clone();
    assert_eq!((asked["response_type"].as_str(), asked["client_id"].as_str()), ("code", "c.example"));
    assert_eq!((asked["code_challenge_method"].as_str(), asked["access_type"].as_str()), ("S256", "offline"));
    assert_eq!(asked["scope"], format!("{READ} {JOBS}"));
    assert!(asked["redirect_uri"].starts_with("http://127.0.0.1:") && asked["state"].len() >= 32);
    // Other requests of browsers change nothing, nor does a silent connection.
    let _silent = TcpStream::connect(asked["redirect_uri"].strip_prefix("http://").unwrap()).await.unwrap();
    for beside in ["/favicon.ico", "/", "/?state=x"] {
        assert!(waiting.browse(beside).await.starts_with("HTTP/1.1 404"), "{beside}");
    }
    let page = waiting.answer("code=4%2Fhidden-code&scope=x").await;
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("You can close this tab"), "{page}");
    assert!(page.contains("no-store") && !page.contains("hidden"), "{page}");
    let login = waiting.end().await.unwrap();
    assert!(!format!("{login:?}").contains("hidden") && login.to_keychain_text().contains("hidden-refresh"));
    let sent = form(&server.requests()[0].body);
    let proof = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(&sent["code_verifier"]));
    assert_eq!(proof, asked["code_challenge"]);
    assert!((43..=128).contains(&sent["code_verifier"].len()));
    assert_eq!((sent["grant_type"].as_str(), sent["code"].as_str()), ("authorization_code", "4/hidden-code"));
    assert_eq!((&sent["redirect_uri"], sent["client_secret"].as_str()), (&asked["redirect_uri"], "hidden-secret"));
    server.done();
    // The port is closed with the sign-in.
    assert!(TcpStream::connect(asked["redirect_uri"].strip_prefix("http://").unwrap()).await.is_err());
}

#[tokio::test]
async fn documented_answers_that_are_none_are_told_apart_and_nothing_is_asked_with_them() {
    let server = Exchanges::start([]).await;
    let address = address(&server, "");
    let end = async |target: &str| {
        let waiting = begin(&address, MINUTE).await;
        let page = waiting.browse(&target.replace("STATE", &waiting.asked["state"])).await;
        let fault = waiting.end().await.unwrap_err();
        assert!(page.starts_with("HTTP/1.1 400") && page.contains(&fault.to_string()), "{page}");
        fault
    };
    assert_eq!(end("/?state=STATE&error=access_denied").await, SignInFault::Denied);
    assert_eq!(end("/?state=other&code=hidden").await, SignInFault::WrongState);
    assert_eq!(end("/?code=hidden").await, SignInFault::WrongState);
    assert_eq!(end("/?state=other&error=access_denied").await, SignInFault::WrongState);
    let refused = end("/?state=STATE&error=%3Cb%3Einvalid_scope").await;
    assert_eq!(refused, SignInFault::Refused { detail: "<b>invalid_scope".to_owned() });
    assert!(server.requests().is_empty());
    let denied = AppError::from(SignInFault::Denied);
    assert_eq!(denied.code, ErrorCode::Connection);
    assert!(denied.message.contains("denied in the browser") && denied.hint.unwrap().contains("Sign in again"));
}

#[tokio::test]
async fn documented_refusals_of_the_code_are_told_without_its_secrets() {
    let careless = json!({"error": "invalid_grant", "error_description": "hidden-code of hidden-secret is not valid"});
    let part =
        json!({"access_token": "hidden-first", "expires_in": 3599, "refresh_token": "hidden-refresh", "scope": READ});
    let passing = json!({"access_token": "hidden-first", "expires_in": 3599, "scope": format!("{READ} {JOBS}")});
    for (exchange, message) in [
        (answers("POST /token", 400, careless), "Google refused the sign-in"),
        (answers("POST /token", 503, json!({})), "could not be reached"),
        (tokens(part), "only a part"),
        (tokens(passing), "no lasting sign-in"),
    ] {
        let server = Exchanges::start([exchange]).await;
        let waiting = begin(&address(&server, ""), MINUTE).await;
        let page = waiting.answer("code=hidden-code").await;
        let error = AppError::from(waiting.end().await.unwrap_err());
        assert!(error.message.contains(message), "{error:?}");
        assert!(
            page.starts_with("HTTP/1.1 400") && !format!("{page} {error:?}").contains("hidden"),
            "{page} {error:?}"
        );
        server.done();
    }
}

#[tokio::test]
async fn a_sign_in_ends_with_its_time_or_when_it_is_cancelled_and_closes_its_port() {
    let server = Exchanges::start([]).await;
    let address = address(&server, "");
    let late = begin(&address, Duration::from_millis(20)).await;
    let cancelled = begin(&address, MINUTE).await;
    let ports = [&late, &cancelled].map(|waiting| waiting.asked["redirect_uri"].clone());
    assert_ne!(ports[0], ports[1], "each has its own");
    assert_ne!(late.asked["state"], cancelled.asked["state"]);
    assert_eq!(late.end().await.unwrap_err(), SignInFault::Late { minutes: 1 });
    cancelled.cancel.cancel();
    assert_eq!(cancelled.end().await.unwrap_err(), SignInFault::Cancelled);
    for port in ports {
        assert!(TcpStream::connect(port.strip_prefix("http://").unwrap()).await.is_err());
    }
}

#[tokio::test]
async fn documented_answer_to_one_sign_in_is_none_to_another() {
    let server = Exchanges::start([granted()]).await;
    let address = address(&server, "");
    let (first, second) = (begin(&address, MINUTE).await, begin(&address, MINUTE).await);
    let state = first.asked["state"].clone();
    second.browse(&format!("/?state={state}&code=hidden")).await;
    assert_eq!(second.end().await.unwrap_err(), SignInFault::WrongState);
    first.answer("code=hidden").await;
    assert!(first.end().await.is_ok());
    server.done();
}

#[tokio::test]
async fn documented_sign_in_reads_with_one_token_and_stops_with_another() {
    let token = |text: &str, scope: &str| tokens(json!({"access_token": text, "expires_in": 3599, "scope": scope}));
    let server = Exchanges::start([
        granted(),
        token("reads", READ),
        prepared(1),
        answers("POST /bigquery/v2/projects/p/queries", 200, json!({"jobComplete": false, "jobReference": job()})),
        never("GET /bigquery/v2/projects/p/queries/job_1"),
        token("stops", JOBS),
        answers("POST /bigquery/v2/projects/p/jobs/job_1/cancel", 200, json!({})),
    ])
    .await;
    let address = address(&server, "");
    let login = signed_in(&server, &address).await;
    let warehouse = opened(&address, Some(login)).await.unwrap();
    let cancel = CancellationToken::new();
    let query = warehouse.query_text("SELECT a FROM t".to_owned(), Limits::default(), cancel.clone());
    let stop = async {
        server.until_asked("GET /bigquery").await;
        cancel.cancel();
    };
    let (stopped, ()) = tokio::join!(query, stop);
    assert_eq!(stopped.unwrap_err(), WarehouseError::Cancelled);
    server.until_asked("/cancel?location=EU").await;
    let tokens: Vec<String> = server.asked_for("/bigquery/").into_iter().filter_map(|asked| asked.token).collect();
    assert_eq!(tokens, ["reads", "reads", "reads", "stops"]);
    let forms: Vec<_> = server.asked_for("/token").iter().skip(1).map(|asked| form(&asked.body)).collect();
    assert_eq!((forms[0]["scope"].as_str(), forms[1]["scope"].as_str()), (READ, JOBS));
    assert!(
        forms.iter().all(|form| form["refresh_token"] == "hidden-refresh" && form["grant_type"] == "refresh_token")
    );
    assert!(warehouse.jobs.rest.sign_in().uses_read_only_token());
    server.done();
}

#[tokio::test]
async fn documented_token_that_is_good_for_more_is_said_to_be() {
    for (scope, state) in [(READ.to_owned(), SafetyState::Holds), (format!("{READ} {JOBS}"), SafetyState::Partly)] {
        let held = json!({"permissions": ["bigquery.tables.getData"]});
        let list = json!({"tables": [{"tableReference": {"projectId": "p", "datasetId": "d", "tableId": "t"}, "type": "TABLE"}]});
        let server = Exchanges::start([
            granted(),
            tokens(json!({"access_token": "one", "expires_in": 3599, "scope": scope})),
            answers("GET /bigquery/v2/projects/p/datasets/d/tables?", 200, list),
            answers("POST /bigquery/v2/projects/p/datasets/d/tables/t:testIamPermissions", 200, held),
        ])
        .await;
        let address = address(&server, "");
        let login = signed_in(&server, &address).await;
        let layers = opened(&address, Some(login)).await.unwrap().query_safety_layers().await.unwrap();
        assert_eq!(layers[0].state, state, "{:?}", layers[0]);
        server.done();
    }
}

#[tokio::test]
async fn documented_expired_refresh_token_says_to_sign_in_again_and_asks_once() {
    let gone = json!({"error": "invalid_grant", "error_description": "Token has been expired or revoked."});
    let server = Exchanges::start([granted(), answers("POST /token", 400, gone)]).await;
    let address = address(&server, "");
    let login = signed_in(&server, &address).await;
    let again = opened(&address, Some(login)).await.unwrap().check_text("SELECT 1").await.unwrap_err();
    assert!(matches!(&again, WarehouseError::SignInAgain { detail, .. } if detail.contains("expired or revoked")));
    let app = AppError::from(again);
    assert!(app.hint.as_deref().unwrap().contains("vitrine connections sign-in"), "{app:?}");
    assert!(!format!("{app:?}").contains("hidden"), "{app:?}");
    server.done();
}

#[tokio::test]
async fn nobody_is_signed_in_by_an_address_alone() {
    let server = Exchanges::start([]).await;
    let own = address(&server, "");
    let none = opened(&own, None).await.err().unwrap();
    assert!(
        matches!(&none, WarehouseError::NotAdmitted { detail, .. } if detail.contains("has no sign-in with Google yet"))
    );
    assert!(none.hint().unwrap().contains("Sign in with Google"));
    let file = ProjectAddress::parse("bigquery://p/d?client_file=/nowhere/client.json").unwrap();
    let missing = opened(&file, None).await.err().unwrap();
    assert!(matches!(&missing, WarehouseError::NotAdmitted { detail, .. } if detail.contains("/nowhere/client.json")));
    for options in ["client_id=c", "key_file=/k.json", "impersonate=a@p.iam.gserviceaccount.com"] {
        let foreign = ProjectAddress::parse(&format!("bigquery://p/d?{options}")).unwrap();
        let options = OpenOptions { own_address: false, ..OpenOptions::default() };
        let refused = create_jobs(foreign, &options).await.err().unwrap();
        assert!(matches!(&refused, WarehouseError::NotAdmitted { detail, .. } if detail.contains("another person")));
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn documented_rows_are_read_after_a_sign_in() {
    let done = json!({"jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(7)]});
    let server = Exchanges::start([
        granted(),
        tokens(json!({"access_token": "reads", "expires_in": 3599, "scope": READ})),
        prepared(1),
        answers("POST /bigquery/v2/projects/p/queries", 200, done),
    ])
    .await;
    let address = address(&server, "");
    let login = signed_in(&server, &address).await;
    let warehouse = opened(&address, Some(login)).await.unwrap();
    let batches = warehouse.query_text("SELECT a FROM t".to_owned(), Limits::default(), CancellationToken::new()).await;
    assert_eq!(crate::read_page(batches.unwrap(), 10).await.unwrap().rows, [[Some("7".to_owned())]]);
    server.done();
}
