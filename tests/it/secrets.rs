//! Secrets are stored only in the keychain, each bound to its destination; without a keychain a password is kept until
//! the program ends and a key is rejected. They appear nowhere else.
//!
//! Marked secrets are entered everywhere a user can enter one, and the program performs all operations that use them:
//! through the window's commands, and in the terminal with all log messages. Then all output is searched for the mark:
//! files, database rows, events, results, errors, output, and requests to servers.

/// Calls commands and records their results.
macro_rules! heard {
    ($seen:expr, $app:expr, $($command:ident($($argument:expr),*)),* $(,)?) => {
        $($seen.heard(stringify!($command), $app.$command($($argument),*).await);)*
    };
}

mod google;
mod keys;
mod search;
mod servers;
// Tested where the keychain is known to be unavailable.
#[cfg(target_os = "linux")]
mod terminal;

use futures::StreamExt;
use search::Seen;
use servers::{Safe, dead_port, mysql_shop, serve, shop, wrong_addresses};
use std::collections::BTreeMap;
use std::sync::Arc;
use vitrine_api::{
    App, AppOptions, AskRequest, ConnectionDraft, ConnectionSettings, CsvStyle, EvaluationRequest, ExportFile,
    ExportFormat, Folders, Patience, RemoteModel, RemoteProvider, SavedDraft, SavedStatus,
};
use vitrine_domain::{AskSettings, Definitions, ErrorCode, FileOptions};
use vitrine_store::secrets::SecretStore;

/// Prefix of every secret in these tests, so that truncated secrets are also found.
const MARK: &str = "mark7f3c";
const PASSWORD: &str = "mark7f3c-password";
const TYPED: &str = "mark7f3c-typed";
const KEY: &str = "mark7f3c-key-of-a-model";
/// The header that contains [`KEY`].
const BEARER: &str = "authorization: Bearer mark7f3c-key-of-a-model";
const SQL: &str = "SELECT count(*) AS n FROM customers";

fn draft(name: &str, address: &str) -> ConnectionDraft {
    ConnectionDraft {
        id: None,
        name: name.to_owned(),
        address: address.to_owned(),
        environment: None,
        schemas: Vec::new(),
        settings: ConnectionSettings::default(),
        password: None,
        remember: true,
    }
}

fn question(address: &str, model: &str) -> AskRequest {
    let settings = AskSettings { strategy: "direct".into(), model: Some(model.to_owned()), ..AskSettings::default() };
    AskRequest {
        warehouse: address.to_owned(),
        question: "How many customers?".into(),
        knowledge: None,
        settings,
        follows: None,
    }
}

fn remote(id: &str, base_url: &str) -> RemoteModel {
    RemoteModel {
        id: id.to_owned(),
        title: String::new(),
        provider: RemoteProvider::Other,
        base_url: base_url.to_owned(),
        model: "house-model".to_owned(),
        context_tokens: 0,
        has_key: false,
    }
}

/// Passes an address to every operation that accepts one.
async fn everywhere(app: &App, seen: &Seen, address: &str, name: &str) {
    let (uri, sql) = (|| address.to_owned(), || SQL.to_owned());
    let saved = SavedDraft {
        id: None,
        title: String::new(),
        question: "How many?".to_owned(),
        sql: sql(),
        code: None,
        warehouse: uri(),
        status: SavedStatus::Verified,
        run_id: None,
        notes: String::new(),
    };
    let measured = EvaluationRequest {
        pack: None,
        warehouse: Some(uri()),
        strategy: "direct".into(),
        model: Some("answers".to_owned()),
        every: 1,
        limit: Some(1),
    };
    let told = |test: &vitrine_domain::ConnectionTest| seen.bytes("told", serde_json::to_vec(test).unwrap());
    heard!(
        seen,
        app,
        catalog(uri()),
        sign_in(uri(), TYPED.to_owned()),
        test_connection(uri(), Some(TYPED.to_owned())),
        inspect_connection(address, Some(TYPED.to_owned()), &told, Default::default()),
        inspect_connection(address, None, &told, Default::default()),
        keep_connection(draft(address, "sqlite:other.db")),
        keep_connection(draft(name, address)),
        find_connection(address),
        remember_password(uri()),
        open_warehouse(uri()),
        catalog(uri()),
        profile(uri()),
        start_preparation(uri()),
        pause_preparation(uri()),
        warm(uri()),
        wait_until_prepared(address),
        search_values(address, "Ada".to_owned()),
        definitions(uri()),
        set_definitions(uri(), Definitions::default()),
        import_definitions(uri(), None),
        tables(uri(), String::new(), 0, 10),
        report_schema(uri(), None),
        estimate(question(address, "answers")),
        query_page(uri(), sql(), 10, Default::default()),
        query_page(uri(), "DROP TABLE customers".to_owned(), 10, Default::default()),
        query_page(uri(), "SELECT nothing FROM customers".to_owned(), 10, Default::default()),
        open_result(uri(), sql(), 10),
        format_sql(sql(), uri()),
        check_sql(sql(), uri()),
        explain(uri(), sql(), None),
        query_plan(uri(), sql()),
        rows_behind(uri(), sql(), vec![Some("2".to_owned())], None),
        allowed_functions(uri()),
        allow_functions(uri(), vec!["margin".to_owned()]),
        file_readings(uri()),
        read_file_as(uri(), "customers".to_owned(), FileOptions::default()),
        safety(uri()),
        inferred_keys(uri()),
        decide_key(uri(), "customers(id)".to_owned(), None),
        save_question(saved),
        start_evaluation(measured),
    );
    let wanted = app.password_wanted(address).await;
    seen.bytes("password_wanted", format!("{wanted:?}"));
}

