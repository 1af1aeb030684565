//! A database on a PostgreSQL server: used like any other, and its password is stored only in the keychain.

use crate::support::{Desk, NoKeychain, options};
use std::path::Path;
use std::sync::Arc;
use vitrine_api::{App, ConnectionDraft, SavedStatus};
use vitrine_domain::{ErrorCode, RunReport, RunStatus};
use vitrine_store::secrets::{InMemory, SecretStore};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

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

    // The entered password is used again while the program runs, until it is forgotten.
    desk.app.wait_until_prepared(&shown).await.unwrap();
    let again = desk.app.open_warehouse(shown.clone()).await.unwrap();
    assert_eq!(desk.app.warehouses().await.unwrap()[0].uri, again.uri);
    desk.app.forget_warehouse(shown.clone()).await.unwrap();
    assert_eq!(desk.app.open_warehouse(shown.clone()).await.unwrap_err().code, ErrorCode::Password);

    let mut kept = vec![events.into_bytes(), format!("{summary:?}").into_bytes()];
    files_below(desk.folder.path(), &mut kept);
    assert!(kept.len() > 3);
    let word = "pass-word".as_bytes();
    assert!(kept.iter().all(|bytes| !bytes.windows(word.len()).any(|part| part == word)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_question_is_measured_by_is_shown_in_its_own_dialect() {
    let server = PostgresServer::start();
    server.psql("shop", "CREATE TABLE customer (name text); INSERT INTO customer VALUES ('Ann'), ('Bob');");
    let mut desk = Desk::new(vec!["SELECT count(*) FROM customer"]).await;
    desk.shop = desk.app.open_warehouse(server.address("shop")).await.unwrap().uri;
    let gold =
        "SELECT name::text, count(*) FROM customer WHERE name ~* '^a' GROUP BY name::text ORDER BY count(*) DESC";
    crate::evaluations::save(&desk, "Who begins with A?", gold, SavedStatus::Verified).await;
    let (id, _) = crate::evaluations::measure(&desk).await.unwrap();
    let shown = desk.app.evaluation(id).await.unwrap().remove(0).gold;
    assert!(shown.lines().count() > 3 && shown.contains("name::text") && shown.contains("~* '^a'"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_allows_holds_for_what_a_model_writes_and_what_is_measured() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE SCHEMA sales; CREATE FUNCTION sales.margin(int) RETURNS int LANGUAGE sql AS 'SELECT $1 / 2';
         CREATE TABLE sale (total int); INSERT INTO sale VALUES (10), (20);",
    );
    let known = "SELECT sum(sales.margin(total)) FROM sale WHERE sales.margin(total) > 1 -- in euros";
    let only_the_engine_reads = "SELECT sum(sales.margin(total)) FROM sale WHERE total BETWEEN SYMMETRIC 20 AND 1";
    let mut desk = Desk::new(vec![known, known, only_the_engine_reads, only_the_engine_reads]).await;
    desk.shop = desk.app.open_warehouse(server.address("shop")).await.unwrap().uri;
    let asked = async || RunReport::from_events(&desk.all(&desk.ask("What is the margin?").await.unwrap()).await);

    assert_eq!(asked().await.status(), RunStatus::Failed);
    let refused = desk.app.check_sql(known.to_owned(), desk.shop.clone()).await.unwrap_err();
    let hint = refused.hint.unwrap();
    assert!(hint.contains("under Tables, Functions") && hint.contains("--allow-function sales.margin"), "{hint}");
    desk.app.allow_functions(desk.shop.clone(), vec!["sales.margin".to_owned()]).await.unwrap();
    for _ in 0..2 {
        assert_eq!(asked().await.page.unwrap().rows, [[Some("15".to_owned())]]);
    }
    crate::evaluations::save(&desk, "What is the margin?", known, SavedStatus::Verified).await;
    let (id, _) = crate::evaluations::measure(&desk).await.unwrap();
    assert!(desk.app.evaluation(id).await.unwrap().remove(0).right);

    let never = desk.app.check_sql("SELECT pg_read_file('x')".to_owned(), desk.shop.clone()).await.unwrap_err();
    assert!(!never.hint.unwrap().contains("allow"), "nobody may allow it");
}

/// Starts the program on the same folder and keychain again.
async fn start(folder: &Path, keychain: &Arc<dyn SecretStore>) -> App {
    App::open(vitrine_api::AppOptions { secrets: Arc::clone(keychain), ..options(folder, Vec::new()) }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_remembered_when_the_person_says_so_and_forgotten_with_the_warehouse() {
    let server = PostgresServer::start();
    server.psql("postgres", "CREATE DATABASE other");
    let [shop, other] = ["shop", "other"].map(|name| server.address(name).replace(&format!(":{PASSWORD}"), ""));
    let (folder, keychain): (_, Arc<dyn SecretStore>) = (tempfile::tempdir().unwrap(), Arc::new(InMemory::default()));
    let refused = |app: &App, uri: &str| {
        let (app, uri) = (app.clone(), uri.to_owned());
        async move { app.open_warehouse(uri).await.err().map(|error| error.code) == Some(ErrorCode::Password) }
    };

    let app = start(folder.path(), &keychain).await;
    app.check_keychain().await.unwrap();
    assert!(refused(&app, &shop).await);
    assert!(app.password_wanted(&shop).await.unwrap().message.contains("asks for a password"));
    let wrong = app.sign_in(shop.clone(), "pass-phrase".to_owned()).await.unwrap_err();
    assert_eq!(wrong.code, ErrorCode::Password);
    assert!(wrong.message.contains("refused the password") && !format!("{wrong:?}").contains("pass-phrase"), "{wrong}");
    assert!(refused(&app, &shop).await, "a wrong password is not kept");
    app.sign_in(shop.clone(), PASSWORD.to_owned()).await.unwrap();
    assert!(app.password_wanted(&shop).await.is_none());
    app.open_warehouse(shop.clone()).await.unwrap();
    app.open_warehouse(other.clone()).await.unwrap();
    app.shutdown().await;

    let app = start(folder.path(), &keychain).await;
    assert!(refused(&app, &shop).await, "nobody said that it is to be remembered");
    app.sign_in(shop.clone(), PASSWORD.to_owned()).await.unwrap();
    app.remember_password(shop.clone()).await.unwrap();
    app.shutdown().await;

    let app = start(folder.path(), &keychain).await;
    app.open_warehouse(shop.clone()).await.unwrap();
    app.forget_warehouse(shop).await.unwrap();
    app.shutdown().await;

    let app = start(folder.path(), &keychain).await;
    app.open_warehouse(other.clone()).await.expect("another database of the same login still needs it");
    app.forget_warehouse(other.clone()).await.unwrap();
    app.shutdown().await;

    let app = start(folder.path(), &keychain).await;
    assert!(refused(&app, &other).await);
    let mut files = Vec::new();
    files_below(folder.path(), &mut files);
    let word = "pass-".as_bytes();
    assert!(files.iter().all(|bytes| !bytes.windows(word.len()).any(|part| part == word)));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_a_password_lasts_until_the_end_of_the_program() {
    let server = PostgresServer::start();
    let shop = server.address("shop").replace(&format!(":{PASSWORD}"), "");
    let (folder, keychain): (_, Arc<dyn SecretStore>) = (tempfile::tempdir().unwrap(), Arc::new(NoKeychain));
    let app = start(folder.path(), &keychain).await;
    assert!(app.check_keychain().await.unwrap_err().message.contains("No keychain is available"));
    app.sign_in(shop.clone(), PASSWORD.to_owned()).await.unwrap();
    assert!(app.remember_password(shop.clone()).await.is_err());
    app.open_warehouse(shop.clone()).await.unwrap();
    app.forget_warehouse(shop.clone()).await.unwrap();
    assert_eq!(app.open_warehouse(shop).await.unwrap_err().code, ErrorCode::Password);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_came_with_a_run_may_not_have_a_password_sent_unencrypted() {
    let server = PostgresServer::start();
    // This computer under an address that is treated as remote.
    let uri = server.address("shop").replace("@127.0.0.1:", "@db.example:") + "?hostaddr=0.0.0.0&sslmode=disable";
    let shown = uri.replace(&format!(":{PASSWORD}"), "");
    let own = Desk::new(Vec::<vitrine_llm::Line>::new()).await;
    own.app.open_warehouse(uri.clone()).await.expect("the person's own address says so");
    crate::imported::import(&own, &shown).await;
    own.app.open_warehouse(shown.clone()).await.expect("it was theirs before");

    let other = Desk::new(Vec::<vitrine_llm::Line>::new()).await;
    crate::imported::import(&other, &shown).await;
    let refused = other.app.open_warehouse(shown.clone()).await.unwrap_err();
    assert!(refused.code == ErrorCode::Connection && refused.message.contains("not encrypted"), "{refused}");
    let refused = other.app.sign_in(shown.clone(), PASSWORD.to_owned()).await.unwrap_err();
    assert!(refused.code == ErrorCode::Connection && refused.message.contains("not encrypted"), "{refused}");
    server.encrypt();
    let encrypted = shown.replace("sslmode=disable", "sslmode=require");
    other.app.sign_in(encrypted, PASSWORD.to_owned()).await.expect("encrypted it may be sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_came_with_a_workspace_asks_for_its_password() {
    let server = PostgresServer::start();
    let address = server.address("shop");
    let shown = address.replace(&format!(":{PASSWORD}"), "");
    let own = Desk::new(Vec::<vitrine_llm::Line>::new()).await;
    let draft = ConnectionDraft { schemas: Vec::new(), ..crate::workspace::connection("Shop", &address) };
    own.app.keep_connection(draft).await.unwrap();
    own.app.open_warehouse(shown.clone()).await.expect("its password was typed");
    let file = crate::workspace::export(&own, true).await;

    let other = Desk::new(Vec::<vitrine_llm::Line>::new()).await;
    let done = crate::workspace::import(&other, &file, crate::workspace::ALL).await.unwrap();
    assert!(done.notes.iter().any(|note| note.contains("Passwords") && note.contains("Shop")), "{:?}", done.notes);
    assert_eq!(other.app.open_warehouse(shown.clone()).await.unwrap_err().code, ErrorCode::Password);
    other.app.sign_in(shown.clone(), PASSWORD.to_owned()).await.unwrap();
    assert_eq!(other.app.find_connection("Shop").await.unwrap().address, shown);
    // The address still belongs to its owner.
    crate::workspace::import(&own, &file, crate::workspace::ALL).await.unwrap();
    own.app.open_warehouse(shown).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_inferred_on_a_server() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE TABLE region (code varchar(5), label text); INSERT INTO region SELECT 'R' || n, 'Label ' || n FROM generate_series(1, 30) n;
         CREATE TABLE shelf (room_no int, shelf_no int, width numeric);
         INSERT INTO shelf SELECT n / 10, n % 10, n * 0.3 FROM generate_series(10, 99) n;
         CREATE TABLE customer (customer_id uuid, region_code char(5));
         INSERT INTO customer SELECT md5(n::text)::uuid, 'R' || n % 20 + 1 FROM generate_series(1, 200) n;
         CREATE TABLE sale (sale_id bigint, customer_id text, room_no smallint, shelf_no bigint);
         INSERT INTO sale SELECT n, md5((n % 90 + 1)::text)::uuid::text, n % 90 / 10 + 1, n % 10 FROM generate_series(1, 400) n;",
    );
    let desk = Desk::new(Vec::<vitrine_llm::Line>::new()).await;
    let shop = desk.app.open_warehouse(server.address("shop")).await.unwrap().uri;
    desk.app.wait_until_prepared(&shop).await.unwrap();
    let rows = desk.app.inferred_keys(shop).await.unwrap();
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let expected = [
        "region(code)",
        "shelf(room_no, shelf_no)",
        "customer(customer_id)",
        "customer(region_code) -> region(code)",
        "sale(sale_id)",
        "sale(customer_id) -> customer(customer_id)",
        "sale(room_no, shelf_no) -> shelf(room_no, shelf_no)",
    ];
    assert_eq!(ids, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_holds_for_what_is_seen_asked_and_typed() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE SCHEMA sales; CREATE SCHEMA hidden; CREATE TABLE plain (x int); CREATE TABLE hidden.pay (x int);
         CREATE TABLE sales.orders (x int); INSERT INTO sales.orders VALUES (1), (2);",
    );
    let desk = Desk::new(vec!["SELECT count(*) FROM hidden.pay", "SELECT count(*) FROM sales.orders"]).await;
    let mut draft = crate::connections::draft("Two", &server.address("shop"));
    draft.remember = false;
    draft.schemas = vec![" sales ".to_owned(), String::new()];
    let kept = desk.app.keep_connection(draft.clone()).await.unwrap().connection;
    assert_eq!(kept.schemas, ["sales"]);
    let uri = kept.address.clone();
    let catalog = desk.app.catalog(uri.clone()).await.unwrap();
    assert_eq!(catalog.catalog.tables.iter().map(|table| table.name.name.as_str()).collect::<Vec<_>>(), ["orders"]);
    let query = async |sql: &str| desk.app.query_page(uri.clone(), sql.to_owned(), 10, Default::default()).await;
    query("SELECT * FROM sales.orders").await.unwrap();
    for outside in [
        "SELECT * FROM hidden.pay",
        "SELECT (SELECT max(x) FROM hidden.pay) FROM sales.orders",
        "WITH pay AS (SELECT * FROM hidden.pay) SELECT * FROM pay",
        "SELECT * FROM plain",
        "SELECT * FROM public.plain",
        "SELECT * FROM information_schema.tables",
        "SELECT pg_total_relation_size('hidden.pay')",
        "SELECT obj_description(oid, 'pg_class') FROM sales.orders, (SELECT 1::oid AS oid) AS x",
    ] {
        let refused = query(outside).await.unwrap_err();
        assert!(
            refused.message.contains("scope") || refused.detail.is_some_and(|text| text.contains("scope")),
            "{outside}"
        );
        assert!(desk.app.check_sql(outside.to_owned(), uri.clone()).await.is_err(), "{outside}");
    }
    let mut question = desk.question("How many?");
    question.warehouse = uri.clone();
    let asked = async || RunReport::from_events(&desk.all(&desk.app.ask(question.clone()).await.unwrap()).await);
    assert_eq!(asked().await.status(), RunStatus::Failed, "what a model writes is held to it, too");
    assert_eq!(asked().await.page.unwrap().rows, [[Some("2".to_owned())]]);
    draft.id = Some(kept.id);
    draft.schemas.clear();
    desk.app.keep_connection(draft).await.unwrap();
    assert_eq!(desk.app.catalog(uri.clone()).await.unwrap().tables, 3, "the scope is gone");
    query("SELECT * FROM hidden.pay").await.unwrap();
}
