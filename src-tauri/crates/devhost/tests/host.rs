//! The host as the pages use it.

use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_api::{App, AppOptions, Folders, Patience};
use vitrine_devhost::{COMMANDS, Devhost};

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
            folders: Folders::below(folder.path()),
            ..AppOptions::from_environment(Patience::WINDOW).unwrap()
        };
        let app = App::open(options).await.unwrap();
        let host = Devhost::bind(app, 0, folder.path()).await.unwrap();
        let base = host.address();
        tokio::spawn(host.serve(CancellationToken::new()));
        Self { base, client: reqwest::Client::new(), _folder: folder }
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

/// The pages name commands and arguments in one file; a name that only one side knows would fail when it is clicked.
#[test]
fn the_pages_and_the_host_know_the_same_commands() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/host/commands.ts");
    let text = std::fs::read_to_string(file).unwrap();
    let mut pages = BTreeMap::new();
    for call in text.split("call(\"").skip(1) {
        let (name, rest) = call.split_once('"').unwrap();
        let arguments = rest.split_once('{').unwrap().1.split_once('}').unwrap().0;
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
