//! Answers computed by code, with the real sandbox and interpreter and scripted model replies.

use crate::bench::{cache, vitrine};
use futures::StreamExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_api::{
    App, AppOptions, AskRequest, EvaluationRequest, ExportFile, ExportFormat, Folders, KeptTable, Patience, SavedCode,
    SavedDraft, SavedStatus, SavedView, Settings,
};
use vitrine_domain::{AskSettings, ErrorCode, EventBody, RunReport, RunStatus};
use vitrine_llm::cassette::Cassette;
use vitrine_llm::{ChatModel, ScriptedModel};

const QUESTION: &str = "How many customers live in each country?";
const NEEDED: &str = r#"{"tables":[{"name":"customer","columns":["id","country"]}]}"#;
const VIEW: &str = r#"{"views":[{"name":"by_country","rationale":"customers","source":[{"table":"customer"}],
  "dimensions":[{"column":"customer.country"}],"metrics":[{"name":"n","agg":"count"}]}]}"#;
const CODE: &str = "print(len(by_country), 'countries')\nresult = by_country.sort_values('country')[['country', 'n']]";
const SQL: &str = "SELECT country, n FROM by_country";

/// A program with its own workspace, the installed interpreter and a small shop.
struct Desk {
    folder: tempfile::TempDir,
    app: App,
}

impl Desk {
    async fn new() -> Self {
        let model = ScriptedModel::new(vec![NEEDED, NEEDED, VIEW, CODE, SQL, SQL]);
        Self::with(|_| Arc::new(model)).await
    }

    async fn with(model: impl FnOnce(PathBuf) -> Arc<dyn ChatModel>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shop = rusqlite::Connection::open(folder.path().join("shop.sqlite")).unwrap();
        shop.execute_batch(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
             INSERT INTO customer VALUES (1,'Ada','US'),(2,'Bert','US'),(3,'Cleo','DE'),(4,'Dan','FR');",
        )
        .unwrap();
        let options = AppOptions {
            folders: Folders { cache: cache(), data: folder.path().join("data") },
            // The default would be this test's binary.
            worker_exe: vitrine(),
            models: vec![model(folder.path().join("replies.jsonl"))],
            ..AppOptions::from_environment(Patience::TERMINAL).unwrap()
        };
        let app = App::open(options).await.unwrap();
        let python = app.python().await.unwrap();
        assert_eq!(python.unavailable, None, "CODE OF A MODEL CANNOT BE RUN SAFELY HERE, so this cannot be tested");
        assert!(
            python.installed,
            "PYTHON IS NOT SET UP, so this cannot be tested: `npm test` does it, or `vitrine python install`"
        );
        Self { folder, app }
    }

    fn warehouse(&self) -> String {
        format!("sqlite:{}", self.path("shop.sqlite"))
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Asks the question and returns the report.
    async fn ask(&self) -> RunReport {
        let settings = AskSettings {
            strategy: "prospy".into(),
            model: Some("scripted".to_owned()),
            ..self.app.settings().await.unwrap().for_asking()
        };
        let request = AskRequest {
            warehouse: self.warehouse(),
            question: QUESTION.to_owned(),
            knowledge: None,
            settings,
            follows: None,
        };
        self.app.confirm_warehouse(&request.warehouse).await;
        let run_id = self.app.ask(request).await.unwrap();
        self.app.stream_run_events(run_id.clone()).for_each(|_| async {}).await;
        let report = self.app.run_report(run_id).await.unwrap();
        assert_eq!(report.status(), RunStatus::Answered, "{:?}", report.finished);
        assert_eq!(report.code.as_deref(), Some(CODE), "{:?}", report.warnings);
        report
    }
}

fn answer(run_id: &str) -> KeptTable {
    KeptTable { owner: run_id.to_owned(), rerun: false }
}

const CSV: [&str; 4] = ["country,n", "DE,1", "FR,1", "US,2"];

fn lines(path: &str) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn code_answers_in_the_sandbox_and_its_table_is_paged_and_exported() {
    let desk = Desk::new().await;
    let report = desk.ask().await;
    let events = desk.app.run_events(report.run_id.clone(), 0).await.unwrap();
    let printed: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event.body {
            EventBody::Analysed { printed, .. } => Some(printed),
            _ => None,
        })
        .collect();
    assert_eq!(printed, ["3 countries\n"]);

    let open = desk.app.open_table(answer(&report.run_id), 2).await.unwrap();
    assert_eq!((open.row_count, open.truncated), (2, true), "a limit is a limit");
    let open = desk.app.open_table(answer(&report.run_id), 1_000_000).await.unwrap();
    let rows = desk.app.result_rows(open.result_id, 1, 10).await.unwrap().rows;
    assert_eq!(rows, [[Some("FR".into()), Some("1".into())], [Some("US".into()), Some("2".into())]]);

