//! A program with its own folders and a small shop database.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub struct Desk {
    pub folder: TempDir,
}

/// The result of a command.
pub struct Said {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { status: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Desk {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = rusqlite::Connection::open(folder.path().join("shop.db")).unwrap();
        db.execute_batch(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
             INSERT INTO customers VALUES (1, 'Ada', 'UK'), (2, 'Grace', 'US'), (9007199254740993, 'Alan', NULL);",
        )
        .unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn shop(&self) -> String {
        format!("sqlite:{}", self.path("shop.db").display())
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        command(self.folder.path(), arguments)
    }

    pub fn run(&self, arguments: &[&str]) -> Said {
        self.command(arguments).output().unwrap().into()
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("VITRINE_CACHE", folder.join("cache"))
        .env("VITRINE_HOME", folder.join("data"))
        .env_remove("VITRINE_LOG")
        .stdin(Stdio::null());
    command
}
