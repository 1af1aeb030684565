//! The Google sign-in from the button to the keychain. The test acts as the browser, and Google's replies follow its documentation.

use crate::connected::draft;
use crate::support::{Desk, NoKeychain, options};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use vitrine_api::{App, AppOptions, GoogleSignIn, PasswordPlace};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_llm::Line;
use vitrine_store::secrets::{InMemory, SecretStore};
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers};

#[allow(dead_code, reason = "not all of its users need all kinds of answers")]
const SCOPES: &str =
    "https://www.googleapis.com/auth/bigquery https://www.googleapis.com/auth/cloud-platform.read-only";

fn granted() -> Exchange {
    let body = json!({"access_token": "a", "expires_in": 3599, "refresh_token": "hidden-refresh", "scope": SCOPES});
    answers("POST /token", 200, body)
}

/// Requests for opening a project: a token, the project, and its lists.
fn opens() -> Vec<Exchange> {
    let token = json!({"access_token": "reads", "expires_in": 3599});
    let list =
        json!({"tables": [{"tableReference": {"projectId": "p", "datasetId": "d", "tableId": "t"}, "type": "TABLE"}]});
    let table = json!({"type": "TABLE", "schema": {"fields": [{"name": "a", "type": "INTEGER"}]}});
    vec![
        answers("POST /token", 200, token),
        answers("GET /bigquery/v2/projects/p/datasets/d/tables?", 200, list),
        answers("GET /bigquery/v2/projects/p/datasets/d/tables/t", 200, table),
        answers("GET /bigquery/v2/projects/p/datasets/d", 200, json!({})),
    ]
}

fn address(server: &Exchanges) -> String {
    format!("bigquery://p/d?client_id=c.example&endpoint={}", server.url)
}

/// Records the tabs that are opened.
fn browser(app: &App) -> Arc<Mutex<Vec<String>>> {
    let tabs = Arc::new(Mutex::new(Vec::new()));
    let opened = Arc::clone(&tabs);
    app.set_browser(move |url| {
        opened.lock().unwrap().push(url.to_owned());
        Ok(())
    });
    tabs
}

/// Answers on Google's page as a user who agrees or refuses.
fn answer(begun: &GoogleSignIn, with: &str) -> String {
    let url = reqwest::Url::parse(&begun.url).unwrap();
    let value = |name: &str| url.query_pairs().find(|(own, _)| own == name).unwrap().1.into_owned();
    let place = value("redirect_uri");
    let mut browser = std::net::TcpStream::connect(place.strip_prefix("http://").unwrap()).unwrap();
    write!(browser, "GET /?state={}&{with} HTTP/1.1\r\nhost: x\r\n\r\n", value("state")).unwrap();
    let mut page = String::new();
    browser.read_to_string(&mut page).unwrap();
    page
}

