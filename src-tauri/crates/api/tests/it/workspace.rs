//! The workspace in one file: transferred to another computer and back.

use crate::support::Desk;
use std::io::Read;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_api::{
    AppEvent, AuditVerdict, ConnectionDraft, ConnectionSettings, ImportChoice, ImportCount, JobState, RemoteModel,
    RemoteProvider, SavedDraft, SavedStatus, WorkspaceImport,
};
use vitrine_domain::{
    AppError, Definition, DefinitionSource, Definitions, EgressLevel, EgressPolicy, ErrorCode, EventBody,
};
use vitrine_llm::Line;
use vitrine_store::Store;
use zip::ZipArchive;

const SQL: &str = "SELECT name FROM customers ORDER BY id";
const PASSWORD: &str = "hunter2-in-the-keychain";
const KEY: &str = "sk-very-secret";
pub(crate) const ALL: ImportChoice = ImportChoice { settings: false, apply: true, confirmed: Vec::new() };
const LOOK: ImportChoice = ImportChoice { settings: false, apply: false, confirmed: Vec::new() };

pub(crate) async fn export(desk: &Desk, results: bool) -> PathBuf {
    let path = desk.path("workspace.zip");
    desk.app.write_workspace(path.clone(), results, |_, _| {}, CancellationToken::new()).await.unwrap();
    path
}

pub(crate) async fn import(
    desk: &Desk,
    path: &std::path::Path,
    choice: ImportChoice,
) -> Result<WorkspaceImport, AppError> {
    desk.app.read_workspace(path.to_owned(), choice, |_, _| {}, CancellationToken::new()).await
}

/// Returns the whole content of a file, unpacked.
fn unpacked(path: &std::path::Path) -> String {
    let mut zip = ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut all = String::new();
    for at in 0..zip.len() {
        zip.by_index(at).unwrap().read_to_string(&mut all).unwrap();
    }
    all
}

fn draft(desk: &Desk, title: &str, sql: &str) -> SavedDraft {
    SavedDraft {
        id: None,
        title: title.to_owned(),
        question: "Who are our customers?".to_owned(),
        sql: sql.to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Draft,
        run_id: None,
        notes: String::new(),
    }
}

pub(crate) fn connection(name: &str, address: &str) -> ConnectionDraft {
    ConnectionDraft {
        id: None,
        name: name.to_owned(),
        address: address.to_owned(),
        environment: "production".parse().ok(),
        schemas: vec!["sales".to_owned()],
        settings: ConnectionSettings { require_approval: true, ..ConnectionSettings::default() },
        password: None,
        remember: true,
    }
}

/// Returns a desk that has been used for a while.
pub(crate) async fn at_work() -> (Desk, String) {
    let desk = Desk::new(vec![SQL]).await;
    let app = &desk.app;
    let run_id = desk.ask("Who are our customers?").await.unwrap();
    desk.all(&run_id).await;
    app.name_run(run_id.clone(), "All customers".to_owned()).await.unwrap();
    app.pin_run(run_id.clone(), true).await.unwrap();
    let saved = SavedDraft { run_id: Some(run_id.clone()), ..draft(&desk, "Customers", SQL) };
    let saved = app.save_question(saved).await.unwrap();
    app.file_saved(saved.id.clone(), "Sales/Monthly".to_owned(), vec!["finance".to_owned()]).await.unwrap();
    app.mark_saved(saved.id, SavedStatus::Verified, Some("Ann".to_owned())).await.unwrap();
    let mut shop = connection("Shop", &format!("postgresql://ann:{PASSWORD}@db.example/shop"));
    app.keep_connection(shop.clone()).await.unwrap();
    shop = connection("Here", &desk.shop);
    app.keep_connection(ConnectionDraft { settings: ConnectionSettings::default(), schemas: Vec::new(), ..shop })
        .await
        .unwrap();
    let known = Definition {
        term: "orders".to_owned(),
        synonyms: Vec::new(),
        meaning: "those that count".to_owned(),
        condition: Some("total > 1".to_owned()),
        always: true,
        subject: Some("orders".to_owned()),
        source: DefinitionSource::User,
    };
    let known = Definitions { text: "Prices are in cents.".to_owned(), entries: vec![known] };
    app.set_definitions(desk.shop.clone(), known).await.unwrap();
    app.set_egress(desk.shop.clone(), EgressPolicy { level: EgressLevel::Profile, ..EgressPolicy::default() })
        .await
        .unwrap();
    let model = RemoteModel {
        id: "work".to_owned(),
        title: "Work".to_owned(),
        provider: RemoteProvider::Other,
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        model: "some-model".to_owned(),
        context_tokens: 16_000,
        has_key: false,
    };
    app.set_remote_model(model, Some(KEY.to_owned())).await.unwrap();
    let mut settings = app.settings().await.unwrap();
    settings.candidates = 7;
    app.set_settings(settings).await.unwrap();
    (desk, run_id)
}