/// Runs the program in its own folder through all operations with secrets.
async fn journey(safe: &Arc<Safe>, has_keychain: bool) {
    let (folder, seen) = (tempfile::tempdir().unwrap(), Seen::default());
    let start = || {
        let secrets = Arc::clone(safe) as Arc<dyn SecretStore>;
        let (folders, worker_exe) = (Folders::with_root(folder.path()), "/nonexistent/worker".into());
        App::open(AppOptions { folders, worker_exe, patience: Patience::TERMINAL, secrets, models: Vec::new() })
    };
    let app = start().await.unwrap();
    let mut events = app.subscribe_to_events();
    let (_server, place) = shop();
    let [shop, bare] = [format!("postgresql://ann:{PASSWORD}@{place}"), format!("postgresql://ann@{place}")];

    let keys = models(&app, &seen).await;
    for (n, address) in wrong_addresses(&seen).iter().enumerate() {
        everywhere(&app, &seen, address, &format!("Wrong {n}")).await;
    }
    everywhere(&app, &seen, &shop, "Shop").await;
    let (_mysql, place) = mysql_shop();
    let [of_mysql, bare_mysql] = [format!("mysql://ann:{PASSWORD}@{place}"), format!("mysql://ann@{place}")];
    everywhere(&app, &seen, &of_mysql, "Rows").await;
    assert!(app.open_warehouse(bare_mysql.clone()).await.is_ok(), "the session has it");
    let outside = tempfile::tempdir().unwrap();
    google::google(&app, &seen, outside.path()).await;
    let own = tempfile::tempdir().unwrap();
    keys::keys(&app, &seen, own.path()).await;
    let kept = app.find_connection("Shop").await.unwrap();
    let renamed = ConnectionDraft { id: Some(kept.id), ..draft("Sales", &shop) };
    let renamed = seen.heard("renamed", app.keep_connection(renamed).await).unwrap();
    assert_eq!(renamed.note.is_none(), has_keychain, "without a keychain it is said");
    assert!(app.open_warehouse(bare.clone()).await.is_ok(), "the session has it");
    assert!(keys(), "a key reaches its own server");
    for model in ["answers", "short", "cut", "broken", "spread"] {
        let Some(run) = seen.heard("ask", app.ask(question(&shop, model)).await) else { continue };
        let log: Vec<_> = app.stream_run_events(run.clone()).collect().await;
        log.into_iter().for_each(|event| drop(seen.heard("follow", event)));
        heard!(
            seen,
            app,
            run_events(run.clone(), 0),
            exported_run(run.clone()),
            write_run(run, folder.path().join(model)),
        );
    }
    let csv = ExportFile {
        path: folder.path().join("rows.csv"),
        format: ExportFormat::Csv,
        style: CsvStyle { guard_formulas: true, byte_order_mark: false },
        about: None,
    };
    heard!(
        seen,
        app,
        write_result(&shop, SQL, csv, |_| {}, Default::default()),
        write_audit(folder.path().join("audit.csv")),
        write_audit(folder.path().join("audit.jsonl")),
        check_audit(),
        audit(String::new(), None, 1_000, 0),
        info(),
        warehouses(),
        connections(),
        saved(String::new()),
        runs(String::new(), 100, 0),
        settings(),
        models(),
        remote_models(),
        model_presets(),
        spending(None),
        evaluations(),
        check_keychain(),
    );
    assert!(!app.audit(String::new(), None, 1, 0).await.unwrap().is_empty(), "queries ran");

    // Bound to their destinations, without other entries.
    let logins = |safe: &Safe| safe.reached(|all| all.clone()).unwrap_or_default();
    for (name, secret) in logins(safe) {
        let (kind, of) = name.split_once(':').unwrap();
        let is_known = google::is_login(&name, &secret) || keys::is_passphrase(&name, &secret);
        assert!(
            is_known || kind == "model" && secret == KEY || of.contains("ann@127.0.0.1:") && secret == PASSWORD,
            "{name}"
        );
    }
    let passphrases = logins(safe).into_iter().filter(|(name, _)| name.starts_with("key:")).count();
    assert_eq!(passphrases, if has_keychain { 2 } else { 0 }, "those of both keys");
    seen.files(folder.path());
    app.shutdown().await;
    let again = start().await.unwrap();
    let other = seen.heard("elsewhere", again.open_warehouse(format!("{bare}?sslmode=disable")).await);
    assert!(other.is_none(), "the same login otherwise protected is another");
    let opened = again.open_warehouse(bare.clone()).await;
    assert_eq!(opened.is_ok(), has_keychain);
    assert_eq!(again.open_warehouse(bare_mysql).await.is_ok(), has_keychain);
    assert!(opened.is_ok() || opened.is_err_and(|error| error.code == ErrorCode::Password));
    heard!(seen, again, sign_in(bare.clone(), PASSWORD.to_owned()), remember_password(bare.clone()));
    for connection in again.connections().await.unwrap() {
        heard!(seen, again, remove_connection(connection.id), forget_warehouse(connection.address));
    }
    for model in again.remote_models().await.unwrap() {
        assert_eq!(model.has_key, has_keychain && model.id != "answers", "{}", model.id);
        heard!(seen, again, delete_remote_model(model.id));
    }
    assert_eq!(logins(safe), BTreeMap::new(), "what is forgotten leaves the keychain");
    again.shutdown().await;
    loop {
        match events.try_recv() {
            Ok(event) => seen.bytes("event", serde_json::to_vec(&event).unwrap()),
            Err(tokio::sync::broadcast::error::TryRecvError::Lagged(missed)) => panic!("{missed} events were missed"),
            Err(_) => break,
        }
    }
    seen.files(folder.path());
    let leaks = seen.leaks();
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

/// Adds models with right and wrong keys; the returned function reports if a key was sent.
async fn models(app: &App, seen: &Seen) -> impl Fn() -> bool {
    let ((url, keys), (other, _)) = (serve(seen, &[BEARER]), serve(seen, &[]));
    for id in ["answers", "short", "cut", "broken", "spread"] {
        let model = || remote(id, &format!("{url}/{id}/v1"));
        heard!(seen, app, served_models(model(), Some(KEY.to_owned())));
        // Without a keychain the key is rejected, and the model is used without it.
        if seen.heard("set_remote_model", app.set_remote_model(model(), Some(format!("{KEY}\n"))).await).is_none() {
            heard!(seen, app, set_remote_model(model(), None));
        }
        heard!(seen, app, served_models(model(), None), test_model(id.to_owned()), model_profile(id.to_owned()));
    }
    let place = url.strip_prefix("http://").unwrap();
    for address in [
        format!("http://ann:{PASSWORD}@{place}/v1"),
        format!("http://{PASSWORD}@{place}/v1"),
        format!("http://ann:{PASSWORD}/x@{place}/v1"),
        format!("http://ann:12/{PASSWORD}@{place}/v1"),
        format!("http://ann:{PASSWORD}"),
        format!("ann:{PASSWORD}@{place}/v1"),
        format!("{url}/v1?key={PASSWORD}"),
        format!("{url}/v1?api-key={PASSWORD}"),
        format!("{url}/v1#{PASSWORD}"),
        PASSWORD.to_owned(),
        "http://models.example/v1".to_owned(),
        format!("http://127.0.0.1:{}/v1", dead_port()),
    ] {
        let model = || remote("wrong", &address);
        heard!(
            seen,
            app,
            set_remote_model(model(), Some(KEY.to_owned())),
            set_remote_model(model(), None),
            served_models(model(), Some(KEY.to_owned())),
            remote_models(),
            models(),
            delete_remote_model("wrong".to_owned()),
        );
    }
    // The key is not used for another server.
    heard!(seen, app, set_remote_model(remote("answers", &format!("{other}/answers/v1")), None), remote_models());
    move || *keys.lock().unwrap() > 0
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_in_the_keychain_alone() {
    journey(&Arc::new(Safe::new(Some(BTreeMap::new()))), true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_secrets_are_nowhere() {
    journey(&Arc::new(Safe::new(None)), false).await;
}

/// Runs only if the test script started a keychain.
#[tokio::test(flavor = "multi_thread")]
async fn the_real_keychain_holds_them_and_nothing_else_does() {
    if std::env::var_os("VITRINE_TEST_KEYCHAIN").is_none() {
        eprintln!("skipped: no keychain was started for this test");
        return;
    }
    journey(&Arc::new(Safe::of_the_system()), true).await;
}
