//! A sign-in with Google, right and wrong, with marked secrets. A local server acts as Google, and the test acts as the
//! browser.

use super::search::Seen;
use super::servers::asked;
use super::{PASSWORD, TYPED, draft};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use vitrine_api::App;

const REFRESH: &str = "mark7f3c-refresh-token";
const ACCESS: &str = "mark7f3c-access-token";
const CODE: &str = "mark7f3c-code";
const CARELESS: &str = "mark7f3c-careless-code";

/// Serves the parts of Google's API for a sign-in and an empty dataset. Records requests except for their expected
/// secrets.
fn serve(seen: &Seen) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (seen, place) = (seen.clone(), format!("sent to {url}"));
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let sent = asked(&mut connection);
            let (status, body) = match sent.lines().next().unwrap_or_default() {
                line if line.starts_with("POST /token") && sent.contains(CARELESS) => {
                    let said = sent.split("\r\n\r\n").nth(1).unwrap_or_default();
                    ("400 Bad Request", serde_json::json!({"error": "invalid_grant", "error_description": said}))
                }
                line if line.starts_with("POST /token") => {
                    let scope = "https://www.googleapis.com/auth/bigquery https://www.googleapis.com/auth/cloud-platform.read-only";
                    let granted = serde_json::json!({
                        "access_token": ACCESS, "refresh_token": REFRESH, "expires_in": 3599, "scope": scope,
                    });
                    ("200 OK", granted)
                }
                _ => ("200 OK", serde_json::json!({"tables": []})),
            };
            let is_token = sent.starts_with("POST /token");
            let mut kept = sent.replace(&format!("authorization: Bearer {ACCESS}"), "");
            for own in [REFRESH, CARELESS, CODE, TYPED, PASSWORD].into_iter().filter(|_| is_token) {
                kept = kept.replace(own, "");
            }
            seen.bytes(&place, kept);
            let body = body.to_string();
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
            let _ = write!(connection, "{head}connection: close\r\n\r\n{body}");
        }
    });
    url
}

/// Returns the value of a URL parameter.
fn value(url: &str, name: &str) -> String {
    let at = url.find(&format!("{name}=")).map(|at| &url[at + name.len() + 1..]).unwrap_or_default();
    at.split('&').next().unwrap_or_default().replace("%3A", ":").replace("%2F", "/")
}

/// Signs in with an entered secret and with one in a file, once rejected, and opens both; returns their addresses.
pub(super) async fn google(app: &App, seen: &Seen, folder: &Path) -> Vec<String> {
    let url = serve(seen);
    let file = folder.join("client.json");
    let client = serde_json::json!({"installed": {"client_id": "f.example", "client_secret": PASSWORD}});
    std::fs::write(&file, client.to_string()).unwrap();
    let addresses = [
        format!("bigquery://p/d?client_id=c.example&endpoint={url}"),
        format!("bigquery://p/d?client_file={}&endpoint={url}", file.display()),
    ];
    for (n, address) in addresses.iter().enumerate() {
        seen.heard("kept", app.keep_connection(draft(&format!("Google {n}"), address)).await);
        for code in [CARELESS, CODE] {
            let begun = app.begin_google_sign_in(address.clone(), Some(TYPED.to_owned())).await;
            let Some(begun) = seen.heard("begun", begun) else { continue };
            let pages = seen.clone();
            let come_back = move || {
                let place = value(&begun.url, "redirect_uri");
                let mut browser = TcpStream::connect(place.strip_prefix("http://").unwrap()).unwrap();
                write!(browser, "GET /?state={}&code={code} HTTP/1.1\r\n\r\n", value(&begun.url, "state")).unwrap();
                let mut page = Vec::new();
                browser.read_to_end(&mut page).unwrap();
                pages.bytes("page of the browser", page);
                begun.job_id
            };
            let job = tokio::task::spawn_blocking(come_back).await.unwrap();
            let done = seen.heard("finished", app.finish_google_sign_in(job).await);
            assert_eq!(done.is_some(), code == CODE);
        }
        assert!(seen.heard("opened", app.open_warehouse(address.clone()).await).is_some(), "it is signed in");
        seen.heard("safety", app.safety(address.clone()).await);
        seen.heard("sign-in", app.sign_in(address.clone(), TYPED.to_owned()).await);
        seen.heard("tested", app.test_connection(address.clone(), Some(TYPED.to_owned())).await);
    }
    // Entered in the wrong place.
    for wrong in [format!("bigquery://p/d?client_secret={PASSWORD}"), format!("bigquery://{PASSWORD}@p/d?client_id=c")]
    {
        seen.heard("wrong", app.begin_google_sign_in(wrong, Some(TYPED.to_owned())).await);
    }
    // The file belongs to the user and is not part of the program's files.
    std::fs::remove_file(&file).unwrap();
    addresses.to_vec()
}

/// Checks that a keychain entry is one of these sign-ins with the expected content.
pub(super) fn is_login(name: &str, secret: &str) -> bool {
    let by_id = name.starts_with("google:c.example at http://127.0.0.1:") && secret.contains(TYPED);
    let by_file = name.starts_with("google:/") && !secret.contains(PASSWORD) && !secret.contains(TYPED);
    (by_id || by_file) && secret.contains(REFRESH)
}