async fn sign_in(app: &App, address: &str) -> Result<vitrine_api::GoogleSignedIn, AppError> {
    let begun = app.begin_google_sign_in(address.to_owned(), Some("hidden-secret".to_owned())).await?;
    let own = begun.clone();
    let page = tokio::task::spawn_blocking(move || answer(&own, "code=hidden-code")).await.unwrap();
    assert!(page.contains("You are signed in"), "{page}");
    app.finish_google_sign_in(begun.job_id).await
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_sign_in_lasts_in_the_keychain_and_goes_with_the_connection() {
    let server = Exchanges::start([vec![granted()], opens(), opens()].into_iter().flatten()).await;
    let address = address(&server);
    let folder = tempfile::tempdir().unwrap();
    let secrets = Arc::new(InMemory::default());
    let start = async || {
        let own = AppOptions { secrets: secrets.clone(), ..options(folder.path(), Vec::new()) };
        App::open(own).await.unwrap()
    };
    let app = start().await;
    let tabs = browser(&app);
    app.keep_connection(draft(&address)).await.unwrap();
    let before = app.open_warehouse(address.clone()).await.unwrap_err();
    assert!(before.hint.unwrap().contains("vitrine connections sign-in"));
    assert!(app.google_secret_missing("Shop").await.unwrap());
    let kept = sign_in(&app, "Shop").await.unwrap();
    assert_eq!((kept.place, kept.note), (PasswordPlace::Keychain, None));
    assert_eq!(tabs.lock().unwrap().len(), 1, "one tab");
    assert!(!app.google_secret_missing("Shop").await.unwrap(), "it is not asked for again");
    assert_eq!(app.open_warehouse(address.clone()).await.unwrap().tables, 1);
    let name = format!("google:c.example at {}/o/oauth2/v2/auth for cloud-platform.read-only bigquery", server.url);
    let entry: Value = serde_json::from_str(&secrets.get(&name).unwrap().unwrap()).unwrap();
    assert_eq!(entry, json!({"refresh_token": "hidden-refresh", "client_secret": "hidden-secret"}));
    app.shutdown().await;
    let again = start().await;
    assert_eq!(again.open_warehouse(address.clone()).await.unwrap().tables, 1, "after a restart, too");
    let form = server.asked_for("/token").last().unwrap().body.clone();
    assert!(form.contains("refresh_token=hidden-refresh") && form.contains("client_secret=hidden-secret"));
    let connection = again.find_connection("Shop").await.unwrap();
    again.remove_connection(connection.id).await.unwrap();
    assert_eq!(secrets.get(&name).unwrap(), None);
    server.done();
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_second_sign_in_waits_for_the_end_of_the_first_one() {
    let server = Exchanges::start([granted()]).await;
    let address = address(&server);
    let desk = Desk::new(Vec::<Line>::new()).await;
    let tabs = browser(&desk.app);
    let first = desk.app.begin_google_sign_in(address.clone(), None).await.unwrap();
    let second = desk.app.begin_google_sign_in(address.clone(), None).await.unwrap_err();
    assert!(second.message.contains("already open in the browser"), "{second}");
    // Another client needs a separate sign-in.
    let other = address.replace("c.example", "other.example");
    let beside = desk.app.begin_google_sign_in(other, None).await.unwrap();
    assert_eq!(tabs.lock().unwrap().len(), 2);
    for begun in [first, beside] {
        desk.app.cancel_job(begun.job_id.clone()).await.unwrap();
        let cancelled = desk.app.finish_google_sign_in(begun.job_id.clone()).await.unwrap_err();
        assert_eq!(cancelled.code, ErrorCode::Cancelled);
        assert_eq!(desk.app.finish_google_sign_in(begun.job_id).await.unwrap_err().code, ErrorCode::NotFound);
    }
    assert!(sign_in(&desk.app, &address).await.is_ok(), "then there may be another one");
    server.done();
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_denial_keeps_nothing_and_without_a_keychain_it_lasts_as_long_as_the_program() {
    let server = Exchanges::start(std::iter::once(granted()).chain(opens())).await;
    let address = address(&server);
    let folder = tempfile::tempdir().unwrap();
    let own = AppOptions { secrets: Arc::new(NoKeychain), ..options(folder.path(), Vec::new()) };
    let app = App::open(own).await.unwrap();
    let begun = app.begin_google_sign_in(address.clone(), None).await.unwrap();
    assert!(!begun.opened, "nothing opens pages here");
    let own = begun.clone();
    tokio::task::spawn_blocking(move || answer(&own, "error=access_denied")).await.unwrap();
    let denied = app.finish_google_sign_in(begun.job_id).await.unwrap_err();
    assert!(denied.message.contains("denied in the browser"), "{denied}");
    assert!(app.open_warehouse(address.clone()).await.is_err());
    let kept = sign_in(&app, &address).await.unwrap();
    assert_eq!(kept.place, PasswordPlace::Session);
    assert!(kept.note.unwrap().contains("No keychain"));
    assert_eq!(app.open_warehouse(address).await.unwrap().tables, 1);
    server.done();
}

#[tokio::test]
async fn an_address_without_a_client_has_no_sign_in() {
    let desk = Desk::new(Vec::<Line>::new()).await;
    for address in ["bigquery://p/d", "bigquery://p/d?key_file=/k.json", "sqlite:shop.db"] {
        let error = desk.app.begin_google_sign_in(address.to_owned(), None).await.unwrap_err();
        assert!(error.code == ErrorCode::Usage && error.hint.unwrap().contains("client_id"), "{address}");
    }
    let missing = "bigquery://p/d?client_file=/nowhere/client.json".to_owned();
    let error = desk.app.begin_google_sign_in(missing, None).await.unwrap_err();
    assert!(error.detail.unwrap().contains("/nowhere/client.json"));
}
