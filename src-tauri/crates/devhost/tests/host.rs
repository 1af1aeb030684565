//! The host, used in the same way as by the pages.

use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_api::{App, AppOptions, Folders, Patience};
use vitrine_devhost::{COMMANDS, Devhost, Options};

struct Page {
    base: String,
    client: reqwest::Client,
    _folder: tempfile::TempDir,
}

impl Page {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "<title>Vitrine</title>").unwrap();
        let options = AppOptions {
            folders: Folders::with_root(folder.path()),
            ..AppOptions::from_environment(Patience::WINDOW).unwrap()
        };
        let app = App::open(options).await.unwrap();
        let files = folder.path().join("files");
        std::fs::create_dir(&files).unwrap();
        let options = Options { port: 0, ui: folder.path().into(), files: Some(files), token: None };
        let host = Devhost::bind(app, options).await.unwrap();
        let (base, query) = host.browser_url().split_once('?').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        tokio::spawn(host.serve_until_stopped(CancellationToken::new()));
        let cookie = reqwest::header::HeaderMap::from_iter([(reqwest::header::COOKIE, query.parse().unwrap())]);
        let client = reqwest::Client::builder().default_headers(cookie).build().unwrap();
        Self { base, client, _folder: folder }
    }

    async fn call(&self, command: &str, arguments: Value) -> (u16, Value) {
        let response = self
            .client
            .post(format!("{}api/{command}", self.base))
            .header("content-type", "application/json")
            .body(arguments.to_string())
            .send()
            .await
            .unwrap();
        (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_answer_with_results_and_errors_in_json() {
    let page = Page::open().await;
    let (status, info) = page.call("info", json!({})).await;
    assert_eq!((status, info["displayName"].as_str()), (200, Some("Vitrine")));
    assert_eq!(page.call("close_result", json!({"resultId": "none"})).await, (200, Value::Null));
    let (status, error) = page.call("result_rows", json!({"resultId": "none", "offset": 0, "count": 1})).await;
    assert_eq!((status, error["code"].as_str()), (400, Some("notFound")));
    let (status, error) = page.call("runs", json!({"search": 1})).await;
    assert_eq!((status, error["code"].as_str()), (400, Some("usage")));
    assert_eq!(page.call("no_such_command", json!({})).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_while_something_happens() {
    let page = Page::open().await;
    let response = page.client.get(format!("{}events", page.base)).send().await.unwrap();
    let mut stream = response.bytes_stream();
    std::fs::write(page._folder.path().join("d.csv"), "a,b\n1,x\n").unwrap();
    let uri = format!("file:{}", page._folder.path().join("d.csv").display());
    let (status, summary) = page.call("open_warehouse", json!({"uri": uri})).await;
    assert_eq!(status, 200, "{summary}");
    // Connecting reads no rows: preparation starts only on request.
    let (status, begun) = page.call("start_preparation", json!({"uri": uri})).await;
    assert_eq!(status, 200, "{begun}");
    let mut text = String::new();
    while !text.contains("\"kind\":\"preparation\"") {
        text += &String::from_utf8_lossy(&stream.next().await.unwrap().unwrap());
    }
    assert!(text.starts_with("data: {"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_with_the_windows_policy() {
    let page = Page::open().await;
    let response = page.client.get(&page.base).send().await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'self'"), "{policy}");
    assert!(response.text().await.unwrap().contains("Vitrine"));
    let other = page.client.get(&page.base).header("host", "evil.example").send().await.unwrap();
    assert_eq!(other.status(), 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_answered_without_the_token() {
    let page = Page::open().await;
    let stranger = reqwest::Client::new();
    for path in ["", "events", "index.html", "?token=", "?token=x", "events?token=0"] {
        let response = stranger.get(format!("{}{path}", page.base)).send().await.unwrap();
        assert_eq!(response.status(), 401, "{path}");
        assert!(!response.text().await.unwrap().contains("<title>"), "{path}");
    }
    let call = stranger.post(format!("{}api/info", page.base)).header("content-type", "application/json").body("{}");
    assert_eq!(call.send().await.unwrap().status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_address_gives_the_browser_its_cookie() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<title>Vitrine</title>").unwrap();
    let folders = Folders::with_root(folder.path());
    let app =
        App::open(AppOptions { folders, ..AppOptions::from_environment(Patience::WINDOW).unwrap() }).await.unwrap();
    let options = Options { ui: folder.path().into(), ..Options::default() };
    let host = Devhost::bind(app, options).await.unwrap();
    let address = host.browser_url();
    tokio::spawn(host.serve_until_stopped(CancellationToken::new()));
    let response = reqwest::get(&address).await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(response.text().await.unwrap().contains("Vitrine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_save_files_in_one_folder_alone() {
    let page = Page::open().await;
    std::fs::write(page._folder.path().join("d.csv"), "a,b\n1,x\n").unwrap();
    let uri = format!("file:{}", page._folder.path().join("d.csv").display());
    assert_eq!(page.call("open_warehouse", json!({"uri": uri})).await.0, 200);
    let style = json!({"guardFormulas": true, "byteOrderMark": false});
    let export = async |file: &str| {
        page.call("export_result", json!({"warehouse": uri, "sql": "SELECT a FROM d", "file": file, "style": style}))
            .await
    };
    let outside = page._folder.path().join("outside.csv");
    assert_eq!(export(&outside.display().to_string()).await.0, 400);
    let (_, file) = page.call("pick_save_file", json!({"name": "../outside.csv"})).await;
    assert_eq!(export(file["token"].as_str().unwrap()).await.0, 200);
    assert!(file["path"].as_str().unwrap().ends_with("files/outside.csv"), "{file}");
    assert!(!outside.exists());
}

/// The client of the pages is generated with the bindings; a name known to only one side would fail when it is used.
#[test]
fn the_pages_and_the_host_know_the_same_commands() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/host/bindings.ts");
    let text = std::fs::read_to_string(file).unwrap();
    let mut pages = BTreeMap::new();
    for call in text.lines().filter_map(|line| line.split_once("=> call<")).map(|(_, call)| call) {
        let (name, rest) = call.split_once("(\"").unwrap().1.split_once('"').unwrap();
        let arguments = rest.split_once('{').map_or("", |(_, rest)| rest.split_once('}').unwrap().0);
        let mut names: Vec<String> =
            arguments.split(',').map(|a| a.trim().to_owned()).filter(|a| !a.is_empty()).collect();
        names.sort();
        pages.insert(name.to_owned(), names);
    }
    let host: BTreeMap<String, Vec<String>> = COMMANDS
        .iter()
        .map(|(name, arguments)| {
            let mut names: Vec<String> = arguments.iter().map(|a| camel_case(a)).collect();
            names.sort();
            ((*name).to_owned(), names)
        })
        .collect();
    assert_eq!(pages, host);
}

fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| all + &part[..1].to_uppercase() + &part[1..])
}
