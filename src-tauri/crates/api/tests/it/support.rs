//! An application in its own folder, with a small shop as data.

use async_trait::async_trait;
use futures::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use vitrine_api::{App, AppOptions, AskRequest, FileDialogs, Folders, OpenKind, Patience, ResultHandle};
use vitrine_domain::{AppError, AskSettings, MethodName, RunEvent};
use vitrine_llm::{ChatModel, Line, ScriptedModel};
use vitrine_store::secrets::{InMemory, SecretError, SecretStore};

pub struct Desk {
    pub app: App,
    pub shop: String,
    pub folder: TempDir,
}

impl Desk {
    pub async fn new<L: Into<Line>>(lines: Vec<L>) -> Self {
        Self::with(Arc::new(ScriptedModel::new(lines))).await
    }

    pub async fn with(model: Arc<dyn ChatModel>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shop = folder.path().join("shop.db");
        make_shop(&shop);
        let app = App::open(options(folder.path(), vec![model])).await.unwrap();
        let shop = format!("sqlite:{}", shop.display());
        app.confirm_warehouse(&shop).await;
        app.set_dialogs(Arc::new(Chooses(folder.path().join("chosen"))));
        Self { app, shop, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the token of a file that the user chose in a dialog.
    pub async fn chosen(&self, name: &str) -> String {
        self.app.pick_save_file(name.to_owned()).await.unwrap().unwrap().token
    }

    pub fn question(&self, question: &str) -> AskRequest {
        AskRequest {
            warehouse: self.shop.clone(),
            question: question.to_owned(),
            knowledge: None,
            settings: AskSettings {
                strategy: MethodName::from("direct"),
                model: Some("scripted".to_owned()),
                ..AskSettings::default()
            },
            follows: None,
        }
    }

    pub async fn ask(&self, question: &str) -> Result<String, AppError> {
        self.app.ask(self.question(question)).await
    }

    /// Returns all events of a run, as a front end receives them.
    pub async fn all(&self, run_id: &str) -> Vec<RunEvent> {
        let events: Vec<_> = self.app.stream_run_events(run_id.to_owned()).collect().await;
        events.into_iter().collect::<Result<_, _>>().unwrap()
    }
}

/// A user who always chooses the suggested name in one folder and, as a library, the driver in it, if there is one.
struct Chooses(PathBuf);

#[async_trait]
impl FileDialogs for Chooses {
    async fn pick_open_path(&self, kind: OpenKind) -> Option<PathBuf> {
        let library = self.0.join("libadbc_driver_mssql.so");
        (kind == OpenKind::Driver && library.exists()).then_some(library)
    }

    async fn pick_save_path(&self, name: &str) -> Option<PathBuf> {
        std::fs::create_dir_all(&self.0).ok()?;
        Some(self.0.join(name))
    }

    async fn pick_folder(&self) -> Option<PathBuf> {
        Some(self.0.clone())
    }

    fn show_in_folder(&self, path: &Path) -> std::io::Result<()> {
        // Records the shown path for the test.
        std::fs::write(self.0.join("shown"), path.display().to_string())
    }
}

/// Returns a result once it is read completely.
pub async fn whole(desk: &Desk, id: &str) -> ResultHandle {
    loop {
        let handle = desk.app.result_status(id.to_owned()).await.unwrap();
        if handle.complete {
            return handle;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub fn options(folder: &Path, models: Vec<Arc<dyn ChatModel>>) -> AppOptions {
    AppOptions {
        folders: Folders::with_root(folder),
        worker_exe: "/nonexistent/worker".into(),
        patience: Patience::TERMINAL,
        secrets: Arc::new(InMemory::default()),
        models,
    }
}

pub fn make_shop(path: &Path) {
    let db = rusqlite::Connection::open(path).unwrap();
    db.execute_batch(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
         CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total NUMERIC);
         INSERT INTO customers VALUES (1, 'Ada', 'UK'), (2, 'Grace', 'US'), (3, '=1+2', 'US');
         INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 20), (3, 2, 30);",
    )
    .unwrap();
}

/// A computer without a keychain.
pub struct NoKeychain;

impl SecretStore for NoKeychain {
    fn check_available(&self) -> Result<(), SecretError> {
        Err(SecretError::Unavailable { message: "no bus".to_owned() })
    }

    fn get(&self, _: &str) -> Result<Option<String>, SecretError> {
        self.check_available().map(|()| None)
    }

    fn set(&self, _: &str, _: &str) -> Result<(), SecretError> {
        self.check_available()
    }

    fn delete(&self, _: &str) -> Result<(), SecretError> {
        self.check_available()
    }
}
