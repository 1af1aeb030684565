//! A database on a PostgreSQL server: asked like any other, and its password is kept nowhere.

use crate::support::Desk;
use postgres_server::{PASSWORD, PostgresServer};
use std::path::Path;

#[path = "../../../warehouse/src/tests/postgres_server.rs"]
mod postgres_server;

fn files_below(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            files_below(&entry.path(), found);
        } else {
            found.extend(std::fs::read(entry.path()));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_asked_and_its_password_kept_nowhere() {
    let server = PostgresServer::start();
    server.psql("shop", "CREATE TABLE customer (name text); INSERT INTO customer VALUES ('Ann'), ('Bob');");
    let desk = Desk::new(vec!["SELECT count(*) FROM customer"]).await;
    let address = server.address("shop");
    let shown = address.replace(&format!(":{PASSWORD}"), "");

    let summary = desk.app.open_warehouse(address.clone()).await.unwrap();
    assert_eq!((summary.uri.as_str(), summary.title.as_str(), summary.tables), (shown.as_str(), "shop", 1));
    let mut question = desk.question("How many customers?");
    question.warehouse = address;
    let run = desk.app.ask(question).await.unwrap();
    let events = format!("{:?}", desk.all(&run).await);
    assert!(events.contains("Some(\"2\")"), "{events}");

    // What was kept opens again while the program runs.
    desk.app.prepared(&shown).await.unwrap();
    desk.app.forget_warehouse(shown.clone()).await.unwrap();
    let again = desk.app.open_warehouse(shown.clone()).await.unwrap();
    assert_eq!(desk.app.warehouses().await.unwrap()[0].uri, again.uri);

    let mut kept = vec![events.into_bytes(), format!("{summary:?}").into_bytes()];
    files_below(desk.folder.path(), &mut kept);
    assert!(kept.len() > 3);
    let word = "pass-word".as_bytes();
    assert!(kept.iter().all(|bytes| !bytes.windows(word.len()).any(|part| part == word)));
}