fn new(added: u32) -> ImportCount {
    ImportCount { added, ..ImportCount::default() }
}

fn here(here: u32) -> ImportCount {
    ImportCount { here, ..ImportCount::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_there_on_another_computer_and_a_second_import_changes_nothing() {
    let (desk, run_id) = at_work().await;
    let file = export(&desk, true).await;
    let other = Desk::new(Vec::<Line>::new()).await;
    let looked = import(&other, &file, LOOK).await.unwrap();
    assert!(other.app.saved(String::new()).await.unwrap().is_empty(), "a look changes nothing");
    let done = import(&other, &file, ALL).await.unwrap();
    assert_eq!(looked, done, "what was said before is what was done");
    assert_eq!((done.runs, done.saved, done.connections, done.models), (new(1), new(1), new(2), new(1)));
    assert_eq!((done.descriptions, done.settings_differ, done.settings_taken), (new(1), true, false));
    assert!(done.refused.is_empty(), "{:?}", done.refused);
    assert!(done.notes.iter().any(|note| note.contains("Passwords") && note.contains("Shop")), "{:?}", done.notes);
    assert!(done.notes.iter().any(|note| note.contains("work") && note.contains("key")), "{:?}", done.notes);

    let app = &other.app;
    let run = app.history(String::new(), None, 10, 0).await.unwrap().remove(0);
    assert_eq!(
        (run.run_id.as_str(), run.title.as_deref(), run.pinned, run.saved),
        (&*run_id, Some("All customers"), true, true)
    );
    assert_eq!(app.run_report(run_id.clone()).await.unwrap(), desk.app.run_report(run_id.clone()).await.unwrap());
    let (mine, theirs) = (app.saved(String::new()).await.unwrap(), desk.app.saved(String::new()).await.unwrap());
    assert_eq!(mine, theirs);
    assert_eq!((mine[0].status, mine[0].filing.folder.as_str()), (SavedStatus::Verified, "Sales/Monthly"));
    let result = app.saved_result(mine[0].id.clone()).await.unwrap();
    assert_eq!(result, desk.app.saved_result(mine[0].id.clone()).await.unwrap());
    let shop = app.find_connection("Shop").await.unwrap();
    assert!(shop.settings.require_approval && shop.environment.is_some() && shop.schemas == ["sales"]);
    app.open_warehouse(desk.shop.clone()).await.unwrap();
    let definitions = app.definitions(desk.shop.clone()).await.unwrap();
    assert!(!definitions.entries[0].always && definitions.text.contains("cents"), "it waits to be confirmed");
    assert_eq!(
        app.egress(desk.shop.clone()).await.unwrap().policy.level,
        EgressLevel::Profile,
        "it is the tighter one"
    );
    assert_eq!(app.settings().await.unwrap().candidates, 8, "settings were not asked for");
    assert!(!app.remote_models().await.unwrap()[0].has_key);

    let again = import(&other, &file, ALL).await.unwrap();
    assert_eq!((again.runs, again.saved, again.connections), (here(1), here(1), here(2)));
    assert_eq!((again.descriptions, again.models), (here(1), here(1)));
    assert_eq!(app.saved(String::new()).await.unwrap(), mine);
    let with = import(&other, &file, ImportChoice { settings: true, ..ALL }).await.unwrap();
    assert!(with.settings_taken && app.settings().await.unwrap().candidates == 7);
    // The imported content is exported unchanged.
    let back = export(&other, true).await;
    let returned = import(&desk, &back, ALL).await.unwrap();
    assert_eq!((returned.runs, returned.saved, returned.connections), (here(1), here(1), here(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_loosens_nothing_until_each_part_is_confirmed() {
    let (desk, _) = at_work().await;
    let looser = EgressPolicy {
        mask_personal: false,
        allowed: vec!["customers.name".to_owned()],
        masked: vec!["customers.country".to_owned()],
        ..EgressPolicy::default()
    };
    desk.app.set_egress(desk.shop.clone(), looser.clone()).await.unwrap();
    let file = export(&desk, true).await;
    let policy = async |other: &Desk| other.app.egress(desk.shop.clone()).await.unwrap().policy;
    let always = async |other: &Desk| other.app.definitions(desk.shop.clone()).await.unwrap().entries[0].always;

    let tight = Desk::new(Vec::<Line>::new()).await;
    let looked = import(&tight, &file, LOOK).await.unwrap();
    let whats: Vec<&str> = looked.looser.iter().map(|part| part.what.as_str()).collect();
    assert_eq!(whats.len(), 3, "{whats:?}");
    assert!(whats[0].contains("not masked") && whats[1].contains("customers.name") && whats[2].contains("total > 1"));
    assert!(looked.looser.iter().all(|part| !part.taken));
    import(&tight, &file, ALL).await.unwrap();
    tight.app.open_warehouse(desk.shop.clone()).await.unwrap();
    let kept = policy(&tight).await;
    assert_eq!((kept.mask_personal, kept.allowed.len(), kept.masked.clone()), (true, 0, looser.masked.clone()));
    assert!(!always(&tight).await);
    assert_eq!(import(&tight, &file, ALL).await.unwrap().descriptions, here(1), "it is here, without its looser parts");

    let other = Desk::new(Vec::<Line>::new()).await;
    let confirmed = vec![looked.looser[1].id.clone(), looked.looser[2].id.clone()];
    let done = import(&other, &file, ImportChoice { confirmed, ..ALL }).await.unwrap();
    assert_eq!(done.looser.iter().map(|part| part.taken).collect::<Vec<_>>(), [false, true, true]);
    other.app.open_warehouse(desk.shop.clone()).await.unwrap();
    let kept = policy(&other).await;
    assert_eq!((kept.mask_personal, kept.allowed), (true, looser.allowed));
    assert!(always(&other).await);
    // Policies that were set here are kept.
    assert_eq!(import(&other, &file, ALL).await.unwrap().looser, []);
    assert!(always(&other).await);
    let audit = other.app.audit(String::new(), None, 20, 0).await.unwrap();
    let told = |verdict| audit.iter().filter(|row| row.entry.verdict == verdict && row.entry.sql.is_empty()).count();
    assert_eq!((told(AuditVerdict::Approved), told(AuditVerdict::Refused)), (2, 1), "{audit:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_file_and_rows_only_where_they_are_wanted() {
    let (desk, run_id) = at_work().await;
    let whole = unpacked(&export(&desk, true).await);
    assert!(whole.contains("Grace") && whole.contains("Sales/Monthly"));
    for secret in [PASSWORD, KEY] {
        assert!(!whole.contains(secret), "{secret}");
    }
    let file = export(&desk, false).await;
    let without = unpacked(&file);
    assert!(!without.contains("Grace") && !without.contains("Ada"), "{without}");
    assert!(without.contains(SQL) && without.contains("total > 1"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "nobody else reads it");
    }
    let other = Desk::new(Vec::<Line>::new()).await;
    let done = import(&other, &file, ALL).await.unwrap();
    assert_eq!((done.runs, done.results), (new(1), false), "{:?}", done.refused);
    let report = other.app.run_report(run_id.clone()).await.unwrap();
    assert_eq!(report.sql, desk.app.run_report(run_id.clone()).await.unwrap().sql);
    let page = report.page.unwrap();
    assert!(page.rows.is_empty() && page.row_count == 3);
    assert_eq!(import(&other, &file, ALL).await.unwrap().runs, here(1));
    // A complete log does not replace an existing one without rows.
    let whole = export(&desk, true).await;
    let done = import(&other, &whole, ALL).await.unwrap();
    assert_eq!(done.runs, ImportCount { differs: 1, ..ImportCount::default() });
    // A log without rows also does not replace a complete one.
    let without = export(&desk, false).await;
    assert_eq!(import(&desk, &without, ALL).await.unwrap().runs, here(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_here_stays_and_what_shares_its_name_gets_another() {
    let (desk, _) = at_work().await;
    let file = export(&desk, true).await;
    let other = Desk::new(Vec::<Line>::new()).await;
    let app = &other.app;
    let own = app.save_question(draft(&other, "customers", "SELECT 1")).await.unwrap();
    app.file_saved(own.id.clone(), "Sales/Monthly".to_owned(), Vec::new()).await.unwrap();
    app.keep_connection(connection("SHOP", "postgresql://bob@other.example/shop")).await.unwrap();
    let done = import(&other, &file, ALL).await.unwrap();
    assert_eq!((done.saved, done.connections), (new(1), new(2)));
    let titles: Vec<String> = app.saved(String::new()).await.unwrap().into_iter().map(|kept| kept.title).collect();
    assert!(
        titles.contains(&"customers".to_owned()) && titles.contains(&"Customers (imported)".to_owned()),
        "{titles:?}"
    );
    let names: Vec<String> = app.connections().await.unwrap().into_iter().map(|kept| kept.name).collect();
    assert_eq!(names, ["Here", "SHOP", "Shop (imported)"]);
    assert_eq!(import(&other, &file, ALL).await.unwrap().saved, here(1), "a name of its own is no difference");

    // The question was changed on both sides.
    let theirs = desk.app.saved(String::new()).await.unwrap().remove(0);
    let changed = SavedDraft { id: Some(theirs.id.clone()), ..draft(&desk, "Customers", "SELECT 2") };
    desk.app.save_question(changed).await.unwrap();
    let done = import(&other, &export(&desk, true).await, ALL).await.unwrap();
    assert_eq!(done.saved, ImportCount { differs: 1, ..ImportCount::default() });
    assert!(
        done.notes.iter().any(|note| note.contains("'Customers'") && note.contains("yours is kept")),
        "{:?}",
        done.notes
    );
    assert_eq!(app.saved_named(&theirs.id).await.unwrap().sql, SQL);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_connection_is_not_opened_before_the_user_opens_it() {
    let (desk, run_id) = at_work().await;
    let file = export(&desk, true).await;
    let other = Desk::new(Vec::<Line>::new()).await;
    import(&other, &file, ALL).await.unwrap();
    assert_eq!(other.app.catalog(desk.shop.clone()).await.unwrap_err().code, ErrorCode::Unconfirmed);
    assert_eq!(other.app.saved_drifts().await.unwrap(), Vec::new());
    other.app.run_events(run_id, 0).await.unwrap();
    other.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!(other.app.catalog(desk.shop.clone()).await.unwrap().tables, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_of_the_other_computer_is_the_sample_here() {
    let (desk, other) = (Desk::new(Vec::<Line>::new()).await, Desk::new(Vec::<Line>::new()).await);
    let of_sample =
        SavedDraft { warehouse: desk.app.sample_uri(), ..draft(&desk, "Orders", "SELECT count(*) FROM orders") };
    desk.app.save_question(of_sample).await.unwrap();
    import(&other, &export(&desk, true).await, ALL).await.unwrap();
    assert_ne!(desk.app.sample_uri(), other.app.sample_uri());
    assert_eq!(other.app.saved(String::new()).await.unwrap()[0].warehouse, other.app.sample_uri());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_is_taken_back_and_leaves_what_was_here() {
    let (desk, _) = at_work().await;
    let file = export(&desk, true).await;
    let other = Desk::new(vec!["SELECT count(*) FROM orders"]).await;
    let app = &other.app;
    let own = other.ask("How many orders?").await.unwrap();
    other.all(&own).await;
    app.save_question(draft(&other, "Mine", "SELECT 1")).await.unwrap();
    let before = app.settings().await.unwrap();
    let job = app.begin_workspace_import(file.display().to_string(), true, true, Vec::new()).await.unwrap();
    let done = app.workspace_import(job.clone()).await.unwrap();
    assert_eq!((done.runs, done.settings_taken), (new(1), true));
    app.undo_workspace_import(job.clone()).await.unwrap();
    let runs: Vec<String> =
        app.history(String::new(), None, 10, 0).await.unwrap().into_iter().map(|run| run.run_id).collect();
    assert_eq!(runs, [own]);
    assert_eq!(app.saved(String::new()).await.unwrap().len(), 1);
    assert!(app.connections().await.unwrap().is_empty() && app.remote_models().await.unwrap().is_empty());
    assert_eq!(app.settings().await.unwrap(), before);
    assert_eq!(app.undo_workspace_import(job).await.unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(import(&other, &file, ALL).await.unwrap().runs, new(1), "and can be imported again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_exports_as_a_job_to_the_file_that_was_chosen_and_the_audit_knows() {
    let (desk, _) = at_work().await;
    let mut events = desk.app.subscribe_to_events();
    assert_eq!(desk.app.export_workspace("no such token".to_owned(), true).await.unwrap_err().code, ErrorCode::Usage);
    let file = desk.chosen("all.zip").await;
    let job = desk.app.export_workspace(file, false).await.unwrap();
    let ended = loop {
        match events.recv().await.unwrap() {
            AppEvent::Job(event) if event.job_id == job && event.state != JobState::Running => break event,
            _ => {}
        }
    };
    assert_eq!((ended.state, ended.done), (JobState::Done, 2));
    assert!(std::path::Path::new(&ended.path.unwrap()).exists());
    desk.app.show_in_folder(job).await.unwrap();
    let row = desk.app.audit(String::new(), None, 1, 0).await.unwrap().remove(0);
    assert_eq!((row.entry.verdict, row.entry.receiver.as_deref()), (AuditVerdict::Told, Some("file all.zip")));
    assert!(row.entry.reason.unwrap().contains("1 runs, 1 saved questions, 2 connections and 1 models, without rows"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_stops_it_finds_no_half_of_it() {
    let (desk, _) = at_work().await;
    let file = export(&desk, true).await;
    let stopped = CancellationToken::new();
    stopped.cancel();
    let path = desk.path("other.zip");
    let error = desk.app.write_workspace(path.clone(), true, |_, _| {}, stopped.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Cancelled);
    let left: Vec<_> =
        std::fs::read_dir(desk.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!path.exists() && !left.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{left:?}");
    // Stopped in the middle: connections were already imported, runs were not.
    let other = Desk::new(Vec::<Line>::new()).await;
    let stopped = CancellationToken::new();
    let stop = stopped.clone();
    let progress = move |done: u64, _: u64| {
        if done == 3 {
            stop.cancel();
        }
    };
    let error = other.app.read_workspace(file, ALL, progress, stopped).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Cancelled);
    assert!(other.app.connections().await.unwrap().is_empty() && other.app.remote_models().await.unwrap().is_empty());
    // A running run is not exported.
    let store = Store::open(&desk.path("data/workspace.db")).unwrap();
    let events = desk.all(&desk.app.history(String::new(), None, 1, 0).await.unwrap()[0].run_id).await;
    let mut first = events[0].clone();
    first.run_id = "0190a5f2-7c1e-7f00-8a3b-1234567890ab".to_owned();
    assert!(matches!(first.body, EventBody::RunStarted { .. }));
    store.append_event(&first).unwrap();
    assert_eq!(desk.app.workspace_content().await.unwrap().runs, 1);
}