    let file = ExportFile {
        path: desk.path("o.csv").into(),
        format: ExportFormat::Csv,
        style: Settings::default().csv_style(),
        about: None,
    };
    let written = desk.app.write_table(answer(&report.run_id), file, |_| {}, CancellationToken::new()).await;
    assert_eq!((written.unwrap(), lines(&desk.path("o.csv"))), (3, CSV.map(str::to_owned).to_vec()));

    for nowhere in ["", "..", "../other", "no-such-run"] {
        let missing = desk.app.open_table(answer(nowhere), 10).await.unwrap_err();
        assert_eq!(missing.code, ErrorCode::NotFound, "{nowhere}");
    }
    desk.app.delete_run(report.run_id.clone()).await.unwrap();
    let gone = desk
        .app
        .export_table(answer(&report.run_id), String::new(), Settings::default().csv_style(), None)
        .await
        .unwrap_err();
    assert!(gone.message.contains("no longer stored") && gone.hint.is_some(), "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_writes_the_table_of_code_to_a_file() {
    let desk = Desk::with(|tape| {
        let model = Arc::new(ScriptedModel::new(vec![NEEDED, NEEDED, VIEW, CODE, SQL, SQL]));
        Arc::new(Cassette::record(model, &tape).unwrap())
    })
    .await;
    desk.ask().await;
    let said = Command::new(vitrine())
        .args(["ask", "--warehouse", &desk.warehouse(), "--strategy", "prospy"])
        .args(["--model", &format!("cassette:{}", desk.path("replies.jsonl")), "--csv", &desk.path("o.csv"), QUESTION])
        .env("VITRINE_HOME", desk.folder.path().join("terminal"))
        .env("VITRINE_CACHE", cache())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let told = text(&said.stderr);
    assert!(said.status.success() && told.contains("3 rows written to") && told.contains("sort_values"), "{told}");
    assert!(text(&said.stdout).contains("DE"), "the table is shown, too");
    assert_eq!(lines(&desk.path("o.csv")), CSV);
}

fn rerun(owner: &str) -> KeptTable {
    KeptTable { owner: owner.to_owned(), rerun: true }
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_code_runs_over_the_kept_views_and_leaves_the_run_as_it_was() {
    let desk = Desk::new().await;
    let run_id = desk.ask().await.run_id;
    let log = desk.app.run_events(run_id.clone(), 0).await.unwrap();

    let code = "print('twice')\nresult = pd.concat([by_country] * 20000)[['n']]";
    let outcome = desk.app.run_code(run_id.clone(), code.to_owned()).await.unwrap();
    assert_eq!((outcome.error, outcome.printed.as_str()), (None, "twice\n"));
    let open = outcome.result.unwrap();
    let late = loop {
        let open = desk.app.result_status(open.result_id.clone()).await.unwrap();
        if open.complete {
            break open;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!((late.row_count, late.truncated), (60_000, false));
    assert_eq!(desk.app.result_rows(open.result_id, 59_999, 5).await.unwrap().rows.len(), 1);
    let file = ExportFile {
        path: desk.path("o.csv").into(),
        format: ExportFormat::Csv,
        style: Settings::default().csv_style(),
        about: None,
    };
    assert_eq!(desk.app.write_table(rerun(&run_id), file, |_| {}, CancellationToken::new()).await.unwrap(), 60_000);

    let wrong = "print('so far')\nx = 1\nresult = by_country['land']";
    let outcome = desk.app.run_code(run_id.clone(), wrong.to_owned()).await.unwrap();
    let error = outcome.error.unwrap();
    assert!(error.message.starts_with("line 3: KeyError: 'land'"), "{error}");
    assert_eq!((outcome.result, outcome.printed.as_str()), (None, "so far\n"));
    assert!(desk.app.open_table(rerun(&run_id), 10).await.is_err(), "no table of other code stands for it");
    assert_eq!(desk.app.open_table(answer(&run_id), 10).await.unwrap().row_count, 3);
    assert_eq!(desk.app.run_events(run_id.clone(), 0).await.unwrap(), log);

    // Only its views are accessible, and it can be cancelled.
    let outcome = desk.app.run_code(run_id.clone(), "result = open('/etc/passwd').read()".to_owned()).await.unwrap();
    assert!(outcome.error.is_some_and(|error| error.message.contains("line 1")));
    let app = desk.app.clone();
    let id = run_id.clone();
    let endless = tokio::spawn(async move { app.run_code(id, "while True: pass".to_owned()).await });
    while !endless.is_finished() {
        desk.app.stop_code(run_id.clone()).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(endless.await.unwrap().unwrap_err().code, ErrorCode::Cancelled);

    std::fs::remove_dir_all(desk.folder.path().join("data/views").join(&run_id)).unwrap();
    let gone = desk.app.run_code(run_id, code.to_owned()).await.unwrap_err();
    assert!(gone.message.contains("no longer stored") && gone.hint.unwrap().contains("saved question"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_question_fetches_its_views_anew_and_runs_its_code_over_them() {
    let desk = Desk::new().await;
    let report = desk.ask().await;
    let events = desk.app.run_events(report.run_id.clone(), 0).await.unwrap();
    let views = events.into_iter().filter_map(|event| match event.body {
        EventBody::ViewFetched { name, sql, error: None, .. } => Some(SavedView { name, sql }),
        _ => None,
    });
    let draft = SavedDraft {
        id: None,
        title: "Countries".to_owned(),
        question: report.question.clone(),
        sql: report.sql.clone().unwrap(),
        code: Some(SavedCode { code: CODE.to_owned(), views: views.collect() }),
        warehouse: desk.warehouse(),
        status: SavedStatus::Verified,
        run_id: Some(report.run_id.clone()),
        notes: String::new(),
    };
    let odd = vec![SavedView { name: "../odd".to_owned(), sql: String::new() }];
    let odd = SavedDraft { code: Some(SavedCode { code: CODE.to_owned(), views: odd }), ..draft.clone() };
    assert_eq!(desk.app.save_question(odd).await.unwrap_err().code, ErrorCode::Usage);
    let saved = desk.app.save_question(draft.clone()).await.unwrap();
    assert_eq!(saved.code, draft.code);

    // The saved question outlives its run, and answers with current data.
    desk.app.delete_run(report.run_id).await.unwrap();
    let shop = rusqlite::Connection::open(desk.path("shop.sqlite")).unwrap();
    shop.execute_batch("INSERT INTO customer VALUES (5,'Eve','DE')").unwrap();
    let outcome = desk.app.run_saved_code(saved.id.clone(), CODE.to_owned()).await.unwrap();
    assert_eq!((outcome.error, outcome.printed.as_str()), (None, "3 countries\n"));
    assert_eq!(outcome.notes, Vec::<String>::new());
    let rows = desk.app.result_rows(outcome.result.unwrap().result_id, 0, 1).await.unwrap().rows;
    assert_eq!(rows, [[Some("DE".into()), Some("2".into())]]);
    let kept = desk.folder.path().join("data/views").join(&saved.id);
    let files: Vec<_> = std::fs::read_dir(&kept).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["re-run.parquet"], "the views take no space");

    // Rows are limited by the settings, and the limit is reported.
    let mut settings = desk.app.settings().await.unwrap();
    settings.methods.insert("prospy", "view_rows", 2.into());
    desk.app.set_settings(settings).await.unwrap();
    let outcome = desk.app.run_saved_code(saved.id.clone(), CODE.to_owned()).await.unwrap();
    assert_eq!(outcome.printed, "2 countries\n");
    assert_eq!(outcome.notes, ["by_country has more rows: the first 2 of them were fetched"]);

    shop.execute_batch("ALTER TABLE customer RENAME COLUMN country TO land").unwrap();
    let failed = desk.app.run_saved_code(saved.id.clone(), CODE.to_owned()).await.unwrap_err();
    assert!(failed.message.starts_with("The view by_country cannot be fetched: "), "{failed}");

    // An answer of code has no query for the evaluation.
    let request = EvaluationRequest {
        pack: None,
        warehouse: Some(desk.warehouse()),
        strategy: "direct".into(),
        model: Some("scripted".to_owned()),
        every: 1,
        limit: None,
    };
    assert!(desk.app.start_evaluation(request).await.unwrap_err().message.contains("with SQL for its answer"));

    desk.app.delete_saved(saved.id.clone()).await.unwrap();
    assert!(!kept.exists());
    assert_eq!(desk.app.run_saved_code(saved.id, CODE.to_owned()).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn code_says_what_to_do_where_python_is_not_set_up() {
    let desk = Desk::new().await;
    let run_id = desk.ask().await.run_id;
    let elsewhere = AppOptions {
        folders: Folders { cache: desk.folder.path().join("empty"), data: desk.folder.path().join("data") },
        ..AppOptions::from_environment(Patience::TERMINAL).unwrap()
    };
    let error = App::open(elsewhere).await.unwrap().run_code(run_id, CODE.to_owned()).await.unwrap_err();
    assert!(error.message.contains("not set up") && error.hint.unwrap().contains("vitrine python install"));
}
